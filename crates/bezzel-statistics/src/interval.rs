//! Intervals of a ratio, and their verdicts.

use std::f64::consts::{FRAC_2_PI, SQRT_2};
use std::fmt;

use crate::ratio::LogRatio;

/// Two arms are equivalent if their ratio is within ten per cent of one.
pub const MARGIN: f64 = 0.1;

/// The probability that all intervals of one set of comparisons contain their true values.
pub const LEVEL: f64 = 0.95;

/// The level of each of `intervals` intervals that hold simultaneously with `level`, from 0 to 1 (Bonferroni).
pub fn simultaneous(level: f64, intervals: usize) -> f64 {
    1.0 - (1.0 - level) / intervals.max(1) as f64
}

/// An interval of a ratio. An end is open if runs over the limit have a share in it, since their cost is not known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end. None if it is open, so that the ratio may be arbitrarily small.
    pub low: Option<f64>,
    /// The upper end. None if it is open, so that the ratio may be arbitrarily large.
    pub high: Option<f64>,
    /// The probability that such intervals contain the true ratio, from 0 to 1.
    pub level: f64,
}

/// The verdict on one arm compared with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// The whole interval is within the margin, even if it does not contain 1.
    Equivalent,
    /// The whole interval is below 1, by more than the noise: the first costs less.
    Less,
    /// The whole interval is above 1, by more than the noise: the first costs more.
    More,
    /// The interval decides nothing. An effect that was not shown may still exist.
    Undecided,
    /// The instances are too few for an interval of the level.
    TooFewInstances,
    /// The first costs less in one family and more in another, or over all of them, so that no summary over them is
    /// given.
    DependsOnFamily,
}

impl Interval {
    /// True if the ratio is between 1 / (1 + [`MARGIN`]) and 1 + [`MARGIN`]. These bounds are symmetric for ratios: the
    /// answer is the same for both orders of the arms.
    fn is_within_margin(&self) -> bool {
        let widest = 1.0 + MARGIN;
        self.low.is_some_and(|low| low >= 1.0 / widest)
            && self.high.is_some_and(|high| high <= widest)
    }

    /// True if no ratio is in both intervals.
    pub fn is_apart_from(&self, other: &Self) -> bool {
        let below =
            |one: &Self, two: &Self| one.high.zip(two.low).is_some_and(|(high, low)| high < low);
        below(self, other) || below(other, self)
    }

    /// The interval of the inverse ratio.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { low: self.high.map(f64::recip), high: self.low.map(f64::recip), ..self }
    }
}

impl Relation {
    /// The verdict of an interval, where `noise` is the relative difference of times of the same work (0 for efforts).
    /// An effect must exceed it. Without an interval there are too few instances.
    pub fn of(interval: Option<Interval>, noise: f64) -> Self {
        let Some(interval) = interval else { return Self::TooFewInstances };
        let least = 1.0 + noise;
        if interval.is_within_margin() {
            Self::Equivalent
        } else if interval.high.is_some_and(|high| high < 1.0 / least) {
            Self::Less
        } else if interval.low.is_some_and(|low| low > least) {
            Self::More
        } else {
            Self::Undecided
        }
    }

    /// True if the relation is shown by the evidence: the arms differ, or are equivalent.
    pub fn is_decided(self) -> bool {
        matches!(self, Self::Equivalent | Self::Less | Self::More)
    }

    /// The relation of the second arm to the first.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Self::Less => Self::More,
            Self::More => Self::Less,
            other => other,
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Equivalent => "equivalent",
            Self::Less => "less",
            Self::More => "more",
            Self::Undecided => "undecided",
            Self::TooFewInstances => "too few instances",
            Self::DependsOnFamily => "depends on the family",
        })
    }
}

/// The probability that a standard normal number is below `x`.
pub(crate) fn normal(x: f64) -> f64 {
    0.5 * libm::erfc(-x / SQRT_2)
}

/// The probability that a number of Student's distribution is between −`t` and `t`: Abramowitz and Stegun, *Handbook of
/// Mathematical Functions*, 26.7.3 and 26.7.4.
fn student_within(t: f64, degrees: usize) -> f64 {
    let theta = (t / (degrees as f64).sqrt()).atan();
    let (sine, cosine) = theta.sin_cos();
    // Each term of the series is the one before it times cos² θ and a fraction.
    let mut sum = 0.0;
    let (mut term, first) = if degrees.is_multiple_of(2) { (1.0, 1) } else { (cosine, 2) };
    for number in (first..degrees).step_by(2) {
        sum += term;
        term *= cosine * cosine * number as f64 / (number + 1) as f64;
    }
    if degrees.is_multiple_of(2) { sine * sum } else { FRAC_2_PI * (theta + sine * sum) }
}

/// The number below which a number of Student's distribution with `degrees` degrees of freedom is with probability `p`,
/// above a half and below 1.
pub(crate) fn student_quantile(p: f64, degrees: usize) -> f64 {
    let target = 2.0 * p - 1.0;
    let (mut low, mut high) = (0.0, 1.0);
    while student_within(high, degrees) < target && high < 1e12 {
        high *= 2.0;
    }
    // Each step halves the distance. After 80 steps the number is constant.
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if student_within(middle, degrees) < target { low = middle } else { high = middle }
    }
    low
}

// The exact interval of a median by order statistics (David and Nagaraja, *Order Statistics*, 3rd edition, 2003,
// section 7.1).

/// The number of instances that an interval of this level needs.
pub fn min_instances(level: f64) -> usize {
    // The extremes reach 1 − 2^(1 − n), and a float has no level closer than 2⁻⁶⁴ to 1.
    (2..64).find(|&count| rank(count, level).is_some()).unwrap_or(usize::MAX)
}

/// The largest k for which the k-th smallest and the k-th largest of `count` values enclose the median with this level.
/// None if even the extremes do not.
fn rank(count: usize, level: f64) -> Option<usize> {
    // The logarithm of a probability, which may be below the range of floats.
    let mut chance = -(count as f64) * std::f64::consts::LN_2;
    let (mut below, mut k) = (0.0, 0);
    // A rounding error must not decide.
    while k < count / 2 && 2.0 * (below + chance.exp()) <= (1.0 - level) * (1.0 + 1e-9) {
        below += chance.exp();
        chance += ((count - k) as f64 / (k + 1) as f64).ln();
        k += 1;
    }
    (k > 0).then_some(k)
}

/// The interval of the median by order statistics.
pub(super) fn order_statistics(ratios: &[LogRatio], level: f64) -> Option<(f64, f64)> {
    let k = rank(ratios.len(), level)?;
    let sorted = |of: fn(&LogRatio) -> f64| {
        let mut logs: Vec<f64> = ratios.iter().map(of).collect();
        logs.sort_unstable_by(f64::total_cmp);
        logs
    };
    Some((sorted(|ratio| ratio.low)[k - 1], sorted(|ratio| ratio.high)[ratios.len() - k]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interval::{LEVEL, simultaneous};

    fn interval(low: Option<f64>, high: Option<f64>) -> Interval {
        Interval { low, high, level: LEVEL }
    }

    fn relation(low: Option<f64>, high: Option<f64>) -> Relation {
        Relation::of(Some(interval(low, high)), 0.0)
    }

    #[test]
    fn an_interval_decides_by_where_it_lies() {
        assert_eq!(relation(Some(0.95), Some(1.05)), Relation::Equivalent);
        assert_eq!(relation(Some(1.01), Some(1.09)), Relation::Equivalent);
        assert_eq!(relation(Some(1.01), Some(1.2)), Relation::More);
        assert_eq!(relation(Some(0.2), Some(0.99)), Relation::Less);
        assert_eq!(relation(Some(0.95), Some(1.2)), Relation::Undecided);
        // As a ratio, 0.9 is farther from 1 than 1.1.
        assert_eq!(relation(Some(0.905), Some(1.05)), Relation::Undecided);
        assert_eq!(Relation::of(None, 0.0), Relation::TooFewInstances);
    }

    #[test]
    fn an_effect_on_times_must_exceed_the_noise_on_both_sides_alike() {
        for (low, high, expected) in [
            (1.07, 1.3, Relation::Undecided),
            (1.09, 1.3, Relation::More),
            (0.7, 0.93, Relation::Undecided),
            (0.7, 0.92, Relation::Less),
            (0.95, 1.05, Relation::Equivalent),
        ] {
            let found = Relation::of(Some(interval(Some(low), Some(high))), 0.08);
            assert_eq!(found, expected, "{low} to {high}");
        }
    }

    #[test]
    fn an_open_end_never_makes_arms_equivalent() {
        assert_eq!(relation(Some(0.99), None), Relation::Undecided);
        assert_eq!(relation(None, None), Relation::Undecided);
        assert_eq!(relation(Some(1.5), None), Relation::More);
        assert_eq!(relation(None, Some(0.5)), Relation::Less);
    }

    #[test]
    fn intervals_are_apart_if_no_ratio_is_in_both() {
        let one = interval(Some(0.5), Some(0.8));
        assert!(one.is_apart_from(&interval(Some(0.9), None)));
        assert!(interval(Some(0.9), None).is_apart_from(&one));
        assert!(!one.is_apart_from(&interval(Some(0.8), Some(1.2))));
        assert!(!one.is_apart_from(&interval(None, Some(1.2))));
        assert_eq!(one.swapped(), interval(Some(1.25), Some(2.0)));
    }

    #[test]
    fn the_level_is_shared_between_intervals() {
        assert!((simultaneous(0.95, 28) - 0.998_214).abs() < 1e-6);
        assert!((simultaneous(0.95, 1) - 0.95).abs() < 1e-12);
        assert!((simultaneous(0.95, 0) - 0.95).abs() < 1e-12);
    }

    #[track_caller]
    fn near(found: f64, expected: f64, error: f64) {
        assert!((found - expected).abs() < error, "{found} for {expected}");
    }

    #[test]
    fn the_normal_distribution_has_the_values_of_its_tables() {
        for (x, expected) in [
            (0.0, 0.5),
            (1.0, 0.841_345),
            (1.644_854, 0.95),
            (1.959_964, 0.975),
            (-2.326_348, 0.01),
        ] {
            near(normal(x), expected, 1e-6);
        }
        // In the far tail, 1 minus a number next to 1 would have no digit left.
        near(normal(-8.0) / 6.220_961e-16, 1.0, 1e-6);
    }

    #[test]
    fn students_distribution_has_the_values_of_its_tables() {
        for (p, degrees, expected) in [
            (0.975, 1, 12.706),
            (0.975, 2, 4.303),
            (0.95, 3, 2.353),
            (0.975, 4, 2.776),
            (0.975, 9, 2.262),
            (0.995, 10, 3.169),
            (0.975, 30, 2.042),
            (0.9995, 7, 5.408),
            (0.975, 120, 1.980),
        ] {
            near(student_quantile(p, degrees), expected, 5e-4);
        }
    }

    #[test]
    fn ranks_are_those_of_the_tables_of_the_sign_test() {
        for (count, expected) in
            [(5, None), (6, Some(1)), (8, Some(1)), (9, Some(2)), (10, Some(2))]
        {
            assert_eq!(rank(count, LEVEL), expected, "{count}");
        }
        for (count, expected) in [(15, Some(4)), (20, Some(6)), (25, Some(8)), (30, Some(10))] {
            assert_eq!(rank(count, LEVEL), expected, "{count}");
        }
        // Probabilities below the least positive float.
        assert!((954..=958).contains(&rank(2_000, LEVEL).unwrap()), "{:?}", rank(2_000, LEVEL));
        assert_eq!([min_instances(LEVEL), min_instances(simultaneous(LEVEL, 28))], [6, 11]);
        assert_eq!(
            [min_instances(simultaneous(LEVEL, 7)), min_instances(simultaneous(LEVEL, 253))],
            [9, 14]
        );
    }
}
