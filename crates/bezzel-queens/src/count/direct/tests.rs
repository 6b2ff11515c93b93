//! States on small boards, where usually none is stored.

use std::sync::atomic::AtomicBool;

use crate::{Board, Geometry, Piece, Square};
use num_bigint::BigUint;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::key::Key;
use super::lines::{LineShift, OpenLines, RowMasks, Shape, bits};
use super::{Direct, RowCode};
use bezzel_count::budget::{Budget, Halt};
use bezzel_count::diagram::DiagramKind;

static GO_ON: AtomicBool = AtomicBool::new(false);

/// A search that stores as many states as possible, or as few, by `shallow`.
fn direct(board: &Board, shallow: u64) -> Direct {
    let mut direct = Direct::new(board).unwrap();
    if let Some(rows) = &mut direct.rows {
        rows.shallow = shallow;
    }
    direct
}

fn boards() -> Vec<Board> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut boards = Vec::new();
    for piece in [Piece::Queen, Piece::Rook] {
        for (rows, columns) in [(1, 1), (1, 5), (4, 4), (4, 6), (7, 7), (5, 9), (8, 8)] {
            for geometry in [Geometry::Plane, Geometry::Torus] {
                let empty = Board::rectangle(rows, columns).unwrap();
                let Ok(board) = empty.try_geometry(geometry) else { continue };
                let board = board.with_piece(piece);
                let square =
                    || Square::new(random.random_range(0..rows), random.random_range(0..columns));
                let squares: Vec<_> = std::iter::repeat_with(square).take(4).collect();
                boards.push(board.clone().with_placed([squares[0]]).unwrap());
                boards.push(board.clone().with_blocked(squares).unwrap());
                boards.push(board);
            }
        }
    }
    boards
}

#[test]
fn remembering_changes_no_diagram_and_no_count() {
    let budget = Budget::unlimited(&GO_ON);
    let mut merged = 0;
    for board in boards() {
        let (all, none) = (direct(&board, 64), direct(&board, u64::MAX));
        for kind in [DiagramKind::Bdd, DiagramKind::Zdd] {
            for code in [RowCode::OneHot, RowCode::Binary, RowCode::Bryant] {
                let (first, effort) = all.diagram(kind, code, budget).unwrap();
                let (second, _) = none.diagram(kind, code, budget).unwrap();
                assert_eq!(first.nodes_per_level(), second.nodes_per_level(), "{board}");
                assert_eq!(first.count(), second.count(), "{board}");
                merged += effort.states;
            }
        }
        let (first, effort) = all.count(budget).unwrap();
        assert_eq!(first, none.count(budget).unwrap().0, "{board}");
        merged += effort.states;
    }
    assert!(merged > 10_000, "{merged} states were remembered");
}

/// The squares that a state leaves in each row.
fn squares<D: LineShift>(rows: &RowMasks, shift: D, row: usize, open: OpenLines) -> Vec<u64> {
    let below = row..rows.count;
    let moved = |down: usize| OpenLines {
        columns: open.columns,
        diagonals: shift.right(open.diagonals, down),
        antidiagonals: shift.left(open.antidiagonals, down),
    };
    below.map(|at| rows.free(at, moved(at - row))).collect()
}

/// All states of the rows below `row` and the squares that they leave, closed and not.
fn compare<D: LineShift>(rows: &RowMasks, shift: D, row: usize, open: OpenLines, seen: &mut Seen) {
    let left = squares(rows, shift, row, open);
    if let Some((closed, choices)) = rows.close(shift, row, open) {
        assert_eq!(squares(rows, shift, row, closed), left, "closing takes no square");
        assert_eq!(rows.close(shift, row, closed), Some((closed, choices)));
        assert_eq!(choices, left.iter().map(|free| u64::from(free.count_ones())).product::<u64>());
        seen.push((row, left, [closed.columns, closed.diagonals, closed.antidiagonals]));
    }
    if row + 1 < rows.count {
        for column in bits(rows.free(row, open)) {
            compare(rows, shift, row + 1, RowMasks::after(shift, open, column), seen);
        }
    }
}

type Seen = Vec<(usize, Vec<u64>, [u64; 3])>;

#[test]
fn states_become_one_exactly_if_they_leave_the_same_squares() {
    for board in boards().into_iter().filter(|board| board.rows() < 8) {
        let rows = RowMasks::new(&board).unwrap();
        let mut seen = Vec::new();
        match rows.shape() {
            Shape::Plane => compare(&rows, rows.plane(), 0, rows.start(), &mut seen),
            Shape::Torus => compare(&rows, rows.torus(), 0, rows.start(), &mut seen),
            Shape::Straight => compare(&rows, rows.straight(), 0, rows.start(), &mut seen),
        }
        seen.sort_unstable();
        seen.dedup();
        let count = seen.len();
        seen.dedup_by_key(|(row, squares, _)| (*row, squares.clone()));
        assert_eq!(seen.len(), count, "the same squares, the same lines on {board}");
    }
}

fn check<K: Key>(lines: OpenLines, width: u32) {
    if width <= K::COLUMNS {
        assert_eq!(K::pack(lines, width).unpack(width), lines, "{width}");
    }
}

#[test]
fn a_key_keeps_every_line() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    for width in 1..=64 {
        for _ in 0..20 {
            let mut word = || random.random::<u64>() >> (64 - width);
            let lines = OpenLines { columns: word(), diagonals: word(), antidiagonals: word() };
            check::<u64>(lines, width);
            check::<u128>(lines, width);
            check::<[u64; 3]>(lines, width);
        }
    }
}

#[test]
fn remembered_states_count_against_the_budget() {
    let board = Board::new(9).unwrap();
    let direct = direct(&board, 64);
    let free = Budget::unlimited(&GO_ON);
    let (diagram, effort) = direct.diagram(DiagramKind::Zdd, RowCode::OneHot, free).unwrap();
    assert_eq!(effort.nodes, diagram.nodes() as u64);
    assert_eq!(effort.peak, effort.nodes + effort.states);
    let build = |budget| {
        direct.diagram(DiagramKind::Zdd, RowCode::OneHot, budget).map(|(_, effort)| effort)
    };
    assert_eq!(build(Budget { nodes: effort.peak, ..free }), Ok(effort));
    for nodes in [0, 1, effort.nodes, effort.peak / 2, effort.peak - 1] {
        assert_eq!(build(Budget { nodes, ..free }), Err(Halt::Nodes(nodes)));
    }
    assert_eq!(build(Budget { bytes: effort.bytes, ..free }), Ok(effort));
    for bytes in [0, 1, effort.bytes / 2] {
        assert_eq!(build(Budget { bytes, ..free }), Err(Halt::Bytes(bytes)));
    }
    let stopped = AtomicBool::new(true);
    assert_eq!(build(Budget { stop: &stopped, ..free }), Err(Halt::Stopped));

    let (count, effort) = direct.count(free).unwrap();
    assert_eq!(count, BigUint::from(352_u32));
    let count = |budget| direct.count(budget).map(|(_, effort)| effort);
    assert_eq!(count(Budget { nodes: effort.peak, ..free }), Ok(effort));
    assert_eq!(count(Budget { nodes: effort.peak - 1, ..free }), Err(Halt::Nodes(effort.peak - 1)));
    assert_eq!(count(Budget { bytes: effort.bytes, ..free }), Ok(effort));
    let bytes = effort.bytes - 1;
    assert_eq!(count(Budget { bytes, ..free }), Err(Halt::Bytes(bytes)));
    assert_eq!(count(Budget { stop: &stopped, ..free }), Err(Halt::Stopped));
}
