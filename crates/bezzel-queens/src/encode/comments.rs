//! Boards in the comments of formulas.

use bezzel_encode::format::read::FormulaComments;
use bezzel_problem::Kind;

use crate::{Board, BoardError, Geometry, Piece};

/// The board of a formula, if its comments contain it.
///
/// # Errors
///
/// When there can be no such board.
pub fn board(comments: &FormulaComments) -> Result<Option<Board>, BoardError> {
    let Some((Board::NOUN, text)) = &comments.named else { return Ok(None) };
    let (piece, text) = match text.strip_prefix("rooks ") {
        Some(rest) => (Piece::Rook, rest),
        None => (Piece::Queen, text.as_str()),
    };
    let (geometry, text) = match text.strip_prefix("torus ") {
        Some(rest) => (Geometry::Torus, rest),
        None => (Geometry::Plane, text),
    };
    let board = Board::read_size(text)?.try_geometry(geometry)?.with_piece(piece);
    let board = board.with_placed(comments.given.iter().copied())?;
    board.with_blocked(comments.excluded.iter().copied()).map(Some)
}
