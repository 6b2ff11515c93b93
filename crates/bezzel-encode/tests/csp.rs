//! Encodings that see the board as a constraint satisfaction problem, a variable for each row: in
//! numbers of their own, and beside an arc consistency that knows nothing of clauses.

use std::collections::BTreeSet;
use std::sync::Arc;

use bezzel_encode::laws::search;
use bezzel_encode::propagate::Propagator;
use bezzel_encode::{
    Board, Constraints, Encoding, Formula, Geometry, Layout, Piece, Registry, Size, Square, Tally,
    models,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The encoding; what is lifted states of rows and columns what fits every board.
fn encoding(id: &str) -> Arc<dyn Encoding> {
    Registry::standard().find(id).unwrap().on_board(Constraints::NoColumnAlo)
}

fn formula(id: &str, board: &Board) -> (Layout, Formula) {
    let mut formula = Formula::new();
    let layout = encoding(id).encode(board, &mut formula);
    (layout, formula)
}

#[track_caller]
fn check_size(id: &str, side: u32, expected: Size) {
    let board = Board::new(side).unwrap();
    let mut tally = Tally::new();
    encoding(id).encode(&board, &mut tally);
    assert_eq!(tally.size(), expected, "{id} at n = {side}, counted");
    assert_eq!(encoding(id).size(&board), Some(expected), "{id} at n = {side}, stated");
}

#[test]
fn on_the_usual_board_they_take_552_504_768_and_680_clauses() {
    check_size("order", 8, Size::new(56, 552, 1888));
    check_size("binary", 8, Size::new(24, 504, 3024));
    check_size("binary+selectors", 8, Size::new(88, 768, 1712));
    check_size("support", 8, Size::new(64, 680, 3536));
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
        check_size("binary+selectors", side, Size::new(n * (n + k), clauses, literals));
        let clauses = n * n * (n - 1) + n + n * pairs;
        let literals = n * n + 2 * n * pairs + n * n * (n - 1) * (n + 1) - 2 * conflicts;
        check_size("support", side, Size::new(n * n, clauses, literals));
    }
}

#[test]
fn every_solution_has_one_model() {
    for id in ["order", "binary", "binary+selectors", "support"] {
        for (side, solutions) in (1..).zip([1, 0, 0, 2, 10, 4, 40]) {
            let (layout, formula) = formula(id, &Board::new(side).unwrap());
            assert_eq!(models::count(&formula, &layout), solutions, "{id} at n = {side}");
        }
    }
}

/// The rows' domains after every value without support in some other row is gone, again and again;
/// nothing if one is empty then.
fn arc_consistent(board: &Board, mut domains: Vec<BTreeSet<u32>>) -> Option<Vec<BTreeSet<u32>>> {
    loop {
        let before = domains.clone();
        for row in 0..board.rows() {
            let supported = |column: &u32| {
                let square = Square::new(row, *column);
                (0..board.rows()).filter(|&other| other != row).all(|other| {
                    before[other as usize]
                        .iter()
                        .any(|&column| !search::clash(board, square, Square::new(other, column)))
                })
            };
            domains[row as usize].retain(supported);
        }
        if domains.iter().any(BTreeSet::is_empty) {
            return None;
        }
        if domains == before {
            return Some(domains);
        }
    }
}

/// The rows' domains after unit propagation: the squares that are not ruled out.
fn propagated(id: &str, board: &Board) -> Option<Vec<BTreeSet<u32>>> {
    let (layout, formula) = formula(id, board);
    let propagator = Propagator::new(&formula);
    if propagator.is_refuted() {
        return None;
    }
    let open = |square| !layout.cube(square).iter().any(|&lit| propagator.fails(lit));
    let row = |row| (0..board.columns()).filter(move |&column| open(Square::new(row, column)));
    Some((0..board.rows()).map(|number| row(number).collect()).collect())
}

/// What the board leaves to each row before any reasoning.
fn given(board: &Board) -> Vec<BTreeSet<u32>> {
    let allowed = |&square: &Square| {
        let elsewhere = |queen: &Square| queen.row == square.row && *queen != square;
        !board.blocked().contains(&square) && !board.placed().iter().any(elsewhere)
    };
    let mut domains = vec![BTreeSet::new(); board.rows() as usize];
    for square in board.each_square().filter(allowed) {
        domains[square.row as usize].insert(square.column);
    }
    domains
}

/// Compares the two ways, and says whether arc consistency did anything beyond what is attacked.
#[track_caller]
fn check_arc_consistency(board: &Board) -> bool {
    let consistent = arc_consistent(board, given(board));
    assert_eq!(propagated("support", board), consistent, "{board}");
    consistent != propagated("pairwise", board)
}

/// Every way to put queens on some of the rows so that none attacks another.
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
