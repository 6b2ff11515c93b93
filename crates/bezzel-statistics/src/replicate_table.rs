//! The replicates of a design as logarithms, and the ratios of contrasts without resampling.

use super::observation::Observation;
use super::paired_design::PairedDesign;
use super::ratio::{LogRatio, Ratio};
use crate::contrast::Contrast;

/// The logarithm of a median, and true if the median is over the limit.
pub(super) type LogMedian = Option<(f64, bool)>;

/// A contrast on one instance: the mean over its measured pairs that are not both over the limit.
pub(super) fn within(contrast: &Contrast, medians: &[LogMedian]) -> Option<LogRatio> {
    let (mut low, mut high, mut count) = (0.0, 0.0, 0.0);
    for &(one, two) in &contrast.pairs {
        if let (Some(one), Some(two)) = (medians[one], medians[two])
            && let Some(ratio) = LogRatio::of(one, two)
        {
            low += ratio.low;
            high += ratio.high;
            count += 1.0;
        }
    }
    (count > 0.0).then(|| LogRatio { low: low / count, high: high / count })
}

/// The replicates of a design.
pub(super) struct ReplicateTable {
    pub(super) arms: usize,
    /// The cells by instance, then by arm.
    cells: Vec<ReplicateCell>,
    /// The medians of the cells, without resampling.
    medians: Vec<LogMedian>,
    /// The instances of each family. All families of a single instance are one stratum together. A single such family
    /// is a part of the largest stratum.
    pub(super) strata: Vec<Vec<usize>>,
}

/// The replicates of an arm on an instance.
pub(super) struct ReplicateCell {
    /// The values, those over the limit last.
    values: Vec<f64>,
    /// The number of each value among the replicates in the order of their keys.
    pub(super) order: Vec<usize>,
    /// The number of values that are not over the limit.
    measured: usize,
    /// The first arm whose replicates are drawn together with these.
    pub(super) drawn_with: usize,
}

impl ReplicateCell {
    /// The number of replicates.
    pub(super) fn count(&self) -> usize {
        self.values.len()
    }

    /// True if there are replicates, and none is over the limit.
    pub(super) fn is_exact(&self) -> bool {
        self.measured > 0 && self.measured == self.count()
    }

    /// The largest absolute value of the logarithm of a median of draws.
    pub(super) fn largest_log(&self) -> f64 {
        self.values.iter().map(|value| value.ln().abs()).fold(0.0, f64::max)
    }

    /// The logarithm of the middle between two ranks, and true if the upper one is over the limit.
    pub(super) fn middle(&self, (lower, upper): (usize, usize)) -> (f64, bool) {
        let (low, high) = (self.values[lower], self.values[upper]);
        let middle = if lower == upper { low } else { f64::midpoint(low, high) };
        (middle.ln(), upper >= self.measured)
    }

    /// The two middle ranks of as many draws as there are replicates. `counts` has the number of draws of each
    /// replicate.
    pub(super) fn middle_ranks(&self, counts: &[u16]) -> (usize, usize) {
        let (mut seen, mut lower) = (0, None);
        for (rank, &replicate) in self.order.iter().enumerate() {
            seen += usize::from(counts[replicate]);
            if seen > (counts.len() - 1) / 2 {
                let lower = *lower.get_or_insert(rank);
                if seen > counts.len() / 2 {
                    return (lower, rank);
                }
            }
        }
        (counts.len() / 2, counts.len() / 2)
    }
}

impl ReplicateTable {
    pub(super) fn new(design: &PairedDesign) -> Self {
        let places = 0..design.instances().len();
        let all =
            places.flat_map(|place| (0..design.arms()).map(move |arm| design.cell(arm, place)));
        let cells = all.map(|cell| {
            let mut order = vec![0; cell.ranks.len()];
            for (replicate, &rank) in cell.ranks.iter().enumerate() {
                order[rank as usize] = replicate;
            }
            ReplicateCell {
                values: cell.sorted.iter().copied().map(Observation::bound).collect(),
                order,
                measured: cell.sorted.iter().filter(|seen| !seen.is_over()).count(),
                drawn_with: cell.drawn_with,
            }
        });
        let cells: Vec<ReplicateCell> = cells.collect();
        let (mut strata, mut singles) = (Vec::new(), Vec::new());
        for (_, instances) in design.families() {
            if instances.len() > 1 { strata.push(instances) } else { singles.extend(instances) }
        }
        // One instance alone is no stratum: every draw would be the same.
        if singles.len() == 1
            && let Some(largest) = strata.iter_mut().max_by_key(|stratum| stratum.len())
        {
            largest.append(&mut singles);
        }
        strata.extend((!singles.is_empty()).then_some(singles));
        let median = |cell: &ReplicateCell| {
            (cell.count() > 0).then(|| cell.middle(((cell.count() - 1) / 2, cell.count() / 2)))
        };
        let medians = cells.iter().map(median).collect();
        Self { arms: design.arms(), cells, medians, strata }
    }

    /// The cells of all arms on an instance.
    pub(super) fn cells(&self, instance: usize) -> &[ReplicateCell] {
        &self.cells[instance * self.arms..][..self.arms]
    }

    /// The medians of all arms on an instance.
    pub(super) fn medians(&self, instance: usize) -> &[LogMedian] {
        &self.medians[instance * self.arms..][..self.arms]
    }

    /// The ratios of a contrast on all instances that have a share in it.
    pub(super) fn ratios(&self, contrast: &Contrast) -> Vec<LogRatio> {
        let instances = self.strata.iter().flatten();
        instances.filter_map(|&instance| within(contrast, self.medians(instance))).collect()
    }

    /// The number of strata with an instance that has a share in a contrast.
    pub(super) fn families(&self, contrast: &Contrast) -> usize {
        let has_share = |&instance: &usize| within(contrast, self.medians(instance)).is_some();
        self.strata.iter().filter(|stratum| stratum.iter().any(has_share)).count()
    }

    /// True if every resample of a contrast has a ratio between these logarithms: the ratio of each instance is between
    /// them, no arm has several replicates, and all instances of a stratum have a share.
    pub(super) fn is_within(&self, contrast: &Contrast, (low, high): (f64, f64)) -> bool {
        let ratio = |&instance: &usize| within(contrast, self.medians(instance));
        let is_single = |&instance: &usize| {
            let cells = self.cells(instance);
            let arms = contrast.pairs.iter().flat_map(|&(one, two)| [one, two]);
            arms.map(|arm| cells[arm].count()).all(|count| count < 2)
        };
        self.strata.iter().any(|stratum| stratum.iter().all(|instance| ratio(instance).is_some()))
            && self.strata.iter().flatten().all(is_single)
            && self.ratios(contrast).iter().all(|ratio| ratio.low >= low && ratio.high <= high)
    }

    /// The ratio of a contrast, without resampling.
    pub(super) fn ratio(&self, contrast: &Contrast) -> Ratio {
        let of = |instances: &Vec<usize>| {
            let medians = instances.iter().map(|&instance| self.medians(instance));
            let measured = medians.filter(|medians| {
                let both =
                    |&(one, two): &(usize, usize)| medians[one].is_some() && medians[two].is_some();
                contrast.pairs.iter().any(both)
            });
            measured.map(|medians| within(contrast, medians)).collect::<Vec<_>>()
        };
        Ratio::of_families(self.strata.iter().map(of))
    }
}
