//! Queens on a board, and the check of the rules.
//!
//! The check shares no code with any encoding: it compares coordinates of squares.

use std::fmt;

use crate::rules::board::{Board, Geometry, Piece};
use bezzel_problem::Square;

/// The squares that hold queens, in reading order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    squares: Vec<Square>,
}

/// The reason why a placement is not a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// The number of pieces is not that of the rows.
    Number {
        /// The kind of the pieces.
        piece: Piece,
        /// The number of pieces needed: one for each row.
        needed: u32,
        /// The number of pieces found.
        found: usize,
    },
    /// A queen stands outside the board.
    Outside(Square),
    /// Two queens attack each other.
    Attack(Square, Square),
    /// A given queen of the board is missing.
    Missing(Square),
    /// A queen stands on a blocked square.
    Blocked(Square),
}

impl Placement {
    /// The squares that hold queens, in reading order.
    pub fn squares(&self) -> impl ExactSizeIterator<Item = Square> + '_ {
        self.squares.iter().copied()
    }

    /// True if a queen stands on `square`.
    pub fn holds(&self, square: Square) -> bool {
        self.squares.binary_search(&square).is_ok()
    }

    /// Checks the placement by the rules of the board: as many queens as rows, no two of them attack each other, all
    /// placed ones are kept, and no blocked square is used.
    ///
    /// # Errors
    ///
    /// The first violation found.
    pub fn judge(&self, board: &Board) -> Result<(), Violation> {
        let (rows, columns) = (board.rows(), board.columns());
        let on_board = |square: &Square| square.row < rows && square.column < columns;
        if let Some(&square) = self.squares.iter().find(|square| !on_board(square)) {
            return Err(Violation::Outside(square));
        }
        // As many queens as rows, no two of them in one row, are one queen in each row.
        if self.squares.len() != rows as usize {
            let (piece, found) = (board.piece(), self.squares.len());
            return Err(Violation::Number { piece, needed: rows, found });
        }
        for (index, &first) in self.squares.iter().enumerate() {
            let rest = &self.squares[index + 1..];
            if let Some(&second) = rest.iter().find(|&&second| clash(board, first, second)) {
                return Err(Violation::Attack(first, second));
            }
        }
        if let Some(&square) = board.placed().iter().find(|&&square| !self.holds(square)) {
            return Err(Violation::Missing(square));
        }
        if let Some(&square) = board.blocked().iter().find(|&&square| self.holds(square)) {
            return Err(Violation::Blocked(square));
        }
        Ok(())
    }
}

/// True if two pieces on these squares attack each other, by their coordinates alone.
fn clash(board: &Board, first: Square, second: Square) -> bool {
    if first.row == second.row || first.column == second.column {
        return true;
    }
    if board.piece() == Piece::Rook {
        return false;
    }
    let down = i64::from(second.row) - i64::from(first.row);
    let right = i64::from(second.column) - i64::from(first.column);
    match board.geometry() {
        Geometry::Plane => down.abs() == right.abs(),
        Geometry::Torus => {
            let side = i64::from(board.rows());
            (down - right).rem_euclid(side) == 0 || (down + right).rem_euclid(side) == 0
        }
    }
}

impl FromIterator<Square> for Placement {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        let mut squares: Vec<_> = squares.into_iter().collect();
        squares.sort_unstable();
        squares.dedup();
        Self { squares }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { piece, needed, found } => {
                write!(f, "{found} {piece}s where {needed} belong")
            }
            Self::Outside(square) => write!(f, "a queen outside the board, on {square}"),
            Self::Attack(first, second) => {
                write!(f, "the queens on {first} and {second} attack each other")
            }
            Self::Missing(square) => write!(f, "the queen placed on {square} is missing"),
            Self::Blocked(square) => write!(f, "a queen on the blocked square {square}"),
        }
    }
}

impl std::error::Error for Violation {}
