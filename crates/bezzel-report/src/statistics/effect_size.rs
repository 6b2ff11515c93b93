//! How large a difference is, apart from whether there is one.

use std::cmp::Ordering;

use super::observation::Observation;
use super::panel::Panel;

/// The chance that a run of the first takes more than one of the second, ties counted half: the
/// measure A of stochastic superiority (Vargha and Delaney, *A critique and improvement of the CL
/// common language effect size statistics*, Journal of Educational and Behavioral Statistics 25(2),
/// 2000). They call 0.56 small, 0.64 medium and 0.71 large, and as much below a half. Both over the
/// limit are a tie. None if there are no runs.
pub fn a12(one: &[Observation], two: &[Observation]) -> Option<f64> {
    let pairs = one.iter().flat_map(|one| two.iter().map(move |two| (one, two)));
    let shares = pairs.map(|(one, two)| match one.value().compare(two.value()) {
        Ordering::Less => 0.0,
        Ordering::Equal => 0.5,
        Ordering::Greater => 1.0,
    });
    let count = one.len() * two.len();
    (count > 0).then(|| shares.sum::<f64>() / count as f64)
}

/// The mean of [`a12`] over the instances on which both arms were measured: runs are compared with
/// those on the same instance only, and an instance of many replicates counts as one of few.
pub fn a12_over_instances(panel: &Panel, one: usize, two: usize) -> Option<f64> {
    let places = 0..panel.instances().len();
    let each: Vec<f64> = places
        .filter_map(|place| a12(panel.replicates(one, place), panel.replicates(two, place)))
        .collect();
    (!each.is_empty()).then(|| each.iter().sum::<f64>() / each.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::Observation::{AtLeast, Exact};
    use super::*;
    use crate::statistics::panel::Instance;

    fn seen(numbers: &[f64]) -> Vec<Observation> {
        numbers.iter().copied().map(Exact).collect()
    }

    #[test]
    fn it_is_the_share_of_pairs_in_which_the_first_is_larger() {
        // Of 9 pairs: 2 > 1; 3 > 1, 3 > 2; 4 > 1, 4 > 2; 2 = 2: 5 and a half.
        let found = a12(&seen(&[2.0, 3.0, 4.0]), &seen(&[1.0, 2.0, 5.0]));
        assert_eq!(found, Some(5.5 / 9.0));
        assert_eq!(a12(&seen(&[1.0, 2.0]), &seen(&[1.0, 2.0])), Some(0.5));
        assert_eq!(a12(&[], &seen(&[1.0])), None);
    }

    #[test]
    fn it_is_vargha_and_delaneys_from_ranks() {
        // Their formula: (R₁/m − (m + 1)/2)/n, where R₁ is the sum of the first's midranks of all.
        let (one, two) = ([3.0, 7.0, 7.0, 12.0], [1.0, 3.0, 9.0, 10.0, 14.0]);
        // Of 1, 3, 3, 7, 7, 9, 10, 12, 14 the first has the ranks 2.5, 4.5, 4.5 and 8.
        let by_ranks = (19.5 / 4.0 - 2.5) / 5.0;
        assert!((a12(&seen(&one), &seen(&two)).unwrap() - by_ranks).abs() < 1e-12);
    }

    #[test]
    fn what_is_over_the_limit_is_larger_than_all_and_ties_with_its_like() {
        let found = a12(&[AtLeast(5.0), Exact(6.0)], &[AtLeast(9.0), Exact(1.0)]);
        // A tie, larger, smaller, larger.
        assert_eq!(found, Some(2.5 / 4.0));
    }

    #[test]
    fn every_instance_counts_the_same() {
        let mut panel = Panel::new(2);
        let instance = |name: &str| Instance { name: name.into(), family: "f".into() };
        panel.push(instance("a"), vec![seen(&[2.0; 20]), seen(&[1.0; 20])]);
        panel.push(instance("b"), vec![seen(&[1.0]), seen(&[2.0])]);
        panel.push(instance("c"), vec![seen(&[1.0]), vec![]]);
        assert_eq!(a12_over_instances(&panel, 0, 1), Some(0.5));
    }
}
