//! `PARk` over the instances of a design: the penalised average time. A run without an answer counts as k times its
//! limit.

use crate::observation::Observation;
use crate::paired_design::PairedDesign;

/// The penalised average of an arm over the instances on which it was measured: the mean over families of the means
/// over their instances of the means of their replicates. An instance with many replicates counts as much as one with
/// few, and a family with many instances as much as one with few. A value over the limit counts as `factor` times the
/// limit, or `factor` times its lower bound if the measure has no limit.
pub fn over_instances(design: &PairedDesign, arm: usize, factor: f64) -> Option<f64> {
    let of_run = |seen: &Observation| penalised(design, *seen, factor);
    let of_instance = |place| mean(design.replicates(arm, place).iter().map(of_run));
    let families = design.families().into_iter();
    mean(families.filter_map(|(_, places)| mean(places.into_iter().filter_map(of_instance))))
}

/// The cost of a run. A value over the limit counts as `factor` times the limit, or `factor` times its lower bound if the
/// measure has no limit.
pub fn penalised(design: &PairedDesign, seen: Observation, factor: f64) -> f64 {
    match seen {
        Observation::Exact(cost) => cost,
        Observation::AtLeast(bound) => {
            factor * design.limit().map_or(bound, |limit| limit.max(bound))
        }
    }
}

/// The mean of numbers. None without numbers.
pub fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let numbers: Vec<f64> = numbers.collect();
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

/// The number of instances that an arm solves by its median: in more than half of its runs.
pub fn solved(design: &PairedDesign, arm: usize) -> usize {
    design.medians(arm).iter().flatten().filter(|median| !median.is_over()).count()
}

// The shares of two factors in the variation of a measure within instances.
//
// Every combination of the levels of both factors has a logarithm on every instance. The squared differences from the
// mean of the instance are the sum of those of the means of the first factor's levels, those of the second's, and a
// rest: the interaction, which contains the noise. The sums over all instances have the shares.

/// The shares of two factors. Their sum is 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shares {
    /// The share of the first factor.
    pub first: f64,
    /// The share of the second factor.
    pub second: f64,
    /// The share of their interaction, noise included.
    pub both: f64,
}

/// The shares of two factors, from the logarithms of each instance: a list for each level of the first factor, with a
/// number for each level of the second. None if nothing varies.
pub fn shares(instances: &[Vec<Vec<f64>>]) -> Option<Shares> {
    let (mut first, mut second, mut all) = (0.0, 0.0, 0.0);
    for logs in instances {
        let (rows, columns) = (logs.len() as f64, logs.first()?.len());
        let row_means: Vec<f64> =
            logs.iter().map(|row| row.iter().sum::<f64>() / columns as f64).collect();
        let of_column = |column: usize| logs.iter().map(|row| row[column]).sum::<f64>() / rows;
        let mean = row_means.iter().sum::<f64>() / rows;
        let square = |value: f64| (value - mean).powi(2);
        first += row_means.iter().map(|&of| square(of)).sum::<f64>() / rows;
        second += (0..columns).map(|of| square(of_column(of))).sum::<f64>() / columns as f64;
        let each = logs.iter().flatten().map(|&of| square(of)).sum::<f64>();
        all += each / (rows * columns as f64);
    }
    (all > 0.0).then(|| Shares {
        first: first / all,
        second: second / all,
        both: 1.0 - (first + second) / all,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observation::Observation::{AtLeast, Exact};
    use crate::paired_design::DesignInstance;

    #[test]
    fn over_instances_each_counts_once() {
        let mut design = PairedDesign::new(1);
        let instance = |name: &str| DesignInstance { name: name.into(), family: "f".into() };
        design.push(instance("a"), vec![vec![Exact(1.0), Exact(3.0)]]);
        design.push(instance("b"), vec![vec![AtLeast(5.0)]]);
        design.push(instance("c"), vec![vec![]]);
        // (2 + 10) / 2.
        assert_eq!(over_instances(&design, 0, 2.0), Some(6.0));
        // The run was ended after 5 s by another limit than that of 8 s: (2 + 16) / 2.
        assert_eq!(over_instances(&design.clone().limited(Some(8.0)), 0, 2.0), Some(9.0));
        assert_eq!(solved(&design, 0), 1);
        // With another family: (6 + 2) / 2.
        let other = DesignInstance { name: "d".into(), family: "g".into() };
        design.push(other, vec![vec![Exact(2.0)]]);
        assert_eq!(over_instances(&design, 0, 2.0), Some(4.0));
    }

    #[track_caller]
    fn near(found: Option<Shares>, expected: [f64; 3]) {
        let Shares { first, second, both } = found.expect("something varies");
        for (found, expected) in [first, second, both].into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} for {expected}");
        }
    }

    #[test]
    fn additive_effects_have_no_interaction_and_crossed_ones_nothing_else() {
        // The first factor is worth ±1, the second ±2.
        near(shares(&[vec![vec![-3.0, 1.0], vec![-1.0, 3.0]]]), [0.2, 0.8, 0.0]);
        near(shares(&[vec![vec![1.0, -1.0], vec![-1.0, 1.0]]]), [0.0, 0.0, 1.0]);
        // Sums over instances: 1 + 4 of the first two factors, and 5 of the interaction.
        let crossed =
            vec![vec![5.0_f64.sqrt(), -(5.0_f64.sqrt())], vec![-(5.0_f64.sqrt()), 5.0_f64.sqrt()]];
        near(shares(&[vec![vec![-3.0, 1.0], vec![-1.0, 3.0]], crossed]), [0.1, 0.4, 0.5]);
        assert_eq!(shares(&[vec![vec![1.0, 1.0]]]), None);
    }
}
