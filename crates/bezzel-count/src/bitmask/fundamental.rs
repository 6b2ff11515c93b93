//! Solutions up to the symmetries of the board: one of each orbit is found, nothing is kept.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use bezzel_encode::Board;
use bezzel_encode::symmetry::{Dihedral, stabilizer};

use super::crew::share;
use super::least::{excluded, is_least};
use super::state::{Lines, Rows};
use super::walk::walk;
use super::word::Word;
use super::{Counted, Job};
use crate::budget::{Budget, Halt};

/// By how many rows the work is shared.
const SHARED: usize = 3;

/// The search for the least solution of each orbit.
///
/// Which column the first row's piece stands in decides where the others cannot stand, if none of
/// the images is to begin further left: on an empty board that cuts off the corners, so that about an
/// eighth of the search is left. What is found then is compared with its images.
pub(super) struct Orbits<W, L> {
    width: u32,
    group: Vec<Dihedral>,
    /// For each column of the first row's piece, the board without what that excludes.
    boards: Vec<Rows<W, L>>,
}

impl<W: Word, L: Lines<W>> Orbits<W, L> {
    fn new(board: &Board, rows: &Rows<W, L>) -> Self {
        let group = stabilizer(board);
        let boards = (0..board.columns()).map(|first| {
            let mut rows = rows.clone();
            rows.allowed[0] = rows.allowed[0] & W::from_bits(1 << first);
            for square in excluded(board, &group, first) {
                let allowed = &mut rows.allowed[square.row as usize];
                *allowed = *allowed & !W::from_bits(1 << square.column);
            }
            rows
        });
        let boards = boards.collect();
        Self { width: board.columns(), group, boards }
    }

    /// Calls `found` with the least solution of each orbit among those that begin so. Tells how many
    /// nodes were visited.
    fn walk(
        &self,
        rows: &Rows<W, L>,
        first: &[u32],
        budget: Budget<'_>,
        mut found: impl FnMut(&[u32]) -> ControlFlow<()>,
    ) -> Result<u64, Halt> {
        walk(rows, first, budget, |columns| {
            if is_least(columns, self.width, &self.group) {
                found(columns)
            } else {
                ControlFlow::Continue(())
            }
        })
    }
}

/// Counts them.
pub(super) struct Count<'a> {
    pub(super) board: &'a Board,
    pub(super) threads: NonZeroUsize,
    pub(super) budget: Budget<'a>,
}

impl Job for Count<'_> {
    type Done = Result<Counted, Halt>;

    fn on<W: Word, L: Lines<W>>(self, rows: &Rows<W, L>) -> Self::Done {
        let orbits = Orbits::new(self.board, rows);
        // Tasks are the ways to fill the first rows.
        let mut tasks: Vec<(&Rows<W, L>, Vec<u32>)> = Vec::new();
        for board in &orbits.boards {
            let mut above = board.clone();
            above.allowed.truncate(SHARED);
            walk(&above, &[], self.budget, |columns| {
                tasks.push((board, columns.to_vec()));
                ControlFlow::Continue(())
            })?;
        }
        share(self.threads, tasks.len(), |mine| {
            let mut counted = Counted::default();
            while let Some(task) = mine.take() {
                let (board, first) = &tasks[task];
                counted.nodes += orbits.walk(board, first, self.budget, |_| {
                    counted.solutions += 1;
                    ControlFlow::Continue(())
                })?;
            }
            Ok(counted)
        })
    }
}

/// Shows them.
pub(super) struct Each<'a, F> {
    pub(super) board: &'a Board,
    pub(super) budget: Budget<'a>,
    pub(super) found: F,
}

impl<F: FnMut(&[u32]) -> ControlFlow<()>> Job for Each<'_, F> {
    type Done = Result<u64, Halt>;

    fn on<W: Word, L: Lines<W>>(mut self, rows: &Rows<W, L>) -> Self::Done {
        let orbits = Orbits::new(self.board, rows);
        let (mut nodes, mut flow) = (0, ControlFlow::Continue(()));
        for board in &orbits.boards {
            nodes += orbits.walk(board, &[], self.budget, |columns| {
                flow = (self.found)(columns);
                flow
            })?;
            if flow.is_break() {
                break;
            }
        }
        Ok(nodes)
    }
}
