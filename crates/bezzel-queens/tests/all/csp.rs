//! Encodings of the board as a constraint satisfaction problem, with a variable for each row: their published numbers,
//! and a comparison with an arc consistency that is independent of clauses.

use std::collections::BTreeSet;
use std::sync::Arc;

use bezzel_encode::propagate::Propagator;
use bezzel_encode::{Constraints, Encoding, Formula, FormulaStats, Registry, Size, VarMap};
use bezzel_queens::register;
use bezzel_queens::search;
use bezzel_queens::{Board, Geometry, Piece, Square};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The encoding; lifted ones state the constraints of rows and columns that fit every board.
fn encoding(id: &str) -> Arc<dyn Encoding> {
    register(Registry::standard()).find(id).unwrap().with_settings(Constraints::NoColumnAlo)
}

fn formula(id: &str, board: &Board) -> (VarMap, Formula) {
    let mut formula = Formula::new();
    let map = encoding(id).encode(&board.problem(), &mut formula);
    (map, formula)
}

#[track_caller]
fn check_size(id: &str, side: u32, expected: Size) {
    let board = Board::new(side).unwrap();
    let mut stats = FormulaStats::new();
    encoding(id).encode(&board.problem(), &mut stats);
    assert_eq!(stats.size(), expected, "{id} at n = {side}, counted");
    assert_eq!(encoding(id).size(&board.problem()), Some(expected), "{id} at n = {side}, stated");
}

#[test]
fn on_the_usual_board_order_takes_552_binary_504_and_support_680_clauses() {
    check_size("order", 8, Size::new(56, 552, 1888));
    check_size("binary", 8, Size::new(24, 504, 3024));
    check_size("binary+selectors", 8, Size::new(88, 768, 1712));
    check_size("support", 8, Size::new(64, 680, 3536));
    check_size("support+columns", 8, Size::new(64, 680 + 456, 3536 + 3088));
    check_size("binary+bits+selectors", 8, Size::new(88, 768 + 48, 1712 + 240));
}

#[test]
fn sizes_are_those_derived_by_hand() {
    for side in 2..=20_u32 {
        let n = u128::from(side);
        let conflicts = n * (n - 1) * (7 * n - 2) / 6;
        let codes = n.next_power_of_two();
        let k = u128::from(codes.ilog2());
        let pairs = n * (n - 1) / 2;
        let literals = 2 * n * (n - 2) + 2 * n * (n - 1) * (7 * n - 8) / 3;
        check_size("order", side, Size::new(n * (n - 1), n * (n - 2) + conflicts, literals));
        let excluded = n * (codes - n);
        let literals = k * (excluded + 2 * conflicts);
        check_size("binary", side, Size::new(n * k, excluded + conflicts, literals));
        let clauses = n * n * (k + 1) + n + conflicts;
        let literals = n * n * (3 * k + 2) + 2 * conflicts;
        let selectors = Size::new(n * (n + k), clauses, literals);
        check_size("binary+selectors", side, selectors);
        let values = if k > 1 { 2 * k * n } else { 0 };
        let values = Size::new(0, values, values * (n + 2) / 2);
        check_size("binary+bits+selectors", side, selectors + values);
        let clauses = n * n * (n - 1) + n + n * pairs;
        let literals = n * n + 2 * n * pairs + n * n * (n - 1) * (n + 1) - 2 * conflicts;
        let support = Size::new(n * n, clauses, literals);
        check_size("support", side, support);
        let supports = n * n * (n - 1);
        let columns = Size::new(0, n + supports, n * n + supports * (n + 1) - 2 * conflicts);
        check_size("support+columns", side, support + columns);
    }
}

/// The squares that are left after removing, in rounds, all squares without a square that they do not attack in some
/// other row, or with `columns` in some other column; none if a row, or a column, is empty then.
fn arc_consistent(
    board: &Board,
    mut squares: BTreeSet<Square>,
    columns: bool,
) -> Option<BTreeSet<Square>> {
    loop {
        let goes_with = |square: Square| {
            squares.iter().filter(move |&&other| !search::clash(board, square, other))
        };
        let supported = |&square: &Square| {
            let rows: BTreeSet<u32> = goes_with(square).map(|other| other.row).collect();
            let in_columns: BTreeSet<u32> = goes_with(square).map(|other| other.column).collect();
            rows.len() == board.rows() as usize
                && (!columns || in_columns.len() == board.columns() as usize)
        };
        let left: BTreeSet<Square> = squares.iter().copied().filter(supported).collect();
        if left.is_empty() {
            return None;
        }
        if left == squares {
            return Some(left);
        }
        squares = left;
    }
}

/// The squares that unit propagation does not exclude.
fn propagated(id: &str, board: &Board) -> Option<BTreeSet<Square>> {
    let (map, formula) = formula(id, board);
    let propagator = Propagator::new(&formula);
    let open = |&square: &Square| {
        !map.cube(board.candidate(square)).iter().any(|&lit| propagator.fails(lit))
    };
    (!propagator.is_refuted()).then(|| board.each_square().filter(open).collect())
}

/// The squares that the given queens and blocked squares leave, before any reasoning.
fn given(board: &Board) -> BTreeSet<Square> {
    let allowed = |&square: &Square| {
        let elsewhere = |queen: &Square| queen.row == square.row && *queen != square;
        !board.blocked().contains(&square) && !board.placed().iter().any(elsewhere)
    };
    board.each_square().filter(allowed).collect()
}

/// Compares the two ways. Returns true if arc consistency excludes more than the attacked squares.
#[track_caller]
fn check_arc_consistency(board: &Board) -> bool {
    let consistent = arc_consistent(board, given(board), false);
    assert_eq!(propagated("support", board), consistent, "{board}");
    if board.is_square() {
        let both = arc_consistent(board, given(board), true);
        assert_eq!(propagated("support+columns", board), both, "{board}");
    }
    consistent != propagated("pairwise", board)
}

/// Every way to put queens on some of the rows so that no two attack each other.
fn partial_placements(board: &Board) -> Vec<Vec<Square>> {
    let mut placements = vec![vec![]];
    for row in 0..board.rows() {
        for placement in placements.clone() {
            let squares = (0..board.columns()).map(|column| Square::new(row, column));
            let free = squares
                .filter(|&square| placement.iter().all(|&queen| !board.attacks(queen, square)));
            placements.extend(free.map(|square| [placement.clone(), vec![square]].concat()));
        }
    }
    placements
}

#[test]
fn on_every_partial_placement_support_rules_out_what_arc_consistency_removes() {
    let square = |side| Board::new(side).unwrap();
    let boards = [
        square(2),
        square(3),
        square(4),
        square(5),
        square(4).with_geometry(Geometry::Torus),
        square(5).with_geometry(Geometry::Torus),
        square(4).with_piece(Piece::Rook),
        Board::rectangle(3, 5).unwrap(),
        Board::rectangle(5, 4).unwrap(),
        Board::rectangle(4, 3).unwrap().with_piece(Piece::Rook),
    ];
    let (mut tried, mut beyond) = (0, 0);
    for board in boards {
        for placement in partial_placements(&board) {
            let board = board.clone().with_placed(placement).unwrap();
            tried += 1;
            beyond += usize::from(check_arc_consistency(&board));
        }
    }
    assert!(tried > 1000 && beyond > 50, "more than attacked squares in {beyond} of {tried} cases");
}

#[test]
fn whatever_is_blocked_support_rules_out_what_arc_consistency_removes() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut beyond = 0;
    for number in 0..400 {
        let side = random.random_range(3..=7);
        let board = Board::new(side).unwrap();
        let board = match number % 4 {
            0 => board.with_geometry(Geometry::Torus),
            1 => Board::rectangle(side, random.random_range(side..=8)).unwrap(),
            _ => board,
        };
        let blocked: Vec<Square> =
            board.each_square().filter(|_| random.random_range(0..5) < 2).collect();
        beyond += usize::from(check_arc_consistency(&board.with_blocked(blocked).unwrap()));
    }
    assert!(beyond > 40, "more than attacked squares in {beyond} cases");
}
