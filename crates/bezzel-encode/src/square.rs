//! Squares: a row and a column.

use std::fmt;

use serde::{Deserialize, Serialize};

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

    /// The place of the square among all of a board of so many columns, row by row, counted from
    /// 0.
    #[inline]
    pub const fn index(self, columns: u32) -> usize {
        self.row as usize * columns as usize + self.column as usize
    }

    /// All squares of a board of so many rows and columns, row by row.
    pub fn all(rows: u32, columns: u32) -> impl Iterator<Item = Self> + Clone {
        (0..rows).flat_map(move |row| (0..columns).map(move |column| Self { row, column }))
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
        Self { row: row.wrapping_sub(1), column: column.wrapping_sub(1) }
    }
}

impl From<Square> for (u32, u32) {
    fn from(square: Square) -> Self {
        (square.row + 1, square.column + 1)
    }
}
