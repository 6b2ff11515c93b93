//! The columns of boards in the table of rows.

use crate::Board;
use bezzel_problem::Square;

/// The columns, with the texts of a board.
pub(super) fn columns(board: &Board) -> Vec<(&'static str, String)> {
    vec![
        ("board_rows", board.rows().to_string()),
        ("board_columns", board.columns().to_string()),
        ("geometry", board.geometry().to_string()),
        ("piece", board.piece().to_string()),
        ("given_queens", squares(board.placed())),
        ("blocked_squares", squares(board.blocked())),
    ]
}

/// Squares as `1,7 2,2`: rows and columns counted from 1.
fn squares(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect::<Vec<_>>().join(" ")
}
