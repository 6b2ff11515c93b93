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
    /// A sum with these weights of at most a bound.
    Sum {
        /// The weights of the inputs, from 1 to the bound.
        weights: Vec<u64>,
        /// The bound, less than the sum of the weights.
        bound: u64,
    },
    /// The rules of an empty board.
    Board(Board),
}

impl EncodeRequest {
    /// The number of inputs, or of squares.
    pub(super) fn inputs(&self) -> u64 {
        match self {
            Self::AtMostOne(inputs) | Self::AtMostK { inputs, .. } => *inputs,
            Self::Sum { weights, .. } => weights.len() as u64,
            Self::Board(board) => board.squares().into(),
        }
    }

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
            Self::Sum { weights, bound } => {
                write!(f, "sum at-most {bound} {}", weights.len())?;
                weights.iter().try_for_each(|weight| write!(f, " {weight}"))
            }
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
