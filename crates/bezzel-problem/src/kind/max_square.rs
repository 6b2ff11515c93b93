//! Painted cells without a square: many cells of a grid, and no four at the corners of a square.
//!
//! *Rules.* At least k of the n × n cells are painted. No four painted cells are the corners of a square with sides
//! parallel to the grid.
//!
//! *Candidates.* The cells, row by row: n².
//!
//! *Families.* `painted`: at least k of all cells. The squares are clauses of four literals: (n − 1)n(2n − 1)/6.
//!
//! *Known answers.* The largest k with a solution is A227133 of the OEIS, 1, 3, 7, 12, 17, 24, 32, 41, 51, 61, 73, 85,
//! 98 for n from 1 to 13.
//!
//! *Source.* J. E. Reeves, M. J. H. Heule, R. E. Bryant, "From Clauses to Klauses", CAV 2024, max squares.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::drawing::{Cell, Drawing};
use crate::entry::{EntryError, EntryForm, EntryKey, EntryValues};
use crate::group::{Bounds, GroupFamily, Lists};
use crate::kind::{EntryKind, Kind};
use crate::literal::{Candidate, Literal};
use crate::problem::Problem;
use crate::solution::Solution;

/// The largest side of a grid: beyond, the clauses fill the memory.
const MAX_VALUE: u32 = 300;

/// A227133: the largest numbers of cells, for sides from 1.
const LARGEST: [u32; 13] = [1, 3, 7, 12, 17, 24, 32, 41, 51, 61, 73, 85, 98];

/// A grid and a number of cells.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MaxSquare {
    side: u32,
    painted: u32,
}

impl MaxSquare {
    /// At least this number of painted cells on the grid of this side.
    ///
    /// # Errors
    ///
    /// When the side is not from 1 to 300, or the number of cells is not from 1 to side².
    pub fn new(side: u32, painted: u32) -> Result<Self, EntryError> {
        if !(1..=MAX_VALUE).contains(&side) {
            let message = format!("`side` is from 1 to {MAX_VALUE}, not {side}");
            return Err(EntryError::new("side", message));
        }
        if !(1..=side * side).contains(&painted) {
            let message = format!("`painted` is from 1 to {}, not {painted}", side * side);
            return Err(EntryError::new("painted", message));
        }
        Ok(Self { side, painted })
    }

    /// The corners of every square.
    fn squares(&self) -> impl Iterator<Item = [Candidate; 4]> {
        let side = self.side;
        let placed = (1..side).flat_map(move |length| {
            let starts = 0..side - length;
            starts
                .clone()
                .flat_map(move |row| starts.clone().map(move |column| (row, column, length)))
        });
        placed.map(move |(row, column, length)| {
            let corner = |down: u32, right: u32| (row + down) * side + column + right;
            [corner(0, 0), corner(0, length), corner(length, 0), corner(length, length)]
        })
    }
}

impl fmt::Display for MaxSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "max-square {}, {} painted", self.side, self.painted)
    }
}

impl Kind for MaxSquare {
    const ID: &'static str = "max-square";
    const TITLE: &'static str = "painted cells without a square";
    const FAMILIES: &'static [&'static str] = &["painted"];
    const SIZE: &'static str = "Side";
    const RANK: u16 = 6;

    fn checked(self) -> Result<Self, EntryError> {
        Self::new(self.side, self.painted)
    }

    fn constraints(&self) -> Problem {
        let cells = self.side * self.side;
        let all = (0..cells).map(Literal::chosen);
        let bounds = Bounds { at_least: Some(self.painted.into()), at_most: None };
        let squares = self.squares().map(|corners| corners.map(|cell| Literal::new(cell, true)));
        Problem::new(cells)
            .with_family(GroupFamily::new("painted", bounds, std::iter::once(all).collect()))
            .with_clauses(squares.collect::<Lists<Literal>>())
    }

    fn size(&self) -> u32 {
        self.side
    }

    fn label(&self, candidate: Candidate) -> String {
        format!("({}, {})", candidate / self.side + 1, candidate % self.side + 1)
    }

    /// A line for each row, `#` for a painted cell.
    fn draw(&self, solution: &Solution) -> String {
        let row = |row: u32| -> String {
            let cells = row * self.side..(row + 1) * self.side;
            cells.map(|cell| if solution.chooses(cell) { '#' } else { '.' }).collect()
        };
        (0..self.side).map(row).collect::<Vec<_>>().join("\n")
    }

    /// The grid, with a cross in each painted cell.
    fn drawing(&self, solution: Option<&Solution>) -> Option<Drawing> {
        let is_painted = |cell| solution.is_some_and(|it| it.chooses(cell));
        let row = |row: u32| {
            let cells = row * self.side..(row + 1) * self.side;
            cells.map(|cell| Cell::chosen(is_painted(cell))).collect()
        };
        Drawing::grid((0..self.side).map(row))
    }

    fn check(&self, solution: &Solution) -> Result<(), String> {
        let chosen = solution.chosen();
        if let Some(&cell) = chosen.last().filter(|&&cell| cell >= self.side * self.side) {
            return Err(format!("there is no cell {}", u64::from(cell) + 1));
        }
        if chosen.len() < self.painted as usize {
            return Err(format!("{} cells are painted, not {}", chosen.len(), self.painted));
        }
        let side = self.side;
        for &first in chosen {
            // Of each square the upper left corner, with every other painted cell of its row.
            let (row, column) = (first / side, first % side);
            for right in column + 1..side {
                let length = right - column;
                let below = row + length;
                let others = [(row, right), (below, column), (below, right)];
                if below < side
                    && others.iter().all(|&(row, column)| solution.chooses(row * side + column))
                {
                    return Err(format!(
                        "{} and {} are corners of a painted square",
                        self.label(first),
                        self.label(below * side + right)
                    ));
                }
            }
        }
        Ok(())
    }

    fn known_count(&self) -> Option<u128> {
        let largest = LARGEST.get(self.side as usize - 1)?;
        (self.painted > *largest).then_some(0)
    }
}

impl EntryKind for MaxSquare {
    const ENTRY: &'static [EntryKey] = &[
        EntryKey::required(
            "side",
            "The number of rows and of columns.",
            EntryForm::Whole(1, MAX_VALUE as u64),
        ),
        EntryKey::required(
            "painted",
            "The least number of painted cells; no four of them are the corners of a square with sides parallel \
             to the grid.",
            EntryForm::Whole(1, (MAX_VALUE * MAX_VALUE) as u64),
        ),
    ];

    fn instance(values: &EntryValues) -> Result<Self, EntryError> {
        let number = |key| values.whole(key).unwrap_or(0) as u32;
        Self::new(number("side"), number("painted"))
    }

    fn examples() -> Vec<Self> {
        [(1, 1), (2, 3), (2, 4), (3, 7), (3, 8), (4, 12)]
            .map(|(side, painted)| Self { side, painted })
            .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Search;

    #[test]
    fn the_largest_numbers_of_cells_are_those_of_the_oeis() {
        for (side, &largest) in (1..=4).zip(&LARGEST) {
            for (painted, has_solution) in [(largest, true), (largest + 1, false)] {
                let Ok(instance) = MaxSquare::new(side, painted) else { continue };
                let found = Search::new(&instance.problem()).first(u64::MAX).unwrap();
                assert_eq!(found.is_some(), has_solution, "{instance}");
                assert!(found.is_none_or(|solution| instance.check(&solution).is_ok()));
            }
        }
    }
}
