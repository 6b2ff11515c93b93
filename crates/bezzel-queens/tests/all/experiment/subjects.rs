//! The engines, encodings and boards of the tests.

use std::sync::Arc;

use bezzel_encode::{Constraints, Encoding, Registry};
use bezzel_experiment::BackendKind;
use bezzel_experiment::backend::{Backend, Capabilities, InputKind, Query};
use bezzel_queens::{Board, Geometry, Piece, Square};

pub(crate) type NamedEncoding = (String, Arc<dyn Encoding>);

pub(crate) fn engines() -> Vec<Arc<dyn Backend>> {
    bezzel_queens::experiment::catalog().backends.linked(BackendKind::Engine).cloned().collect()
}

/// Returns every encoding into clauses only.
pub(crate) fn encodings() -> Vec<NamedEncoding> {
    let registry = bezzel_queens::register(Registry::standard());
    let infos = registry.infos().into_iter().filter(|info| !info.cardinality);
    infos.map(|info| (info.id.clone(), encoding(&info.id))).collect()
}

pub(crate) fn encoding(id: &str) -> Arc<dyn Encoding> {
    bezzel_queens::register(Registry::standard()).find(id).unwrap().with_settings(Constraints::Full)
}

/// Returns the inputs that the engine can read for this board: the board alone, or each of these encodings that it
/// supports there.
pub(crate) fn readable(
    engine: &dyn Backend,
    board: &Board,
    all: &[NamedEncoding],
) -> Vec<Option<NamedEncoding>> {
    if engine.reads() == InputKind::Instance {
        return engine.fits(&board.clone().into(), None).map(|()| None).into_iter().collect();
    }
    let fits = |(_, encoding): &&NamedEncoding| {
        encoding.fits(&board.problem()).is_ok()
            && engine.fits(&board.clone().into(), Some(encoding.as_ref())).is_ok()
    };
    all.iter().filter(fits).cloned().map(Some).collect()
}

/// Returns `count` of the inputs that the engine can read; `turn` selects different ones for each board.
pub(crate) fn some(
    engine: &dyn Backend,
    board: &Board,
    turn: usize,
    count: usize,
) -> Vec<Option<NamedEncoding>> {
    let mut all = readable(engine, board, &encodings());
    if !all.is_empty() {
        let by = turn % all.len();
        all.rotate_left(by);
        all.truncate(count);
    }
    all
}

/// Calls `look` for each engine with one input, on a board of this side, and each query that the engine supports.
pub(crate) fn each_with_one(
    side: u32,
    look: impl FnMut(&dyn Backend, &Board, Option<&NamedEncoding>, Query),
) {
    each_of(&engines(), side, look);
}

pub(crate) fn each_of(
    engines: &[Arc<dyn Backend>],
    side: u32,
    mut look: impl FnMut(&dyn Backend, &Board, Option<&NamedEncoding>, Query),
) {
    let board = Board::new(side).unwrap();
    for engine in engines {
        let Capabilities { lists, counts, .. } = engine.capabilities();
        let read = readable(engine.as_ref(), &board, &encodings()).swap_remove(0);
        let wishes = [(lists, Query::List), (counts, Query::Count)];
        for (_, query) in wishes.into_iter().filter(|(can, _)| *can) {
            look(engine.as_ref(), &board, read.as_ref(), query);
        }
    }
}

/// Returns boards of every kind, with and without solutions.
pub(crate) fn boards() -> Vec<Board> {
    let plane = |side| Board::new(side).unwrap();
    let torus = |side| plane(side).with_geometry(Geometry::Torus);
    let at = |row, column| Square::new(row, column);
    let mut boards: Vec<Board> = (1..=7).map(plane).collect();
    boards.extend([
        torus(4),
        torus(5),
        torus(7),
        plane(3).with_piece(Piece::Rook),
        Board::rectangle(3, 5).unwrap(),
        Board::rectangle(5, 3).unwrap(),
        plane(6).with_placed([at(0, 1)]).unwrap(),
        plane(6).with_placed([at(0, 0)]).unwrap(),
        plane(5).with_placed([at(2, 2)]).unwrap(),
        plane(6).with_blocked([at(0, 1), at(3, 3)]).unwrap(),
        plane(4).with_blocked((0..4).map(|column| at(2, column))).unwrap(),
    ]);
    boards
}
