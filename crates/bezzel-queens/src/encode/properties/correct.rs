//! Correctness on boards that are too large to list every placement. Right placements are solutions found at random;
//! wrong ones are nearly solutions. Unit propagation and a short search decide each.

use bezzel_encode::properties::gap::ExaminedFormula;
use bezzel_encode::properties::{Correct, DECISION_STEPS, PropertyFinding};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::meaning::wrong_placement;
use crate::{Board, Geometry, Piece, Placement, Square, search};

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
        let right = random_solution(board, &mut random);
        let mut tried: Vec<Placement> = right.iter().cloned().collect();
        tried.extend(right.iter().map(|right| spoilt(board, right, &mut random)));
        tried.push(one_per_row(board, &mut random));
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
pub(super) fn spoilt(board: &Board, right: &Placement, random: &mut ChaCha8Rng) -> Placement {
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
pub(super) fn one_per_row(board: &Board, random: &mut ChaCha8Rng) -> Placement {
    let mut columns: Vec<u32> = (0..board.columns()).collect();
    columns.shuffle(random);
    (0..board.rows()).map(|row| Square::new(row, columns[row as usize % columns.len()])).collect()
}

/// A solution by backtracking with the columns in random order; none where there is none, or where it is
/// not found soon.
pub(super) fn random_solution(board: &Board, random: &mut ChaCha8Rng) -> Option<Placement> {
    const TRIES: u32 = 50;
    const LOOKS: u32 = 20_000;
    let is_easy = board.rows() <= 20;
    if !is_easy && board.geometry() == Geometry::Plane && board.is_empty() {
        return by_swaps(board, random);
    }
    let tries = if is_easy { TRIES } else { 1 };
    (0..tries).find_map(|_| {
        let mut queens = Vec::new();
        let mut looks = LOOKS;
        let found = extend(board, &mut queens, &mut looks, random);
        found.then(|| queens.into_iter().collect())
    })
}

/// A solution of a large plane, by swapping the columns of two rows wherever that leaves no more
/// attacks along diagonals; none where it is not found soon.
fn by_swaps(board: &Board, random: &mut ChaCha8Rng) -> Option<Placement> {
    let (rows, all) = (board.rows() as usize, board.columns() as usize);
    if board.piece() == Piece::Rook || rows > all {
        return (rows <= all).then(|| one_per_row(board, random));
    }
    let mut columns: Vec<usize> = (0..all).collect();
    columns.shuffle(random);
    // The number of queens on each diagonal: the falling ones, then the rising ones.
    let mut queens = vec![0_u32; 2 * (rows + all)];
    let diagonals = |row: usize, column: usize| [row + all - column, rows + all + row + column];
    for (row, &column) in columns[..rows].iter().enumerate() {
        for diagonal in diagonals(row, column) {
            queens[diagonal] += 1;
        }
    }
    let mut attacks: u32 = queens.iter().map(|&queens| queens.saturating_sub(1)).sum();
    for _ in 0..2000 * all {
        if attacks == 0 {
            let squares = columns[..rows].iter().zip(0..);
            return Some(squares.map(|(&column, row)| Square::new(row, column as u32)).collect());
        }
        // One of the two may be a column without a queen.
        let (one, two) = (random.random_range(0..rows), random.random_range(0..all));
        let mut change = |columns: &[usize], up: bool| {
            let mut changed = 0_i64;
            for row in
                [one, two].into_iter().filter(|&row| row < rows).take(1 + usize::from(one != two))
            {
                for diagonal in diagonals(row, columns[row]) {
                    if up {
                        changed += i64::from(queens[diagonal] > 0);
                        queens[diagonal] += 1;
                    } else {
                        queens[diagonal] -= 1;
                        changed -= i64::from(queens[diagonal] > 0);
                    }
                }
            }
            changed
        };
        let mut gained = change(&columns, false);
        columns.swap(one, two);
        gained += change(&columns, true);
        if gained > 0 {
            gained += change(&columns, false);
            columns.swap(one, two);
            gained += change(&columns, true);
        }
        attacks = u32::try_from(i64::from(attacks) + gained).expect("attacks are counted right");
    }
    None
}

fn extend(
    board: &Board,
    queens: &mut Vec<Square>,
    looks: &mut u32,
    random: &mut ChaCha8Rng,
) -> bool {
    let row = queens.len() as u32;
    if row == board.rows() {
        return true;
    }
    let mut columns: Vec<u32> = (0..board.columns()).collect();
    columns.shuffle(random);
    for column in columns {
        *looks = looks.saturating_sub(1);
        let here = Square::new(row, column);
        let elsewhere = |given: &Square| given.row == row && given.column != column;
        if *looks == 0
            || board.blocked().contains(&here)
            || board.placed().iter().any(elsewhere)
            || queens.iter().any(|&queen| search::clash(board, queen, here))
        {
            continue;
        }
        queens.push(here);
        if extend(board, queens, looks, random) {
            return true;
        }
        queens.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn solutions_by_lot_obey_the_rules_on_boards_of_all_sizes() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let plane = |side| Board::new(side).unwrap();
        let boards = [
            plane(4),
            plane(12),
            plane(30),
            plane(60),
            plane(11).with_geometry(Geometry::Torus),
            plane(40).with_piece(Piece::Rook),
            Board::rectangle(30, 41).unwrap(),
            plane(8).with_placed([Square::new(0, 3)]).unwrap(),
        ];
        for board in boards {
            let mut found: Vec<Placement> =
                (0..5).map(|_| random_solution(&board, &mut random).unwrap()).collect();
            for solution in &found {
                assert_eq!(solution.judge(&board), Ok(()), "{board}");
            }
            found.sort_unstable();
            found.dedup();
            assert!(found.len() > 1, "{board}: always the same");
        }
        assert_eq!(random_solution(&plane(6).with_geometry(Geometry::Torus), &mut random), None);
    }

    #[test]
    fn spoilt_solutions_are_mostly_none_any_more() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let board = Board::new(10).unwrap();
        let right = random_solution(&board, &mut random).unwrap();
        let spoilt = (0..100).map(|_| spoilt(&board, &right, &mut random));
        let wrong = spoilt.filter(|placement| placement.judge(&board).is_err()).count();
        assert!((80..100).contains(&wrong), "{wrong}");
    }
}
