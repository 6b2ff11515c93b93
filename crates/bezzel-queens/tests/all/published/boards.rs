//! Golden numbers: published numbers, or numbers of two independent programs that agree.

use bezzel_encode::amo::pairwise::Pairwise;
use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::{
    AtMostOne, Constraints, Encoding, Formula, FormulaStats, Registry, Size, models,
};
use bezzel_queens::register;
use bezzel_queens::{Board, Geometry};

use crate::published::measure::models_on_board;

fn board(side: u32) -> Board {
    Board::new(side).unwrap()
}

fn encoding(id: &str, constraints: Constraints) -> std::sync::Arc<dyn Encoding> {
    register(Registry::standard()).find(id).unwrap().with_settings(constraints)
}

/// Variables, clauses and literals, counted.
fn size(id: &str, constraints: Constraints, board: &Board) -> Size {
    let mut stats = FormulaStats::new();
    encoding(id, constraints).encode(&board.problem(), &mut stats);
    stats.size()
}

/// Variables and clauses under the full constraints on the plane, counted.
#[track_caller]
fn check_full(id: &str, side: u32, variables: u128, clauses: u128) {
    let size = size(id, Constraints::Full, &board(side));
    assert_eq!((size.variables, size.clauses), (variables, clauses), "{id} at n = {side}");
}

#[test]
fn pairwise_on_the_usual_board_takes_744_736_520_or_512_clauses() {
    let clauses = |constraints| size("pairwise", constraints, &board(8)).clauses;
    assert_eq!(Constraints::ALL.map(clauses), [744, 736, 520, 512]);
}

#[test]
fn pairwise_sizes_are_those_of_the_seeds_corrected() {
    // n, clauses with rows and columns exactly one, literals, clauses without column at-least-one.
    let table = [
        (4, 84, 184, 80),
        (5, 170, 370, 165),
        (6, 302, 652, 296),
        (7, 490, 1050, 483),
        (8, 744, 1584, 736),
        (10, 1490, 3140, 1480),
        (16, 6352, 13152, 6336),
        (20, 12580, 25880, 12560),
        (32, 52640, 107_200, 52608),
        (50, 203_450, 411_700, 203_400),
        (64, 428_864, 865_664, 428_800),
    ];
    for (side, clauses, literals, without) in table {
        let squares = u128::from(side) * u128::from(side);
        let full = size("pairwise", Constraints::Full, &board(side));
        assert_eq!(full, Size::new(squares, clauses, literals), "n = {side}");
        let no_column_alo = size("pairwise", Constraints::NoColumnAlo, &board(side));
        assert_eq!(no_column_alo.clauses, without, "n = {side}");
    }
}

#[test]
fn zantemas_board_of_side_60_takes_3600_variables_and_352940_clauses() {
    check_full("pairwise", 60, 3600, 352_940);
}

#[test]
fn pairwise_on_a_thousand_rows_takes_1664669000_clauses() {
    let size = encoding("pairwise", Constraints::Full).size(&board(1000).problem()).unwrap();
    assert_eq!(size, Size::new(1_000_000, 1_664_669_000, 3_331_334_000));
}

#[test]
fn cooks_row_of_eight_takes_28_clauses() {
    let mut formula = Formula::new();
    let xs: Vec<_> = bezzel_encode::ClauseSink::fresh(&mut formula, 8).lits().collect();
    Pairwise.encode(&xs, &mut formula);
    assert_eq!(formula.len(), 28);
}

#[test]
fn implication_on_the_usual_board_takes_1472_clauses() {
    check_full("implication", 8, 64, 1472);
}

#[test]
fn implication_with_attacked_squares_named_takes_128_variables_and_1600_or_1536_clauses() {
    check_full("implication:auxiliary", 8, 128, 1600);
    check_full("implication:auxiliary+plaisted-greenbaum", 8, 128, 1536);
}

#[test]
fn whole_boards_have_the_closed_forms_that_the_documents_state() {
    for side in 2..=64 {
        let n = u128::from(side);
        let attacking_pairs = n * (n - 1) * (5 * n - 1) / 3;
        let codes = n.next_power_of_two();
        let bits = u128::from(codes.ilog2());
        check_full("pairwise", side, n * n, attacking_pairs + 2 * n);
        check_full("implication", side, n * n, 2 * attacking_pairs + 2 * n);
        let counter = (5 * n * n - 6 * n + 2, 12 * n * n + 12 - 22 * n);
        check_full("sequential-counter", side, counter.0, counter.1);
        let across_rows = n * (n - 1) * (7 * n - 2) / 6;
        check_full("binary", side, n * bits, n * (codes - n) + across_rows);
    }
}

#[test]
fn binary_on_the_usual_board_takes_24_variables_and_504_clauses() {
    check_full("binary", 8, 24, 504);
}

#[test]
fn sequential_counter_sizes_are_the_known_ones() {
    for (side, variables, clauses) in [
        (4, 58, 116),
        (8, 274, 604),
        (16, 1186, 2732),
        (32, 4930, 11596),
        (64, 20098, 47756),
        (100, 49402, 117_812),
    ] {
        check_full("sequential-counter", side, variables, clauses);
    }
}

#[test]
fn bitwise_sizes_are_the_known_ones() {
    for (side, variables, clauses) in [
        (4, 48, 120),
        (8, 174, 728),
        (16, 572, 3928),
        (32, 1850, 19800),
        (64, 6136, 95576),
        (100, 13678, 269_024),
    ] {
        check_full("bitwise", side, variables, clauses);
    }
}

#[test]
fn product_sizes_are_the_known_ones() {
    for (side, variables, clauses) in [
        (4, 16, 84),
        (8, 196, 632),
        (16, 780, 2784),
        (32, 2712, 11856),
        (64, 11596, 45204),
        (100, 25224, 105_876),
    ] {
        check_full("product", side, variables, clauses);
    }
}

#[test]
fn rustsats_encoders_write_what_its_own_tests_say() {
    // Clauses and auxiliary variables for four inputs.
    let table = [
        ("rustsat-pairwise", 6, 0),
        ("rustsat-ladder", 8, 3),
        ("rustsat-bitwise", 8, 2),
        ("rustsat-commander", 10, 1),
        ("rustsat-bimander", 10, 1),
        ("rustsat-product", 10, 4),
    ];
    for (id, clauses, variables) in table {
        let Ok(NamedEncoding::AtMostOne(at_most_one)) = register(Registry::standard()).find(id)
        else {
            panic!("{id} is an at-most-one")
        };
        let mut stats = FormulaStats::new();
        let xs: Vec<_> = bezzel_encode::ClauseSink::fresh(&mut stats, 4).lits().collect();
        at_most_one.encode(&xs, &mut stats);
        assert_eq!((stats.size().clauses, stats.variables() - 4), (clauses, variables), "{id}");
    }
}

#[test]
fn raw_model_counts_of_sides_4_to_8_are_the_known_ones() {
    let table = [
        ("pairwise", [2, 10, 4, 40, 92]),
        ("implication", [2, 10, 4, 40, 92]),
        ("binary", [2, 10, 4, 40, 92]),
        ("sequential-counter", [32, 930, 5184, 678_528, 32_760_320]),
        ("rustsat-ladder", [32, 930, 5184, 678_528, 32_760_320]),
        ("bitwise", [32, 1536, 16384, 2_883_584, 171_966_464]),
        ("rustsat-bitwise", [32, 1536, 16384, 2_883_584, 171_966_464]),
        ("product", [2, 10, 4, 160, 269_192]),
    ];
    for (id, counts) in table {
        for (side, count) in (4..).zip(counts) {
            assert_eq!(models_on_board(id, side), count, "{id} at n = {side}");
        }
    }
}

#[test]
fn toroidal_boards_have_solutions_only_where_the_side_is_prime_to_six() {
    for (side, solutions) in (1..=7).zip([1, 0, 0, 0, 10, 0, 28]) {
        let board = board(side).with_geometry(Geometry::Torus);
        let mut formula = Formula::new();
        let map = encoding("pairwise", Constraints::Full).encode(&board.problem(), &mut formula);
        assert_eq!(models::count(&formula, &map), solutions, "torus {side}");
    }
}
