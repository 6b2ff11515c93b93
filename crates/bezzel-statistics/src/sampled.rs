//! The strata and instances of a question as draws are evaluated on them.

use super::replicate_table::ReplicateCell;

/// The terms that an instance adds to the sums of a contrast: both ends of the logarithm of its ratio, and 1 for its
/// number. They are zero if the contrast has no ratio on the instance.
pub(super) type Share = [f64; 3];

/// A stratum. A contrast of which no pair was measured in it has no share in it.
pub(super) struct SampledStratum<'q> {
    pub(super) instances: Vec<SampledInstance<'q>>,
    /// The contrasts of one pair for which this holds in this stratum, and not in all others.
    pub(super) singles: Vec<(usize, usize, usize)>,
    /// The contrasts of several pairs for which it holds in this stratum.
    pub(super) means: Vec<(usize, Vec<(usize, usize)>)>,
    /// The other contrasts.
    pub(super) others: Vec<usize>,
}

/// An instance.
pub(super) struct SampledInstance<'q> {
    pub(super) instance: usize,
    /// The medians of the arms of one replicate, zero for others. Empty if there is no such arm.
    pub(super) constants: Vec<i64>,
    /// The arms of few replicates, each with the place of the middle ranks of each multiset.
    pub(super) few: Vec<(DrawnArm, u32)>,
    /// The arms of many replicates.
    pub(super) many: Vec<(DrawnArm, &'q ReplicateCell)>,
    /// The arms of pools, and the distance between the medians of two resamples.
    pub(super) pooled: Vec<(DrawnArm, usize)>,
    /// The shares of the other contrasts of its stratum, if they are the same in every draw.
    pub(super) fixed: Option<Vec<Share>>,
}

/// An arm, the number of its draw on the instance, and the place of its medians.
pub(super) struct DrawnArm {
    pub(super) arm: u32,
    pub(super) draw: u32,
    pub(super) start: u32,
}

impl SampledStratum<'_> {
    /// Adds the mean over a stratum of each contrast: from the means of the arms, or the sums of the other contrasts.
    pub(super) fn total(&self, means: &[[f64; 2]], here: &[Share], totals: &mut [Share]) {
        let enter = |total: &mut Share, [low, high]: [f64; 2]| {
            *total = [total[0] + low, total[1] + high, total[2] + 1.0];
        };
        let ratio = |(one, two): (usize, usize)| {
            [means[one][0] - means[two][1], means[one][1] - means[two][0]]
        };
        for &(number, one, two) in &self.singles {
            enter(&mut totals[number], ratio((one, two)));
        }
        for (number, pairs) in &self.means {
            let ratios = || pairs.iter().map(|&pair| ratio(pair));
            let ends = [0, 1].map(|end| ratios().map(|ratio| ratio[end]).sum::<f64>());
            enter(&mut totals[*number], ends.map(|end| end / pairs.len() as f64));
        }
        for (&number, &[low, high, count]) in self.others.iter().zip(here) {
            if count > 0.0 {
                enter(&mut totals[number], [low / count, high / count]);
            }
        }
    }
}
