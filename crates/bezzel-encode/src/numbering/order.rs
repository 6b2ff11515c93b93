//! Orders: the variables that get the low numbers, without shuffling.
//!
//! Two things are ordered: the squares among themselves, and the auxiliary variables relative to the squares'. Only
//! numbers change; clauses and their literals keep their places.

use bezzel_problem::{Grid, Problem, Square, named};
use rustsat::types::{Lit, Var};
use serde::{Deserialize, Serialize};

use crate::var_map::VarMap;

named! {
    /// The order in which the squares of a grid are numbered.
    ///
    /// A walk visits the squares in this order. Primary variables are numbered as they first occur in the squares'
    /// cubes. An encoding that has bits for a row in place of its squares is therefore ordered as well.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum SquareOrder: "order of squares" {
        /// Row by row, as encoders make them.
        #[default]
        RowMajor = "row-major",
        /// Column by column.
        ColumnMajor = "column-major",
        /// From the upper left corner along the edges, clockwise and inwards.
        Spiral = "spiral",
        /// By their distance from the centre of the grid, equal ones row by row.
        CentreOut = "centre-out",
    }
}

impl SquareOrder {
    /// All squares of a grid in this order.
    pub fn order(self, rows: u32, columns: u32) -> Vec<Square> {
        let across =
            |row: u32| (0..columns).map(move |column| Square::new(row, column)).collect::<Vec<_>>();
        let all = || (0..rows).flat_map(across);
        match self {
            Self::RowMajor => all().collect(),
            Self::ColumnMajor => (0..columns)
                .flat_map(|column| (0..rows).map(move |row| Square::new(row, column)))
                .collect(),
            Self::Spiral => spiral(rows, columns),
            Self::CentreOut => {
                let mut squares: Vec<_> = all().collect();
                // Twice the distances, so that the centre of an even side is a whole number.
                let twice = |at: u32, side: u32| (2 * u64::from(at) + 1).abs_diff(side.into());
                // Stable: equal ones stay in reading order.
                squares.sort_by_key(|square| {
                    twice(square.row, rows).pow(2) + twice(square.column, columns).pow(2)
                });
                squares
            }
        }
    }
}

/// Ring after ring, each from its upper left corner clockwise.
fn spiral(rows: u32, columns: u32) -> Vec<Square> {
    let mut squares = Vec::with_capacity(rows as usize * columns as usize);
    for ring in 0..rows.min(columns).div_ceil(2) {
        let (top, left) = (ring, ring);
        let (bottom, right) = (rows - 1 - ring, columns - 1 - ring);
        squares.extend((left..=right).map(|column| Square::new(top, column)));
        squares.extend((top + 1..=bottom).map(|row| Square::new(row, right)));
        // A ring that is one row or one column has no second side.
        if top < bottom && left < right {
            squares.extend((left..right).rev().map(|column| Square::new(bottom, column)));
            squares.extend((top + 1..bottom).rev().map(|row| Square::new(row, left)));
        }
    }
    squares
}

named! {
    /// The place of the auxiliary variables in the numbering. They keep their order among themselves.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum AuxiliaryPlace: "place of auxiliary variables" {
        /// After all primary ones, as encoders make them.
        #[default]
        After = "after",
        /// Before all primary ones.
        Before = "before",
        /// Spread evenly: of a auxiliary and p primary variables, ⌊i·a/p⌋ auxiliary ones come before
        /// the primary one that follows the i-th.
        Between = "between",
    }
}

/// The number of each variable as a literal, by the encoder's numbers.
pub(super) fn images(
    squares: SquareOrder,
    place: AuxiliaryPlace,
    problem: &Problem,
    variables: u32,
    map: &VarMap,
) -> Vec<Lit> {
    if (squares, place) == (SquareOrder::RowMajor, AuxiliaryPlace::After) {
        return (0..variables).map(Lit::positive).collect();
    }
    let mut is_primary = vec![false; variables as usize];
    let mut primary: Vec<Var> = Vec::new();
    // Without a grid the candidates are one row.
    let one_row = Grid { rows: 1, columns: problem.candidates() };
    let Grid { rows, columns } = problem.grid().unwrap_or(one_row);
    for square in squares.order(rows, columns) {
        for var in map.cube(square.index(columns) as u32).iter().map(|lit| lit.var()) {
            if !std::mem::replace(&mut is_primary[var.idx()], true) {
                primary.push(var);
            }
        }
    }
    if squares == SquareOrder::RowMajor {
        // In the order in which they were made, for all cubes.
        primary.sort_unstable();
    }
    let mut auxiliary = (0..variables).map(Var::new).filter(|var| !is_primary[var.idx()]);
    let left = variables as usize - primary.len();
    let mut images = vec![Lit::positive(0); variables as usize];
    let mut number = 0;
    let mut give = |var: Var| {
        images[var.idx()] = Lit::positive(number);
        number += 1;
    };
    let count = primary.len();
    let mut given = 0;
    for (index, &var) in primary.iter().enumerate() {
        let before = match place {
            AuxiliaryPlace::After => 0,
            AuxiliaryPlace::Before => left,
            AuxiliaryPlace::Between => index * left / count,
        };
        auxiliary.by_ref().take(before - given).for_each(&mut give);
        given = before;
        give(var);
    }
    auxiliary.for_each(give);
    images
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::VarRange;

    fn numbers(squares: &[Square], columns: u32) -> Vec<usize> {
        squares
            .iter()
            .map(|square| square.row as usize * columns as usize + square.column as usize + 1)
            .collect()
    }

    #[test]
    fn orders_of_squares_are_those_that_one_draws() {
        let order =
            |order: SquareOrder, rows, columns| numbers(&order.order(rows, columns), columns);
        assert_eq!(order(SquareOrder::RowMajor, 2, 3), [1, 2, 3, 4, 5, 6]);
        assert_eq!(order(SquareOrder::ColumnMajor, 2, 3), [1, 4, 2, 5, 3, 6]);
        assert_eq!(order(SquareOrder::Spiral, 3, 3), [1, 2, 3, 6, 9, 8, 7, 4, 5]);
        assert_eq!(order(SquareOrder::Spiral, 3, 4), [1, 2, 3, 4, 8, 12, 11, 10, 9, 5, 6, 7]);
        assert_eq!(order(SquareOrder::CentreOut, 3, 3), [5, 2, 4, 6, 8, 1, 3, 7, 9]);
        assert_eq!(order(SquareOrder::CentreOut, 2, 4), [2, 3, 6, 7, 1, 4, 5, 8]);
        assert_eq!(
            order(SquareOrder::CentreOut, 4, 4),
            [6, 7, 10, 11, 2, 3, 5, 8, 9, 12, 14, 15, 1, 4, 13, 16]
        );
    }

    #[test]
    fn every_order_visits_every_square_once() {
        for order in SquareOrder::ALL {
            for (rows, columns) in
                (1..=7).flat_map(|rows| (1..=7).map(move |columns| (rows, columns)))
            {
                let mut squares = order.order(rows, columns);
                assert_eq!(squares.len(), (rows * columns) as usize);
                squares.sort_unstable();
                assert_eq!(squares, SquareOrder::RowMajor.order(rows, columns), "{order}");
            }
        }
    }

    #[test]
    fn auxiliary_variables_stand_at_the_place_of_the_numbering() {
        // Variables 1 to 4 are of squares, 5 to 9 auxiliary.
        let map = VarMap::one_per_candidate(VarRange::after(0, 4));
        let sequence = |squares, place| {
            let images = images(squares, place, &Problem::new(4).with_grid(2, 2), 9, &map);
            let mut sequence = vec![0; 9];
            for (var, image) in images.iter().enumerate() {
                sequence[image.vidx()] = var + 1;
            }
            sequence
        };
        let of = |place| sequence(SquareOrder::RowMajor, place);
        assert_eq!(of(AuxiliaryPlace::After), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(of(AuxiliaryPlace::Before), [5, 6, 7, 8, 9, 1, 2, 3, 4]);
        assert_eq!(of(AuxiliaryPlace::Between), [1, 5, 2, 6, 3, 7, 4, 8, 9]);
        let both = sequence(SquareOrder::Spiral, AuxiliaryPlace::Before);
        assert_eq!(both, [5, 6, 7, 8, 9, 1, 2, 4, 3]);
    }

    #[test]
    fn variables_of_shared_cubes_are_ordered_by_their_first_square() {
        // Two bits a row, on a grid of side 2: column by column, the cubes hold the same bits.
        let lit = Lit::positive;
        let cubes = [[!lit(0), lit(1)], [lit(0), lit(1)], [lit(2), lit(3)], [lit(2), !lit(3)]];
        let problem = Problem::new(4).with_grid(2, 2);
        let map = VarMap::from_cubes(cubes);
        let spiral = images(SquareOrder::Spiral, AuxiliaryPlace::After, &problem, 5, &map);
        assert_eq!(spiral, [0, 1, 2, 3, 4].map(lit));
        let before = images(SquareOrder::ColumnMajor, AuxiliaryPlace::Before, &problem, 5, &map);
        assert_eq!(before, [1, 2, 3, 4, 0].map(lit));
    }

    #[test]
    fn ids_are_read_back() {
        for order in SquareOrder::ALL {
            assert_eq!(order.id().parse(), Ok(order));
        }
        for place in AuxiliaryPlace::ALL {
            assert_eq!(place.id().parse(), Ok(place));
        }
        let error = "spirals".parse::<SquareOrder>().unwrap_err();
        assert_eq!(error.to_string(), "unknown order of squares `spirals`; did you mean `spiral`?");
    }
}
