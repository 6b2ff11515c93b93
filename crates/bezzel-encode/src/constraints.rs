//! The choice of the redundant constraints of a board that are stated.
//!
//! A placement of n queens needs no more than "at least one per row, at most one per column and diagonal": n rows then
//! hold one queen each by counting. The sources state more than that, and Zantema remarks that redundancy may be good
//! for efficiency. It is therefore a setting.
//!
//! On a rectangle rows hold exactly one queen and columns at most one, and none of these constraints is redundant.

use std::borrow::Cow;

use bezzel_problem::{BoundSet, Bounds, Problem, named};
use bezzel_queens::Board;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// An encoding that cannot state the constraints of a problem.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what} does not fit {instance}: {why}; {mend}")]
pub struct Unsupported {
    /// The set of constraints, the encoding or the variant of one that does not fit.
    pub what: String,
    /// The instance.
    pub instance: String,
    /// The reason.
    pub why: Cow<'static, str>,
    /// A value that fits instead.
    pub mend: Cow<'static, str>,
}

/// The reason that an encoding of boards does not fit another problem.
const BOARDS_ONLY: &str = "it is for queens on a board only";

impl Unsupported {
    /// True if the encoding fits no problem but boards.
    pub fn is_for_boards(&self) -> bool {
        self.why == BOARDS_ONLY
    }

    /// Refuses `what` on a problem, with the reason and a value that fits instead.
    pub fn new(
        what: String,
        problem: &Problem,
        why: impl Into<Cow<'static, str>>,
        mend: impl Into<Cow<'static, str>>,
    ) -> Self {
        let instance = match Board::of_problem(problem) {
            Some(board) => format!("the board {board}"),
            None => problem.name(),
        };
        Self { what, instance, why: why.into(), mend: mend.into() }
    }
}

/// The board of a problem that an encoding of boards has accepted.
///
/// # Panics
///
/// When the problem is not one of queens.
pub(crate) fn board_of(problem: &Problem) -> &Board {
    Board::of_problem(problem).expect("`fits` refuses other problems")
}

/// Refuses problems that are not of queens, where `what` needs a board.
pub(crate) fn needs_board(what: String, problem: &Problem) -> Result<(), Unsupported> {
    match Board::of_problem(problem) {
        Some(_) => Ok(()),
        None => Err(Unsupported::new(what, problem, BOARDS_ONLY, "take another")),
    }
}

named! {
    /// The redundant constraints that are stated. Diagonals always hold at most one queen.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Constraints: "constraints" {
        /// Rows and columns hold exactly one queen.
        #[default]
        Full = "full",
        /// Rows hold exactly one queen, columns at most one.
        NoColumnAlo = "no-column-alo",
        /// Rows hold exactly one queen, columns at least one. At most one per column then follows,
        /// since there are as many columns as queens (Zantema's remark).
        NoColumnAmo = "no-column-amo",
        /// Rows hold at least one queen, columns at most one. At most one per row then follows.
        Minimal = "minimal",
    }
}

impl Constraints {
    /// The stated constraints, in words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Full => "rows and columns exactly one, diagonals at most one",
            Self::NoColumnAlo => "rows exactly one, columns and diagonals at most one",
            Self::NoColumnAmo => "rows exactly one, columns at least one, diagonals at most one",
            Self::Minimal => "rows at least one, columns and diagonals at most one",
        }
    }

    /// True if rows are stated to hold at most one queen.
    pub fn row_at_most_one(self) -> bool {
        self != Self::Minimal
    }

    /// True if columns are stated to hold at least one queen.
    pub fn column_at_least_one(self) -> bool {
        matches!(self, Self::Full | Self::NoColumnAmo)
    }

    /// True if columns are stated to hold at most one queen.
    pub fn column_at_most_one(self) -> bool {
        self != Self::NoColumnAmo
    }

    /// The bounds that are stated for the groups of a family, given by its number.
    pub fn stated(self, problem: &Problem, family: usize) -> Bounds {
        match self.of(problem).map(|set| &set.bounds) {
            Some(Ok(bounds)) => bounds[family],
            _ => problem.families()[family].bounds(),
        }
    }

    /// The set of this name among those of a problem.
    fn of(self, problem: &Problem) -> Option<&BoundSet> {
        problem.bound_sets().iter().find(|set| set.id == self.id())
    }

    /// Refuses problems whose constraints the set does not state. Problems without a choice have
    /// [`Full`](Self::Full) alone.
    ///
    /// # Errors
    ///
    /// The reason, and the set that fits.
    pub fn fits(self, problem: &Problem) -> Result<(), Unsupported> {
        let why = match self.of(problem).map(|set| &set.bounds) {
            Some(Ok(_)) => return Ok(()),
            Some(Err(why)) => *why,
            None if self == Self::Full => return Ok(()),
            None => "none of its constraints follows from others",
        };
        let mend = format!("take `constraints: {}`", Self::default_on(problem));
        Err(Unsupported::new(format!("the set of constraints `{self}`"), problem, why, mend))
    }

    /// The default set: all constraints that hold for the problem.
    pub fn default_on(problem: &Problem) -> Self {
        let first = problem.bound_sets().first().and_then(|set| set.id.parse().ok());
        first.unwrap_or_default()
    }
}
