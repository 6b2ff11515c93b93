//! What is known of each square of a board.

use bezzel_problem::{Board, Placement, Square};
use num_bigint::BigUint;
use serde::Serialize;

use super::compiled::Compiled;

/// What is known of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// A piece was placed there.
    Queen,
    /// It must stay empty.
    Blocked,
    /// It is in line with a placed piece.
    Attacked,
    /// No solution uses it, though nothing placed attacks it.
    Dead,
    /// Some solution uses it.
    Free,
    /// Nobody knows.
    Unknown,
}

/// What is known of the squares of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Squares {
    /// The number of solutions left, if it is known.
    pub solutions: Option<BigUint>,
    /// The mark of each square, row by row.
    pub marks: Vec<Mark>,
    /// For each square, row by row, how many of the solutions left use it, where that is known.
    pub counts: Option<Vec<BigUint>>,
    /// The pieces that are missing, if exactly one solution is left and some are.
    pub completion: Option<Vec<Square>>,
}

impl Squares {
    /// What the rules alone say.
    pub fn by_rules(board: &Board) -> Self {
        let marks = board.each_square().map(|square| mark(board, square).unwrap_or(Mark::Unknown));
        Self { solutions: None, marks: marks.collect(), counts: None, completion: None }
    }

    /// What the diagram of all solutions says, which is that of this board.
    pub fn by_diagram(board: &Board, compiled: &Compiled) -> Self {
        let (solutions, counts) = compiled.counts(board.placed());
        let known = |(square, count): (Square, &BigUint)| {
            let is_used = *count != BigUint::ZERO;
            mark(board, square).unwrap_or(if is_used { Mark::Free } else { Mark::Dead })
        };
        let marks = board.each_square().zip(&counts).map(known).collect();
        let is_last = solutions == BigUint::from(1_u32);
        let last = is_last.then(|| compiled.nth(board.placed(), &BigUint::ZERO)).flatten();
        let missing = |last: Placement| -> Vec<Square> {
            last.squares().filter(|square| !board.placed().contains(square)).collect()
        };
        let completion = last.map(missing).filter(|missing| !missing.is_empty());
        Self { solutions: Some(solutions), marks, counts: Some(counts), completion }
    }
}

/// Something of each square of a board, row after row.
pub fn rows<T>(board: &Board, of: impl Fn(Square) -> T) -> Vec<Vec<T>> {
    let row = |row| (0..board.columns()).map(|column| of(Square::new(row, column))).collect();
    (0..board.rows()).map(row).collect()
}

/// The mark of a square as far as placed pieces and blocked squares say it.
pub fn mark(board: &Board, square: Square) -> Option<Mark> {
    if board.placed().contains(&square) {
        Some(Mark::Queen)
    } else if board.blocked().contains(&square) {
        Some(Mark::Blocked)
    } else if board.placed().iter().any(|&piece| board.attacks(piece, square)) {
        Some(Mark::Attacked)
    } else {
        None
    }
}
