//! All solutions at once, compared with published numbers, the search, and published diagram sizes.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use bezzel_count::diagram::{Decoder, DiagramKind};
use bezzel_count::{Budget, Diagram, Halt};
use bezzel_encode::{Constraints, FormulaStats, Registry};
use bezzel_queens::count::direct::{Direct, RowCode};
use bezzel_queens::{Board, Geometry, Piece, Placement, Square, published, search};
use num_bigint::BigUint;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

static GO_ON: AtomicBool = AtomicBool::new(false);
const CODES: [RowCode; 3] = [RowCode::OneHot, RowCode::Binary, RowCode::Bryant];
const KINDS: [DiagramKind; 2] = [DiagramKind::Bdd, DiagramKind::Zdd];

fn diagram(board: &Board, kind: DiagramKind, code: RowCode) -> Diagram {
    let direct = Direct::new(board).unwrap();
    direct.diagram(kind, code, Budget::unlimited(&GO_ON)).unwrap().0
}

fn count(board: &Board) -> BigUint {
    Direct::new(board).unwrap().count(Budget::unlimited(&GO_ON)).unwrap().0
}

/// Boards of every kind, with placed or blocked squares, or without.
fn boards() -> Vec<Board> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut boards = Vec::new();
    for (rows, columns) in [(1, 1), (1, 4), (2, 2), (3, 7), (5, 5), (6, 6), (7, 7), (5, 8), (6, 4)]
    {
        for piece in [Piece::Queen, Piece::Rook] {
            for geometry in [Geometry::Plane, Geometry::Torus] {
                let empty = Board::rectangle(rows, columns).unwrap();
                let Ok(empty) = empty.try_geometry(geometry) else { continue };
                let empty = empty.with_piece(piece);
                let mut squares = |count: usize| -> Vec<Square> {
                    let mut square = || {
                        let row = random.random_range(0..rows);
                        Square::new(row, random.random_range(0..columns))
                    };
                    (0..count).map(|_| square()).collect()
                };
                let placed = [squares(1), squares(2)];
                let with_placed = placed.into_iter().filter_map(|placed| {
                    let board = empty.clone().with_placed(placed).ok()?;
                    let blocked = squares(2).into_iter();
                    let free =
                        blocked.filter(|square| board.placed().binary_search(square).is_err());
                    let free: Vec<_> = free.collect();
                    Some(board.with_blocked(free).unwrap())
                });
                boards.extend(with_placed.collect::<Vec<_>>());
                boards.push(empty.clone().with_blocked(squares(5)).unwrap());
                boards.push(empty);
            }
        }
    }
    boards
}

#[test]
fn diagrams_have_the_published_numbers_of_nodes() {
    // N, one-hot BDD and ZDD, binary BDD and ZDD, terminals not counted. One-hot as in Minato 1993 and Knuth 7.1.4,
    // without complement edges; binary by an earlier program of Bezzel.
    let sizes = [
        (4, [29, 8, 15, 8]),
        (5, [167, 40, 95, 37]),
        (6, [129, 24, 64, 26]),
        (7, [1_099, 186, 446, 211]),
        (8, [2_451, 373, 877, 484]),
        (9, [9_557, 1_309, 4_072, 1_653]),
        (10, [25_945, 3_120, 10_047, 4_070]),
        (11, [94_822, 10_503, 33_612, 14_094]),
    ];
    for (side, nodes) in sizes {
        let board = Board::new(side).unwrap();
        let made = [RowCode::OneHot, RowCode::Binary]
            .map(|code| KINDS.map(|kind| diagram(&board, kind, code).nodes()))
            .concat();
        assert_eq!(made, nodes, "{side}");
    }
    for (side, nodes) in [(4, [14, 7]), (8, [879, 442])] {
        let board = Board::new(side).unwrap();
        assert_eq!(
            KINDS.map(|kind| diagram(&board, kind, RowCode::Bryant).nodes()),
            nodes,
            "{side}"
        );
    }
}

#[test]
fn counts_are_the_published_ones() {
    for (geometry, largest) in [(Geometry::Plane, 12), (Geometry::Torus, 13)] {
        for side in 1..=largest {
            let board = Board::new(side).unwrap().with_geometry(geometry);
            let published = BigUint::from(published::solutions(&board).unwrap().count);
            assert_eq!(count(&board), published, "{board}");
            assert_eq!(
                diagram(&board, DiagramKind::Zdd, RowCode::OneHot).count(),
                published,
                "{board}"
            );
        }
    }
}

/// Rooks in `count` bands along the board's diagonal, twelve rows and columns each: few states, many solutions.
fn bands(count: u32) -> Board {
    let side = 12 * count;
    let blocked = Square::all(side, side).filter(|square| square.row / 12 != square.column / 12);
    Board::new(side).unwrap().with_piece(Piece::Rook).with_blocked(blocked).unwrap()
}

#[test]
fn counts_of_any_size_are_exact_on_boards_of_any_width() {
    let mut solutions = BigUint::from(1_u8);
    for number in 1..=5 {
        solutions *= 479_001_600_u32;
        let board = bands(number);
        assert_eq!(count(&board), solutions, "{number}");
        assert_eq!(
            diagram(&board, DiagramKind::Zdd, RowCode::Binary).count(),
            solutions,
            "{number}"
        );
    }
    assert!(solutions.bits() > 128);
}

#[test]
fn every_way_agrees_with_the_search_on_every_kind_of_board() {
    for board in boards() {
        let solutions = search::solutions(&board);
        assert_eq!(count(&board), BigUint::from(solutions.len()), "{board}");
        for kind in KINDS {
            for code in CODES {
                let diagram = diagram(&board, kind, code);
                let map = code.map(&board);
                let mut decoder = Decoder::new(&map);
                let mut models = diagram.models();
                let mut found = BTreeSet::new();
                while let Some(model) = models.next_model() {
                    assert!(
                        found.insert(Placement::of(&board, &decoder.solution(model))),
                        "once each on {board}"
                    );
                }
                assert_eq!(found, solutions, "{board} {kind:?} {code:?}");
                assert_eq!(diagram.count(), BigUint::from(solutions.len()));
            }
        }
    }
}

#[test]
fn codes_mean_what_the_encodings_mean() {
    let registry = bezzel_queens::register(Registry::standard());
    for side in [1, 2, 4, 5, 8] {
        let board = Board::new(side).unwrap();
        for (code, id) in
            [(RowCode::OneHot, "pairwise"), (RowCode::Bryant, "bryant-circuit:binary")]
        {
            let encoding = registry.find(id).unwrap().with_settings(Constraints::Full);
            let map = encoding.encode(&board.problem(), &mut FormulaStats::new());
            for square in board.each_square() {
                let cubes = [&map, &code.map(&board)].map(|map| {
                    let mut cube = map.cube(board.candidate(square)).to_vec();
                    cube.sort_unstable();
                    cube
                });
                assert_eq!(cubes[0], cubes[1], "{id} {side} {square}");
            }
        }
    }
}

#[test]
fn boards_beyond_machine_words_are_refused_beforehand() {
    assert!(Direct::new(&Board::rectangle(2, 65).unwrap()).is_none());
    let tall = Board::rectangle(70, 64).unwrap();
    assert_eq!(count(&tall), BigUint::ZERO);
    // This number of squares is more than the levels of a diagram.
    for tall in [tall, Board::rectangle(2000, 64).unwrap()] {
        for (kind, code) in KINDS.into_iter().zip(CODES) {
            assert!(!diagram(&tall, kind, code).is_satisfiable(), "{tall}");
        }
    }
}

#[test]
fn the_used_memory_suffices_for_a_repetition_and_a_byte_less_does_not() {
    let free = Budget::unlimited(&GO_ON);
    // Rooks have many states and few nodes, queens few states and many nodes.
    for board in [Board::new(7).unwrap().with_piece(Piece::Rook), Board::new(9).unwrap()] {
        let direct = Direct::new(&board).unwrap();
        for (kind, code) in KINDS.into_iter().flat_map(|kind| CODES.map(|code| (kind, code))) {
            let build = |bytes| direct.diagram(kind, code, Budget { bytes, ..free });
            let took = build(u64::MAX).unwrap().1;
            assert_eq!(build(took.bytes).unwrap().1, took, "{board}, {kind:?}, {code:?}");
            let less = took.bytes - 1;
            assert_eq!(build(less).unwrap_err(), Halt::Bytes(less), "{board}, {kind:?}, {code:?}");
        }
        let took = direct.count(free).unwrap().1;
        let count = |bytes| direct.count(Budget { bytes, ..free }).map(|(_, effort)| effort);
        assert_eq!(count(took.bytes), Ok(took), "{board}");
        assert_eq!(count(took.bytes - 1), Err(Halt::Bytes(took.bytes - 1)), "{board}");
    }
}
