//! The consequences of single lines, one line after the other.
//!
//! A queen empties the lines through its square; a line that must hold a queen and has one square
//! left holds it there; two queens on a line, or such a line without a square, are a conflict. Over
//! and over, until nothing changes. It knows rows and columns as numbers, and shares no code with
//! encodings: the yardstick for what unit propagation finds.

use bezzel_problem::queens::search;
use bezzel_problem::{Board, Square};

use super::subject::{Cells, Partial, each};

/// A board of at most 128 squares, line by line.
pub(super) struct Lines {
    /// The squares that a queen on this one attacks.
    attacked: Vec<Cells>,
    /// The lines that must hold a queen: rows, and on a square board columns.
    filled: Vec<Cells>,
}

impl Lines {
    pub(super) fn new(board: &Board) -> Self {
        let squares: Vec<Square> = Square::all(board.rows(), board.columns()).collect();
        let set = |holds: &dyn Fn(Square) -> bool| -> Cells {
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
        let mut filled: Vec<Cells> =
            (0..board.rows()).map(|row| set(&|square| square.row == row)).collect();
        if board.is_square() {
            filled
                .extend((0..board.columns()).map(|column| set(&|square| square.column == column)));
        }
        Self { attacked, filled }
    }

    /// The consequences line by line; none if they are a conflict.
    pub(super) fn close(&self, mut known: Partial) -> Option<Partial> {
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
