//! Grids: rows and columns in which the candidates of a problem stand.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, de};

use crate::literal::Candidate;

/// Rows and columns in which the candidates of a problem stand, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The number of rows.
    pub rows: u32,
    /// The number of columns.
    pub columns: u32,
}

/// A place in a grid, by row and column counted from 0. In JSON and messages they count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(into = "(u32, u32)")]
pub struct Place {
    /// The row, counted from 0.
    pub row: u32,
    /// The column, counted from 0.
    pub column: u32,
}

impl Grid {
    /// The most rows, and the most columns, of a grid: its places are numbered by 32 bits.
    pub const MAX_SIDE: u32 = 40_000;

    /// The place of a candidate.
    pub fn place(self, candidate: Candidate) -> Place {
        Place { row: candidate / self.columns, column: candidate % self.columns }
    }

    /// The candidate of a place; none if the place is outside the grid.
    pub fn candidate(self, place: Place) -> Option<Candidate> {
        let is_inside = place.row < self.rows && place.column < self.columns;
        is_inside.then(|| place.row * self.columns + place.column)
    }

    /// The number of places.
    pub fn places(self) -> u32 {
        self.rows * self.columns
    }
}

/// From row and column counted from 1. 0 gives a place outside every grid.
impl From<(u32, u32)> for Place {
    fn from((row, column): (u32, u32)) -> Self {
        Self { row: row.wrapping_sub(1), column: column.wrapping_sub(1) }
    }
}

impl From<Place> for (u32, u32) {
    fn from(place: Place) -> Self {
        (place.row.wrapping_add(1), place.column.wrapping_add(1))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (row, column) = (*self).into();
        write!(f, "{row},{column}")
    }
}

/// A place outside every grid is refused.
impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let place = Self::from(<(u32, u32)>::deserialize(from)?);
        if place.row.max(place.column) < Grid::MAX_SIDE {
            Ok(place)
        } else {
            Err(de::Error::custom(format!("no grid has the place {place}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_stand_row_by_row_and_no_place_outside_has_one() {
        let grid = Grid { rows: 2, columns: 3 };
        let places: Vec<_> = (0..grid.places()).map(|candidate| grid.place(candidate)).collect();
        let written: Vec<_> = places.iter().map(Place::to_string).collect();
        assert_eq!(written, ["1,1", "1,2", "1,3", "2,1", "2,2", "2,3"]);
        assert!((0..).zip(&places).all(|(number, &place)| grid.candidate(place) == Some(number)));
        for outside in [(0, 1), (1, 0), (3, 1), (1, 4)] {
            assert_eq!(grid.candidate(outside.into()), None, "{outside:?}");
        }
    }

    #[test]
    fn a_place_counts_from_1_in_json_and_is_refused_outside_every_grid() {
        let place: Place = serde_json::from_str("[2,5]").unwrap();
        assert_eq!(place, Place { row: 1, column: 4 });
        assert_eq!(serde_json::to_string(&place).unwrap(), "[2,5]");
        for outside in ["[0,1]", "[1,0]", "[40001,1]", "[1,40001]", "[1]", "[-1,1]"] {
            assert!(serde_json::from_str::<Place>(outside).is_err(), "{outside}");
        }
    }
}
