//! Golden numbers: published numbers, or numbers of two independent programs that agree.

use bezzel_encode::amo::pairwise::Pairwise;
use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::{
    AtMostOne, Constraints, Encoding, Formula, FormulaStats, Registry, Size, models,
};
use bezzel_queens::register;
use bezzel_queens::{Board, Geometry};

use crate::published::measure::{models_on_board, on_board};

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
fn toroidal_boards_have_solutions_only_where_the_side_is_prime_to_six() {
    for (side, solutions) in (1..=7).zip([1, 0, 0, 0, 10, 0, 28]) {
        let board = board(side).with_geometry(Geometry::Torus);
        let mut formula = Formula::new();
        let map = encoding("pairwise", Constraints::Full).encode(&board.problem(), &mut formula);
        assert_eq!(models::count(&formula, &map), solutions, "torus {side}");
    }
}

#[test]
fn boards_cost_what_two_programs_counted() {
    for (id, side, size) in [
        ("pairwise", 60, (3600, 352_940)),
        ("implication", 8, (64, 1472)),
        ("implication:auxiliary", 8, (128, 1600)),
        ("implication:auxiliary+plaisted-greenbaum", 8, (128, 1536)),
        ("binary", 8, (24, 504)),
        ("ladder:regular", 8, (300, 892)),
    ] {
        assert_eq!(on_board(id, side), size, "{id} at n = {side}");
    }
    // Variables, then clauses, of these sides.
    let sides = [4, 8, 16, 32, 64, 100];
    let table = [
        (
            "sequential-counter",
            [58, 274, 1186, 4930, 20098, 49402],
            [116, 604, 2732, 11596, 47756, 117_812],
        ),
        (
            "sequential-counter+defined",
            [58, 274, 1186, 4930, 20098, 49402],
            [158, 814, 3662, 15502, 63758, 157_214],
        ),
        ("bitwise", [48, 174, 572, 1850, 6136, 13678], [120, 728, 3928, 19800, 95576, 269_024]),
        ("product", [16, 196, 780, 2712, 11596, 25224], [84, 632, 2784, 11856, 45204, 105_876]),
        ("tree", [40, 232, 1096, 4744, 19720, 48808], [98, 562, 2642, 11410, 47378, 117_218]),
        ("split:4", [16, 116, 604, 2732, 11596, 28912], [84, 524, 2556, 11228, 47004, 116_628]),
        (
            "commander:3",
            [26, 146, 682, 2956, 11958, 29502],
            [104, 618, 3052, 13290, 55022, 136_560],
        ),
        ("bimander:2", [30, 132, 482, 1664, 5758, 13084], [88, 596, 3404, 17724, 87324, 248_928]),
    ];
    for (id, variables, clauses) in table {
        for (side, size) in sides.into_iter().zip(variables.into_iter().zip(clauses)) {
            assert_eq!(on_board(id, side), size, "{id} at n = {side}");
        }
    }
}

#[test]
fn boards_have_the_closed_forms_that_the_documents_state() {
    for side in 3..=64 {
        let n = u128::from(side);
        let attacking_pairs = n * (n - 1) * (5 * n - 1) / 3;
        let codes = n.next_power_of_two();
        let bits = u128::from(codes.ilog2());
        let across_rows = n * (n - 1) * (7 * n - 2) / 6;
        let counters = 5 * n * n + 2 - 6 * n;
        for (id, size) in [
            ("pairwise", (n * n, attacking_pairs + 2 * n)),
            ("implication", (n * n, 2 * attacking_pairs + 2 * n)),
            ("binary", (n * bits, n * (codes - n) + across_rows)),
            ("sequential-counter", (counters, 12 * n * n + 12 - 22 * n)),
            ("sequential-counter+defined", (counters, 16 * n * n + 14 - 28 * n)),
            ("sequential-counter:simplified", (counters + 16 - 12 * n, 12 * n * n + 28 - 34 * n)),
        ] {
            assert_eq!(on_board(id, side), size, "{id} at n = {side}");
        }
        assert_eq!(on_board("tree", side).1, 12 * n * n + 18 - 28 * n, "n = {side}");
        for id in ["split:4", "split:3", "nested:4", "nested:3"] {
            assert_eq!(on_board(id, side).1, 12 * n * n + 28 - 34 * n, "{id} at n = {side}");
        }
    }
}

/// The numbers of models of formulas of sides 4 to 8, auxiliary variables included, where they are not those of solutions.
pub(crate) const MODELS: [(&str, [u64; 5]); 11] = [
    ("sequential-counter", [32, 930, 5184, 678_528, 32_760_320]),
    ("rustsat-ladder", [32, 930, 5184, 678_528, 32_760_320]),
    ("ladder:relaxed", [32, 930, 5184, 678_528, 32_760_320]),
    ("bitwise", [32, 1536, 16384, 2_883_584, 171_966_464]),
    ("rustsat-bitwise", [32, 1536, 16384, 2_883_584, 171_966_464]),
    ("product", [2, 10, 4, 160, 269_192]),
    ("commander:3+one-way", [8, 18, 36, 984, 16632]),
    ("bimander:2", [8, 64, 256, 8704, 151_552]),
    ("split:4", [2, 10, 16, 160, 2452]),
    ("split:3", [8, 18, 64, 1248, 41456]),
    ("tree", [18, 80, 400, 19696, 550_592]),
];

#[test]
fn raw_model_counts_of_sides_4_to_8_are_the_known_ones() {
    let solutions = [
        "pairwise",
        "implication",
        "binary",
        "sequential-counter+defined",
        "ladder:regular",
        "ladder:at-most-one",
        "ladder:slack",
        "commander:3",
        "product+defined",
        "tree+defined",
        "totalizer:cut+defined",
        "totalizer:full+defined",
        "sorting-network+defined",
        "bdd:ite",
        "bdd:ite+redundant",
    ];
    for (id, counts) in solutions.map(|id| (id, [2, 10, 4, 40, 92])).into_iter().chain(MODELS) {
        for (side, count) in (4..).zip(counts) {
            assert_eq!(models_on_board(id, side), count.into(), "{id} at n = {side}");
        }
    }
}
