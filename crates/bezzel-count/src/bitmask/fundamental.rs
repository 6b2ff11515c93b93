//! Solutions up to the symmetries of the board: one of each orbit is found, nothing is kept.
//!
//! Where the first row's piece stands decides where others cannot stand, if no image is to begin
//! further left: on an empty board that cuts off the corners. What is found then is compared with
//! its images.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use bezzel_problem::queens::dihedral::stabilizer;
use bezzel_problem::{Board, Dihedral};

use super::crew::share;
use super::least::{excluded, is_least};
use super::levels::{End, Levels};
use super::prefixes::Prefixes;
use super::state::{Lines, Rows, State};
use super::trail::{Bytes, MOST_IN_64, MOST_IN_128, Trail};
use super::walk::walk;
use super::word::Word;
use super::{Counted, Job};
use crate::budget::{Budget, Halt};

/// Counts them.
pub(super) struct Count<'a> {
    pub(super) board: &'a Board,
    pub(super) threads: NonZeroUsize,
    pub(super) budget: Budget<'a>,
}

impl Job for Count<'_> {
    type Done = Result<Counted, Halt>;

    fn on<W: Word, L: Lines<W>>(self, rows: &Rows<W, L>) -> Self::Done {
        let columns = self.board.columns();
        if columns <= MOST_IN_64 {
            self.with_trail::<u64, W, L>(rows)
        } else if columns <= MOST_IN_128 {
            self.with_trail::<u128, W, L>(rows)
        } else {
            self.with_trail::<Bytes, W, L>(rows)
        }
    }
}

impl Count<'_> {
    fn with_trail<T: Trail, W: Word, L: Lines<W>>(
        self,
        rows: &Rows<W, L>,
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
            let end = Least {
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

/// The solutions count before which none of their images comes.
struct Least<'a> {
    /// The columns of the one that is looked at.
    columns: Vec<u32>,
    width: u32,
    group: &'a [Dihedral],
}

impl<W: Word, T: Trail> End<W, T> for Least<'_> {
    fn rows<L: Lines<W>>(&self, _rows: &Rows<W, L>) -> usize {
        1
    }

    fn count<L: Lines<W>>(&mut self, _: &Rows<W, L>, _: usize, states: &[State<W, T>]) -> u128 {
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

/// Shows them, in lexicographic order.
pub(super) struct Each<'a, F> {
    pub(super) board: &'a Board,
    pub(super) budget: Budget<'a>,
    pub(super) found: F,
}

impl<F: FnMut(&[u32]) -> ControlFlow<()>> Job for Each<'_, F> {
    type Done = Result<u64, Halt>;

    fn on<W: Word, L: Lines<W>>(mut self, rows: &Rows<W, L>) -> Self::Done {
        let group = stabilizer(self.board);
        let (mut nodes, mut flow) = (0, ControlFlow::Continue(()));
        for rows in beginnings(self.board, rows, &group) {
            nodes += walk(&rows, self.budget, |columns| {
                if is_least(columns, self.board.columns(), &group) {
                    flow = (self.found)(columns);
                }
                flow
            })?;
            if flow.is_break() {
                break;
            }
        }
        Ok(nodes)
    }
}

/// For each column in which the first row's piece can stand, the board with what that leaves to a
/// least solution.
fn beginnings<W: Word, L: Lines<W>>(
    board: &Board,
    rows: &Rows<W, L>,
    group: &[Dihedral],
) -> impl Iterator<Item = Rows<W, L>> {
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
