//! The rows of an experiment, as they were found.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, BufRead};

use super::lines::Lines;
use super::seal::{Content, Damage};
use crate::job::Key;
use crate::row::Row;
use crate::said::Said;

/// Rows as they were found.
#[derive(Debug, Default)]
pub struct Rows {
    /// The row of each key: the first that settles its job, else the last of those that do not.
    pub by_key: HashMap<Key, Row>,
    /// The lines that were passed over, by number, the torn last one not among them.
    pub damaged: Vec<(usize, Damage)>,
    /// Rows that settle a job otherwise than the first one did.
    pub disagreeing: Vec<Disagreement>,
    /// Bytes of a torn last line.
    pub torn: u64,
    /// Bytes of whole lines.
    pub(super) whole: u64,
    /// Rows of a format that this version does not know: the first line, and the format.
    pub(super) newer: Option<(usize, u32)>,
}

/// Two rows of one job with answers that cannot both be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The key of the job.
    pub key: Key,
    /// What is kept: what the first one said.
    pub kept: Said,
    /// What another row said.
    pub other: Said,
    /// The line of that row.
    pub line: usize,
}

impl Rows {
    pub(super) fn read(source: impl BufRead) -> io::Result<Self> {
        let mut rows = Self::default();
        let mut lines = Lines::new(source);
        for line in &mut lines {
            let line = line?;
            match line.content {
                Content::Row(row, _) => rows.take(*row, line.number),
                Content::Damaged(damage) => rows.damaged.push((line.number, damage)),
                Content::Newer(format) => {
                    rows.newer.get_or_insert((line.number, format));
                }
            }
        }
        (rows.torn, rows.whole) = (lines.torn(), lines.whole());
        Ok(rows)
    }

    fn take(&mut self, row: Row, line: usize) {
        match self.by_key.entry(row.key.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(row);
            }
            Entry::Occupied(mut entry) => {
                if !entry.get().is_settled() {
                    entry.insert(row);
                } else if row.is_settled() {
                    let (kept, other) = (Said::of(entry.get()), Said::of(&row));
                    if kept.contradicts(&other) {
                        self.disagreeing.push(Disagreement { key: row.key, kept, other, line });
                    }
                }
            }
        }
    }

    /// Whether the job of this key is answered. A row that does not settle it is no answer.
    pub fn is_answered(&self, key: &Key) -> bool {
        self.by_key.get(key).is_some_and(Row::is_settled)
    }
}
