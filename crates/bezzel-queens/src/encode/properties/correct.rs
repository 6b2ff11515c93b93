//! Correctness on boards that are too large to list every placement. Right placements are solutions found at random;
//! wrong ones are nearly solutions. Unit propagation and a short search decide each.

use bezzel_encode::properties::gap::ExaminedFormula;
use bezzel_encode::properties::{Correct, DECISION_STEPS, PropertyFinding};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::meaning::wrong_placement;
use crate::count::plant::{Planted, plant};
use crate::{Board, Placement, Square};

/// The number of placements that the search may give up; after it no more are tried.
const MAX_UNDECIDED: u32 = 10;

/// A finding on a board, with its place.
pub(super) fn on_board(
    board: &Board,
    PropertyFinding { what, drawing }: PropertyFinding,
) -> PropertyFinding {
    PropertyFinding { what: format!("the board {board}: {what}"), drawing }
}

/// Tries `count` right and wrong placements each, made by this seed; fewer where the search gives up repeatedly.
pub(super) fn sample(
    subject: &mut ExaminedFormula,
    board: &Board,
    count: u32,
    seed: u64,
    correct: &mut Correct,
) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..count {
        let mut tried = vec![one_per_row(board, &mut random)];
        if let Planted::Solution(right) = plant(board, &mut random) {
            tried.extend([spoilt(board, &right, &mut random), right]);
        }
        for placement in tried {
            let decided = subject.allows(
                |cell| {
                    let cell = cell as u32;
                    placement.holds(Square::new(cell / board.columns(), cell % board.columns()))
                },
                DECISION_STEPS,
            );
            let is_right = placement.judge(board).is_ok();
            if correct.take(board.rows(), is_right, decided) {
                correct.wrong =
                    Some(on_board(board, wrong_placement(board, &placement, !is_right)));
                return;
            }
            if correct.undecided >= MAX_UNDECIDED {
                return;
            }
        }
    }
}

/// A solution with one change: a queen moved, removed or added.
fn spoilt(board: &Board, right: &Placement, random: &mut ChaCha8Rng) -> Placement {
    let mut queens: Vec<Square> = right.squares().collect();
    let anywhere =
        Square::new(random.random_range(0..board.rows()), random.random_range(0..board.columns()));
    let one = random.random_range(0..queens.len());
    match random.random_range(0..4) {
        0 => drop(queens.remove(one)),
        1 => queens.push(anywhere),
        _ => queens[one].column = anywhere.column,
    }
    queens.into_iter().collect()
}

/// One queen in each row, in different columns as far as there are enough: only diagonals distinguish it from a
/// solution.
fn one_per_row(board: &Board, random: &mut ChaCha8Rng) -> Placement {
    let mut columns: Vec<u32> = (0..board.columns()).collect();
    columns.shuffle(random);
    (0..board.rows()).map(|row| Square::new(row, columns[row as usize % columns.len()])).collect()
}
