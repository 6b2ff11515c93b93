//! Prefix: the queens of the first rows are given, and those of the others are to be found.
//!
//! The instance is the state of a search that goes row by row. The queens are those of a solution, or they are placed
//! one after the other from the first row down. Each square is then drawn from all squares of its row that are neither
//! blocked nor attacked; the board may then have no solution. A try begins anew after a row without such a square.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::completion::{Free, tries};
use crate::rules::board::Board;
use crate::rules::placement::Placement;
use bezzel_problem::Square;

/// The first `rows` rows of a board without those that hold a given queen.
fn rows(board: &Board, rows: u32) -> impl Iterator<Item = u32> {
    (0..rows).filter(|&row| board.placed().iter().all(|queen| queen.row != row))
}

/// The queens of a solution in the first `rows` rows, without those that are given.
pub(super) fn of(solution: &Placement, board: &Board, rows: u32) -> Vec<Square> {
    let given = |square: &Square| board.placed().binary_search(square).is_ok();
    solution.squares().filter(|square| square.row < rows && !given(square)).collect()
}

/// Queens in the first rows that attack neither each other nor given ones; or the number of
/// tries in which none were found.
pub(super) fn consistent(
    board: &Board,
    rows: u32,
    random: &mut ChaCha8Rng,
) -> Result<Vec<Square>, u32> {
    tries(board, |free| {
        self::rows(board, rows).map(|row| place(free, board, row, random)).collect()
    })
}

/// Places a queen on one of the free squares of a row, each with the same chance, if there is one.
fn place(free: &mut Free<'_>, board: &Board, row: u32, random: &mut ChaCha8Rng) -> Option<Square> {
    let in_row = (0..board.columns()).map(|column| Square::new(row, column));
    let open: Vec<Square> = in_row.filter(|&square| free.holds(square)).collect();
    if open.is_empty() {
        return None;
    }
    let queen = open[random.random_range(0..open.len())];
    free.take(queen);
    Some(queen)
}
