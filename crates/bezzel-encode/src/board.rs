//! Boards: their squares, their lines, what is placed and what is blocked on them.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The largest side that a board can have: its squares must be numbered by 32 bits.
pub const MAX_SIDE: u32 = 40_000;

/// A square, by row and column counted from 0; row 0 is the top one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "(u32, u32)", into = "(u32, u32)")]
pub struct Square {
    /// The row, counted from 0 at the top.
    pub row: u32,
    /// The column, counted from 0 at the left.
    pub column: u32,
}

impl Square {
    /// The square in this row and column, both counted from 0.
    #[inline]
    pub const fn new(row: u32, column: u32) -> Self {
        Self { row, column }
    }

    /// The place of the square among all, row by row, counted from 0.
    #[inline]
    pub const fn index(self, side: u32) -> usize {
        self.row as usize * side as usize + self.column as usize
    }

    /// All squares of a board of this side, row by row.
    pub fn all(side: u32) -> impl Iterator<Item = Self> + Clone {
        (0..side).flat_map(move |row| (0..side).map(move |column| Self { row, column }))
    }
}

/// In evidence and messages rows and columns count from 1, as people do.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.row + 1, self.column + 1)
    }
}

/// From row and column counted from 1, as evidence has them.
impl From<(u32, u32)> for Square {
    fn from((row, column): (u32, u32)) -> Self {
        Self {
            row: row.wrapping_sub(1),
            column: column.wrapping_sub(1),
        }
    }
}

impl From<Square> for (u32, u32) {
    fn from(square: Square) -> Self {
        (square.row + 1, square.column + 1)
    }
}

/// How the edges of a board are joined.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Geometry {
    /// Lines end at the edges.
    #[default]
    Plane,
    /// Opposite edges are joined: diagonals go on at the other side, so that each has n squares.
    Torus,
}

/// What stands on the board.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Piece {
    /// Attacks along rows, columns and both diagonals.
    #[default]
    Queen,
    /// Attacks along rows and columns.
    Rook,
}

/// The four directions of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Left to right.
    Rows,
    /// Top to bottom.
    Columns,
    /// Down and to the right: row − column is constant.
    Diagonals,
    /// Down and to the left: row + column is constant.
    Antidiagonals,
}

impl Family {
    /// The four families in the order in which encodings state them.
    pub const ALL: [Self; 4] = [
        Self::Rows,
        Self::Columns,
        Self::Diagonals,
        Self::Antidiagonals,
    ];

    /// The name of the formula's section.
    pub fn section(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Columns => "columns",
            Self::Diagonals => "diagonals",
            Self::Antidiagonals => "antidiagonals",
        }
    }
}

/// A line of squares, no two of which may hold a queen.
///
/// A line is an iterator over its squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    next: Square,
    left: u32,
    family: Family,
    side: u32,
}

impl Iterator for Line {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.next;
        self.left = self.left.checked_sub(1)?;
        let (row, column) = match self.family {
            Family::Rows => (square.row, square.column + 1),
            Family::Columns => (square.row + 1, square.column),
            Family::Diagonals => (square.row + 1, square.column + 1),
            Family::Antidiagonals => (square.row + 1, square.column + self.side - 1),
        };
        // Only lines of a torus get far enough to come back on the other side.
        let around = |coordinate: u32| {
            if coordinate >= self.side {
                coordinate - self.side
            } else {
                coordinate
            }
        };
        self.next = Square::new(around(row), around(column));
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Line {}

/// Why there is no such board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BoardError {
    /// No rows, or too many.
    #[error("a board has 1 to {MAX_SIDE} rows, not {0}")]
    Side(u64),
    /// A square that is not on the board.
    #[error("the square {square} is outside the board: rows and columns run from 1 to {side}")]
    Outside {
        /// The square, rows and columns counted from 1.
        square: String,
        /// The side of the board.
        side: u32,
    },
    /// Two placed queens on one line.
    #[error("the queens on {0} and {1} attack each other, so no solution can hold both")]
    Attack(Square, Square),
    /// A square both placed and blocked.
    #[error("the square {0} both holds a queen and is blocked")]
    Both(Square),
}

/// A board: its side, its geometry, what stands on it, and what is given of the solution.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Parts", into = "Parts")]
pub struct Board {
    side: u32,
    geometry: Geometry,
    piece: Piece,
    placed: Vec<Square>,
    blocked: Vec<Square>,
}

/// A board as evidence has it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    size: u32,
    #[serde(default)]
    geometry: Geometry,
    #[serde(default)]
    piece: Piece,
    #[serde(default)]
    queens: Vec<Square>,
    #[serde(default)]
    blocked: Vec<Square>,
}

impl TryFrom<Parts> for Board {
    type Error = BoardError;

    fn try_from(parts: Parts) -> Result<Self, BoardError> {
        Self::new(parts.size)?
            .with_geometry(parts.geometry)
            .with_piece(parts.piece)
            .with_placed(parts.queens)?
            .with_blocked(parts.blocked)
    }
}

impl From<Board> for Parts {
    fn from(board: Board) -> Self {
        Self {
            size: board.side,
            geometry: board.geometry,
            piece: board.piece,
            queens: board.placed,
            blocked: board.blocked,
        }
    }
}

impl Board {
    /// The empty board of `side` rows and columns for queens.
    ///
    /// # Errors
    ///
    /// When `side` is 0 or above [`MAX_SIDE`].
    pub fn new(side: u32) -> Result<Self, BoardError> {
        if !(1..=MAX_SIDE).contains(&side) {
            return Err(BoardError::Side(side.into()));
        }
        Ok(Self {
            side,
            geometry: Geometry::Plane,
            piece: Piece::Queen,
            placed: Vec::new(),
            blocked: Vec::new(),
        })
    }

    /// The same board with its edges joined so.
    ///
    /// Call it before queens are placed: whether they attack each other depends on it.
    #[must_use]
    pub fn with_geometry(mut self, geometry: Geometry) -> Self {
        self.geometry = geometry;
        self
    }

    /// The same board for another piece. Call it before pieces are placed.
    #[must_use]
    pub fn with_piece(mut self, piece: Piece) -> Self {
        self.piece = piece;
        self
    }

    /// The same board with these queens given.
    ///
    /// # Errors
    ///
    /// When one stands outside the board or on a blocked square, or two attack each other.
    pub fn with_placed(
        mut self,
        squares: impl IntoIterator<Item = Square>,
    ) -> Result<Self, BoardError> {
        self.placed = self.on_board(squares)?;
        for (index, &first) in self.placed.iter().enumerate() {
            let rest = &self.placed[index + 1..];
            if let Some(&second) = rest.iter().find(|&&second| self.attacks(first, second)) {
                return Err(BoardError::Attack(first, second));
            }
        }
        self.disjoint()
    }

    /// The same board with no queen allowed on these squares.
    ///
    /// # Errors
    ///
    /// When one is outside the board or holds a given queen.
    pub fn with_blocked(
        mut self,
        squares: impl IntoIterator<Item = Square>,
    ) -> Result<Self, BoardError> {
        self.blocked = self.on_board(squares)?;
        self.disjoint()
    }

    fn on_board(
        &self,
        squares: impl IntoIterator<Item = Square>,
    ) -> Result<Vec<Square>, BoardError> {
        let mut squares: Vec<_> = squares.into_iter().collect();
        squares.sort_unstable();
        squares.dedup();
        match squares
            .iter()
            .find(|square| square.row >= self.side || square.column >= self.side)
        {
            None => Ok(squares),
            Some(square) => {
                // A square that was read as 0 wrapped around: say 0, as its author did.
                let (row, column) = (square.row.wrapping_add(1), square.column.wrapping_add(1));
                let square = format!("{row},{column}");
                Err(BoardError::Outside {
                    square,
                    side: self.side,
                })
            }
        }
    }

    fn disjoint(self) -> Result<Self, BoardError> {
        match self
            .placed
            .iter()
            .find(|square| self.blocked.binary_search(square).is_ok())
        {
            Some(&square) => Err(BoardError::Both(square)),
            None => Ok(self),
        }
    }

    /// The number of rows, which is the number of columns: the `n` of n queens.
    #[inline]
    pub fn side(&self) -> u32 {
        self.side
    }

    /// How the edges are joined.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// What stands on the board.
    pub fn piece(&self) -> Piece {
        self.piece
    }

    /// The given queens, in reading order.
    pub fn placed(&self) -> &[Square] {
        &self.placed
    }

    /// The squares that must stay empty, in reading order.
    pub fn blocked(&self) -> &[Square] {
        &self.blocked
    }

    /// Whether nothing is given but the side: no queen placed, no square blocked.
    pub fn is_empty(&self) -> bool {
        self.placed.is_empty() && self.blocked.is_empty()
    }

    /// The number of squares.
    pub fn squares(&self) -> u32 {
        self.side * self.side
    }

    /// The families of lines along which the board's piece attacks.
    pub fn families(&self) -> &'static [Family] {
        match self.piece {
            Piece::Queen => &Family::ALL,
            Piece::Rook => &Family::ALL[..2],
        }
    }

    /// The lines of one family: all rows and columns, and the diagonals of two or more squares.
    pub fn lines(&self, family: Family) -> impl Iterator<Item = Line> + use<> {
        let side = self.side;
        let line = move |row, column, left| Line {
            next: Square::new(row, column),
            left,
            family,
            side,
        };
        let straight = matches!(family, Family::Rows | Family::Columns);
        let plane = !straight && self.geometry == Geometry::Plane;
        let count = if plane {
            (2 * side).saturating_sub(3)
        } else {
            side
        };
        (0..count).filter_map(move |index| match family {
            Family::Rows => Some(line(index, 0, side)),
            Family::Columns => Some(line(0, index, side)),
            // On a torus every diagonal meets the top row, and on side 1 it is no line at all.
            _ if !plane => (side > 1).then(|| line(0, index, side)),
            // From the lower left corner up, then along the top to the right.
            Family::Diagonals => {
                let (row, column) = match (side - 2).checked_sub(index) {
                    Some(row) => (row, 0),
                    None => (0, index + 2 - side),
                };
                Some(line(row, column, side - row.max(column)))
            }
            // From the upper left corner along the top, then down the right edge.
            Family::Antidiagonals => {
                let sum = index + 1;
                let row = sum.saturating_sub(side - 1);
                Some(line(row, sum - row, (sum + 1).min(2 * side - 1 - sum)))
            }
        })
    }

    /// The line of a family that goes through `square`; of one square in a corner of the plane.
    pub fn line_through(&self, square: Square, family: Family) -> Line {
        let Square { row, column } = square;
        let side = self.side;
        let (next, left) = match (family, self.geometry) {
            (Family::Rows, _) => (Square::new(row, 0), side),
            (Family::Columns, _) => (Square::new(0, column), side),
            (Family::Diagonals, Geometry::Torus) => {
                (Square::new(0, (column + side - row) % side), side)
            }
            (Family::Antidiagonals, Geometry::Torus) => {
                (Square::new(0, (column + row) % side), side)
            }
            (Family::Diagonals, Geometry::Plane) => {
                let back = row.min(column);
                let next = Square::new(row - back, column - back);
                (next, side - next.row.max(next.column))
            }
            (Family::Antidiagonals, Geometry::Plane) => {
                let sum = row + column;
                let top = sum.saturating_sub(side - 1);
                (
                    Square::new(top, sum - top),
                    (sum + 1).min(2 * side - 1 - sum),
                )
            }
        };
        Line {
            next,
            left,
            family,
            side,
        }
    }

    /// Whether two different squares lie on a common line.
    pub fn attacks(&self, first: Square, second: Square) -> bool {
        first != second
            && self.families().iter().any(|&family| {
                self.line_through(first, family)
                    .any(|square| square == second)
            })
    }
}

/// As in `8`, `torus 12`, `rooks 8`, `8 with 2 queens and 3 blocked squares`.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.piece == Piece::Rook {
            f.write_str("rooks ")?;
        }
        if self.geometry == Geometry::Torus {
            f.write_str("torus ")?;
        }
        write!(f, "{}", self.side)?;
        match (self.placed.len(), self.blocked.len()) {
            (0, 0) => Ok(()),
            (queens, 0) => write!(f, " with {queens} placed"),
            (0, blocked) => write!(f, " with {blocked} blocked"),
            (queens, blocked) => write!(f, " with {queens} placed and {blocked} blocked"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(side: u32, geometry: Geometry) -> Board {
        Board::new(side).unwrap().with_geometry(geometry)
    }

    #[test]
    fn a_plane_has_six_n_minus_six_lines_of_two_or_more_squares() {
        for side in 2..=20 {
            let board = board(side, Geometry::Plane);
            let lines: Vec<_> = board
                .families()
                .iter()
                .flat_map(|&family| board.lines(family))
                .collect();
            assert_eq!(lines.len(), 6 * side as usize - 6, "side {side}");
            assert!(lines.iter().all(|line| line.len() >= 2));
        }
    }

    #[test]
    fn a_line_through_a_square_is_the_familys_line_that_holds_it() {
        for geometry in [Geometry::Plane, Geometry::Torus] {
            for side in 2..=7 {
                let board = board(side, geometry);
                for &family in board.families() {
                    for line in board.lines(family) {
                        for square in line.clone() {
                            assert_eq!(board.line_through(square, family), line);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn attacking_pairs_are_as_many_as_the_closed_form_says() {
        for n in 1..=12 {
            let board = board(n, Geometry::Plane);
            let ordered = Square::all(n)
                .flat_map(|first| Square::all(n).map(move |second| (first, second)))
                .filter(|&(first, second)| board.attacks(first, second))
                .count() as u32;
            assert_eq!(ordered / 2, n * (n - 1) * (5 * n - 1) / 3, "n = {n}");
        }
    }

    #[test]
    fn lines_of_a_torus_are_all_of_full_length() {
        let board = board(6, Geometry::Torus);
        for &family in board.families() {
            let lines: Vec<_> = board.lines(family).collect();
            assert_eq!(lines.len(), 6);
            assert!(
                lines
                    .iter()
                    .all(|line| line.len() == 6 && line.count() == 6)
            );
        }
    }

    #[test]
    fn impossible_boards_are_refused_with_the_reason() {
        assert_eq!(Board::new(0), Err(BoardError::Side(0)));
        let square = |row, column| Square::from((row, column));
        let message = |squares: &[Square]| {
            Board::new(4)
                .unwrap()
                .with_placed(squares.to_vec())
                .unwrap_err()
        };
        assert_eq!(
            message(&[square(5, 1)]).to_string(),
            "the square 5,1 is outside the board: rows and columns run from 1 to 4"
        );
        assert_eq!(
            message(&[square(0, 1)]).to_string(),
            "the square 0,1 is outside the board: rows and columns run from 1 to 4"
        );
        assert_eq!(
            message(&[square(1, 1), square(3, 3)]),
            BoardError::Attack(square(1, 1), square(3, 3))
        );
    }
}
