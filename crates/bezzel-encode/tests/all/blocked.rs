//! Blocked squares, left to the solver or left out of their lines, mean the same.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bezzel_encode::encoding::direct::Direct;
use bezzel_encode::{
    Blocked, Constraints, Encoding, Formula, FormulaStats, Registry, Settings, Size, VarMap,
    models, properties,
};
use bezzel_problem::{Board, Geometry, Piece, Placement, Square};

use crate::tiers::Tier;

fn simplified(id: &str, constraints: Constraints) -> Arc<dyn Encoding> {
    let settings = Settings { blocked: Blocked::Simplified, ..constraints.into() };
    Registry::standard().find(id).unwrap().on_board(settings)
}

/// The names of encodings of a tier that are lifted to the board: every at-most-one, and a mixture.
fn lifted(tier: Tier) -> Vec<String> {
    let registry = Registry::standard();
    let ids = registry.at_most_ones().iter().map(|at_most_one| at_most_one.info().id);
    let mixture = "{rows: product, columns: pairwise, diagonals: sequential-counter}";
    tier.encodings(ids.chain([mixture.into()]).collect(), String::clone)
}

fn blocked(board: Board, squares: &[(u32, u32)]) -> Board {
    board.with_blocked(squares.iter().copied().map(Square::from)).unwrap()
}

/// Boards with blocked squares: a few, whole rows, columns and diagonals, all but some.
fn boards() -> Vec<Board> {
    let side = |side| Board::new(side).unwrap();
    let row = |row: u32| move |column: u32| (row, column);
    let all_but = |n: u32, free: &[(u32, u32)]| -> Vec<(u32, u32)> {
        let squares = (1..=n).flat_map(|row| (1..=n).map(move |column| (row, column)));
        squares.filter(|square| !free.contains(square)).collect()
    };
    let solution = [(1, 2), (2, 4), (3, 1), (4, 3)];
    vec![
        blocked(side(1), &[(1, 1)]),
        blocked(side(5), &[(1, 1), (3, 3), (5, 4)]),
        blocked(side(6), &[(1, 2), (2, 4), (3, 6), (4, 1)]),
        blocked(side(5), &(1..=4).map(row(2)).collect::<Vec<_>>()),
        blocked(side(5), &(1..=5).map(row(2)).collect::<Vec<_>>()),
        blocked(side(5), &(1..=5).map(|row| (row, 4)).collect::<Vec<_>>()),
        blocked(side(6), &(1..=6).map(|at| (at, at)).collect::<Vec<_>>()),
        blocked(side(4), &all_but(4, &solution)),
        blocked(side(4), &all_but(4, &[])),
        blocked(side(5).with_geometry(Geometry::Torus), &[(1, 1), (2, 3), (5, 5)]),
        blocked(side(4).with_piece(Piece::Rook), &[(1, 1), (2, 2), (4, 1)]),
        blocked(side(5).with_placed([Square::new(0, 0)]).unwrap(), &[(3, 2), (5, 4)]),
        blocked(Board::rectangle(3, 5).unwrap(), &[(1, 3), (2, 1), (3, 5)]),
    ]
}

fn check_properties(tier: Tier) {
    for id in lifted(tier) {
        for constraints in Constraints::ALL {
            let encoding = simplified(&id, constraints);
            for property in [
                properties::board::well_formed,
                properties::board::determinism,
                properties::board::size,
                properties::board::solutions,
                properties::board::layout,
            ] {
                assert_eq!(property(&*encoding, &boards()), Ok(()), "{constraints}");
            }
        }
    }
}

#[test]
fn without_its_blocked_squares_every_encoding_has_every_property_of_boards() {
    check_properties(Tier::Default);
}

fn check_layouts(tier: Tier) {
    let encode = |id: &str, blocked, board: &Board| -> (VarMap, BTreeMap<Placement, u128>) {
        let constraints = Constraints::default_on(board);
        let settings = Settings { blocked, ..constraints.into() };
        let mut formula = Formula::new();
        let found = Registry::standard().find(id).unwrap();
        let map = found.on_board(settings).encode(&board.problem(), &mut formula);
        let models = models::placements(&formula, board, &map, u128::MAX).into_iter().collect();
        (map, models)
    };
    let determined = |id: &String| {
        let info = Registry::standard().find(id).unwrap().info();
        info.auxiliaries != bezzel_encode::Auxiliaries::Free
    };
    for id in lifted(tier).into_iter().filter(determined) {
        for board in boards() {
            let [units, simplified] = Blocked::ALL.map(|blocked| encode(&id, blocked, &board));
            assert_eq!(units, simplified, "{id} on {board}");
        }
    }
}

#[test]
fn layouts_and_numbers_of_models_are_those_that_units_leave() {
    check_layouts(Tier::Default);
}

fn check_clauses(tier: Tier) {
    for id in lifted(tier) {
        for board in boards() {
            let mut formula = Formula::new();
            let encoding = simplified(&id, Constraints::default_on(&board));
            let map = encoding.encode(&board.problem(), &mut formula);
            let of_blocked: BTreeSet<_> = board
                .blocked()
                .iter()
                .map(|&square| map.cube(board.candidate(square))[0].var())
                .collect();
            let naming = formula
                .clauses()
                .filter(|clause| clause.iter().any(|lit| of_blocked.contains(&lit.var())));
            let naming: Vec<_> = naming.map(|clause| (clause.len(), clause[0].is_neg())).collect();
            assert_eq!(naming, vec![(1, true); of_blocked.len()], "{id} on {board}");
        }
    }
}

#[test]
fn no_clause_but_its_own_names_a_blocked_square() {
    check_clauses(Tier::Default);
}

fn check_full_rows(tier: Tier) {
    let row = (1..=5).map(|column| (2, column)).collect::<Vec<_>>();
    let board = blocked(Board::new(5).unwrap(), &row);
    for id in lifted(tier) {
        let mut formula = Formula::new();
        simplified(&id, Constraints::Minimal).rules(&board.problem(), &mut formula);
        let empty = formula.clauses().filter(|clause| clause.is_empty()).count();
        assert_eq!(empty, 1, "{id}");
    }
}

#[test]
fn a_row_without_a_free_square_is_the_empty_clause() {
    check_full_rows(Tier::Default);
}

fn check_nothing_blocked(tier: Tier) {
    let board = Board::new(7).unwrap();
    for id in lifted(tier) {
        let mut formulas = [Formula::new(), Formula::new()];
        let found = Registry::standard().find(&id).unwrap();
        found.on_board(Constraints::Full).encode(&board.problem(), &mut formulas[0]);
        simplified(&id, Constraints::Full).encode(&board.problem(), &mut formulas[1]);
        assert_eq!(formulas[0], formulas[1], "{id}");
    }
}

#[test]
fn where_nothing_is_blocked_there_is_nothing_to_simplify() {
    check_nothing_blocked(Tier::Default);
}

#[test]
fn sizes_follow_the_free_squares_of_each_line_on_large_boards_too() {
    let board = Board::new(8).unwrap();
    let pairwise = simplified("pairwise", Constraints::Full);
    assert_eq!(pairwise.size(&board.problem()), Some(Size::new(64, 744, 1584)));
    // Each line through the corner has one square less.
    let corner = blocked(board, &[(1, 1)]);
    assert_eq!(pairwise.size(&corner.problem()), Some(Size::new(64, 744 - 21, 1584 - 2 * 21 - 2)));
    let large = Board::new(30_000).unwrap();
    let diagonal: Vec<_> = (1..=30_000).map(|at| (at, at)).collect();
    let size = pairwise.size(&blocked(large.clone(), &diagonal).problem()).unwrap();
    let whole = pairwise.size(&large.problem()).unwrap();
    assert!(size.clauses < whole.clauses && size.variables == whole.variables);
}

#[test]
fn the_lengths_that_are_asked_for_are_those_that_are_encoded() {
    for board in boards() {
        let problem = board.problem();
        for (&family, groups) in board.families().iter().zip(problem.families()) {
            let free = |square: &Square| !board.blocked().contains(square);
            let counted: Vec<u64> =
                board.lines(family).map(|line| line.filter(free).count() as u64).collect();
            let lengths: Vec<_> = Direct::lengths(&problem, groups, Blocked::Simplified).collect();
            assert_eq!(lengths, counted, "{board}");
            let whole: Vec<u64> = board.lines(family).map(|line| line.len() as u64).collect();
            assert!(Direct::lengths(&problem, groups, Blocked::Units).eq(whole), "{board}");
        }
    }
}

#[test]
fn encodings_of_whole_boards_refuse_to_simplify_where_something_is_blocked() {
    let board = blocked(Board::new(8).unwrap(), &[(1, 1)]);
    for encoding in Registry::standard().board_encodings() {
        let id = encoding.info().id;
        let encoding = simplified(&id, Constraints::Full);
        assert_eq!(encoding.fits(&Board::new(8).unwrap().problem()), Ok(()), "{id}");
        assert_eq!(
            encoding.fits(&board.problem()).unwrap_err().to_string(),
            format!(
                "`{id}` under `blocked: simplified` does not fit the board 8 with 1,1 blocked: \
                 only encodings of lines can leave blocked squares out, and it encodes the whole \
                 board; take `blocked: units`"
            )
        );
    }
}

#[test]
fn both_settings_go_together() {
    // Symmetry is broken over the same squares, blocked ones included.
    let board = blocked(Board::new(6).unwrap(), &[(1, 1), (1, 6), (6, 1), (6, 6)]);
    let count = |blocked| {
        let symmetry = bezzel_encode::Symmetry::Full;
        let settings = Settings { blocked, symmetry, ..Settings::default() };
        let mut stats = (Formula::new(), FormulaStats::new());
        let encoding = Registry::standard().find("product").unwrap().on_board(settings);
        let map = encoding.encode(&board.problem(), &mut stats.0);
        encoding.rules(&board.problem(), &mut stats.1);
        assert_eq!(encoding.size(&board.problem()), Some(stats.1.size()));
        models::placements(&stats.0, &board, &map, 1).len()
    };
    assert_eq!(Blocked::ALL.map(count), [1, 1]);
}

#[test]
fn ids_are_read_back() {
    for blocked in Blocked::ALL {
        assert_eq!(blocked.id().parse(), Ok(blocked));
    }
    let error = "simplify".parse::<Blocked>().unwrap_err();
    let message = "unknown treatment of blocked squares `simplify`; did you mean `simplified`?";
    assert_eq!(error.to_string(), message);
}

#[test]
#[ignore = "second tier: all encodings"]
fn every_encoding_simplifies_blocked_squares() {
    check_properties(Tier::Second);
    check_layouts(Tier::Second);
    check_clauses(Tier::Second);
    check_full_rows(Tier::Second);
    check_nothing_blocked(Tier::Second);
}
