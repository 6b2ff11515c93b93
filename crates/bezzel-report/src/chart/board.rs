//! A board with the content of its squares.

use serde::Serialize;

/// A board with the content of its squares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardDiagram {
    /// The number of rows.
    pub rows: u32,
    /// The number of columns.
    pub columns: u32,
    /// True if the board has rooks instead of queens.
    pub rooks: bool,
    /// The squares with content, by row and column counted from 0, the upper left one first.
    pub squares: Vec<(u32, u32, BoardSquare)>,
}

/// The content of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardSquare {
    /// A queen that was found, or a rook on a board of rooks.
    Queen,
    /// A given queen or rook.
    Given,
    /// Empty, and blocked.
    Blocked,
    /// Empty, as unit propagation finds.
    RuledOut,
}

impl BoardSquare {
    /// The name of the content, in a word or two.
    pub fn label(self) -> &'static str {
        match self {
            Self::Queen => "found",
            Self::Given => "given",
            Self::Blocked => "blocked",
            Self::RuledOut => "ruled out by propagation",
        }
    }
}
