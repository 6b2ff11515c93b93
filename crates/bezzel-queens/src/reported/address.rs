//! The address of a board on the page of boards.

use crate::published;
use crate::{Board, Geometry, Piece};
use bezzel_problem::Square;

/// The fragment (the part after `#`) of the address of a board; empty if the page does not accept the board.
pub(super) fn fragment(board: &Board) -> String {
    if !board.is_square() || board.rows() > published::MAX_COUNTED_SIDE {
        return String::new();
    }
    let torus = (board.geometry() == Geometry::Torus).then(|| "geometry=torus".to_owned());
    let rooks = (board.piece() == Piece::Rook).then(|| "piece=rook".to_owned());
    let lists = [("queens", board.placed()), ("blocked", board.blocked())];
    let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
    let lists = lists.map(|(name, list)| format!("{name}={}", squares(list)));
    let size = format!("size={}", board.rows());
    std::iter::once(size).chain(torus).chain(rooks).chain(lists).collect::<Vec<_>>().join("&")
}

/// Squares as `1.2_3.4`: rows and columns counted from 1.
fn squares(squares: &[Square]) -> String {
    let words = squares.iter().map(|square| square.to_string().replace(',', "."));
    words.collect::<Vec<_>>().join("_")
}
