//! A board with what stands on its squares.

use serde::Serialize;

/// A board with what stands on its squares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagram {
    /// The number of rows.
    pub rows: u32,
    /// The number of columns.
    pub columns: u32,
    /// Whether rooks stand on it, not queens.
    pub rooks: bool,
    /// The squares on which something is, by row and column counted from 0, the upper left one first.
    pub squares: Vec<(u32, u32, BoardSquare)>,
}

/// What is on a square of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardSquare {
    /// A queen that was found, or a rook on a board of rooks.
    Queen,
    /// One that was given.
    Given,
    /// Nothing, and nothing may be.
    Blocked,
    /// Nothing, and propagation finds that nothing can be.
    RuledOut,
}

impl BoardSquare {
    /// What it is, in a word or two.
    pub fn told(self) -> &'static str {
        match self {
            Self::Queen => "found",
            Self::Given => "given",
            Self::Blocked => "blocked",
            Self::RuledOut => "ruled out by propagation",
        }
    }
}
