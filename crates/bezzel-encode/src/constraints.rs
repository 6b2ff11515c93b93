//! Which of the redundant constraints of a board are stated.
//!
//! A placement of n queens needs no more than "at least one per row, at most one per column and
//! diagonal": n rows then hold one queen each by counting. The seeds state more than that, and
//! Zantema remarks that redundancy may be good for efficiency. So it is a setting.
//!
//! On a rectangle rows hold exactly one queen and columns at most one, and nothing of that is
//! redundant.

use std::borrow::Cow;

use bezzel_problem::{Board, named};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// An encoding that cannot say the rules of a board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what} does not fit the board {board}: {why}; {mend}")]
pub struct Misfit {
    /// What does not fit: a set of constraints, an encoding, a variant of one.
    pub what: String,
    /// The board.
    pub board: String,
    /// Why it does not fit.
    pub why: Cow<'static, str>,
    /// What fits instead.
    pub mend: &'static str,
}

impl Misfit {
    /// Refuses `what` on a board, with the reason and what fits instead.
    pub fn new(
        what: String,
        board: &Board,
        why: impl Into<Cow<'static, str>>,
        mend: &'static str,
    ) -> Self {
        Self { what, board: board.to_string(), why: why.into(), mend }
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
    /// What is stated, in words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Full => "rows and columns exactly one, diagonals at most one",
            Self::NoColumnAlo => "rows exactly one, columns and diagonals at most one",
            Self::NoColumnAmo => "rows exactly one, columns at least one, diagonals at most one",
            Self::Minimal => "rows at least one, columns and diagonals at most one",
        }
    }

    /// Whether rows are stated to hold at most one queen.
    pub fn row_at_most_one(self) -> bool {
        self != Self::Minimal
    }

    /// Whether columns are stated to hold at least one queen.
    pub fn column_at_least_one(self) -> bool {
        matches!(self, Self::Full | Self::NoColumnAmo)
    }

    /// Whether columns are stated to hold at most one queen.
    pub fn column_at_most_one(self) -> bool {
        self != Self::NoColumnAmo
    }

    /// Refuses boards on which the set does not say the rules. On a rectangle a column may stay
    /// empty, so only [`NoColumnAlo`](Self::NoColumnAlo) does.
    ///
    /// # Errors
    ///
    /// The reason, and the set that fits.
    pub fn fits(self, board: &Board) -> Result<(), Misfit> {
        if board.is_square() || self == Self::NoColumnAlo {
            return Ok(());
        }
        let why = match self {
            Self::Minimal => {
                "that no row holds two queens is left to counting, which needs as many columns as \
                 rows"
            }
            _ => "that every column holds a queen is true with as many columns as rows only",
        };
        let mend = "take `constraints: no-column-alo`";
        Err(Misfit::new(format!("the set of constraints `{self}`"), board, why, mend))
    }

    /// The set that is taken where none is asked for: all constraints that are true of the board.
    pub fn default_on(board: &Board) -> Self {
        if board.is_square() { Self::Full } else { Self::NoColumnAlo }
    }
}
