//! `PARk` over the instances of a design: the penalised average time. A run without an answer counts as k times its
//! limit.

use super::observation::Observation;
use super::paired_design::PairedDesign;

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
}
