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

/// The gain of a choice of an arm for each instance, by the usual virtual best and by a choice that is judged on other
/// replicates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HonestBest {
    /// The best of one run of each arm under the same replicate, divided by the single best arm: geometric means over
    /// replicates and instances.
    pub usual: f64,
    /// The arm that is best on an instance by some replicates, judged by the others and divided by the arm that is best
    /// over all instances by the same replicates.
    pub honest: f64,
    /// The number of replicates by which arms are chosen, and of those by which they are judged.
    pub replicates: (usize, usize),
}

/// The honest virtual best of a design, over the instances on which all arms have as many replicates as any. Half of the
/// replicates choose, rounded down, and all splits are enumerated. Instances have equal weights, as is usual. A run over
/// the limit counts twice the limit. None with fewer than two replicates of two arms.
pub fn honest_best(design: &PairedDesign, offset: f64) -> Option<HonestBest> {
    let arms = 0..design.arms();
    let all = 0..design.instances().len();
    let count = |arm: usize, place: usize| design.replicates(arm, place).len();
    let replicates =
        arms.clone().flat_map(|arm| all.clone().map(move |place| count(arm, place))).max()?;
    let whole = all.filter(|&place| arms.clone().all(|arm| count(arm, place) == replicates));
    // By instance, arm and replicate.
    let log = |place: usize, arm: usize| -> Vec<f64> {
        let seen = design.keyed(arm, place);
        seen.map(|seen| (score::penalised(design, seen, 2.0) + offset).ln()).collect()
    };
    let logs: Vec<Vec<Vec<f64>>> =
        whole.map(|place| arms.clone().map(|arm| log(place, arm)).collect()).collect();
    if replicates < 2 || design.arms() < 2 || logs.is_empty() {
        return None;
    }
    let least = |numbers: &mut dyn Iterator<Item = f64>| numbers.fold(f64::INFINITY, f64::min);
    let mean = |numbers: &mut dyn Iterator<Item = f64>| score::mean(numbers).unwrap_or_default();
    let single = least(
        &mut arms.clone().map(|arm| mean(&mut logs.iter().flat_map(|of| of[arm].iter().copied()))),
    );
    let usual = mean(&mut logs.iter().flat_map(|of| {
        (0..replicates).map(move |one| of.iter().map(|arm| arm[one]).fold(f64::INFINITY, f64::min))
    }));
    let chosen_by = replicates / 2;
    let (mut gain, mut splits) = (0.0, 0.0);
    for split in 0_u64..1 << replicates.min(20) {
        if split.count_ones() as usize != chosen_by {
            continue;
        }
        let part = |arm: &Vec<f64>, chooses: bool| {
            let each = arm.iter().enumerate();
            mean(
                &mut each
                    .filter(|(one, _)| (split >> one & 1 == 1) == chooses)
                    .map(|(_, log)| *log),
            )
        };
        let best = |sums: &mut dyn Iterator<Item = f64>| {
            let best = sums.enumerate().min_by(|one, two| one.1.total_cmp(&two.1));
            best.map_or(0, |(arm, _)| arm)
        };
        let over_all = best(
            &mut arms.clone().map(|arm| mean(&mut logs.iter().map(|of| part(&of[arm], true)))),
        );
        gain += mean(&mut logs.iter().map(|of| {
            let own = best(&mut of.iter().map(|arm| part(arm, true)));
            part(&of[own], false) - part(&of[over_all], false)
        }));
        splits += 1.0;
    }
    let replicates = (chosen_by, replicates - chosen_by);
    Some(HonestBest { usual: (usual - single).exp(), honest: (gain / splits).exp(), replicates })
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

    fn keyed(instances: &[Vec<Vec<f64>>]) -> PairedDesign {
        let mut design = PairedDesign::new(instances[0].len());
        for (place, arms) in instances.iter().enumerate() {
            let seen = arms
                .iter()
                .map(|times| times.iter().map(|&time| Exact(time)).enumerate().collect());
            let instance = DesignInstance { name: place.to_string(), family: "f".into() };
            design.push_keyed(instance, seen.collect());
        }
        design
    }

    #[test]
    fn a_choice_by_luck_gains_in_the_usual_virtual_best_and_nothing_on_other_replicates() {
        // Each arm has one good run of two, on each instance another one.
        let luck =
            keyed(&[vec![vec![1.0, 4.0], vec![4.0, 1.0]], vec![vec![4.0, 1.0], vec![1.0, 4.0]]]);
        let best = honest_best(&luck, 0.0).unwrap();
        near(best.usual, 0.5);
        // The chosen arm is the bad one on the other replicate: 4 instead of 4 on one instance, 4 instead of 1 on the other.
        near(best.honest, 2.0);
        assert_eq!(best.replicates, (1, 1));
        // Arms that are good on different instances by all replicates gain as much in both.
        let real = keyed(&[vec![vec![1.0; 5], vec![4.0; 5]], vec![vec![4.0; 5], vec![1.0; 5]]]);
        let best = honest_best(&real, 0.0).unwrap();
        near(best.usual, 0.5);
        near(best.honest, 0.5);
        assert_eq!(best.replicates, (2, 3));
        assert_eq!(honest_best(&keyed(&[vec![vec![1.0], vec![2.0]]]), 0.0), None);
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
