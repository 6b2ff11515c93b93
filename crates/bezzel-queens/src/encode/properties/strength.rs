//! The share of the implied squares that unit propagation finds.
//!
//! On a board nearly every encoding misses a consequence, since the lines together imply more than each by itself. The
//! share that it misses distinguishes encodings. All are tried on the same partial boards. The share of [one line after
//! the other](LineBoard) is listed with them: complete encodings of the lines find it, and it is the measure of the
//! others.

use bezzel_encode::properties::gap::{
    CellSet, ExaminedFormula, PartialAssignment, SolutionSet, each,
};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use crate::{Board, Square, search};

/// The share of the consequences of all rules that is found, on some partial boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Strength {
    /// Partial boards tried.
    pub boards: u32,
    /// The number of those that no solution completes.
    pub dead: u32,
    /// The number of those in which unit propagation finds a conflict.
    pub dead_found: u32,
    /// The number of those in which one line after the other gives a conflict.
    pub dead_by_lines: u32,
    /// On the others: the number of squares that hold a queen in every completion, or in none, and were not given.
    pub implied: u32,
    /// The number of those that unit propagation finds.
    pub found: u32,
    /// The number of those that one line after the other gives.
    pub by_lines: u32,
}

impl Strength {
    /// The strength on these partial boards.
    pub(super) fn of(
        subject: &mut ExaminedFormula,
        solutions: &SolutionSet,
        lines: &LineBoard,
        partials: impl IntoIterator<Item = PartialAssignment>,
    ) -> Self {
        let mut strength = Self::default();
        for given in partials {
            strength.boards += 1;
            let known = subject.propagate(given);
            let closed = lines.close(given);
            if let Some(implied) = solutions.implied(given, subject.cells()) {
                let news = implied.beyond(given);
                let found = |known: Option<PartialAssignment>| {
                    known.map_or(0, |known| news.common(known).count())
                };
                strength.implied += news.count();
                strength.found += found(known);
                strength.by_lines += found(closed);
            } else {
                strength.dead += 1;
                strength.dead_found += u32::from(known.is_none());
                strength.dead_by_lines += u32::from(closed.is_none());
            }
        }
        strength
    }
}

/// Every partial assignment of at most `max` of `cells` cells.
pub(super) fn every(cells: u32, max: u32) -> Vec<PartialAssignment> {
    let mut all = vec![PartialAssignment::default()];
    let mut level = vec![(PartialAssignment::default(), 0)];
    for _ in 0..max {
        level = level
            .iter()
            .flat_map(|&(partial, from)| {
                (from..cells).flat_map(move |cell| {
                    [true, false].map(|is_on| (partial.with(cell, is_on), cell + 1))
                })
            })
            .collect();
        all.extend(level.iter().map(|&(partial, _)| partial));
    }
    all
}

/// `count` partial boards by this seed, with up to as many squares blocked as a row has. Every other one has up to half
/// of the queens of a solution; the rest have queens that do not attack each other.
pub(super) fn sample(
    board: &Board,
    solutions: &SolutionSet,
    count: u32,
    seed: u64,
) -> Vec<PartialAssignment> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let squares: Vec<Square> = Square::all(board.rows(), board.columns()).collect();
    let mut order: Vec<u32> = (0..squares.len() as u32).collect();
    let given = |squares: &[Square]| -> u128 {
        squares.iter().map(|square| 1 << square.index(board.columns())).sum()
    };
    let given = PartialAssignment { on: given(board.placed()), off: given(board.blocked()) };
    (0..count)
        .map(|number| {
            let max = if number % 2 == 0 { board.rows().div_ceil(2) } else { board.rows() };
            let queens = random.random_range(0..=max);
            let blocked = random.random_range(0..=board.columns());
            order.shuffle(&mut random);
            let solution = solutions.0.get(random.random_range(0..solutions.0.len().max(1)));
            let solution = solution.filter(|_| number % 2 == 0);
            let mut partial = given;
            for &cell in &order {
                let stands = |other: &u32| partial.on >> other & 1 == 1;
                let square = squares[cell as usize];
                let is_right = match solution {
                    Some(solution) => solution >> cell & 1 == 1,
                    None => !(0..squares.len() as u32).filter(stands).any(|other| {
                        other == cell || search::clash(board, squares[other as usize], square)
                    }),
                };
                if is_right && partial.on.count_ones() < queens && partial.off >> cell & 1 == 0 {
                    partial.on |= 1 << cell;
                }
            }
            for &cell in order.iter().rev() {
                let fits = solution.is_none_or(|solution| solution >> cell & 1 == 0);
                if fits && partial.on >> cell & 1 == 0 && partial.off.count_ones() < blocked {
                    partial.off |= 1 << cell;
                }
            }
            partial
        })
        .collect()
}

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
