//! What a program is asked.

use std::fmt;

use bezzel_problem::{Board, Piece};

/// The first line that a program reads.
pub(super) const GREETING: &str = "bezzel-encoder 1";

/// One line of what a program is asked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Request {
    /// At most one of so many inputs.
    AtMostOne(u64),
    /// The rules of an empty board.
    Board(Board),
}

impl Request {
    /// The rules of this board, without what is given on it.
    pub(super) fn board(board: &Board) -> Self {
        Self::Board(board.without_givens())
    }
}

/// As it stands in the program's input.
impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMostOne(inputs) => write!(f, "at-most-one {inputs}"),
            Self::Board(board) => {
                let piece = match board.piece() {
                    Piece::Queen => "queens",
                    Piece::Rook => "rooks",
                };
                let geometry = board.geometry();
                write!(f, "board {piece} {geometry} {} {}", board.rows(), board.columns())
            }
        }
    }
}
