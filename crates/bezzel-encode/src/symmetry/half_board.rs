//! Half a board: of a placement and its mirror image, the one whose first queen stands to the left is kept.
//!
//! *Idea.* The cheap rule, which needs no auxiliary variable: the queen of the first row stands in the left half. If
//! the number of columns is odd, the first row's queen can stand in the middle, where the mirror does not move it; then
//! the second row decides, whose queen cannot stand in the same column. Of every two mirror images exactly one is
//! therefore left; only a board of one row, or of one column, has placements that are their own mirror images.
//!
//! *Clauses.* For every square of the first row to the right of the middle: no queen there. If the
//! number of columns is odd, for every square of the second row to the right of the middle: not a
//! queen there and one in the middle of the first row. Multi-literal cubes are negated whole.
//!
//! *Size* on C columns, for cubes of one literal: ⌊C/2⌋ clauses of one literal; if C is odd and there
//! is a second row, ⌊C/2⌋ more of two.
//!
//! *Source.* Common practice in programs that count queens.

use bezzel_problem::{Board, Square};
use rustsat::types::Lit;

use crate::sink::ClauseSink;
use crate::size::Size;
use crate::var_map::VarMap;

/// The columns to the right of the middle.
fn right_half(board: &Board) -> std::ops::Range<u32> {
    board.columns().div_ceil(2)..board.columns()
}

/// The middle column, where the second row decides if the first row's queen stands in it.
fn middle(board: &Board) -> Option<u32> {
    (board.columns() % 2 == 1 && board.rows() > 1).then_some(board.columns() / 2)
}

/// The size of the clauses that [`state`] adds where each cube is one literal.
pub(crate) fn size(board: &Board) -> Size {
    let half = u128::from(board.columns() / 2);
    let second = if middle(board).is_some() { half } else { 0 };
    Size::new(0, half + second, half + 2 * second)
}

/// Writes the clauses that keep one of a placement and its mirror image.
pub(crate) fn state(board: &Board, map: &VarMap, out: &mut dyn ClauseSink) {
    let mut clause: Vec<Lit> = Vec::new();
    let mut not_all = |squares: &[Square]| {
        clause.clear();
        let cubes =
            squares.iter().flat_map(|&square| map.cube(square.index(board.columns()) as u32));
        clause.extend(cubes.map(|&lit| !lit));
        out.clause(&clause);
    };
    for column in right_half(board) {
        not_all(&[Square::new(0, column)]);
    }
    if let Some(middle) = middle(board) {
        for column in right_half(board) {
            not_all(&[Square::new(0, middle), Square::new(1, column)]);
        }
    }
}
