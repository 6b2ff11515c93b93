//! Instances with a required answer, and the phase transition.

use std::collections::BTreeSet;

use bezzel_queens::Backtrack;
use bezzel_queens::count::instance::draw;
use bezzel_queens::count::plant::{Planted, plant};
use bezzel_queens::count::{DrawError, RequiredAnswer};
use bezzel_queens::{Board, Geometry, Piece, Recipe, Square};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

const AMPLE: u64 = 1 << 30;

fn solvable(board: &Board) -> bool {
    Backtrack::new(board).unwrap().first(AMPLE).unwrap().is_some()
}

fn torus(side: u32) -> Board {
    Board::new(side).unwrap().with_geometry(Geometry::Torus)
}

fn planted(board: &Board, seed: u64) -> Planted {
    plant(board, &mut ChaCha8Rng::seed_from_u64(seed))
}

#[test]
fn a_planted_solution_is_one_on_boards_of_every_kind() {
    let plane = |side| Board::new(side).unwrap();
    let square = Square::new;
    let boards = [
        plane(1),
        plane(4),
        plane(8),
        plane(64),
        plane(65),
        plane(200),
        torus(7),
        torus(23),
        Board::rectangle(5, 9).unwrap(),
        Board::rectangle(70, 80).unwrap(),
        Board::rectangle(3, 70).unwrap(),
        plane(90).with_piece(Piece::Rook),
        Board::rectangle(66, 67).unwrap().with_piece(Piece::Rook),
        plane(20).with_placed([square(3, 4), square(0, 0)]).unwrap(),
        plane(100).with_placed([square(3, 4), square(0, 0)]).unwrap(),
        plane(80).with_blocked((0..80).map(|row| square(row, row))).unwrap(),
    ];
    for board in boards {
        for seed in 0..3 {
            let Planted::Solution(placement) = planted(&board, seed) else {
                panic!("{board} by seed {seed}");
            };
            assert_eq!(placement.judge(&board), Ok(()), "{board}");
            assert_eq!(planted(&board, seed), Planted::Solution(placement), "{board}");
        }
    }
}

#[test]
fn where_there_is_no_solution_none_is_planted() {
    let pigeons = Board::rectangle(81, 80).unwrap().with_piece(Piece::Rook);
    for board in [Board::new(3).unwrap(), torus(8), pigeons] {
        assert_eq!(planted(&board, 1), Planted::Impossible, "{board}");
    }
    // Too large to be searched: the answer stays unknown.
    let row = (0..70).map(|column| Square::new(5, column));
    let blocked = Board::new(70).unwrap().with_blocked(row).unwrap();
    assert_eq!(planted(&blocked, 1), Planted::NotFound);
}

#[test]
fn seeds_plant_many_different_solutions() {
    let board = Board::new(8).unwrap();
    let found: BTreeSet<_> = (0..400)
        .map(|seed| match planted(&board, seed) {
            Planted::Solution(placement) => placement,
            other => panic!("{other:?}"),
        })
        .collect();
    // Of 92.
    assert!(found.len() > 70, "{} different solutions", found.len());
}

const RECIPES: [Recipe; 3] = [
    Recipe::Blocked { density: 0.5 },
    Recipe::Completion { queens: 3 },
    Recipe::ExcludedDiagonals { diagonals: 9, least_free: 1 },
];

#[test]
fn an_instance_has_a_solution_or_none_as_it_is_wanted() {
    for board in [Board::new(8).unwrap(), torus(7), Board::rectangle(7, 8).unwrap()] {
        // A solution of a torus has a queen on every diagonal.
        let all_diagonals = board.geometry() == Geometry::Torus;
        for recipe in &RECIPES[..if all_diagonals { 2 } else { 3 }] {
            for seed in 0..10 {
                let satisfiable = draw(recipe, &board, RequiredAnswer::Satisfiable, seed).unwrap();
                assert!(solvable(&satisfiable), "{recipe} on {satisfiable}");
                let unsatisfiable =
                    draw(recipe, &board, RequiredAnswer::Unsatisfiable, seed).unwrap();
                assert!(!solvable(&unsatisfiable), "{recipe} on {unsatisfiable}");
                let any = draw(recipe, &board, RequiredAnswer::Any, seed).unwrap();
                assert_eq!(any, recipe.draw(&board, None, seed, 0).unwrap());
                // It is the first that is drawn, if that one already has the required answer.
                assert_eq!(any == unsatisfiable, !solvable(&any));
            }
        }
    }
}

#[test]
fn an_impossible_instance_is_refused_with_the_reason() {
    let message = |recipe: Recipe, board: &Board, required| match draw(&recipe, board, required, 1)
    {
        Err(error) => error.to_string(),
        Ok(board) => panic!("{board}"),
    };
    let queens = |queens| Recipe::Completion { queens };
    assert_eq!(
        message(queens(1), &torus(6), RequiredAnswer::Satisfiable),
        "the board torus 6 has no solution, so no instance of it has one"
    );
    assert_eq!(
        message(queens(0), &Board::new(8).unwrap(), RequiredAnswer::Unsatisfiable),
        "no instance without a solution was found on the board 8 with 0 given queens by seed 1: \
         1010 were drawn"
    );
    assert!(
        message(queens(1), &Board::new(65).unwrap(), RequiredAnswer::Unsatisfiable)
            .starts_with("the board 65 is too large to be searched")
    );
    assert!(matches!(
        draw(&queens(9), &Board::new(8).unwrap(), RequiredAnswer::Satisfiable, 1),
        Err(DrawError::Instance(_))
    ));
}
