//! Optima of instances, which are found when an instance is drawn.
//!
//! A kind with an optimum has a branch and bound of its own. Its instances ask for the optimum, or for one better, which
//! none has. The search has a budget of steps, so that a large entry is refused in some tenths of a second.

use crate::entry::EntryError;
#[cfg(test)]
use crate::kind::Kind;

/// The most steps of a search.
const MAX_STEPS: u64 = 10_000_000;

/// The steps that a search for an optimum may still take. A step reads one number.
pub(super) struct Steps(u64);

/// The search took all its steps.
#[derive(Debug)]
pub(super) struct StepsSpent;

impl Steps {
    pub(super) fn new() -> Self {
        Self(MAX_STEPS)
    }

    /// Takes these many steps.
    pub(super) fn take(&mut self, number: usize) -> Result<(), StepsSpent> {
        self.0 = self.0.checked_sub(number as u64).ok_or(StepsSpent)?;
        Ok(())
    }
}

/// The refusal of the instance of a seed whose optimum is not found. `key` is the key of the entry that makes it large.
pub(super) fn refuse_steps(key: &'static str, seed: u64) -> impl FnOnce(StepsSpent) -> EntryError {
    move |StepsSpent| {
        let message = format!(
            "the optimum of seed {seed} is not found in {MAX_STEPS} steps of branch and bound: take fewer {key}, or \
             another seed"
        );
        EntryError::new(key, message)
    }
}

/// Compares an instance with the exhaustive search: it has a solution, or none.
#[cfg(test)]
pub(super) fn assert_solvable<K: Kind + std::fmt::Debug>(instance: &K, has_solution: bool) {
    let found = crate::search::Search::new(&instance.problem()).first(u64::MAX).unwrap();
    assert_eq!(found.is_some(), has_solution, "{instance:?}");
    assert_eq!(instance.known_count(), (!has_solution).then_some(0), "{instance:?}");
    assert!(found.is_none_or(|solution| instance.check(&solution).is_ok()));
}
