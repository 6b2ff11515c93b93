//! The fast search, compared with the simple one, with published numbers, and with itself.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bezzel_count::{Budget, Halt};
use bezzel_queens::count::Bitmask;
use bezzel_queens::{Backtrack, Board, Geometry, Piece, Square, published};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

const AMPLE: u64 = 1 << 30;

static NEVER: AtomicBool = AtomicBool::new(false);

fn search(board: &Board) -> Bitmask {
    Bitmask::new(board).unwrap()
}

fn threads(number: usize) -> NonZeroUsize {
    NonZeroUsize::new(number).unwrap()
}

fn unlimited() -> Budget<'static> {
    Budget::unlimited(&NEVER)
}

fn count(board: &Board) -> u128 {
    search(board).count(threads(1), unlimited()).unwrap().solutions
}

/// The solutions that are enumerated, in their order.
fn shown(board: &Board) -> Vec<Vec<u32>> {
    let mut shown = Vec::new();
    let each = search(board).each(unlimited(), |columns| {
        shown.push(columns.to_vec());
        ControlFlow::Continue(())
    });
    each.unwrap();
    shown
}

/// All solutions by the simple search, sorted.
fn all(board: &Board) -> Vec<Vec<u32>> {
    let mut all = Vec::new();
    let each = Backtrack::new(board).unwrap().each(AMPLE, |placement| {
        all.push(placement.squares().map(|square| square.column).collect());
        ControlFlow::Continue(())
    });
    each.unwrap();
    all.sort_unstable();
    all
}

/// An empty board of either geometry and piece, of at most `max` columns, with some squares blocked and some pieces
/// placed.
pub(super) fn random_board(random: &mut ChaCha8Rng, max: u32) -> Board {
    let columns = random.random_range(1..=max);
    let torus = random.random_bool(0.3);
    let rows = if torus || random.random_bool(0.5) {
        columns
    } else {
        random.random_range(1..=columns + u32::from(columns < max))
    };
    let piece = if random.random_bool(0.25) { Piece::Rook } else { Piece::Queen };
    let mut board = Board::rectangle(rows, columns).unwrap().with_piece(piece);
    if torus {
        board = board.with_geometry(Geometry::Torus);
    }
    let mut square = || Square::new(random.random_range(0..rows), random.random_range(0..columns));
    let squares: Vec<Square> = (0..12).map(|_| square()).collect();
    let given = random.random_range(0..5);
    let blocked = random.random_range(0..=8_usize.min(squares.len() - given));
    for &square in &squares[..given] {
        let mut placed: Vec<Square> = board.placed().to_vec();
        placed.push(square);
        if let Ok(more) = board.clone().with_placed(placed) {
            board = more;
        }
    }
    for &square in &squares[given..given + blocked] {
        let mut blocked: Vec<Square> = board.blocked().to_vec();
        blocked.push(square);
        if let Ok(more) = board.clone().with_blocked(blocked) {
            board = more;
        }
    }
    board
}

fn check_searches(boards: u32) {
    let mut random = ChaCha8Rng::seed_from_u64(1848);
    let (mut solvable, mut given) = (0, 0);
    for _ in 0..boards {
        let board = random_board(&mut random, 8);
        let solutions = all(&board);
        assert_eq!(shown(&board), solutions, "{board}");
        assert_eq!(count(&board), solutions.len() as u128, "{board}");
        solvable += u32::from(!solutions.is_empty());
        given += u32::from(!board.is_empty());
    }
    // All kinds of boards occur.
    assert!(solvable > boards / 4 && given > boards / 4, "{solvable}, {given}");
}

#[test]
fn on_random_boards_both_searches_find_the_same() {
    check_searches(100);
}

#[test]
#[ignore = "second tier: 2,000 boards"]
fn on_many_random_boards_both_searches_find_the_same() {
    check_searches(2_000);
}

#[test]
fn published_counts_are_found_with_any_number_of_threads() {
    for (geometry, largest) in [(Geometry::Plane, 12), (Geometry::Torus, 13)] {
        for side in 1..=largest {
            let board = Board::new(side).unwrap().with_geometry(geometry);
            let published = published::solutions(&board).unwrap();
            let counted = search(&board).count(threads(1), unlimited()).unwrap();
            assert_eq!(counted.solutions, published.count, "{board}");
            for more in [2, 3] {
                let same = search(&board).count(threads(more), unlimited());
                assert_eq!(same, Ok(counted), "{board} with {more} threads");
            }
        }
    }
}

fn check_wide_boards(rectangles: usize, squares: usize) {
    for (rows, columns) in
        [(4, 17), (3, 26), (3, 32), (3, 33), (2, 64), (3, 40)].into_iter().take(rectangles)
    {
        let board = Board::rectangle(rows, columns).unwrap();
        let solutions = all(&board);
        assert_eq!(count(&board), solutions.len() as u128, "{board}");
        assert_eq!(shown(&board), solutions, "{board}");
    }
    // Most of a solution of a large board is given.
    let large = [(64, Geometry::Plane), (35, Geometry::Torus), (32, Geometry::Plane)];
    let large = large.into_iter().chain([(25, Geometry::Plane), (26, Geometry::Plane)]);
    for (side, geometry) in large.take(squares) {
        let empty = Board::new(side).unwrap().with_geometry(geometry);
        let solution = Backtrack::new(&empty).unwrap().first(AMPLE).unwrap();
        let given =
            solution.unwrap().squares().filter(|square| square.row % 3 != 1).collect::<Vec<_>>();
        let board = empty.with_placed(given).unwrap();
        let solutions = all(&board);
        assert!(!solutions.is_empty());
        assert_eq!(count(&board), solutions.len() as u128, "{board}");
        assert_eq!(shown(&board), solutions, "{board}");
    }
}

#[test]
fn wide_boards_are_searched_in_long_words() {
    check_wide_boards(2, 0);
}

#[test]
#[ignore = "second tier: up to side 64"]
fn large_boards_are_searched_in_long_words() {
    check_wide_boards(6, 5);
}

#[test]
fn one_of_two_mirror_images_is_searched_for_both() {
    // Blocking a square that no solution uses keeps all solutions, and the mirror is not used.
    let counted = |board: &Board| search(board).count(threads(1), unlimited()).unwrap();
    for side in [4, 6] {
        let board = Board::new(side).unwrap();
        let corner = board.clone().with_blocked([Square::new(0, 0)]).unwrap();
        let (half, whole) = (counted(&board), counted(&corner));
        assert_eq!(half.solutions, whole.solutions);
        assert!(half.nodes < whole.nodes);
    }
}

#[test]
fn more_rows_than_columns_have_no_solution_and_boards_too_wide_are_declined() {
    let pigeons = Board::rectangle(41, 40).unwrap().with_piece(Piece::Rook);
    assert_eq!(count(&pigeons), 0);
    assert!(shown(&pigeons).is_empty());
    assert!(Bitmask::new(&Board::new(64).unwrap()).is_some());
    assert!(Bitmask::new(&Board::new(65).unwrap()).is_none());
}

#[test]
fn showing_ends_when_enough_is_seen() {
    let board = Board::new(8).unwrap();
    let everything = shown(&board);
    let mut first = Vec::new();
    let each = search(&board).each(unlimited(), |columns| {
        first.push(columns.to_vec());
        if first.len() == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(each.unwrap() > 5);
    assert_eq!(first, everything[..5]);
}

#[test]
fn the_flag_ends_what_would_take_years() {
    // The test would take years otherwise. On the torus the next row is chosen at every step.
    let searches = [Geometry::Plane, Geometry::Torus]
        .map(|geometry| search(&Board::new(30).unwrap().with_geometry(geometry)));
    let stop = AtomicBool::new(false);
    let budget = Budget::unlimited(&stop);
    std::thread::scope(|scope| {
        for search in &searches {
            scope.spawn(move || {
                assert_eq!(search.count(threads(2), budget), Err(Halt::Stopped));
            });
            scope.spawn(move || {
                let each = search.each(budget, |_| ControlFlow::Continue(()));
                assert_eq!(each, Err(Halt::Stopped));
            });
        }
        std::thread::sleep(Duration::from_millis(50));
        stop.store(true, Ordering::Relaxed);
    });
    // With the flag set beforehand, no search begins.
    for search in &searches {
        assert_eq!(search.count(threads(1), budget), Err(Halt::Stopped));
    }
}

#[test]
fn threads_do_not_matter_where_much_is_given_either() {
    let mut random = ChaCha8Rng::seed_from_u64(1850);
    for _ in 0..100 {
        let board = random_board(&mut random, 9);
        let search = search(&board);
        let ways = [1, 2, 3].map(|number| search.count(threads(number), unlimited()));
        assert!(ways.iter().all(|way| *way == ways[0]), "{board}: {ways:?}");
    }
}
