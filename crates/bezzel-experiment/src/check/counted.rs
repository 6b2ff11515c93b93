//! The set of solutions that a number counts.
//!
//! A formula that keeps one of several images has fewer models than its board has solutions, which is correct. Numbers
//! are compared with each other, and with known numbers, only if they count the same set.

use bezzel_encode::Symmetry;
use bezzel_problem::queens::dihedral::stabilizer;
use bezzel_problem::{Board, Dihedral};
use num_bigint::BigUint;

use crate::model::job::{Job, NO_ENCODING, Task};
use crate::model::quantity::grouped;

/// The solutions of a board that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum CountedSet {
    /// All solutions.
    All,
    /// Of each pair of mirror images, the first in reading order.
    Halves,
    /// Of each orbit under the board's stabilizer, the first in reading order.
    Orbits,
    /// Models of a formula instead of solutions, auxiliary variables included.
    Models,
}

impl CountedSet {
    /// Returns the set that a task counts on a formula with this symmetry breaking. The number of fundamental solutions
    /// does not depend on it.
    pub(crate) fn of(task: Task, symmetry: Symmetry) -> Self {
        match (task, symmetry) {
            (Task::Models, _) => Self::Models,
            (Task::Fundamental, _) | (_, Symmetry::Full) => Self::Orbits,
            (_, Symmetry::HalfBoard) => Self::Halves,
            (_, Symmetry::None) => Self::All,
        }
    }

    /// Returns the set that a job counts.
    pub(crate) fn by(job: &Job) -> Self {
        Self::of(job.task, symmetry(job))
    }

    /// The maps under which only the first of several images counts.
    pub(crate) fn group(self, board: &Board) -> Option<Vec<Dihedral>> {
        match self {
            Self::All | Self::Models => None,
            Self::Halves => Some(vec![Dihedral::Mirror]),
            Self::Orbits => Some(stabilizer(board)),
        }
    }

    /// Returns a number with its noun, as in `92 solutions`.
    pub(crate) fn describe(self, count: &BigUint) -> String {
        let digits = u128::try_from(count).map_or_else(|_| count.to_string(), grouped);
        let (one, many) = match self {
            Self::All => ("solution", "solutions"),
            Self::Halves => ("solution up to mirror images", "solutions up to mirror images"),
            Self::Orbits => ("fundamental solution", "fundamental solutions"),
            Self::Models => ("model", "models"),
        };
        format!("{digits} {}", if *count == BigUint::from(1_u8) { one } else { many })
    }
}

/// Returns the symmetry breaking of a job's formula; [`Symmetry::None`] for a job without a formula.
pub(crate) fn symmetry(job: &Job) -> Symmetry {
    if job.encoding == NO_ENCODING { Symmetry::None } else { job.settings.symmetry }
}
