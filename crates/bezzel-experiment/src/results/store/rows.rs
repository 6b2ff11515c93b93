//! The rows of an experiment.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::Path;

use super::brief::{BriefLine, BriefRow};
use super::checksum::{Damage, LineContent};
use super::lines::{Lines, rows_in};
use super::sessions::UnlistedRows;
use super::{ROWS, StoreError, environments};
use crate::check::claim::{Claim, Disagreement};
use crate::model::environment::Environment;
use crate::model::job::{Key, Limits};
use crate::model::row::Row;

/// Rows, damage and disagreements of an experiment or a file.
#[derive(Debug, Default)]
pub struct Rows {
    /// The row of each key. Of the rows that settle its job, it is the first row of the smallest attempt. If no row
    /// settles the job, it is the last row. A row without an attempt is smaller than any other.
    ///
    /// Therefore the order in which attempts were merged does not matter.
    pub by_key: HashMap<Key, Row>,
    /// The lines that were skipped, by number, without a torn last line.
    pub damaged: Vec<(usize, Damage)>,
    /// Rows that settle a job with another result than the kept row.
    pub disagreeing: Vec<Disagreement>,
    /// Rows whose sessions are not in the list of sessions.
    pub unlisted: UnlistedRows,
    /// The number of bytes of a torn last line.
    pub torn: u64,
    /// The claims of rows that settle a job, other than those of the kept row.
    others: HashMap<Key, Vec<Claim>>,
}

impl Rows {
    /// Reads rows of these sessions.
    pub(super) fn read(
        lines: &mut Lines<impl Read>,
        sessions: &[Environment],
    ) -> Result<Self, StoreError> {
        let mut rows = Self::default();
        for line in &mut *lines {
            let line = line?;
            match line.content {
                LineContent::Row(row, _) => rows.take(*row, line.number, sessions),
                LineContent::Damaged(damage) => rows.damaged.push((line.number, damage)),
                LineContent::Newer(_) => {}
            }
        }
        rows.torn = lines.torn();
        Ok(rows)
    }

    fn take(&mut self, row: Row, line: usize, sessions: &[Environment]) {
        self.unlisted.note(row.session, sessions);
        match self.by_key.entry(row.key.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(row);
            }
            Entry::Occupied(mut entry) => {
                if !entry.get().is_settled() {
                    entry.insert(row);
                } else if row.is_settled() {
                    let attempt = |row: &Row| {
                        sessions.get(row.session).and_then(|session| session.attempt.as_deref())
                    };
                    let is_smaller = attempt(&row) < attempt(entry.get());
                    let (known, claim) = (Claim::of(entry.get()), Claim::of(&row));
                    let key = row.key.clone();
                    if is_smaller {
                        entry.insert(row);
                    }
                    // The kept row may have no answer.
                    let others = self.others.entry(key.clone()).or_default();
                    let mut before = std::iter::once(&known).chain(&*others);
                    if let Some(one) = before.find(|one| one.contradicts(&claim)).cloned() {
                        let claim = claim.clone();
                        let (kept, other) = if is_smaller { (claim, one) } else { (one, claim) };
                        self.disagreeing.push(Disagreement { key, kept, other, line });
                    }
                    others.push(if is_smaller { known } else { claim });
                }
            }
        }
    }
}

/// The rows that a reader wants.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RowFilter<'a> {
    /// All rows.
    All,
    /// The rows with these keys.
    Keys(&'a HashSet<Key>),
    /// The rows that may answer jobs with these keys and limits: rows with these keys, and rows that were measured
    /// under other limits; all rows if the jobs have several limits.
    Jobs(&'a HashSet<Key>, &'a [Limits]),
}

impl RowFilter<'_> {
    /// Returns true if the row is one of the wanted ones.
    pub(crate) fn has(&self, row: &BriefLine) -> bool {
        match self {
            Self::All => true,
            Self::Keys(keys) => keys.contains(&row.brief.key),
            Self::Jobs(keys, limits) => {
                keys.contains(&row.brief.key)
                    || limits.len() > 1
                    || row.limits().is_some_and(|own| !limits.contains(&own))
            }
        }
    }
}

/// Returns the wanted rows in a file, measured in these sessions. Other rows and damaged lines are skipped.
///
/// # Errors
///
/// When the file exists and cannot be read.
pub(crate) fn rows_of(
    path: &Path,
    sessions: &[Environment],
    filter: RowFilter<'_>,
) -> Result<Rows, StoreError> {
    let mut rows = Rows::default();
    for carried in rows_in::<BriefLine>(path)? {
        let (line, carried) = carried?;
        if filter.has(&carried)
            && let Ok(row) = carried.row()
        {
            rows.take(row, line, sessions);
        }
    }
    Ok(rows)
}

/// Returns the disagreements between rows of the same key, for these keys of an experiment.
///
/// # Errors
///
/// When they cannot be read.
pub(crate) fn disagreeing(
    folder: &Path,
    keys: &HashSet<Key>,
) -> Result<Vec<Disagreement>, StoreError> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    Ok(rows_of(&folder.join(ROWS), &environments(folder)?, RowFilter::Keys(keys))?.disagreeing)
}

/// The rows of a folder whose sessions are not in its list; none if there are no rows.
///
/// # Errors
///
/// When the list or the rows cannot be read.
pub fn unlisted(folder: &Path) -> Result<UnlistedRows, StoreError> {
    let sessions = environments(folder)?;
    let mut unlisted = UnlistedRows::default();
    for row in rows_in::<BriefRow>(&folder.join(ROWS))? {
        unlisted.note(row?.1.session, &sessions);
    }
    Ok(unlisted)
}
