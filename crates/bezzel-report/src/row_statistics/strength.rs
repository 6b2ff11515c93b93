//! The share of implied values of instances that unit propagation finds.
//!
//! The unit is the instance with its given values. Unit propagation is deterministic, so an instance that was measured
//! several times counts once. An instance without a solution has no share, since everything is implied there; conflicts
//! of propagation are counted separately.

use std::collections::HashSet;

use bezzel_experiment::measure::PropagationShare;
use bezzel_experiment::{Row, Termination, Verdict};

use bezzel_statistics::Value;

/// The results of unit propagation on some instances.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strength {
    /// Instances with a solution on which some value is implied, verified ones alone.
    pub instances: usize,
    /// Instances with a solution on which no value is implied.
    pub free: usize,
    /// The number of implied values on them, together.
    pub implied: u64,
    /// The number of these that were found.
    pub found: u64,
    /// The number of implied values that share no constraint with a given value.
    pub beyond: u64,
    /// The number of these that were found.
    pub beyond_found: u64,
    /// The share of the implied values that was found, in percent, for each instance.
    pub shares: Vec<Value>,
    /// Instances without a solution.
    pub unsolvable: usize,
    /// The number of these on which propagation comes to a conflict.
    pub conflicts: usize,
    /// Instances whose implied values are not known.
    pub unchecked: usize,
    /// Instances on which a wrong value was found. They count nowhere else.
    pub wrong: usize,
    /// Runs that came to no end.
    pub unfinished: usize,
}

impl Strength {
    /// The results of these rows of propagation, each instance once.
    pub fn of(rows: &[&Row]) -> Self {
        let mut strength = Self::default();
        let mut seen = HashSet::new();
        for row in rows {
            if matches!(row.termination, Termination::HostError | Termination::Skipped)
                || !seen.insert(&row.job.instance)
            {
                continue;
            }
            strength.add(row);
        }
        strength
    }

    /// The share of the implied values that was found, in percent.
    pub fn found_percent(&self) -> Option<Value> {
        percent(self.found, self.implied)
    }

    /// The share of the implied values of this kind that was found, in percent.
    pub fn beyond_percent(&self) -> Option<Value> {
        percent(self.beyond_found, self.beyond)
    }

    fn add(&mut self, row: &Row) {
        if row.verdict == Verdict::Wrong {
            self.wrong += 1;
            return;
        }
        let Some(propagation) = row.propagation.as_ref().filter(|_| row.solved()) else {
            self.unfinished += 1;
            return;
        };
        match &propagation.truth {
            None => self.unchecked += 1,
            Some(truth) if !truth.solvable => {
                self.unsolvable += 1;
                self.conflicts += usize::from(propagation.conflict);
            }
            Some(_) => match PropagationShare::of(&row.job.instance, propagation) {
                None => self.unchecked += 1,
                Some(share) if share.implied() == 0 => self.free += 1,
                Some(share) => self.add_share(&share),
            },
        }
    }

    fn add_share(&mut self, share: &PropagationShare) {
        self.instances += 1;
        self.implied += u64::from(share.implied());
        self.found += u64::from(share.found());
        self.beyond += u64::from(share.beyond());
        self.beyond_found += u64::from(share.beyond_found());
        self.shares.extend(percent(share.found(), share.implied()));
    }
}

/// The share of `these` in `those`, in percent. None if `those` is zero.
pub fn percent(these: impl Into<u64>, those: impl Into<u64>) -> Option<Value> {
    let (these, those) = (these.into(), those.into());
    (those > 0).then(|| Value::Measured(100.0 * these as f64 / those as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample::seating::Seating;
    use crate::tests::sample::{propagated, timed_out};

    /// Facts as if all solutions had these seats.
    const TRUTH: &str = "xQxx/xxxQ/Qxxx/xxQx";

    #[test]
    fn shares_are_of_instances_and_sums_of_squares() {
        let weak = propagated("pairwise", Some("xQxx/xxx./.x.x/.x.."), Some(TRUTH));
        let mut other = propagated("pairwise", Some(TRUTH), Some(TRUTH));
        other.job.instance = Seating::new(4, 4).into();
        let mut again = weak.clone();
        again.job.repeat = 2;
        let strength = Strength::of(&[&weak, &other, &again]);
        // On the first instance 9 of 15. The given seat excludes 6 of these, all found, so 3 of the other 9 are found. On
        // the second, without a given seat, all 16.
        assert_eq!((strength.instances, strength.implied, strength.found), (2, 31, 25));
        assert_eq!((strength.beyond, strength.beyond_found), (25, 19));
        assert_eq!(strength.shares, [Value::Measured(60.0), Value::Measured(100.0)]);
    }

    #[test]
    fn conflicts_wrong_ones_and_those_without_truth_are_counted_apart() {
        let conflict = propagated("pairwise", None, None);
        let mut missed = propagated("pairwise", Some("Qxxx/xx../x.x./x..x"), None);
        missed.job.instance = Seating::new(4, 4).with_given(&[(1, 1)]).into();
        let mut wrong = propagated("pairwise", Some(TRUTH), Some(TRUTH));
        wrong.verdict = Verdict::Wrong;
        wrong.job.instance = Seating::new(5, 5).into();
        let mut unknown = propagated("pairwise", Some(TRUTH), Some(TRUTH));
        unknown.propagation.as_mut().unwrap().truth = None;
        unknown.job.instance = Seating::new(6, 6).into();
        let mut late = propagated("pairwise", None, None);
        (late.termination, late.propagation) = (timed_out().termination, None);
        late.job.instance = Seating::new(7, 7).into();
        let strength = Strength::of(&[&conflict, &missed, &wrong, &unknown, &late]);
        assert_eq!((strength.unsolvable, strength.conflicts), (2, 1));
        assert_eq!((strength.wrong, strength.unchecked, strength.unfinished), (1, 1, 1));
        assert_eq!((strength.instances, strength.shares.len()), (0, 0));
    }
}
