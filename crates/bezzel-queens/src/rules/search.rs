//! The oracle: all solutions of a board by backtracking, row by row.
//!
//! The search uses row and column numbers alone. It shares no code with encodings, lines or layouts.

use std::collections::BTreeSet;

use crate::rules::board::{Board, Geometry, Piece};
use crate::rules::placement::Placement;
use bezzel_problem::Square;

/// Every placement that obeys the rules of the board: one piece in each row, no two of them attack each other, given
/// ones kept and blocked squares empty.
///
/// Takes time exponential in the number of rows; meant for up to about ten of them.
pub fn solutions(board: &Board) -> BTreeSet<Placement> {
    let mut solutions = BTreeSet::new();
    extend(board, &mut Vec::new(), &mut solutions);
    solutions
}

/// True if two pieces on different squares would attack each other.
pub fn clash(board: &Board, first: Square, second: Square) -> bool {
    let down = first.row.abs_diff(second.row);
    let across = first.column.abs_diff(second.column);
    if (down == 0) != (across == 0) {
        return true;
    }
    let meet = match board.geometry() {
        Geometry::Plane => down == across,
        // In the other direction, the distance is the rest of the side.
        Geometry::Torus => down == across || down + across == board.rows(),
    };
    down != 0 && meet && board.piece() == Piece::Queen
}

/// Puts a piece into the next row wherever it can stand. `columns` are those of the rows above.
fn extend(board: &Board, columns: &mut Vec<u32>, solutions: &mut BTreeSet<Placement>) {
    let row = columns.len() as u32;
    let above = |columns: &[u32]| -> Vec<Square> {
        (0..).zip(columns).map(|(row, &column)| Square::new(row, column)).collect()
    };
    if row == board.rows() {
        solutions.insert(above(columns).into_iter().collect());
        return;
    }
    for column in 0..board.columns() {
        let here = Square::new(row, column);
        let elsewhere = |given: &Square| given.row == row && given.column != column;
        if board.blocked().contains(&here)
            || board.placed().iter().any(elsewhere)
            || above(columns).into_iter().any(|square| clash(board, square, here))
        {
            continue;
        }
        columns.push(column);
        extend(board, columns, solutions);
        columns.pop();
    }
}
