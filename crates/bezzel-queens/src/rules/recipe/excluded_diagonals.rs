//! Excluded diagonals: no queen may stand on some of the diagonals.
//!
//! A problem of its own kind: rows and columns must hold a queen, and some diagonals must hold none, so fewer diagonals
//! are left. It has a phase transition, with hard instances at it.
//!
//! The generator is that of the paper. It makes a list, in random order, of diagonals that can all be excluded and
//! leave a stated number of squares free in every row and column. An instance excludes as many of them, from the first
//! one on, as the recipe asks for. All diagonals of both families are drawn once each, those of one square in the
//! corners too. A diagonal that would take too many squares from a row or column is passed over.
//!
//! *Source.* I. P. Gent, C. Jefferson, P. Nightingale, "Complexity of n-Queens Completion", Journal
//! of Artificial Intelligence Research 59, 2017, and the generator that they published.
//!
//! *Departures.* Boards may be rectangles and tori, and for rooks. On a torus every solution has a
//! queen on every diagonal, so an instance with one excluded has none; rooks need not stand on
//! all of them. Here a diagonal that holds a given queen is passed over as well.

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::rules::board::{Board, Geometry};
use crate::rules::placement::Placement;
use bezzel_problem::Square;

/// A diagonal, by its family and its number in it, as the published generator names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Diagonal {
    /// Its number, counted from 0.
    pub index: u32,
    /// True if the sum of row and column is constant on it and is its number (the paper's type 1),
    /// or their difference, which is its number less the number of rows, plus 1 (type 0).
    pub sum: bool,
}

impl Diagonal {
    /// All diagonals of a board: those of differences, then those of sums.
    pub fn all(board: &Board) -> impl Iterator<Item = Self> + Clone + use<> {
        let each = match board.geometry() {
            Geometry::Plane => board.rows() + board.columns() - 1,
            Geometry::Torus => board.columns(),
        };
        [false, true]
            .into_iter()
            .flat_map(move |sum| (0..each).map(move |index| Self { index, sum }))
    }

    /// Its squares, row by row.
    pub fn squares(self, board: &Board) -> impl Iterator<Item = Square> + use<> {
        let (rows, columns) = (i64::from(board.rows()), i64::from(board.columns()));
        let geometry = board.geometry();
        (0..board.rows()).filter_map(move |row| {
            let (index, down) = (i64::from(self.index), i64::from(row));
            let column = if self.sum { index - down } else { index + down + 1 - rows };
            let column = match geometry {
                Geometry::Plane => column,
                Geometry::Torus => column.rem_euclid(columns),
            };
            (0..columns).contains(&column).then(|| Square::new(row, column as u32))
        })
    }
}

/// Diagonals in random order that can all be excluded and leave `least_free` squares of every row
/// and column free. None holds a given queen or one of `spare`.
pub(super) fn list(
    board: &Board,
    spare: Option<&Placement>,
    least_free: u32,
    random: &mut ChaCha8Rng,
) -> Vec<Diagonal> {
    let mut order: Vec<Diagonal> = Diagonal::all(board).collect();
    order.shuffle(random);
    let columns = board.columns();
    let mut in_row = vec![columns; board.rows() as usize];
    let mut in_column = vec![board.rows(); columns as usize];
    let mut free = vec![true; board.squares() as usize];
    for square in board.blocked() {
        free[square.index(columns)] = false;
        in_row[square.row as usize] -= 1;
        in_column[square.column as usize] -= 1;
    }
    let stays = |square: &Square| {
        spare.is_some_and(|solution| solution.holds(*square))
            || board.placed().binary_search(square).is_ok()
    };
    order.retain(|diagonal| {
        let mut lost: Vec<Square> = diagonal.squares(board).collect();
        if lost.iter().any(stays) {
            return false;
        }
        lost.retain(|square| free[square.index(columns)]);
        // A diagonal meets a row and a column once, so each loses one square.
        let suffice = |square: &Square| {
            in_row[square.row as usize] > least_free
                && in_column[square.column as usize] > least_free
        };
        if !lost.iter().all(suffice) {
            return false;
        }
        for square in lost {
            free[square.index(columns)] = false;
            in_row[square.row as usize] -= 1;
            in_column[square.column as usize] -= 1;
        }
        true
    });
    order
}
