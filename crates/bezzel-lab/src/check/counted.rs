//! Which solutions a number of them counts.
//!
//! A formula that leaves one of several images has fewer models than its board has solutions, and
//! that is right. What is compared with each other, and with what is known, are numbers of the same.

use bezzel_encode::Symmetry;
use bezzel_problem::queens::dihedral::stabilizer;
use bezzel_problem::{Board, Dihedral};
use num_bigint::BigUint;

use crate::model::job::{Job, NO_ENCODING, Task};
use crate::model::quantity::grouped;

/// Which solutions of a board are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Counted {
    /// All of them.
    All,
    /// Of each two mirror images the one that comes first in reading order.
    Halves,
    /// Of each orbit under the board's stabilizer the one that comes first.
    Orbits,
    /// Not solutions, but models of a formula, auxiliary variables counted.
    Models,
}

impl Counted {
    /// Those that a task asks for of a formula that leaves so many of the images of each other. Of
    /// fundamental solutions there are as many whatever else is left.
    pub(crate) fn of(task: Task, symmetry: Symmetry) -> Self {
        match (task, symmetry) {
            (Task::Models, _) => Self::Models,
            (Task::Fundamental, _) | (_, Symmetry::Full) => Self::Orbits,
            (_, Symmetry::HalfBoard) => Self::Halves,
            (_, Symmetry::None) => Self::All,
        }
    }

    /// Those that a job asks for.
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

    /// Such a number in words, as in `92 solutions`.
    pub(crate) fn told(self, count: &BigUint) -> String {
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

/// How many of the images of each other the formula of a job leaves. Without a formula, all.
pub(crate) fn symmetry(job: &Job) -> Symmetry {
    if job.encoding == NO_ENCODING { Symmetry::None } else { job.settings.symmetry }
}
