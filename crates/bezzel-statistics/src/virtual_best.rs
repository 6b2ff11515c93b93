//! The virtual best: on each instance the arm that is best there, compared with the gain by chance alone.
//!
//! The best of many noisy runs is a good run, independent of the arms: a virtual best over m arms with one run each has
//! had m tries. So it is compared with the best of m runs of the single best arm, which has had as many. Both are
//! medians: of the least of one run of every arm, and of the least of m runs of one arm, drawn with replacement from
//! the replicates. Their probabilities are multiplied, and nothing is drawn. If an arm has fewer than m replicates, the
//! best of m can be no better than its best replicate, and is reported as understated.
//!
//! Ratios and PAR2 are means over families of the means over their instances.

use super::observation::Observation;
use super::paired_design::PairedDesign;
use super::ratio::{Ratio, of_pairs};
use super::score;

/// The virtual best of a design.
#[derive(Clone, Debug, PartialEq)]
pub struct VirtualBest {
    /// The single best arm: of the least PAR2, among those measured on most instances.
    pub single_best: usize,
    /// The number of arms, and of runs of the single best: m.
    pub tries: usize,
    /// The virtual best with one run of each arm, divided by the median of the single best.
    pub one_run_each: Ratio,
    /// The best of m runs of the single best, divided by its median.
    pub best_of_tries: Ratio,
    /// The number of instances on which the single best has fewer replicates than tries.
    pub understated: usize,
}

/// The virtual best of a design of at least two arms, over the instances on which the single best was measured. None for
/// fewer arms.
pub fn virtual_best(design: &PairedDesign) -> Option<VirtualBest> {
    let tries = design.arms();
    if tries < 2 {
        return None;
    }
    // An arm that was not measured on the hard instances must not be the best for that reason.
    let measured = |arm: usize| design.medians(arm).iter().flatten().count();
    let max = (0..tries).map(measured).max()?;
    let whole = (0..tries).filter(|&arm| measured(arm) == max);
    let scores = whole.filter_map(|arm| Some((arm, score::over_instances(design, arm, 2.0)?)));
    let single_best = scores.min_by(|one, two| one.1.total_cmp(&two.1))?.0;
    let places: Vec<usize> = (0..design.instances().len())
        .filter(|&place| !design.replicates(single_best, place).is_empty())
        .collect();
    let beside = |least: &dyn Fn(usize) -> Option<Observation>| {
        let pairs = places
            .iter()
            .filter_map(|&place| Some((place, least(place)?, design.median(single_best, place)?)));
        of_pairs(design, &pairs.collect::<Vec<_>>())
    };
    let each = |place: usize| {
        let runs = (0..tries).map(|arm| (design.replicates(arm, place), 1));
        median_of_least(&runs.collect::<Vec<_>>())
    };
    let several = |place: usize| median_of_least(&[(design.replicates(single_best, place), tries)]);
    let few = |place: &&usize| design.replicates(single_best, **place).len() < tries;
    Some(VirtualBest {
        single_best,
        tries,
        one_run_each: beside(&each),
        best_of_tries: beside(&several),
        understated: places.iter().filter(few).count(),
    })
}

/// The median of the least of several runs of each list of ordered replicates. Each list has its number of runs.
fn median_of_least(runs: &[(&[Observation], usize)]) -> Option<Observation> {
    let mut all: Vec<Observation> =
        runs.iter().flat_map(|(replicates, _)| replicates.iter().copied()).collect();
    super::observation::sort_plainly(&mut all);
    let runs = || runs.iter().filter(|(replicates, _)| !replicates.is_empty());
    all.into_iter().find(|least| {
        // The probability that all runs are longer.
        let longer = runs().map(|(replicates, times)| {
            let longer = replicates.iter().filter(|seen| is_longer(**seen, *least)).count();
            (longer as f64 / replicates.len() as f64).powi(*times as i32)
        });
        // A half must not become more than a half by rounding.
        longer.product::<f64>() <= 0.5 + 1e-12
    })
}

fn is_longer(one: Observation, two: Observation) -> bool {
    (one.is_over(), one.bound()) > (two.is_over(), two.bound())
}

#[cfg(test)]
mod tests {
    use super::Observation::{AtLeast, Exact};
    use super::*;
    use crate::paired_design::DesignInstance;

    fn design_of(instances: Vec<Vec<Vec<Observation>>>) -> PairedDesign {
        let mut design = PairedDesign::new(instances[0].len());
        for (place, replicates) in instances.into_iter().enumerate() {
            let instance = DesignInstance { name: place.to_string(), family: "f".into() };
            design.push(instance, replicates);
        }
        design
    }

    fn exact(ratio: Ratio) -> f64 {
        ratio.estimate.and_then(super::super::ratio::Estimate::exact).expect("it is exact")
    }

    #[track_caller]
    fn near(found: f64, expected: f64) {
        assert!((found / expected - 1.0).abs() < 1e-12, "{found} for {expected}");
    }

    #[test]
    fn the_median_of_the_least_is_that_of_all_draws_counted() {
        let (one, two) = ([1.0, 4.0, 9.0], [2.0, 3.0, 8.0, 10.0]);
        // Of the 12 pairs the least is 1 four times, then 2, 3 twice each, 4 twice, 8, 9: the half is
        // reached at 2.
        let mut leasts: Vec<f64> =
            one.iter().flat_map(|one| two.iter().map(move |two| f64::min(*one, *two))).collect();
        leasts.sort_by(f64::total_cmp);
        let seen = |numbers: &[f64]| numbers.iter().copied().map(Exact).collect::<Vec<_>>();
        let (one, two) = (seen(&one), seen(&two));
        assert_eq!(median_of_least(&[(&one, 1), (&two, 1)]), Some(Exact(leasts[5])));
        // Of two draws of three the least is 1 in 5 of 9, of one draw in 1 of 3.
        assert_eq!(median_of_least(&[(&one, 2)]), Some(Exact(1.0)));
        assert_eq!(median_of_least(&[(&one, 1)]), Some(Exact(4.0)));
        assert_eq!(median_of_least(&[(&[], 3)]), None);
    }

    #[test]
    fn of_arms_that_differ_by_chance_only_the_best_of_as_many_runs_is_as_good() {
        let replicates = || [1.0, 2.0, 4.0, 8.0].map(Exact).to_vec();
        let design = design_of(vec![vec![replicates(), replicates(), replicates()]; 2]);
        let best = virtual_best(&design).unwrap();
        assert_eq!((best.tries, best.understated), (3, 0));
        // The least of three is 1 in 37 of 64, beside a median of 3.
        near(exact(best.one_run_each), 1.0 / 3.0);
        assert_eq!(best.one_run_each, best.best_of_tries);
    }

    #[test]
    fn arms_that_are_good_on_different_instances_beat_the_best_of_as_many_runs() {
        let (good, bad) = (vec![Exact(1.0); 2], vec![Exact(9.0); 2]);
        let design = design_of(vec![
            vec![good.clone(), bad.clone()],
            vec![good.clone(), bad.clone()],
            vec![bad, good],
        ]);
        let best = virtual_best(&design).unwrap();
        assert_eq!(best.single_best, 0);
        near(exact(best.one_run_each), 9.0_f64.powf(-1.0 / 3.0));
        near(exact(best.best_of_tries), 1.0);
    }

    #[test]
    fn families_weigh_alike_in_the_virtual_best_and_the_single_best() {
        let instance = |place: usize, family: &str| DesignInstance {
            name: place.to_string(),
            family: family.into(),
        };
        let run = |time| vec![Exact(time)];
        let mut design = PairedDesign::new(2);
        for place in 0..3 {
            design.push(instance(place, "many"), vec![run(1.0), run(4.0)]);
        }
        design.push(instance(3, "one"), vec![run(9.0), run(1.0)]);
        let best = virtual_best(&design).unwrap();
        // The means are 1 and 9 in the families, then 4 and 1: over all instances the first would be the best.
        assert_eq!(best.single_best, 1);
        near(exact(best.one_run_each), 0.5);
    }

    #[test]
    fn an_arm_without_the_hard_instances_is_not_the_single_best() {
        let run = |time| vec![Exact(time)];
        let design = design_of(vec![
            vec![run(1.0), run(3.0), run(4.0)],
            vec![run(1.0), run(2.0), run(1.0)],
            vec![vec![], run(100.0), run(100.5)],
        ]);
        // By PAR2 over its own instances the first would be best, with 1 second.
        assert_eq!(virtual_best(&design).unwrap().single_best, 1);
    }

    #[test]
    fn an_instance_with_fewer_runs_than_arms_is_counted() {
        let design = design_of(vec![
            vec![vec![Exact(1.0)], vec![AtLeast(5.0)]],
            vec![vec![AtLeast(5.0)], vec![AtLeast(5.0)]],
        ]);
        assert_eq!(virtual_best(&design).unwrap().understated, 2);
    }
}
