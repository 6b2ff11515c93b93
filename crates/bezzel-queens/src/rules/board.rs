//! Boards: their size, their geometry, their given queens and their blocked squares.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::rules::family::Family;
use bezzel_problem::Grid;
use bezzel_problem::Square;
use bezzel_problem::named;

mod label;
mod read_square;
#[cfg(test)]
mod tests;

/// The most rows, and the most columns, that a board can have: its squares are numbered by 32 bits.
pub const MAX_SIDE: u32 = Grid::MAX_SIDE;

named! {
    /// The geometry of a board, whose opposite edges may be joined.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Geometry: "geometry" {
        /// Lines end at the edges.
        #[default]
        Plane = "plane",
        /// Opposite edges are joined: diagonals go on at the other side, so that each has n squares.
        Torus = "torus",
    }
}

named! {
    /// The kind of pieces on a board.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Piece: "piece" {
        /// Attacks along rows, columns and both diagonals.
        #[default]
        Queen = "queen",
        /// Attacks along rows and columns.
        Rook = "rook",
    }
}

/// The reason why there is no such board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BoardError {
    /// No rows, or too many.
    #[error("a board has 1 to {MAX_SIDE} rows, not {0}")]
    Side(String),
    /// No columns, or too many.
    #[error("a board has 1 to {MAX_SIDE} columns, not {0}")]
    Columns(String),
    /// A text that is no size.
    #[error("`{0}` is not a size of a board: write 8 for a square, 8x10 for 8 rows of 10 columns")]
    Size(String),
    /// A torus that is no square.
    #[error(
        "a torus has as many rows as columns, not {rows} and {columns}: on another one a diagonal \
         comes back to its column in another row"
    )]
    Torus {
        /// The number of rows.
        rows: u32,
        /// The number of columns.
        columns: u32,
    },
    /// A square that is not on the board.
    #[error("the square {square} is outside the board: {}", ranges(*.rows, *.columns))]
    Outside {
        /// The square, rows and columns counted from 1.
        square: String,
        /// The number of rows.
        rows: u32,
        /// The number of columns.
        columns: u32,
    },
    /// A text that names no square.
    #[error("`{0}` is not a square: write ROW,COLUMN, or the square's number, counted from 1")]
    Square(String),
    /// Two placed queens on one line.
    #[error("the queens on {0} and {1} attack each other, so no solution can hold both")]
    Attack(Square, Square),
    /// A square both placed and blocked.
    #[error("the square {0} both holds a queen and is blocked")]
    Both(Square),
}

/// The numbers of rows and columns that a board may have, in words.
fn ranges(rows: u32, columns: u32) -> String {
    if rows == columns {
        return format!("rows and columns run from 1 to {rows}");
    }
    format!("rows run from 1 to {rows}, columns from 1 to {columns}")
}

/// A board: its size, its geometry, the kind of its pieces, its given queens and its blocked squares.
///
/// A solution has exactly one queen in every row and at most one in every column; on a square
/// board every column holds one then. A rectangle with more rows than columns has no solution.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Parts", into = "Parts")]
pub struct Board {
    rows: u32,
    columns: u32,
    geometry: Geometry,
    piece: Piece,
    // Shared, since every job of a plan has its board.
    placed: Arc<[Square]>,
    blocked: Arc<[Square]>,
}

/// A board as evidence has it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    /// The number of rows.
    size: u32,
    /// The number of columns, where it is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    columns: Option<u32>,
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
        Self::rectangle(parts.size, parts.columns.unwrap_or(parts.size))?
            .try_geometry(parts.geometry)?
            .with_piece(parts.piece)
            .with_placed(parts.queens)?
            .with_blocked(parts.blocked)
    }
}

impl From<Board> for Parts {
    fn from(board: Board) -> Self {
        Self {
            size: board.rows,
            columns: (!board.is_square()).then_some(board.columns),
            geometry: board.geometry,
            piece: board.piece,
            queens: board.placed.to_vec(),
            blocked: board.blocked.to_vec(),
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
        Self::rectangle(side, side)
    }

    /// The empty board with `rows` rows and `columns` columns for queens.
    ///
    /// # Errors
    ///
    /// When either number is 0 or above [`MAX_SIDE`].
    pub fn rectangle(rows: u32, columns: u32) -> Result<Self, BoardError> {
        if !(1..=MAX_SIDE).contains(&rows) {
            return Err(BoardError::Side(rows.to_string()));
        }
        if !(1..=MAX_SIDE).contains(&columns) {
            return Err(BoardError::Columns(columns.to_string()));
        }
        Ok(Self {
            rows,
            columns,
            geometry: Geometry::Plane,
            piece: Piece::Queen,
            placed: Arc::default(),
            blocked: Arc::default(),
        })
    }

    /// Reads the size of an empty board in written form: `8` for a square, `8x10` for 8 rows of 10 columns.
    ///
    /// # Errors
    ///
    /// When the text is neither, or there is no board of this size.
    pub fn read_size(text: &str) -> Result<Self, BoardError> {
        // Digits alone, as of squares.
        let is_number =
            |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let (rows, columns) = text.split_once('x').unwrap_or((text, text));
        if !is_number(rows) || !is_number(columns) {
            return Err(BoardError::Size(text.to_owned()));
        }
        // A number that does not fit 32 bits is too large for any board.
        Self::rectangle(
            rows.parse().map_err(|_| BoardError::Side(rows.to_owned()))?,
            columns.parse().map_err(|_| BoardError::Columns(columns.to_owned()))?,
        )
    }

    /// The same board with this geometry.
    ///
    /// Call it before queens are placed, because attacks depend on the geometry.
    ///
    /// # Panics
    ///
    /// When `geometry` is a torus and the board is no square. [`try_geometry`](Self::try_geometry)
    /// returns an error instead.
    #[must_use]
    pub fn with_geometry(self, geometry: Geometry) -> Self {
        self.try_geometry(geometry).expect("a torus is square")
    }

    /// The same board with this geometry, if it can have it.
    ///
    /// # Errors
    ///
    /// When `geometry` is a torus and the board is no square.
    pub fn try_geometry(mut self, geometry: Geometry) -> Result<Self, BoardError> {
        if geometry == Geometry::Torus && !self.is_square() {
            return Err(BoardError::Torus { rows: self.rows, columns: self.columns });
        }
        self.geometry = geometry;
        Ok(self)
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
        // One lookup for each queen and line, not for each pair of queens.
        let mut lines = HashMap::with_capacity(4 * self.placed.len());
        for &queen in self.placed.iter() {
            for &family in self.families() {
                let line = (family, self.line_through(queen, family).start());
                if let Some(earlier) = lines.insert(line, queen) {
                    return Err(BoardError::Attack(earlier, queen));
                }
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
    ) -> Result<Arc<[Square]>, BoardError> {
        let mut squares: Vec<_> = squares.into_iter().collect();
        squares.sort_unstable();
        squares.dedup();
        match squares.iter().find(|&&square| !self.contains(square)) {
            None => Ok(squares.into()),
            Some(square) => {
                // A square that was read as 0 wrapped around: print 0, as in the input.
                let (row, column) = (square.row.wrapping_add(1), square.column.wrapping_add(1));
                let square = format!("{row},{column}");
                Err(BoardError::Outside { square, rows: self.rows, columns: self.columns })
            }
        }
    }

    fn disjoint(self) -> Result<Self, BoardError> {
        match self.placed.iter().find(|square| self.blocked.binary_search(square).is_ok()) {
            Some(&square) => Err(BoardError::Both(square)),
            None => Ok(self),
        }
    }

    /// The number of rows. It is the number of queens to place: the `n` of n queens.
    #[inline]
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The number of columns.
    #[inline]
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// True if there are as many columns as rows.
    pub fn is_square(&self) -> bool {
        self.rows == self.columns
    }

    /// The geometry: the edges end lines, or are joined.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// The kind of the pieces on the board.
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

    /// True if no queen is placed and no square is blocked.
    pub fn is_empty(&self) -> bool {
        self.placed.is_empty() && self.blocked.is_empty()
    }

    /// The same board without placed queens and blocked squares.
    #[must_use]
    pub fn without_givens(&self) -> Self {
        Self { placed: Arc::default(), blocked: Arc::default(), ..self.clone() }
    }

    /// The number of squares.
    pub fn squares(&self) -> u32 {
        self.rows * self.columns
    }

    /// Every square, row by row.
    pub fn each_square(&self) -> impl Iterator<Item = Square> + Clone + use<> {
        Square::all(self.rows, self.columns)
    }

    /// True if the square is on the board.
    pub fn contains(&self, square: Square) -> bool {
        square.row < self.rows && square.column < self.columns
    }

    /// The families of lines along which the board's piece attacks.
    pub fn families(&self) -> &'static [Family] {
        match self.piece {
            Piece::Queen => &Family::ALL,
            Piece::Rook => &Family::ALL[..2],
        }
    }

    /// True if two different squares lie on a common line.
    pub fn attacks(&self, first: Square, second: Square) -> bool {
        let meet = |family| {
            self.line_through(first, family).start() == self.line_through(second, family).start()
        };
        first != second && self.families().iter().any(|&family| meet(family))
    }
}
