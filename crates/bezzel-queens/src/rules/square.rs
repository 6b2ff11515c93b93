//! Squares: a row and a column.

use std::fmt;

use bezzel_problem::{Grid, Place};
use serde::{Deserialize, Deserializer, Serialize, de};

/// The most rows, and the most columns, that a board can have: its squares are numbered by 32 bits.
pub const MAX_SIDE: u32 = Grid::MAX_SIDE;

/// A square, by row and column counted from 0; row 0 is the top one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(into = "(u32, u32)")]
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

    /// The place of the square on a board with `columns` columns, row by row, counted from 0.
    #[inline]
    pub const fn index(self, columns: u32) -> usize {
        self.row as usize * columns as usize + self.column as usize
    }

    /// All squares of a board with `rows` rows and `columns` columns, row by row.
    pub fn all(rows: u32, columns: u32) -> impl Iterator<Item = Self> + Clone {
        (0..rows).flat_map(move |row| (0..columns).map(move |column| Self { row, column }))
    }
}

/// In evidence and messages rows and columns count from 1.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (row, column) = (*self).into();
        write!(f, "{row},{column}")
    }
}

/// From row and column counted from 1, as evidence has them. 0 gives a square outside every board.
impl From<(u32, u32)> for Square {
    fn from((row, column): (u32, u32)) -> Self {
        Self { row: row.wrapping_sub(1), column: column.wrapping_sub(1) }
    }
}

impl From<Square> for (u32, u32) {
    fn from(square: Square) -> Self {
        (square.row.wrapping_add(1), square.column.wrapping_add(1))
    }
}

impl From<Place> for Square {
    fn from(place: Place) -> Self {
        Self { row: place.row, column: place.column }
    }
}

impl From<Square> for Place {
    fn from(square: Square) -> Self {
        Self { row: square.row, column: square.column }
    }
}

/// Reads row and column counted from 1. A square outside every board is refused.
impl<'de> Deserialize<'de> for Square {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let square = Self::from(<(u32, u32)>::deserialize(from)?);
        if square.row.max(square.column) < MAX_SIDE {
            Ok(square)
        } else {
            Err(de::Error::custom(format!("no board has the square {square}")))
        }
    }
}
