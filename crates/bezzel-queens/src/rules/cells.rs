//! Boards as chequered cells, with their pieces and blocked squares, for figures and pages.

use bezzel_problem::{Cell, CellLook, Drawing, Solution, Square};

use crate::rules::board::{Board, Piece};

/// The board with its given pieces and blocked squares, and with the pieces of a solution.
pub(crate) fn solved(board: &Board, solution: Option<&Solution>) -> Option<Drawing> {
    drawn(board, |square| {
        solution.is_some_and(|solution| solution.chooses(board.candidate(square))).then_some(true)
    })
}

/// The board with the squares that propagation determines, in the order of the candidates.
pub(crate) fn propagated(board: &Board, known: &[Option<bool>]) -> Option<Drawing> {
    drawn(board, |square| known.get(board.candidate(square) as usize).copied().flatten())
}

/// The board, where `holds` is true for a square with a piece, and false for a square that is ruled out.
fn drawn(board: &Board, holds: impl Fn(Square) -> Option<bool>) -> Option<Drawing> {
    let piece = if board.piece() == Piece::Rook { "♜" } else { "♛" };
    let cell = |square: Square| {
        if board.placed().contains(&square) {
            Cell::new(piece, CellLook::Given)
        } else if board.blocked().contains(&square) {
            Cell::new("■", CellLook::Blocked)
        } else {
            match holds(square) {
                Some(true) => Cell::new(piece, CellLook::Found),
                Some(false) => Cell::new("×", CellLook::RuledOut),
                None => Cell::new("", CellLook::Found),
            }
        }
    };
    let row = |row| (0..board.columns()).map(|column| cell(Square { row, column })).collect();
    Drawing::chequered((0..board.rows()).map(row))
}
