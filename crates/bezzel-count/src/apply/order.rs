//! The order in which a diagram decides variables.
//!
//! The candidates stand in rows and columns; without a [grid](Grid) they are one row. Every primary variable has a row,
//! that of the candidates whose cubes contain it, and a place in it. With a variable for each candidate, the place is the
//! column. In a code, it is the rank of the bit, the most significant one first.
//! [`Order::Row`] is therefore the order in which published sizes of diagrams are counted for both, row by row from the
//! top, each row from the left or from its most significant bit.

use std::cmp::Ordering;
use std::collections::HashMap;

use bezzel_encode::{Var, VarMap};
use bezzel_problem::{Grid, Square, named};

named! {
    /// The order in which a diagram decides variables, from its root on.
    #[derive(Default)]
    pub enum Order: "variable order" {
        /// Row by row from the top, in each by place.
        #[default]
        Row = "row",
        /// Place by place from the left, in each by row: of codes the most significant bits of all rows
        /// come first.
        Column = "column",
        /// Ring by ring from the middle, in each ring row by row. The ring of a variable is
        /// its distance from the middle, the longer one of those along its row and along its column; of a
        /// code, which has no column, it is that of its row.
        InsideOut = "inside-out",
        /// Row by row from the middle, in turns below and above it: of an odd number the middle row, the
        /// one below it, the one above it, and so on; of an even number the upper of the two in the
        /// middle, the lower one, the one above both. It is the order of rows of the interleaving option of
        /// Bryant's generator of layered circuits.
        Interleaved = "interleaved",
    }
}

impl Order {
    /// The primary variables in this order.
    ///
    /// Cubes with more than one literal of a row are read as codes with their least significant bit
    /// first, as all of Bezzel's are.
    pub fn variables(self, grid: Grid, map: &VarMap) -> Vec<Var> {
        let Grid { rows, columns } = grid;
        let mut places = places(grid, map);
        // Stable, so that variables of equal rank keep their order: row by row.
        places.sort_by_key(|place| match self {
            Self::Row => (0, 0),
            Self::Column => (0, place.rank),
            Self::InsideOut => (0, from_middle(rows, place.row).max(place.column_ring(columns))),
            Self::Interleaved => (turn(rows, place.row), 0),
        });
        places.into_iter().map(|place| place.variable).collect()
    }
}

/// A primary variable, and its position.
struct VariablePosition {
    variable: Var,
    row: u32,
    /// The number of variables before it in its row.
    rank: u32,
    /// The first column whose cube contains it.
    column: u32,
    /// The number of cubes that contain it: one or two if it belongs to its column, more if it is a bit of a code.
    cubes: u32,
}

impl VariablePosition {
    fn column_ring(&self, columns: u32) -> u32 {
        if self.cubes > 2 { 0 } else { from_middle(columns, self.column) }
    }
}

/// The primary variables, row by row and in each row by place.
fn places(grid: Grid, map: &VarMap) -> Vec<VariablePosition> {
    let mut known: HashMap<Var, usize> = HashMap::new();
    let mut places: Vec<VariablePosition> = Vec::new();
    for candidate in 0..grid.places() {
        let Square { row, column } = grid.square(candidate);
        // A code has its least significant bit first.
        for lit in map.cube(candidate).iter().rev() {
            let variable = lit.var();
            let place = *known.entry(variable).or_insert(places.len());
            if place == places.len() {
                let before = places.last().filter(|last| last.row == row);
                let rank = before.map_or(0, |last| last.rank + 1);
                places.push(VariablePosition { variable, row, rank, column, cubes: 0 });
            }
            places[place].cubes += 1;
        }
    }
    places
}

/// The distance of an index from the middle of `many` indices, in halves.
fn from_middle(many: u32, index: u32) -> u32 {
    (2 * index + 1).abs_diff(many)
}

/// The position of a row if rows are taken from the middle, below and above in turns.
fn turn(rows: u32, row: u32) -> u32 {
    let middle = (rows - 1) / 2;
    match row.cmp(&middle) {
        Ordering::Equal => 0,
        Ordering::Greater => 2 * (row - middle) - 1,
        Ordering::Less => 2 * (middle - row),
    }
}
