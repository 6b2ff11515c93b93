//! Symmetry is broken exactly as far as declared: compared with orbits that are counted by mapping every solution of an
//! exhaustive search.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bezzel_encode::{
    Auxiliaries, Encoding, Formula, FormulaStats, Registry, Settings, Symmetry, VarMap, models,
    properties,
};
use bezzel_problem::queens::dihedral::{group, stabilizer};
use bezzel_problem::queens::search;
use bezzel_problem::{Board, Dihedral, Geometry, Piece, Placement, Square};

/// Every listed encoding, under the default constraints of the board.
fn encodings(board: &Board, symmetry: Symmetry) -> Vec<Arc<dyn Encoding>> {
    let registry = Registry::standard();
    let settings = Settings { symmetry, ..bezzel_encode::Constraints::default_on(board).into() };
    let ids = registry.infos().into_iter().map(|info| info.id);
    let found = ids.map(|id| registry.find(&id).unwrap().on_board(settings));
    found.filter(|encoding| encoding.fits(&board.problem()).is_ok()).collect()
}

fn pairwise(symmetry: Symmetry) -> Arc<dyn Encoding> {
    let settings = Settings { symmetry, ..Settings::default() };
    Registry::standard().find("pairwise").unwrap().on_board(settings)
}

fn given(board: Board, queens: &[(u32, u32)], blocked: &[(u32, u32)]) -> Board {
    let squares = |squares: &[(u32, u32)]| -> Vec<Square> {
        squares.iter().copied().map(Square::from).collect()
    };
    board.with_placed(squares(queens)).unwrap().with_blocked(squares(blocked)).unwrap()
}

fn side(side: u32) -> Board {
    Board::new(side).unwrap()
}

/// Boards with some symmetry left: empty ones, and ones with given queens or blocked squares.
fn boards() -> Vec<Board> {
    let mut boards: Vec<Board> = (1..=6).map(side).collect();
    boards.extend([3, 5].map(|n| side(n).with_geometry(Geometry::Torus)));
    boards.extend([2, 3, 4].map(|n| side(n).with_piece(Piece::Rook)));
    boards.extend(
        [(1, 1), (1, 4), (1, 5), (2, 5), (3, 4), (3, 5), (4, 6), (3, 2)]
            .map(|(rows, columns)| Board::rectangle(rows, columns).unwrap()),
    );
    boards.extend([
        // One reflection, two of them, a half turn, a quarter turn, all maps.
        given(side(5), &[(1, 3)], &[]),
        given(side(6), &[], &[(1, 2), (1, 5)]),
        given(side(5), &[(1, 1)], &[]),
        given(side(5), &[], &[(1, 1), (5, 5)]),
        given(side(6), &[], &[(2, 1), (5, 6)]),
        given(side(5), &[], &[(1, 2), (2, 5), (5, 4), (4, 1)]),
        given(side(5), &[(3, 3)], &[]),
        given(side(6), &[], &[(1, 1), (1, 6), (6, 1), (6, 6)]),
        given(side(4).with_piece(Piece::Rook), &[], &[(1, 1), (4, 4)]),
        given(Board::rectangle(3, 5).unwrap(), &[], &[(1, 1), (3, 5)]),
        given(side(5).with_geometry(Geometry::Torus), &[(1, 3)], &[]),
    ]);
    boards
}

/// The maps of a board, generated from one turn and one reflection alone, each as the images of all squares; for a
/// rectangle, those that keep its sides. Only those that keep the given queens and blocked squares.
fn maps(board: &Board) -> BTreeSet<Vec<Square>> {
    let (rows, columns) = (board.rows(), board.columns());
    let turn = |(square, rows, columns): (Square, u32, u32)| {
        (Square::new(square.column, rows - 1 - square.row), columns, rows)
    };
    let reflect = |(square, rows, columns): (Square, u32, u32)| {
        (Square::new(square.row, columns - 1 - square.column), rows, columns)
    };
    let mut maps = BTreeSet::new();
    for turns in 0..4 {
        for reflected in [false, true] {
            let moved = |square: Square| {
                let start = if reflected {
                    reflect((square, rows, columns))
                } else {
                    (square, rows, columns)
                };
                (0..turns).fold(start, |at, _| turn(at))
            };
            let (_, rows_there, columns_there) = moved(Square::new(0, 0));
            if (rows_there, columns_there) != (rows, columns) {
                continue;
            }
            let there = |squares: &[Square]| -> BTreeSet<Square> {
                squares.iter().map(|&square| moved(square).0).collect()
            };
            let keeps = |squares: &[Square]| there(squares).into_iter().eq(squares.iter().copied());
            if keeps(board.placed()) && keeps(board.blocked()) {
                maps.insert(board.each_square().map(|square| moved(square).0).collect());
            }
        }
    }
    maps
}

/// All images of a placement.
fn orbit(
    board: &Board,
    maps: &BTreeSet<Vec<Square>>,
    placement: &Placement,
) -> BTreeSet<Placement> {
    let there = |map: &Vec<Square>| -> Placement {
        placement.squares().map(|square| map[square.index(board.columns())]).collect()
    };
    maps.iter().map(there).collect()
}

fn encode(encoding: &dyn Encoding, board: &Board) -> (VarMap, Formula) {
    let mut formula = Formula::new();
    let map = encoding.encode(&board.problem(), &mut formula);
    (map, formula)
}

#[test]
fn under_full_every_encoding_has_one_placement_of_each_orbit() {
    for board in boards() {
        assert_eq!(Symmetry::Full.fits(&board.problem()), Ok(()));
        let maps = maps(&board);
        let orbits: BTreeSet<BTreeSet<Placement>> = search::solutions(&board)
            .iter()
            .map(|solution| orbit(&board, &maps, solution))
            .collect();
        for encoding in encodings(&board, Symmetry::Full) {
            let (map, formula) = encode(&*encoding, &board);
            let case = format!("{} on {board}", encoding.info().id);
            let mut met = BTreeSet::new();
            for (placement, models) in models::placements(&formula, &board, &map, 2) {
                assert_eq!(placement.judge(&board), Ok(()), "{case}");
                assert!(met.insert(orbit(&board, &maps, &placement)), "{case}: an orbit twice");
                if encoding.info().auxiliaries != Auxiliaries::Free {
                    assert_eq!(models, 1, "{case}: auxiliary variables are determined");
                }
            }
            assert_eq!(met, orbits, "{case}");
        }
    }
}

#[test]
fn under_full_there_are_the_fundamental_solutions() {
    // OEIS A002562.
    for (n, fundamental) in (1..).zip([1, 0, 0, 1, 2, 1, 6, 12]) {
        for encoding in encodings(&side(n), Symmetry::Full) {
            let (map, formula) = encode(&*encoding, &side(n));
            let found = models::solutions(&formula, &map, 1).len();
            assert_eq!(found, fundamental, "{} at n = {n}", encoding.info().id);
        }
    }
    for (n, fundamental) in [(9, 46), (10, 92), (11, 341)] {
        let (map, formula) = encode(&*pairwise(Symmetry::Full), &side(n));
        assert_eq!(models::count(&formula, &map), fundamental, "n = {n}");
    }
}

#[test]
fn under_half_board_of_every_two_mirror_images_one_is_left() {
    let mut tried = 0;
    for board in boards() {
        if Symmetry::HalfBoard.fits(&board.problem()).is_err() {
            continue;
        }
        tried += 1;
        let (rows, columns) = (board.rows(), board.columns());
        let mirrored = |placement: &Placement| -> Placement {
            let there = |square: Square| Square::new(square.row, columns - 1 - square.column);
            placement.squares().map(there).collect()
        };
        let solutions = search::solutions(&board);
        for encoding in encodings(&board, Symmetry::HalfBoard) {
            let (map, formula) = encode(&*encoding, &board);
            let case = format!("{} on {board}", encoding.info().id);
            let left: BTreeSet<Placement> = models::placements(&formula, &board, &map, 1)
                .into_iter()
                .map(|(found, _)| found)
                .collect();
            let images: BTreeSet<Placement> = left.iter().map(mirrored).collect();
            let all: BTreeSet<Placement> = left.union(&images).cloned().collect();
            assert_eq!(all, solutions, "{case}: nothing is lost");
            if rows > 1 && columns > 1 {
                assert!(left.is_disjoint(&images), "{case}: nothing is left twice");
            }
        }
    }
    assert!(tried > 15, "only {tried} boards have a mirror image");
}

#[test]
fn sizes_are_the_closed_forms_and_clauses_are_well_formed() {
    let mut boards = boards();
    boards.extend((7..=13).map(side));
    boards.extend(
        (1..=6).flat_map(|rows| [5, 6].map(|columns| Board::rectangle(rows, columns).unwrap())),
    );
    for board in &boards {
        for symmetry in [Symmetry::HalfBoard, Symmetry::Full] {
            let few = if board.rows() < 7 { usize::MAX } else { 3 };
            for encoding in encodings(board, symmetry).iter().take(few) {
                let board = std::slice::from_ref(board);
                for property in [
                    properties::board::size,
                    properties::board::well_formed,
                    properties::board::determinism,
                ] {
                    assert_eq!(property(&**encoding, board), Ok(()), "{symmetry}");
                }
            }
        }
    }
    assert_eq!(
        pairwise(Symmetry::Full).size(&side(8).problem()).unwrap().variables,
        64 + 241,
        "as the documentation of lex-leaders has it"
    );
    let size = pairwise(Symmetry::Full).size(&side(30_000).problem()).unwrap();
    assert!(size.variables > 4 * 899_000_000, "a planner gets it at once");
}

#[test]
fn clauses_that_break_symmetry_are_in_a_section_of_their_own() {
    let sections = |symmetry, board: &Board| {
        let mut stats = FormulaStats::new();
        pairwise(symmetry).encode(&board.problem(), &mut stats);
        stats.into_sections()
    };
    let board = given(side(6), &[], &[(1, 1), (6, 6)]);
    let plain = sections(Symmetry::None, &board);
    assert!(plain.iter().all(|section| section.name != "symmetry"));
    let full = sections(Symmetry::Full, &board);
    let names: Vec<&str> = full.iter().map(|section| section.name.as_str()).collect();
    assert_eq!(names, ["rows", "columns", "diagonals", "antidiagonals", "symmetry", "blocked"]);
    let rules: Vec<_> = full.into_iter().filter(|section| section.name != "symmetry").collect();
    assert_eq!(rules, plain);
    let half = sections(Symmetry::HalfBoard, &side(8));
    let lengths = BTreeMap::from([(1, 4)]);
    assert!(half.iter().any(|section| section.name == "symmetry" && section.lengths == lengths));
    let half = sections(Symmetry::HalfBoard, &side(9));
    let lengths = BTreeMap::from([(1, 4), (2, 4)]);
    assert!(half.iter().any(|section| section.name == "symmetry" && section.lengths == lengths));
}

#[test]
fn a_symmetry_that_cannot_be_broken_is_refused_with_the_reason() {
    let message = |symmetry: Symmetry, board: &Board| {
        let error = pairwise(symmetry).fits(&board.problem()).unwrap_err();
        let words = error.to_string();
        assert_eq!(error, symmetry.fits(&board.problem()).unwrap_err());
        words
    };
    assert_eq!(
        message(Symmetry::Full, &given(side(8), &[(1, 4)], &[])),
        "the rule `symmetry: full` does not fit the board 8 with 1,4 placed: no turn or reflection \
         keeps its given queens and blocked squares; take `symmetry: none`"
    );
    assert_eq!(
        message(Symmetry::HalfBoard, &given(side(8), &[(1, 4)], &[])),
        "the rule `symmetry: half-board` does not fit the board 8 with 1,4 placed: in its mirror \
         image the given queen on 1,4 stands on 1,5; take `symmetry: none`"
    );
    assert_eq!(
        message(Symmetry::HalfBoard, &given(side(8), &[], &[(1, 1), (8, 8)])),
        "the rule `symmetry: half-board` does not fit the board 8 with 1,1 8,8 blocked: in its \
         mirror image 1,8 is blocked in place of 1,1; take `symmetry: full`, which breaks what \
         symmetry is left"
    );
    for symmetry in Symmetry::ALL {
        assert_eq!(
            symmetry.fits(&side(1).problem()),
            Ok(()),
            "a single square has nothing to break"
        );
        assert_eq!(symmetry.fits(&given(side(1), &[(1, 1)], &[]).problem()), Ok(()));
        assert_eq!(pairwise(symmetry).fits(&side(8).problem()), Ok(()));
    }
}

#[test]
fn the_maps_that_are_used_are_those_that_keep_the_board() {
    let mut sizes = BTreeSet::new();
    for board in boards() {
        let used: BTreeSet<Vec<Square>> = stabilizer(&board)
            .into_iter()
            .map(|map: Dihedral| {
                let image = |square| map.image(square, board.rows(), board.columns());
                board.each_square().map(image).collect()
            })
            .collect();
        assert_eq!(used, maps(&board), "{board}");
        assert!(group(&board).len().is_multiple_of(used.len()), "{board}: a subgroup");
        sizes.insert(used.len());
    }
    assert!(sizes.into_iter().eq([1, 2, 4, 8]), "groups of every size are tried");
}

#[test]
fn ids_are_read_back() {
    for symmetry in Symmetry::ALL {
        assert_eq!(symmetry.id().parse(), Ok(symmetry));
    }
    let error = "halfboard".parse::<Symmetry>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown rule of symmetry `halfboard`; did you mean `half-board`?"
    );
}
