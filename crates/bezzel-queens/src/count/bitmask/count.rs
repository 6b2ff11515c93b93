//! Counting all solutions.

use std::num::NonZeroUsize;

use super::levels::Levels;
use super::prefixes::Prefixes;
use super::state::{BoardRows, DiagonalStep};
use super::tasks::share;
use super::word::Word;
use super::{Counted, Job};
use bezzel_count::budget::{Budget, Halt};

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
            let mut levels = Levels::new(rows.allowed.len(), self.budget);
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
