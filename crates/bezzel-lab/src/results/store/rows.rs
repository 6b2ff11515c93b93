//! The rows of an experiment, as they were found.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::Path;

use super::brief::{Brief, Carried};
use super::lines::{Lines, rows_in};
use super::seal::{Content, Damage};
use super::sessions::Unlisted;
use super::{ROWS, StoreError, environments};
use crate::check::said::{Disagreement, Said};
use crate::model::environment::Environment;
use crate::model::job::{Key, Limits};
use crate::model::row::Row;

/// Rows as they were found.
#[derive(Debug, Default)]
pub struct Rows {
    /// The row of each key: of those that settle its job, the one of the smallest attempt, and the first
    /// of that; else the last of those that do not. A row of no attempt is smaller than any.
    ///
    /// So it does not matter in which order attempts were merged.
    pub by_key: HashMap<Key, Row>,
    /// The lines that were passed over, by number, the torn last one not among them.
    pub damaged: Vec<(usize, Damage)>,
    /// Rows that settle a job otherwise than the one that is kept.
    pub disagreeing: Vec<Disagreement>,
    /// Rows whose sessions are not in the list that they were read with.
    pub unlisted: Unlisted,
    /// Bytes of a torn last line.
    pub torn: u64,
    /// What rows say that settle a job beside the one that is kept.
    others: HashMap<Key, Vec<Said>>,
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
                Content::Row(row, _) => rows.take(*row, line.number, sessions),
                Content::Damaged(damage) => rows.damaged.push((line.number, damage)),
                Content::Newer(_) => {}
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
                    let (known, said) = (Said::of(entry.get()), Said::of(&row));
                    let key = row.key.clone();
                    if is_smaller {
                        entry.insert(row);
                    }
                    // The one that is kept may have come to no answer.
                    let others = self.others.entry(key.clone()).or_default();
                    let mut before = std::iter::once(&known).chain(&*others);
                    if let Some(one) = before.find(|one| one.contradicts(&said)).cloned() {
                        let said = said.clone();
                        let (kept, other) = if is_smaller { (said, one) } else { (one, said) };
                        self.disagreeing.push(Disagreement { key, kept, other, line });
                    }
                    others.push(if is_smaller { known } else { said });
                }
            }
        }
    }
}

/// The rows that a reader wants.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wanted<'a> {
    /// All rows.
    All,
    /// The rows with these keys.
    Keys(&'a HashSet<Key>),
    /// The rows that may answer jobs with these keys and limits: rows with these keys, and rows that were measured
    /// under other limits; all rows if the jobs have several limits.
    Jobs(&'a HashSet<Key>, &'a [Limits]),
}

impl Wanted<'_> {
    /// True if the row is one of these.
    pub(crate) fn has(&self, row: &Carried) -> bool {
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

/// The wanted rows in a file, which were made in these sessions. Other rows and damaged lines are skipped.
///
/// # Errors
///
/// When the file is there and cannot be read.
pub(crate) fn rows_of(
    path: &Path,
    sessions: &[Environment],
    wanted: Wanted<'_>,
) -> Result<Rows, StoreError> {
    let mut rows = Rows::default();
    for carried in rows_in::<Carried>(path)? {
        let (line, carried) = carried?;
        if wanted.has(&carried)
            && let Ok(row) = carried.row()
        {
            rows.take(row, line, sessions);
        }
    }
    Ok(rows)
}

/// The rows of these keys of an experiment whose answers cannot both be right.
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
    Ok(rows_of(&folder.join(ROWS), &environments(folder)?, Wanted::Keys(keys))?.disagreeing)
}

/// The rows of a folder whose sessions are not in its list; none if there are no rows.
///
/// # Errors
///
/// When the list or the rows cannot be read.
pub fn unlisted(folder: &Path) -> Result<Unlisted, StoreError> {
    let sessions = environments(folder)?;
    let mut unlisted = Unlisted::default();
    for row in rows_in::<Brief>(&folder.join(ROWS))? {
        unlisted.note(row?.1.session, &sessions);
    }
    Ok(unlisted)
}
