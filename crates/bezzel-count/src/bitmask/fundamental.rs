//! Solutions up to the symmetries of the board: one of each orbit is found, and none is stored.
//!
//! The column of the first row's piece excludes squares for the others, if no image may begin further left: on an empty
//! board these are the corners. A solution that is found is then compared with its images.

use std::num::NonZeroUsize;

use bezzel_problem::queens::dihedral::stabilizer;
use bezzel_problem::{Board, Dihedral};

use super::least::{excluded, is_least};
use super::levels::{LastRows, Levels};
use super::prefixes::Prefixes;
use super::state::{BoardRows, DiagonalStep, State};
use super::tasks::share;
use super::trail::{Bytes, MAX_COLUMNS_64, MAX_COLUMNS_128, Trail};
use super::word::Word;
use super::{Counted, Job};
use crate::budget::{Budget, Halt};

/// The job that counts them.
pub(super) struct FundamentalCountJob<'a> {
    pub(super) board: &'a Board,
    pub(super) threads: NonZeroUsize,
    pub(super) budget: Budget<'a>,
}

impl Job for FundamentalCountJob<'_> {
    type Done = Result<Counted, Halt>;

    fn on<W: Word, L: DiagonalStep<W>>(self, rows: &BoardRows<W, L>) -> Self::Done {
        let columns = self.board.columns();
        if columns <= MAX_COLUMNS_64 {
            self.with_trail::<u64, W, L>(rows)
        } else if columns <= MAX_COLUMNS_128 {
            self.with_trail::<u128, W, L>(rows)
        } else {
            self.with_trail::<Bytes, W, L>(rows)
        }
    }
}

impl FundamentalCountJob<'_> {
    fn with_trail<T: Trail, W: Word, L: DiagonalStep<W>>(
        self,
        rows: &BoardRows<W, L>,
    ) -> Result<Counted, Halt> {
        let group = stabilizer(self.board);
        let beginnings: Vec<_> = beginnings(self.board, rows, &group)
            .map(|rows| (Prefixes::<W, T>::new(&rows, self.board.columns(), false), rows))
            .collect();
        let tasks = beginnings.iter().enumerate().flat_map(|(beginning, (prefixes, _))| {
            prefixes.states.iter().map(move |&state| (beginning, state))
        });
        let tasks: Vec<(usize, State<W, T>)> = tasks.collect();
        let counted = share(self.threads, tasks.len(), |mine| {
            let end = LeastCounter {
                columns: vec![0; rows.allowed.len()],
                width: self.board.columns(),
                group: &group,
            };
            let mut levels = Levels::new(rows.allowed.len(), end, self.budget);
            let mut before = 0;
            while let Some(task) = mine.take() {
                let (beginning, state) = tasks[task];
                if beginning != before {
                    levels.finish(&beginnings[before].1)?;
                    before = beginning;
                }
                let (prefixes, rows) = &beginnings[beginning];
                levels.take(rows, prefixes.above, state)?;
            }
            levels.finish(&beginnings[before].1)?;
            Ok(levels.counted())
        })?;
        let pieces: u64 = beginnings.iter().map(|(prefixes, _)| prefixes.pieces).sum();
        Ok(Counted { nodes: counted.nodes + pieces, ..counted })
    }
}

/// Counts the solutions that come before all of their images.
struct LeastCounter<'a> {
    /// The columns of the present one.
    columns: Vec<u32>,
    width: u32,
    group: &'a [Dihedral],
}

impl<W: Word, T: Trail> LastRows<W, T> for LeastCounter<'_> {
    fn rows<L: DiagonalStep<W>>(&self, _rows: &BoardRows<W, L>) -> usize {
        1
    }

    fn count<L: DiagonalStep<W>>(
        &mut self,
        _: &BoardRows<W, L>,
        _: usize,
        states: &[State<W, T>],
    ) -> u128 {
        let mut count = 0;
        for state in states {
            let mut free = state.free;
            while !free.is_zero() {
                let piece = free.leftmost();
                free = free ^ piece;
                state.trail.then(piece.place()).write(&mut self.columns);
                count += u128::from(is_least(&self.columns, self.width, self.group));
            }
        }
        count
    }
}

/// For each column in which the first row's piece can stand, the board without the squares that no least solution uses
/// then.
fn beginnings<W: Word, L: DiagonalStep<W>>(
    board: &Board,
    rows: &BoardRows<W, L>,
    group: &[Dihedral],
) -> impl Iterator<Item = BoardRows<W, L>> {
    (0..board.columns()).map(move |first| {
        let mut rows = rows.clone();
        rows.allowed[0] = rows.allowed[0] & W::from_bits(1 << first);
        for square in excluded(board, group, first) {
            let allowed = &mut rows.allowed[square.row as usize];
            *allowed = *allowed & !W::from_bits(1 << square.column);
        }
        rows
    })
}
