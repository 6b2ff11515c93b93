//! Conflicts: the pairs of squares in different rows that lie on a line.
//!
//! An encoding that gives every row one variable, whatever its bits are, knows of two queens in a
//! row by that alone. What is left to state are the conflicts between rows, one clause each:
//! columns, diagonals, antidiagonals. On a torus of even side n, n²/2 pairs lie on two lines and
//! are stated twice, as [`pairwise`](crate::amo::pairwise) does.

use bezzel_problem::{Board, Family, Geometry, Piece};
use rustsat::types::Lit;

use crate::layout::Layout;
use crate::sink::ClauseSink;
use crate::size::{diagonal_pairs, pairs};

/// The number of conflicts, those on two lines counted twice.
pub(super) fn stated(board: &Board) -> u128 {
    let [r, c] = [board.rows(), board.columns()].map(u128::from);
    let diagonal = match (board.piece(), board.geometry()) {
        (Piece::Rook, _) => 0,
        (Piece::Queen, Geometry::Plane) => diagonal_pairs(r, c),
        (Piece::Queen, Geometry::Torus) => r * r * (r - 1),
    };
    c * pairs(r) + diagonal
}

/// The number of conflicts, each counted once.
pub(super) fn distinct(board: &Board) -> u128 {
    let n = u128::from(board.rows());
    let meets_again =
        board.piece() == Piece::Queen && board.geometry() == Geometry::Torus && n.is_multiple_of(2);
    stated(board) - if meets_again { n * n / 2 } else { 0 }
}

/// States every conflict, a section for each family of lines: not all literals of both squares'
/// cubes.
pub(super) fn state(board: &Board, cubes: &Layout, out: &mut dyn ClauseSink) {
    let mut clause: Vec<Lit> = Vec::with_capacity(2 * cubes.width());
    for &family in board.families().iter().filter(|&&family| family != Family::Rows) {
        out.section(family.id());
        for line in board.lines(family) {
            let mut rest = line;
            while let Some(first) = rest.next() {
                for second in rest.clone() {
                    // Not both squares.
                    clause.clear();
                    clause.extend(cubes.cube(first).iter().map(|&lit| !lit));
                    clause.extend(cubes.cube(second).iter().map(|&lit| !lit));
                    out.clause(&clause);
                }
            }
        }
    }
}
