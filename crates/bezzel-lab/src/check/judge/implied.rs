//! What is true of each square in all solutions of a board.
//!
//! For each open square that no solution seen so far uses, an exhaustive search looks for one that
//! does. A solution settles all of its squares, so most squares need no search of their own.

use bezzel_count::Backtrack;
use bezzel_problem::{Board, Square};

use crate::model::measure::{Known, Marks, Truth};

/// How many pieces the search for a solution with a queen on some square may try: a tenth of a second's
/// worth. Boards of side 20 take some thousands.
const BUDGET: u64 = 2_000_000;

/// What is true; nothing, if the board is too large for the search, or some search takes too long.
pub(super) fn truth(board: &Board) -> Option<Truth> {
    let first = Backtrack::new(board)?.first(BUDGET).ok()?;
    let Some(first) = first else { return Some(Truth { solvable: false, implied: None }) };
    let place = |square: Square| square.index(board.columns());
    let mut used = vec![false; board.squares() as usize];
    first.squares().for_each(|square| used[place(square)] = true);
    for square in board.each_square() {
        if used[place(square)] || !is_open(board, square) {
            continue;
        }
        let placed = board.placed().iter().copied().chain([square]);
        let with_queen = board.clone().with_placed(placed).ok()?;
        if let Some(solution) = Backtrack::new(&with_queen)?.first(BUDGET).ok()? {
            solution.squares().for_each(|square| used[place(square)] = true);
        }
    }
    // Every row holds a queen, so that of a single square is there always.
    let in_row = |row: u32| {
        (0..board.columns()).filter(|&column| used[place(Square::new(row, column))]).count()
    };
    let single: Vec<bool> = (0..board.rows()).map(|row| in_row(row) == 1).collect();
    let implied = Marks::of(board, |square| {
        if used[place(square)] {
            single[square.row as usize].then_some(Known::Queen)
        } else {
            Some(Known::Empty)
        }
    });
    Some(Truth { solvable: true, implied: Some(implied) })
}

/// Whether a square is neither given nor blocked, nor attacked by a given queen.
fn is_open(board: &Board, square: Square) -> bool {
    let given = |squares: &[Square]| squares.binary_search(&square).is_ok();
    !given(board.placed())
        && !given(board.blocked())
        && !board.placed().iter().any(|&queen| board.attacks(queen, square))
}

#[cfg(test)]
mod tests {
    use bezzel_problem::queens::search;
    use bezzel_problem::{Geometry, Piece, Placement, Recipe};

    use super::*;

    /// What is true by looking at every placement that keeps the rules.
    fn by_all(board: &Board) -> Truth {
        let all: Vec<Placement> = search::solutions(board).into_iter().collect();
        let implied = Marks::of(board, |square| {
            let holding = all.iter().filter(|placement| placement.holds(square)).count();
            match holding {
                0 => Some(Known::Empty),
                number if number == all.len() => Some(Known::Queen),
                _ => None,
            }
        });
        Truth { solvable: !all.is_empty(), implied: (!all.is_empty()).then_some(implied) }
    }

    #[test]
    fn it_is_what_all_solutions_agree_on() {
        let (mut solvable, mut impossible) = (0, 0);
        for side in 1..=6 {
            let plane = Board::new(side).unwrap();
            let kinds = [
                plane.clone().with_geometry(Geometry::Torus),
                plane.clone().with_piece(Piece::Rook),
                Board::rectangle(side, side + 1).unwrap(),
                Board::rectangle(side + 1, side).unwrap(),
                plane,
            ];
            for board in kinds {
                assert_eq!(truth(&board), Some(by_all(&board)), "{board}");
                for seed in 0..4 {
                    for recipe in [
                        Recipe::Completion { queens: 2 },
                        Recipe::Prefix { queens: 2 },
                        Recipe::Blocked { density: 0.3 },
                    ] {
                        let Ok(board) = recipe.draw(&board, None, seed, 0) else { continue };
                        let told = truth(&board).unwrap();
                        assert_eq!(told, by_all(&board), "{board}");
                        let count = if told.solvable { &mut solvable } else { &mut impossible };
                        *count += 1;
                    }
                }
            }
        }
        assert!(solvable > 50 && impossible > 50, "{solvable} {impossible}");
    }

    #[test]
    fn a_board_beyond_the_search_has_no_truth() {
        assert_eq!(truth(&Board::new(65).unwrap()), None);
    }
}
