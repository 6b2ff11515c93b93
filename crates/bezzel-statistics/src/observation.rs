//! Observations: the cost of a run, or a lower bound of it where the run was ended by a limit.

use std::cmp::Ordering;

/// The cost of one run, or the median of several.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Observation {
    /// A measured value.
    Exact(f64),
    /// The run ended without an answer at this cost: a right-censored value.
    AtLeast(f64),
}

impl Observation {
    /// The number: the measured value, or its lower bound.
    pub fn bound(self) -> f64 {
        match self {
            Self::Exact(value) | Self::AtLeast(value) => value,
        }
    }

    /// True if it is over the limit.
    pub fn is_over(self) -> bool {
        matches!(self, Self::AtLeast(_))
    }

    /// The same, but never below `least`.
    #[must_use]
    pub fn floored(self, least: f64) -> Self {
        self.map(|value| value.max(least))
    }

    /// The same with `more` added.
    #[must_use]
    pub fn plus(self, more: f64) -> Self {
        self.map(|value| value + more)
    }

    fn map(self, change: impl Fn(f64) -> f64) -> Self {
        match self {
            Self::Exact(value) => Self::Exact(change(value)),
            Self::AtLeast(value) => Self::AtLeast(change(value)),
        }
    }
}

/// Puts the replicates of one cell in order, those over the limit last. As everywhere in a report, a run without an
/// answer counts as longer than every measured run of its cell, so its lower bound is raised to the largest of these.
pub(super) fn sort(replicates: &mut [Observation]) {
    sort_plainly(replicates);
    let mut measured = replicates.iter().filter(|observation| !observation.is_over());
    if let Some(largest) = measured.next_back().map(|observation| observation.bound()) {
        for observation in replicates.iter_mut().filter(|observation| observation.is_over()) {
            *observation = observation.floored(largest);
        }
    }
}

/// Puts observations in order, those over the limit last, and does not change them.
pub(super) fn sort_plainly(observations: &mut [Observation]) {
    observations.sort_by(|one, two| compare(*one, *two));
}

/// The order in which observations over the limit come last.
pub(super) fn compare(one: Observation, two: Observation) -> Ordering {
    (one.is_over().cmp(&two.is_over())).then(one.bound().total_cmp(&two.bound()))
}

/// The median of replicates in order. None without replicates. A lower bound if one over the limit has a share in it.
pub fn median(sorted: &[Observation]) -> Option<Observation> {
    let above = *sorted.get(sorted.len() / 2)?;
    let below = sorted[(sorted.len() - 1) / 2];
    let middle = f64::midpoint(below.bound(), above.bound());
    Some(if above.is_over() { Observation::AtLeast(middle) } else { Observation::Exact(middle) })
}

#[cfg(test)]
mod tests {
    use super::Observation::{AtLeast, Exact};
    use super::*;
    use crate::Value;

    /// The value of a report.
    fn value(seen: Observation) -> Value {
        if seen.is_over() { Value::OverLimit } else { Value::Measured(seen.bound()) }
    }

    fn middle(mut replicates: Vec<Observation>) -> Option<Observation> {
        sort(&mut replicates);
        median(&replicates)
    }

    #[test]
    fn the_median_is_that_of_the_values_of_a_report() {
        let cases = [
            vec![Exact(3.0), Exact(1.0), Exact(2.0)],
            vec![Exact(4.0), AtLeast(5.0), Exact(1.0), AtLeast(5.0)],
            vec![Exact(4.0), AtLeast(5.0), Exact(1.0), Exact(2.0)],
            vec![AtLeast(5.0)],
            vec![],
        ];
        for replicates in cases {
            let values: Vec<Value> = replicates.iter().copied().map(value).collect();
            let expected = super::super::order::median(&values);
            assert_eq!(middle(replicates).map(value), expected);
        }
    }

    #[test]
    fn a_median_over_the_limit_is_at_least_what_its_shares_are() {
        assert_eq!(middle(vec![AtLeast(6.0), Exact(4.0)]), Some(AtLeast(5.0)));
        assert_eq!(middle(vec![AtLeast(6.0), AtLeast(5.0), Exact(1.0)]), Some(AtLeast(5.0)));
    }

    #[test]
    fn a_run_without_an_answer_is_longer_than_all_that_were_measured() {
        // A run that ended early by its memory limit, beside a run that took longer.
        assert_eq!(middle(vec![AtLeast(1.0), Exact(9.0), AtLeast(1.0)]), Some(AtLeast(9.0)));
    }
}
