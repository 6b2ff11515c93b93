//! Grids: rows and columns in which the candidates of a problem stand.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, de};

use crate::literal::Candidate;

/// Rows and columns in which the candidates of a problem stand, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Grid {
    /// The number of rows.
    pub rows: u32,
    /// The number of columns.
    pub columns: u32,
}

impl Grid {
    /// The most rows, and the most columns, of a grid: its squares are numbered by 32 bits.
    pub const MAX_SIDE: u32 = 40_000;

    /// The square of a candidate.
    pub fn square(self, candidate: Candidate) -> Square {
        Square { row: candidate / self.columns, column: candidate % self.columns }
    }

    /// The candidate of a square; none if the square is outside the grid.
    pub fn candidate(self, square: Square) -> Option<Candidate> {
        let is_inside = square.row < self.rows && square.column < self.columns;
        is_inside.then(|| square.row * self.columns + square.column)
    }

    /// The number of places.
    pub fn places(self) -> u32 {
        self.rows * self.columns
    }
}

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

    /// The place of the square on a grid with `columns` columns, row by row, counted from 0.
    #[inline]
    pub const fn index(self, columns: u32) -> usize {
        self.row as usize * columns as usize + self.column as usize
    }

    /// All squares of a grid with `rows` rows and `columns` columns, row by row.
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

/// From row and column counted from 1, as evidence has them. 0 gives a square outside every grid.
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

/// Reads row and column counted from 1. A square outside every grid is refused.
impl<'de> Deserialize<'de> for Square {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let square = Self::from(<(u32, u32)>::deserialize(from)?);
        if square.row.max(square.column) < Grid::MAX_SIDE {
            Ok(square)
        } else {
            Err(de::Error::custom(format!("no grid has the square {square}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_stand_row_by_row_and_no_place_outside_has_one() {
        let grid = Grid { rows: 2, columns: 3 };
        let places: Vec<_> = (0..grid.places()).map(|candidate| grid.square(candidate)).collect();
        let written: Vec<_> = places.iter().map(Square::to_string).collect();
        assert_eq!(written, ["1,1", "1,2", "1,3", "2,1", "2,2", "2,3"]);
        assert!((0..).zip(&places).all(|(number, &place)| grid.candidate(place) == Some(number)));
        for outside in [(0, 1), (1, 0), (3, 1), (1, 4)] {
            assert_eq!(grid.candidate(outside.into()), None, "{outside:?}");
        }
    }

    #[test]
    fn a_place_counts_from_1_in_json_and_is_refused_outside_every_grid() {
        let place: Square = serde_json::from_str("[2,5]").unwrap();
        assert_eq!(place, Square { row: 1, column: 4 });
        assert_eq!(serde_json::to_string(&place).unwrap(), "[2,5]");
        for outside in ["[0,1]", "[1,0]", "[40001,1]", "[1,40001]", "[1]", "[-1,1]"] {
            assert!(serde_json::from_str::<Square>(outside).is_err(), "{outside}");
        }
    }
}
