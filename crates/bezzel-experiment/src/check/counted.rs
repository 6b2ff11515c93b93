//! The set that a number counts.
//!
//! Numbers are compared with each other, and with known numbers, only if they count the same set.

use num_bigint::BigUint;

use crate::model::job::Task;
use crate::model::quantity::grouped;

/// The set that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum CountedSet {
    /// All solutions.
    All,
    /// Models of a formula instead of solutions, auxiliary variables included.
    Models,
}

impl CountedSet {
    /// Returns the set that a task counts.
    pub(crate) fn of(task: Task) -> Self {
        if task == Task::Models { Self::Models } else { Self::All }
    }

    /// Returns a number with its noun, as in `92 solutions`.
    pub(crate) fn describe(self, count: &BigUint) -> String {
        let digits = u128::try_from(count).map_or_else(|_| count.to_string(), grouped);
        let (one, many) = match self {
            Self::All => ("solution", "solutions"),
            Self::Models => ("model", "models"),
        };
        format!("{digits} {}", if *count == BigUint::from(1_u8) { one } else { many })
    }
}
