//! The numbers of comparisons in words: ratios, their intervals, and the reasons for which they decide nothing.

use bezzel_experiment::quantity::grouped;
use bezzel_statistics::{Interval, Outcome, Relation};

use super::evidence::Counted;
use crate::number::{count, significant};

/// The ratio: `0.31 times`.
pub(super) fn ratio(outcome: &Outcome) -> String {
    match outcome.ratio.estimate.filter(|ratio| ratio.bound().is_some()) {
        Some(estimate) => format!("{estimate} times"),
        None => "no ratio".into(),
    }
}

/// The interval of a ratio.
pub(super) fn interval(outcome: &Outcome) -> Option<String> {
    outcome.interval.map(|Interval { low, high, .. }| ends(low, high))
}

/// An interval: `0.2 to 0.5`, and `at least 3.9` if the upper end is open.
pub(super) fn ends(low: Option<f64>, high: Option<f64>) -> String {
    let read = |end: f64| significant(end, 3);
    match (low, high) {
        (Some(low), Some(high)) => format!("{} to {}", read(low), read(high)),
        (Some(low), None) => format!("at least {}", read(low)),
        (None, Some(high)) => format!("at most {}", read(high)),
        (None, None) => "open".into(),
    }
}

/// The reason for which a comparison decides nothing.
pub(super) fn remark(outcome: &Outcome) -> Option<String> {
    match outcome.relation {
        Relation::Less | Relation::More => None,
        Relation::Undecided if outcome.is_within_noise() => {
            Some(format!("within the noise of {} %", significant(100.0 * outcome.noise, 2)))
        }
        other => Some(other.to_string()),
    }
}

/// Numbers without a spread: the ratio, and the numbers of the largest instance.
pub(super) fn numbers(counted: &Counted) -> String {
    let read = |ratio: f64| significant(ratio, 3);
    let ratio = if read(counted.least) == read(counted.largest) {
        read(counted.least)
    } else {
        format!("{} to {}", read(counted.least), read(counted.largest))
    };
    let [one, two] = counted.numbers.map(grouped);
    let instances = count(counted.instances, "instance");
    format!("{ratio} times ({one} against {two} on the largest) on {instances}")
}
