//! The search, compared with published numbers, with the rules of the board, and with itself.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use bezzel_queens::{Backtrack, BudgetSpent, published};
use bezzel_queens::{Board, Geometry, Piece, Placement, Square};

const AMPLE: u64 = 1 << 30;

fn board(side: u32, geometry: Geometry) -> Board {
    Board::new(side).unwrap().with_geometry(geometry)
}

fn count(board: &Board) -> u128 {
    Backtrack::new(board).unwrap().count(AMPLE).unwrap()
}

fn all(board: &Board) -> BTreeSet<Placement> {
    let mut all = BTreeSet::new();
    let search = Backtrack::new(board).unwrap();
    search
        .each(AMPLE, |placement| {
            assert!(all.insert(placement), "no solution is found twice");
            ControlFlow::Continue(())
        })
        .unwrap();
    all
}

/// All ways to put a piece into each row of a small board.
fn one_per_row(board: &Board) -> impl Iterator<Item = Placement> {
    let (rows, columns) = (board.rows(), board.columns());
    (0..columns.pow(rows)).map(move |mut code| {
        let squares = (0..rows).map(|row| {
            let column = code % columns;
            code /= columns;
            Square::new(row, column)
        });
        squares.collect()
    })
}

#[test]
fn the_search_agrees_with_the_published_counts() {
    for (geometry, largest) in [(Geometry::Plane, 11), (Geometry::Torus, 13)] {
        for side in 1..=largest {
            let board = board(side, geometry);
            let published = published::solutions(&board).unwrap();
            assert_eq!(count(&board), published.count, "{board}");
        }
    }
}

#[test]
fn solutions_are_exactly_what_the_rules_allow() {
    for geometry in [Geometry::Plane, Geometry::Torus] {
        for piece in [Piece::Queen, Piece::Rook] {
            for side in 1..=6 {
                let board = board(side, geometry).with_piece(piece);
                let lawful =
                    one_per_row(&board).filter(|placement| placement.judge(&board).is_ok());
                assert_eq!(all(&board), lawful.collect(), "{board}");
            }
        }
    }
}

#[test]
fn a_placed_queen_and_blocked_squares_leave_the_solutions_that_respect_them() {
    for (side, geometry) in [(6, Geometry::Plane), (8, Geometry::Plane), (7, Geometry::Torus)] {
        let empty = board(side, geometry);
        let everything = all(&empty);
        for square in Square::all(side, side) {
            let placed = empty.clone().with_placed([square]).unwrap();
            let holding = everything.iter().filter(|placement| placement.holds(square)).cloned();
            assert_eq!(all(&placed), holding.collect(), "{square} placed on {empty}");

            // The square, its neighbour, and a knight's move away.
            let Square { row, column } = square;
            let blocked = [
                square,
                Square::new(row, (column + 1) % side),
                Square::new((row + 2) % side, (column + 1) % side),
            ];
            let board = empty.clone().with_blocked(blocked).unwrap();
            let avoiding = everything
                .iter()
                .filter(|placement| !blocked.iter().any(|&square| placement.holds(square)));
            assert_eq!(all(&board), avoiding.cloned().collect(), "{square} blocked on {empty}");
        }
    }
}

#[test]
fn on_rectangles_the_search_finds_what_the_rules_allow() {
    for rows in 1..=5 {
        for columns in 1..=6 {
            for piece in [Piece::Queen, Piece::Rook] {
                let board = Board::rectangle(rows, columns).unwrap().with_piece(piece);
                let allowed = one_per_row(&board);
                let allowed = allowed.filter(|placement| placement.judge(&board).is_ok());
                assert_eq!(all(&board), allowed.collect(), "{board}");
                let solvable = count(&board) > 0;
                if let Some((known, source)) = published::solvable(&board) {
                    assert_eq!(known, solvable, "{board}: {source}");
                }
            }
        }
    }
}

#[test]
fn more_rows_than_columns_are_refuted_at_once() {
    let pigeons = Board::rectangle(41, 40).unwrap().with_piece(Piece::Rook);
    assert_eq!(Backtrack::new(&pigeons).unwrap().first(1), Ok(None));
    assert_eq!(published::solvable(&pigeons).map(|(solvable, _)| solvable), Some(false));
    // The same with a blocked square.
    let given = pigeons.with_blocked([Square::new(0, 0)]).unwrap();
    assert_eq!(published::solvable(&given).map(|(solvable, _)| solvable), Some(false));
}

#[test]
fn a_solution_is_found_on_large_boards_too() {
    for (side, geometry) in [(30, Geometry::Plane), (64, Geometry::Plane), (25, Geometry::Torus)] {
        let board = board(side, geometry);
        let first = Backtrack::new(&board).unwrap().first(AMPLE).unwrap();
        assert_eq!(first.unwrap().judge(&board), Ok(()), "{board}");
    }
}

#[test]
fn no_solution_is_distinguished_from_none_found_in_time() {
    let none = board(6, Geometry::Plane).with_placed([Square::new(0, 0)]).unwrap();
    assert_eq!(Backtrack::new(&none).unwrap().first(AMPLE), Ok(None));

    let search = Backtrack::new(&board(8, Geometry::Plane)).unwrap();
    let spent = BudgetSpent { nodes: 100 };
    assert_eq!(search.count(100), Err(spent));
    assert_eq!(search.first(7), Err(BudgetSpent { nodes: 7 }));
    assert_eq!(spent.to_string(), "the search was given up after 100 nodes");
    // A budget of the needed number suffices.
    let needed = (0..AMPLE).find(|&budget| search.count(budget).is_ok()).unwrap();
    assert_eq!(search.count(needed), Ok(92));
}

#[test]
fn a_search_stops_when_its_flag_is_raised() {
    let mut seen = 0;
    let search = Backtrack::new(&board(8, Geometry::Plane)).unwrap();
    let enough = |_| {
        seen += 1;
        if seen == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    assert_eq!(search.each(AMPLE, enough), Ok(()));
    assert_eq!(seen, 5);
}

#[test]
fn boards_beyond_a_machine_word_are_declined() {
    assert!(Backtrack::new(&board(64, Geometry::Torus)).is_some());
    assert!(Backtrack::new(&board(65, Geometry::Plane)).is_none());
    assert!(Backtrack::new(&Board::rectangle(2, 65).unwrap()).is_none());
}
