//! Replicability: the probability that two comparisons with one scrambling each name the same winner.
//!
//! A comparison with one scrambling runs every arm once on each instance, under the conditions of one replicate, and its
//! winner has the least geometric mean. All comparisons that the replicates contain are enumerated, and all pairs of two
//! different ones; nothing is drawn.

use super::paired_design::PairedDesign;
use super::score::penalised;

/// The agreement of comparisons with one scrambling each.
#[derive(Clone, Debug, PartialEq)]
pub struct Replicability {
    /// The number of comparisons: replicates of each arm.
    pub comparisons: usize,
    /// The number of comparisons that each arm wins.
    pub wins: Vec<usize>,
    /// The probability that two different comparisons have the same winner.
    pub agreement: f64,
}

/// The replicability of a design, over the arms and instances with as many replicates as any. A run over the limit counts
/// twice the limit. None if fewer than two arms have several replicates.
pub fn replicability(design: &PairedDesign, offset: f64) -> Option<Replicability> {
    let places = 0..design.instances().len();
    let count = |arm: usize, place: usize| design.replicates(arm, place).len();
    let largest =
        |arm: usize| places.clone().map(|place| count(arm, place)).max().unwrap_or_default();
    let comparisons = (0..design.arms()).map(largest).max().filter(|&of| of > 1)?;
    let arms: Vec<usize> = (0..design.arms()).filter(|&arm| largest(arm) == comparisons).collect();
    let is_whole = |place: &usize| arms.iter().all(|&arm| count(arm, *place) == comparisons);
    let places: Vec<usize> = places.clone().filter(is_whole).collect();
    if arms.len() < 2 || places.is_empty() {
        return None;
    }
    let mut wins = vec![0; design.arms()];
    for replicate in 0..comparisons {
        let sum = |&arm: &usize| -> f64 {
            let logs = places.iter().map(|&place| {
                let rank = design.cell(arm, place).ranks[replicate] as usize;
                (penalised(design, design.replicates(arm, place)[rank], 2.0) + offset).ln()
            });
            logs.sum()
        };
        let sums = arms.iter().map(|arm| (sum(arm), *arm));
        let winner = sums.min_by(|one, two| one.0.total_cmp(&two.0))?;
        wins[winner.1] += 1;
    }
    let same: usize = wins.iter().map(|&won: &usize| won * won.saturating_sub(1)).sum();
    let agreement = same as f64 / (comparisons * (comparisons - 1)) as f64;
    Some(Replicability { comparisons, wins, agreement })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observation::Observation::{self, AtLeast, Exact};
    use crate::paired_design::DesignInstance;

    #[test]
    fn the_agreement_is_that_of_all_pairs_counted_one_by_one() {
        // Times by instance, arm and replicate, from a fixed sequence; some are over the limit of 40.
        let mut state = 7_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            1.0 + (state >> 58) as f64
        };
        for _ in 0..50 {
            let times: Vec<Vec<Vec<f64>>> = (0..3)
                .map(|_| (0..3).map(|_| (0..6).map(|_| next()).collect()).collect())
                .collect();
            let seen = |time: f64| if time > 40.0 { AtLeast(40.0) } else { Exact(time) };
            let mut design = PairedDesign::new(3).limited(Some(40.0));
            for (place, of_instance) in times.iter().enumerate() {
                let keyed = |of_arm: &Vec<f64>| -> Vec<(usize, Observation)> {
                    of_arm.iter().map(|&time| seen(time)).enumerate().collect()
                };
                let instance = DesignInstance { name: place.to_string(), family: "f".into() };
                design.push_keyed(instance, of_instance.iter().map(keyed).collect());
            }
            let winner = |replicate: usize| {
                let product = |arm: &usize| -> f64 {
                    let cost = |time: f64| if time > 40.0 { 80.0 } else { time };
                    times.iter().map(|of| cost(of[*arm][replicate])).product()
                };
                (0..3).min_by(|one, two| product(one).total_cmp(&product(two)))
            };
            let pairs = (0..6).flat_map(|one| (0..6).map(move |two| (one, two)));
            let different: Vec<_> = pairs.filter(|(one, two)| one != two).collect();
            let same = different.iter().filter(|(one, two)| winner(*one) == winner(*two)).count();
            let found = replicability(&design, 0.0).unwrap();
            assert_eq!((found.comparisons, found.wins.iter().sum::<usize>()), (6, 6));
            assert!((found.agreement - same as f64 / 30.0).abs() < 1e-12, "{found:?}");
        }
    }

    #[test]
    fn arms_with_one_run_each_replicate_nothing() {
        let mut design = PairedDesign::new(2);
        let instance = DesignInstance { name: "a".into(), family: "f".into() };
        design.push(instance, vec![vec![Exact(1.0)], vec![Exact(2.0)]]);
        assert_eq!(replicability(&design, 0.0), None);
    }
}
