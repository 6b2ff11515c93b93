//! Ratios of two arms over the instances on which both were measured.

use std::fmt;

use super::observation::Observation;
use super::paired_design::PairedDesign;
use crate::number::{significant, significant_bound};

/// An estimate of a ratio by its least and its largest possible value. They differ if an arm was over the limit: its
/// cost is then only known to be at least the limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The least possible value. None if it may be arbitrarily small.
    pub low: Option<f64>,
    /// The largest possible value. None if it may be arbitrarily large.
    pub high: Option<f64>,
}

/// The ratio of two arms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// The estimate. None if no instance has a share in it.
    pub estimate: Option<Estimate>,
    /// The number of instances that have a share in it.
    pub instances: usize,
    /// The number of these on which exactly one arm was over the limit.
    pub bounded: usize,
    /// The number of instances that are left out since both arms were over the limit: any ratio is possible.
    pub left_out: usize,
}

/// The logarithm of a ratio, by its least and its largest possible value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LogRatio {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl LogRatio {
    /// The ratio of two costs by their logarithms and flags for being over the limit. None if both are over the limit.
    pub(super) fn of(one: (f64, bool), two: (f64, bool)) -> Option<Self> {
        let ratio = one.0 - two.0;
        match (one.1, two.1) {
            (false, false) => Some(Self { low: ratio, high: ratio }),
            (true, false) => Some(Self { low: ratio, high: f64::INFINITY }),
            (false, true) => Some(Self { low: f64::NEG_INFINITY, high: ratio }),
            (true, true) => None,
        }
    }
}

impl Estimate {
    /// The estimate from the logarithms of its bounds.
    fn of(low: f64, high: f64) -> Self {
        let known = |log: f64| log.is_finite().then(|| log.exp());
        Self { low: known(low), high: known(high) }
    }

    /// The ratio, if no value over the limit has a share in it.
    pub fn exact(self) -> Option<f64> {
        self.low.filter(|_| self.low == self.high)
    }

    /// The relation of the ratio to [`bound`](Self::bound).
    pub fn relation(self) -> &'static str {
        match self.low {
            _ if self.exact().is_some() => "=",
            Some(_) => "≥",
            None => "≤",
        }
    }

    /// The ratio, or a bound of it.
    pub fn bound(self) -> Option<f64> {
        self.low.or(self.high)
    }
}

/// The text of an estimate, as in `1.52`, `≥ 4.10`, `1.00 to 2.00` and `unknown`. Lower bounds are rounded down, upper
/// ones up.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [low, high] = [(self.low, true), (self.high, false)]
            .map(|(end, is_lower)| Some(significant_bound(end?, 3, is_lower)));
        match (self.exact(), low, high) {
            (Some(ratio), ..) => f.pad(&significant(ratio, 3)),
            (_, Some(low), Some(high)) => f.pad(&format!("{low} to {high}")),
            (_, Some(low), None) => f.pad(&format!("≥ {low}")),
            (_, None, Some(high)) => f.pad(&format!("≤ {high}")),
            (_, None, None) => f.pad("unknown"),
        }
    }
}

/// The ratio of pairs of observations, such as medians, each with the place of its instance in the design.
///
/// In each family it is the geometric mean over its instances; over several families, the geometric mean of theirs. The
/// geometric mean of ratios is the ratio of the geometric means. It is the correct mean of normalised numbers (Fleming
/// and Wallace, Communications of the ACM 29(3), 1986).
pub fn of_pairs(design: &PairedDesign, pairs: &[(usize, Observation, Observation)]) -> Ratio {
    let log = |seen: Observation| (seen.bound().ln(), seen.is_over());
    let families = design.families().into_iter().map(|(_, places)| {
        let here = pairs.iter().filter(|(place, _, _)| places.contains(place));
        here.map(|&(_, one, two)| LogRatio::of(log(one), log(two))).collect()
    });
    Ratio::of_families(families)
}

impl Ratio {
    /// The mean over families of the means over their instances. A family in which no instance has a
    /// share does not count.
    pub(super) fn of_families(families: impl Iterator<Item = Vec<Option<LogRatio>>>) -> Self {
        let (mut low, mut high, mut counted) = (0.0, 0.0, 0.0);
        let mut ratio = Self { estimate: None, instances: 0, bounded: 0, left_out: 0 };
        for family in families {
            let known: Vec<LogRatio> = family.iter().copied().flatten().collect();
            ratio.left_out += family.len() - known.len();
            ratio.instances += known.len();
            ratio.bounded += known.iter().filter(|ratio| ratio.low < ratio.high).count();
            if !known.is_empty() {
                low += known.iter().map(|ratio| ratio.low).sum::<f64>() / known.len() as f64;
                high += known.iter().map(|ratio| ratio.high).sum::<f64>() / known.len() as f64;
                counted += 1.0;
            }
        }
        ratio.estimate = (counted > 0.0).then(|| Estimate::of(low / counted, high / counted));
        ratio
    }

    /// The inverse ratio.
    #[must_use]
    pub fn swapped(self) -> Self {
        let turn = |ratio: Option<f64>| ratio.map(f64::recip);
        let estimate = self
            .estimate
            .map(|estimate| Estimate { low: turn(estimate.high), high: turn(estimate.low) });
        Self { estimate, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::Observation::{AtLeast, Exact};
    use super::*;
    use crate::paired_design::DesignInstance;

    /// The ratio of arm `one` to arm `two`, from the medians on each instance.
    fn ratio(design: &PairedDesign, one: usize, two: usize) -> Ratio {
        let medians = design.medians(one).into_iter().zip(design.medians(two)).enumerate();
        let pairs = medians.filter_map(|(place, (one, two))| Some((place, one?, two?)));
        of_pairs(design, &pairs.collect::<Vec<_>>())
    }

    fn design_of(pairs: &[(Observation, Observation)]) -> PairedDesign {
        let pairs: Vec<_> = pairs.iter().map(|&pair| ("f", pair)).collect();
        of_families(&pairs)
    }

    fn of_families(pairs: &[(&str, (Observation, Observation))]) -> PairedDesign {
        let mut design = PairedDesign::new(2);
        for (place, &(family, (one, two))) in pairs.iter().enumerate() {
            let instance = DesignInstance { name: place.to_string(), family: family.into() };
            design.push(instance, vec![vec![one], vec![two]]);
        }
        design
    }

    #[test]
    fn families_weigh_alike_whatever_their_numbers_of_instances() {
        // Twice as long on three instances of one family, eight times on the one of the other.
        let pair = |family, times| (family, (Exact(times), Exact(1.0)));
        let design = of_families(&[pair("f", 2.0), pair("g", 8.0), pair("f", 2.0), pair("f", 2.0)]);
        exactly(ratio(&design, 0, 1).estimate, 4.0);
    }

    #[track_caller]
    fn near(found: Option<Estimate>, low: Option<f64>, high: Option<f64>) {
        let found = found.expect("there is an estimate");
        for (found, expected) in [(found.low, low), (found.high, high)] {
            match (found, expected) {
                (Some(found), Some(expected)) => {
                    assert!((found / expected - 1.0).abs() < 1e-12, "{found} for {expected}");
                }
                (found, expected) => assert_eq!(found, expected),
            }
        }
    }

    #[track_caller]
    fn exactly(found: Option<Estimate>, expected: f64) {
        near(found, Some(expected), Some(expected));
        assert!(found.and_then(Estimate::exact).is_some());
    }

    #[test]
    fn the_geometric_mean_of_ratios_is_that_by_hand() {
        // Ratios 2, 4 and 1: ∛8 = 2. With 16 too: ⁴√128.
        let three = [(2.0, 1.0), (12.0, 3.0), (5.0, 5.0)].map(|(a, b)| (Exact(a), Exact(b)));
        exactly(ratio(&design_of(&three), 0, 1).estimate, 2.0);
        let four = [three.as_slice(), &[(Exact(16.0), Exact(1.0))]].concat();
        exactly(ratio(&design_of(&four), 0, 1).estimate, 128.0_f64.powf(0.25));
    }

    #[test]
    fn fleming_and_wallace_find_the_same_ratio_whichever_machine_is_the_base() {
        // The times of their processors R and M; they print 0.86 for M normalised to R.
        let r = [417.0, 83.0, 66.0, 39_449.0, 772.0];
        let m = [244.0, 70.0, 153.0, 33_527.0, 368.0];
        let pairs: Vec<_> = r.iter().zip(m).map(|(&r, m)| (Exact(r), Exact(m))).collect();
        let design = design_of(&pairs);
        let there = ratio(&design, 1, 0).estimate.unwrap().bound().unwrap();
        assert!((there - 0.86).abs() < 0.005, "{there}");
        exactly(ratio(&design, 0, 1).estimate, 1.0 / there);
    }

    #[test]
    fn one_over_the_limit_bounds_a_ratio_and_two_leave_it_out() {
        let pairs =
            [(AtLeast(8.0), Exact(1.0)), (Exact(2.0), Exact(1.0)), (AtLeast(8.0), AtLeast(8.0))];
        let found = ratio(&design_of(&pairs), 0, 1);
        near(found.estimate, Some(4.0), None);
        assert_eq!(found.estimate.unwrap().to_string(), "≥ 4.00");
        assert_eq!((found.instances, found.bounded, found.left_out), (2, 1, 1));
        near(ratio(&design_of(&pairs), 1, 0).estimate, None, Some(0.25));
        let both = [(AtLeast(8.0), Exact(1.0)), (Exact(1.0), AtLeast(8.0))];
        near(ratio(&design_of(&both), 0, 1).estimate, None, None);
        assert_eq!(ratio(&design_of(&[]), 0, 1).estimate, None);
    }
}
