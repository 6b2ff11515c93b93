use std::collections::BTreeSet;

use super::*;
use crate::rules::board::{Geometry, Piece};
use crate::rules::line::Family;
use crate::rules::search;
use bezzel_problem::Square;
use excluded_diagonals::Diagonal;

const BLOCKED: Recipe = Recipe::Blocked { density: 0.3 };
const QUEENS: Recipe = Recipe::Completion { queens: 4 };
const PREFIX: Recipe = Recipe::Prefix { queens: 3 };
const DIAGONALS: Recipe = Recipe::ExcludedDiagonals { diagonals: 7, least_free: 2 };

/// Boards of every kind that has an instance of each recipe.
fn boards() -> Vec<Board> {
    let square = Board::new(8).unwrap();
    vec![
        square.clone().with_geometry(Geometry::Torus),
        square.clone().with_piece(Piece::Rook),
        Board::rectangle(7, 9).unwrap(),
        square,
    ]
}

fn set(squares: &[Square]) -> BTreeSet<Square> {
    squares.iter().copied().collect()
}

#[test]
fn the_same_seed_gives_the_same_instance_and_another_seed_another() {
    for board in boards() {
        for recipe in [BLOCKED, QUEENS, DIAGONALS] {
            let drawn: Vec<Board> =
                (1..=20).map(|seed| recipe.draw(&board, None, seed, 0).unwrap()).collect();
            for (seed, first) in (1..).zip(&drawn) {
                assert_eq!(recipe.draw(&board, None, seed, 0).as_ref(), Ok(first), "{first}");
                assert_ne!(recipe.draw(&board, None, seed, 1).as_ref(), Ok(first), "{first}");
            }
            let different: BTreeSet<_> = drawn.iter().collect();
            assert_eq!(different.len(), 20, "{recipe} on {board}");
        }
    }
}

/// Guards evidence: a change of the meaning of a seed changes the instances of every config.
#[test]
fn the_boards_of_a_seed_are_permanent() {
    let board = Board::new(5).unwrap();
    let drawn = |recipe: Recipe| recipe.draw(&board, None, 1, 0).unwrap();
    let blocked = drawn(Recipe::Blocked { density: 0.12 });
    let completed = drawn(Recipe::Completion { queens: 2 });
    let excluded = drawn(Recipe::ExcludedDiagonals { diagonals: 2, least_free: 1 });
    assert_eq!(blocked.to_string(), "5 with 1,5 2,2 4,4 blocked");
    assert_eq!(completed.to_string(), "5 with 4,4 5,1 placed");
    assert_eq!(excluded.to_string(), "5 with 8 (#19392f) blocked");
    assert_eq!(drawn(Recipe::Prefix { queens: 2 }).to_string(), "5 with 1,4 2,2 placed");
}

#[test]
fn a_prefix_has_a_queen_in_each_of_the_first_rows_and_a_longer_one_has_the_same_and_more() {
    for board in boards() {
        let solution = search::solutions(&board.clone().with_geometry(Geometry::Plane)).pop_first();
        for seed in 0..20 {
            let mut before: Vec<Square> = Vec::new();
            for queens in 0..=3 {
                let recipe = Recipe::Prefix { queens };
                let drawn = recipe.draw(&board, None, seed, 0).unwrap();
                let rows: Vec<u32> = drawn.placed().iter().map(|queen| queen.row).collect();
                assert!(rows.iter().copied().eq(0..queens), "{drawn}");
                // No draw gets stuck so early.
                assert!(drawn.placed().starts_with(&before), "{drawn}");
                before = drawn.placed().to_vec();
            }
            if board.geometry() == Geometry::Plane
                && let Some(solution) = &solution
            {
                let drawn = PREFIX.draw(&board, Some(solution), seed, 0).unwrap();
                let of_solution: Vec<Square> = solution.squares().take(3).collect();
                assert_eq!(drawn.placed(), of_solution);
            }
        }
    }
    let small = Board::new(4).unwrap();
    let message = Recipe::Prefix { queens: 5 }.draw(&small, None, 1, 0).unwrap_err().to_string();
    assert!(message.contains("queens in the first 5 rows"), "{message}");
    assert!(message.contains("at most 4 fit"), "{message}");
    let given = small.with_placed([Square::new(0, 1)]).unwrap();
    let drawn = Recipe::Prefix { queens: 2 }.draw(&given, None, 1, 0).unwrap();
    assert_eq!(drawn.placed(), [Square::new(0, 1), Square::new(1, 3)]);
}

#[test]
fn the_density_gives_the_number_of_blocked_squares_and_denser_boards_block_the_same_too() {
    for board in boards() {
        for seed in 0..5 {
            let mut before = BTreeSet::new();
            for percent in (0..=100).step_by(10) {
                let recipe = Recipe::Blocked { density: f64::from(percent) / 100.0 };
                let drawn = recipe.draw(&board, None, seed, 0).unwrap();
                let blocked = set(drawn.blocked());
                assert_eq!(blocked.len() as u32, (board.squares() * percent + 50) / 100);
                assert!(before.is_subset(&blocked), "{board} by seed {seed}");
                before = blocked;
            }
        }
    }
}

#[test]
fn given_queens_do_not_attack_each_other_and_begin_as_fewer_do() {
    for board in boards() {
        for seed in 0..20 {
            let mut before = BTreeSet::new();
            for queens in 0..=4 {
                let recipe = Recipe::Completion { queens };
                // The board itself refuses queens that attack each other.
                let placed = set(recipe.draw(&board, None, seed, 0).unwrap().placed());
                assert_eq!(placed.len() as u32, queens);
                assert!(before.is_subset(&placed), "{board} by seed {seed}");
                before = placed;
            }
        }
    }
}

#[test]
fn excluded_diagonals_are_whole_and_leave_rows_and_columns_their_squares() {
    for board in boards() {
        for least_free in [1, 2, 4] {
            let mut random = ChaCha8Rng::seed_from_u64(7);
            random.set_stream(DIAGONALS.stream(0));
            let list = excluded_diagonals::list(&board, None, least_free, &mut random);
            assert!(list.len() > 3, "{board}");
            let once: BTreeSet<_> = list.iter().collect();
            assert_eq!(once.len(), list.len());
            let diagonals = list.len() as u32;
            let all = Recipe::ExcludedDiagonals { diagonals, least_free };
            let drawn = all.draw(&board, None, 7, 0).unwrap();
            let union: BTreeSet<_> = list.iter().flat_map(|line| line.squares(&board)).collect();
            assert_eq!(union, set(drawn.blocked()));
            let free = |keep: &dyn Fn(&Square) -> bool| {
                let free = board.each_square().filter(|square| !union.contains(square));
                free.filter(|square| keep(square)).count() as u32
            };
            for row in 0..board.rows() {
                assert!(free(&|square| square.row == row) >= least_free, "row {row} of {board}");
            }
            for column in 0..board.columns() {
                let left = free(&|square| square.column == column);
                assert!(left >= least_free, "column {column} of {board}");
            }
            let more = Recipe::ExcludedDiagonals { diagonals: diagonals + 1, least_free };
            assert_eq!(
                more.draw(&board, None, 7, 0).unwrap_err(),
                more.too_many(&board, 7, list.len()),
                "{board}"
            );
        }
    }
}

#[test]
fn diagonals_cover_the_board_once_in_each_family_and_are_the_lines_of_the_board() {
    for board in boards() {
        for sum in [false, true] {
            let diagonals = Diagonal::all(&board).filter(|diagonal| diagonal.sum == sum);
            let mut squares: Vec<_> =
                diagonals.clone().flat_map(|diagonal| diagonal.squares(&board)).collect();
            squares.sort_unstable();
            assert!(squares.into_iter().eq(board.each_square()), "{board}");
            let family = if sum { Family::Antidiagonals } else { Family::Diagonals };
            for diagonal in diagonals {
                let squares: BTreeSet<_> = diagonal.squares(&board).collect();
                let first = *squares.first().unwrap();
                assert!(
                    squares
                        .iter()
                        .copied()
                        .eq(board.line_through(first, family).collect::<BTreeSet<_>>())
                );
            }
        }
    }
    // As the published generator counts: i − j + n − 1 and i + j, with rows and columns from 0.
    let board = Board::new(4).unwrap();
    let squares = |index, sum| Diagonal { index, sum }.squares(&board).collect::<Vec<_>>();
    assert_eq!(squares(0, false), [Square::new(3, 0)]);
    assert_eq!(squares(5, true), [Square::new(2, 3), Square::new(3, 2)]);
}

#[test]
fn a_solution_that_is_spared_stays_one() {
    let recipes = [
        Recipe::Blocked { density: 0.8 },
        Recipe::Completion { queens: 5 },
        Recipe::ExcludedDiagonals { diagonals: 8, least_free: 1 },
    ];
    for board in [Board::new(7).unwrap(), Board::rectangle(5, 8).unwrap()] {
        let solution = search::solutions(&board).pop_last().unwrap();
        for recipe in recipes {
            for seed in 0..10 {
                let drawn = recipe.draw(&board, Some(&solution), seed, 0).unwrap();
                assert_eq!(solution.judge(&drawn), Ok(()), "{recipe} on {drawn}");
                assert!(!drawn.is_empty());
            }
        }
    }
}

#[test]
fn given_queens_and_blocked_squares_stay_and_are_not_counted() {
    let square = Square::new;
    let board = Board::new(9).unwrap();
    let board = board.with_placed([square(0, 0)]).unwrap().with_blocked([square(1, 5)]).unwrap();
    for seed in 0..20 {
        let blocked = BLOCKED.draw(&board, None, seed, 0).unwrap();
        assert_eq!((blocked.placed().len(), blocked.blocked().len()), (1, 25));
        let completed = QUEENS.draw(&board, None, seed, 0).unwrap();
        assert_eq!((completed.placed().len(), completed.blocked().len()), (5, 1));
        let excluded = DIAGONALS.draw(&board, None, seed, 0).unwrap();
        assert!(excluded.placed() == [square(0, 0)] && excluded.blocked().contains(&square(1, 5)));
    }
}

#[test]
fn an_impossible_recipe_is_refused_with_the_reason() {
    let board = Board::new(3).unwrap();
    let message = |recipe: Recipe| recipe.draw(&board, None, 1, 0).unwrap_err().to_string();
    assert_eq!(
        message(Recipe::Completion { queens: 3 }),
        "3 given queens without attacks were not found on the board 3 by seed 1 in 100 tries: ask \
         for fewer, or for queens of a solution"
    );
    assert_eq!(
        message(Recipe::Completion { queens: u32::MAX }),
        "4294967295 given queens cannot be drawn on the board 3 by seed 1: at most 3 fit"
    );
    assert_eq!(
        message(Recipe::ExcludedDiagonals { diagonals: 11, least_free: 3 }),
        "11 excluded diagonals (least-free 3) cannot be drawn on the board 3 by seed 1: at most \
         0 fit"
    );
    let large = Board::new(2001).unwrap();
    let refused = BLOCKED.draw(&large, None, 1, 0).unwrap_err().to_string();
    assert!(refused.ends_with("at most 4000000 squares, and the board 2001 has more"), "{refused}");
    for density in [-0.1, 1.1, f64::NAN] {
        assert!(message(Recipe::Blocked { density }).contains("is from 0 to 1, not"));
    }
    let given = board.with_placed([Square::new(0, 0)]).unwrap();
    let full = Recipe::Blocked { density: 1.0 }.draw(&given, None, 1, 0).unwrap_err();
    assert!(full.to_string().ends_with("at most 8 fit"), "{full}");
}
