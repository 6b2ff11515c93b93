//! Comparison of encodings: all of them allow the same placements, and equal ones have the same clauses.

use std::collections::BTreeSet;
use std::sync::Arc;

use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::{Constraints, Encoding, Formula, Lit, Registry};
use bezzel_queens::encode::placements;
use bezzel_queens::register;
use bezzel_queens::search;
use bezzel_queens::{Board, Geometry, Piece, Placement, Square};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::tiers::Tier;

/// The encodings of a tier that fit the board; lifted ones under the first set of constraints that fits.
fn encodings(board: &Board, tier: Tier) -> Vec<Arc<dyn Encoding>> {
    let registry = register(Registry::standard());
    let fits = |encoding: &Arc<dyn Encoding>| encoding.fits(&board.problem()).is_ok();
    let lifted = registry.at_most_ones().iter().filter_map(|at_most_one| {
        let under = |set| NamedEncoding::AtMostOne(Arc::clone(at_most_one)).with_settings(set);
        Constraints::ALL.into_iter().map(under).find(fits)
    });
    let whole = registry.whole_encodings().iter().filter(|&encoding| fits(encoding)).cloned();
    tier.encodings(lifted.chain(whole).collect(), |encoding| encoding.info().id)
}

/// A board of any kind with queens placed and squares blocked at random, some of them impossible.
fn random_board(random: &mut ChaCha8Rng) -> Board {
    let rows = random.random_range(4..=7);
    let board = match random.random_range(0..5) {
        0 => Board::new(rows).unwrap().with_geometry(Geometry::Torus),
        1 => Board::new(rows.min(5)).unwrap().with_piece(Piece::Rook),
        2 => Board::rectangle(rows, random.random_range(rows - 1..=8)).unwrap(),
        3 => {
            let columns = random.random_range(3..=6);
            Board::rectangle(rows.min(4), columns).unwrap().with_piece(Piece::Rook)
        }
        _ => Board::new(rows).unwrap(),
    };
    let (queens, blocks) = (random.random_range(0..=2), random.random_range(0..=5));
    let mut square = |_| {
        Square::new(random.random_range(0..board.rows()), random.random_range(0..board.columns()))
    };
    let mut placed: Vec<Square> = Vec::new();
    for square in (0..queens).map(&mut square) {
        if placed.iter().all(|&queen| queen != square && !board.attacks(queen, square)) {
            placed.push(square);
        }
    }
    let blocked: Vec<Square> =
        (0..blocks).map(&mut square).filter(|square| !placed.contains(square)).collect();
    board.with_placed(placed).unwrap().with_blocked(blocked).unwrap()
}

fn check_placements(tier: Tier) {
    let mut random = ChaCha8Rng::seed_from_u64(30);
    let (mut possible, mut rectangles) = (0, 0);
    for _ in 0..tier.pick(5, 30) {
        let board = random_board(&mut random);
        let expected = search::solutions(&board);
        possible += usize::from(!expected.is_empty());
        rectangles += usize::from(!board.is_square());
        for encoding in encodings(&board, tier) {
            let mut formula = Formula::new();
            let map = encoding.encode(&board.problem(), &mut formula);
            let found = placements(&formula, &board, &map, 1);
            let found: BTreeSet<Placement> =
                found.into_iter().map(|(placement, _)| placement).collect();
            assert_eq!(found, expected, "{} on {board}", encoding.info().id);
        }
    }
    assert!((tier.pick(1, 10)..=25).contains(&possible), "boards with solutions: {possible}");
    assert!((tier.pick(1, 6)..=20).contains(&rectangles), "rectangles: {rectangles}");
}

#[test]
fn an_encoding_of_each_family_means_the_same_placements_on_random_boards() {
    check_placements(Tier::Default);
}

#[test]
#[ignore = "second tier: all encodings on 30 boards"]
fn every_encoding_means_the_same_placements_on_many_random_boards() {
    check_placements(Tier::Second);
}

/// The clauses as sets, each once, in any order.
fn clauses(id: &str, board: &Board) -> BTreeSet<BTreeSet<Lit>> {
    let encoding =
        register(Registry::standard()).find(id).unwrap().with_settings(Constraints::Full);
    let mut formula = Formula::new();
    encoding.encode(&board.problem(), &mut formula);
    formula.clauses().map(|clause| clause.iter().copied().collect()).collect()
}

#[test]
fn implication_is_pairwise_with_every_pair_stated_twice_and_the_later_form_once() {
    for side in 1..=7 {
        let plane = Board::new(side).unwrap();
        let torus = plane.clone().with_geometry(Geometry::Torus);
        let rooks = plane.clone().with_piece(Piece::Rook);
        for board in [plane, torus, rooks] {
            let pairs = clauses("pairwise", &board);
            assert_eq!(clauses("implication", &board), pairs, "{board}");
            assert_eq!(clauses("implication:later", &board), pairs, "{board}");
            let size = |id| {
                let found = register(Registry::standard()).find(id).unwrap();
                found.with_settings(Constraints::Full).size(&board.problem())
            };
            assert_eq!(size("implication:later"), size("pairwise"), "{board}");
        }
    }
}

#[test]
fn on_one_line_implication_costs_what_it_costs_as_an_at_most_one() {
    for columns in 2..=40 {
        let n = u128::from(columns);
        let board = Board::rectangle(1, columns).unwrap();
        let stated = |id| {
            let encoding =
                register(Registry::standard()).find(id).unwrap().with_settings(Constraints::Full);
            // Without the clause that states that the row holds a queen.
            encoding.size(&board.problem()).unwrap().clauses - 1
        };
        assert_eq!(stated("implication"), n * (n - 1), "{columns} squares");
        assert_eq!(stated("implication:later"), n * (n - 1) / 2, "{columns} squares");
        assert_eq!(stated("implication:auxiliary"), n * (n + 1), "{columns} squares");
        assert_eq!(stated("implication:auxiliary+plaisted-greenbaum"), n * n, "{columns} squares");
    }
}

#[test]
fn on_two_columns_a_bit_and_an_order_variable_are_a_square() {
    // One variable for each row: in both encodings it means that the queen stands on the left.
    for rows in 1..=4 {
        let board = Board::rectangle(rows, 2).unwrap();
        assert_eq!(clauses("binary", &board), clauses("order", &board), "{rows} rows");
    }
}
