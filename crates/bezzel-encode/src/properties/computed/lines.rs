//! The consequences of single lines, one line after the other.
//!
//! A queen empties the lines through its square. A line that must hold a queen and has one square left holds it there.
//! Two queens on a line, or such a line without a square, are a conflict. These rules apply until nothing changes. The
//! code uses rows and columns as numbers, and shares no code with encodings. Unit propagation is compared with it.

use bezzel_problem::queens::search;
use bezzel_problem::{Board, Square};

use super::subject::{CellSet, PartialAssignment, each};

/// A board of at most 128 squares, line by line.
pub(super) struct LineBoard {
    /// The squares that a queen on this one attacks.
    attacked: Vec<CellSet>,
    /// The lines that must hold a queen: rows, and on a square board columns.
    filled: Vec<CellSet>,
}

impl LineBoard {
    pub(super) fn new(board: &Board) -> Self {
        let squares: Vec<Square> = Square::all(board.rows(), board.columns()).collect();
        let set = |holds: &dyn Fn(Square) -> bool| -> CellSet {
            (0..)
                .zip(&squares)
                .filter(|&(_, &square)| holds(square))
                .map(|(cell, _)| 1 << cell)
                .sum()
        };
        let attacked = squares
            .iter()
            .map(|&queen| set(&|square| square != queen && search::clash(board, queen, square)))
            .collect();
        let mut filled: Vec<CellSet> =
            (0..board.rows()).map(|row| set(&|square| square.row == row)).collect();
        if board.is_square() {
            filled
                .extend((0..board.columns()).map(|column| set(&|square| square.column == column)));
        }
        Self { attacked, filled }
    }

    /// The consequences line by line; none if they are a conflict.
    pub(super) fn close(&self, mut known: PartialAssignment) -> Option<PartialAssignment> {
        loop {
            let before = known;
            for queen in each(known.on) {
                known.off |= self.attacked[queen as usize];
            }
            for &line in &self.filled {
                let left = line & !known.off;
                match left.count_ones() {
                    0 => return None,
                    1 => known.on |= left,
                    _ => {}
                }
            }
            if known.on & known.off != 0 {
                return None;
            }
            if known == before {
                return Some(known);
            }
        }
    }
}
