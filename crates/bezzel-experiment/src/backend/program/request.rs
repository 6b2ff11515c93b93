//! Requests to programs.

use std::fmt;

use bezzel_problem::{Board, Piece};

/// The first line that a program reads: the version of the protocol.
pub const GREETING: &str = "bezzel-encoder 1";

/// A request, one line of the input of a program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EncodeRequest {
    /// At most one of this number of inputs.
    AtMostOne(u64),
    /// At most `k` of `inputs` inputs.
    AtMostK {
        /// The number of inputs.
        inputs: u64,
        /// The largest number of inputs that may hold.
        k: u64,
    },
    /// The rules of an empty board.
    Board(Board),
}

impl EncodeRequest {
    /// Returns the request for the rules of this board, without its given squares.
    pub(super) fn board(board: &Board) -> Self {
        Self::Board(board.without_givens())
    }
}

/// The line in the program's input.
impl fmt::Display for EncodeRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMostOne(inputs) => write!(f, "at-most-one {inputs}"),
            Self::AtMostK { inputs, k } => write!(f, "at-most {k} {inputs}"),
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
