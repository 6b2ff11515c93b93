//! The marks of the squares of a board.

use bezzel_problem::{Board, Placement, Square};
use num_bigint::BigUint;
use serde::Serialize;

use super::compiled::Compiled;

/// The mark of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// A piece was placed there.
    Queen,
    /// The square is blocked.
    Blocked,
    /// A placed piece attacks it.
    Attacked,
    /// No solution uses it, though no placed piece attacks it.
    Dead,
    /// Some solution uses it.
    Free,
    /// It is unknown if a solution uses it.
    Unknown,
}

/// The marks of the squares of a board, and counts of its solutions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Squares {
    /// The number of solutions left, if it is known.
    pub solutions: Option<BigUint>,
    /// The mark of each square, row by row.
    pub marks: Vec<Mark>,
    /// For each square, row by row, the number of solutions left that use it, if that is known.
    pub counts: Option<Vec<BigUint>>,
    /// The pieces that are missing, if exactly one solution is left and some are.
    pub completion: Option<Vec<Square>>,
}

impl Squares {
    /// Returns the marks that follow from the rules alone.
    pub fn by_rules(board: &Board) -> Self {
        let marks = board.each_square().map(|square| mark(board, square).unwrap_or(Mark::Unknown));
        Self { solutions: None, marks: marks.collect(), counts: None, completion: None }
    }

    /// Returns the marks and counts by the diagram of all solutions, which must be that of this board.
    pub fn by_diagram(board: &Board, compiled: &Compiled) -> Self {
        let (solutions, counts) = compiled.counts();
        let known = |(square, count): (Square, &BigUint)| {
            let is_used = *count != BigUint::ZERO;
            mark(board, square).unwrap_or(if is_used { Mark::Free } else { Mark::Dead })
        };
        let marks = board.each_square().zip(&counts).map(known).collect();
        let is_last = solutions == BigUint::from(1_u32);
        let last = is_last.then(|| compiled.nth(&BigUint::ZERO)).flatten();
        let missing = |last: Placement| -> Vec<Square> {
            last.squares().filter(|square| !board.placed().contains(square)).collect()
        };
        let completion = last.map(missing).filter(|missing| !missing.is_empty());
        Self { solutions: Some(solutions), marks, counts: Some(counts), completion }
    }
}

/// Returns a value for each square of a board, row after row.
pub fn rows<T>(board: &Board, of: impl Fn(Square) -> T) -> Vec<Vec<T>> {
    let row = |row| (0..board.columns()).map(|column| of(Square::new(row, column))).collect();
    (0..board.rows()).map(row).collect()
}

/// Returns the mark of a square if placed pieces and blocked squares determine it.
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
