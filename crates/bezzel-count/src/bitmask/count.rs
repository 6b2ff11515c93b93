//! Counting all solutions.

use std::num::NonZeroUsize;

use super::levels::{LastRows, Levels};
use super::prefixes::Prefixes;
use super::state::{BoardRows, DiagonalStep, State};
use super::tasks::share;
use super::word::Word;
use super::{Counted, Job};
use crate::budget::{Budget, Halt};

/// The job that counts all solutions.
pub(super) struct CountJob<'a> {
    /// The number of columns.
    pub(super) columns: u32,
    /// True if every solution's mirror image is another solution.
    pub(super) mirror: bool,
    pub(super) threads: NonZeroUsize,
    pub(super) budget: Budget<'a>,
}

impl Job for CountJob<'_> {
    type Done = Result<Counted, Halt>;

    fn on<W: Word, L: DiagonalStep<W>>(self, rows: &BoardRows<W, L>) -> Self::Done {
        let prefixes = Prefixes::new(rows, self.columns, self.mirror);
        let counted = share(self.threads, prefixes.states.len(), |mine| {
            let mut levels = Levels::new(rows.allowed.len(), SolutionCounter, self.budget);
            while let Some(task) = mine.take() {
                levels.take(rows, prefixes.above, prefixes.states[task])?;
            }
            levels.finish(rows)?;
            Ok(levels.counted())
        })?;
        Ok(Counted {
            solutions: if self.mirror { 2 * counted.solutions } else { counted.solutions },
            nodes: counted.nodes + prefixes.pieces,
        })
    }
}

/// Every solution counts.
struct SolutionCounter;

impl<W: Word> LastRows<W, ()> for SolutionCounter {
    fn rows<L: DiagonalStep<W>>(&self, rows: &BoardRows<W, L>) -> usize {
        if rows.square { 2 } else { 1 }
    }

    fn count<L: DiagonalStep<W>>(
        &mut self,
        rows: &BoardRows<W, L>,
        left: usize,
        states: &[State<W>],
    ) -> u128 {
        match left {
            1 => states.iter().map(|state| u128::from(state.free.count())).sum(),
            _ => last_two(states, rows).into(),
        }
    }
}

/// The solutions of boards that lack two rows and have two columns left: two for each board at
/// most, a piece in the one column of the one row and in the other of the other.
#[inline(never)]
fn last_two<W: Word, L: DiagonalStep<W>>(states: &[State<W>], rows: &BoardRows<W, L>) -> u32 {
    let last = *rows.allowed.last().expect("a board has a row");
    let mut solutions = 0;
    for state in states {
        let open = rows.all & !state.columns;
        let left = open.leftmost();
        let right = open ^ left;
        let (diagonals, antidiagonals) = rows.lines.on(state.diagonals, state.antidiagonals);
        let free = last & !(diagonals | antidiagonals);
        let (diagonals, antidiagonals) = rows.lines.on(left, left);
        let apart = ((diagonals | antidiagonals) & right).is_zero();
        let stands = |above: W, below: W| {
            u32::from(!(state.free & above).is_zero() & !(free & below).is_zero())
        };
        solutions += (stands(left, right) + stands(right, left)) * u32::from(apart);
    }
    solutions
}
