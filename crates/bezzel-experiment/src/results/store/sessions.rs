//! The list of sessions, and the rows that name a session which it lacks.
//!
//! A row names its session by a number, which is a place in `environment.json`. If that file is lost, or replaced by an
//! older copy, a new session must not get a number that rows have, since these rows would then belong to it. Therefore
//! the number of a new session is one past the highest that rows have, and a lost session keeps its place.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;

use super::disk::{Disk, OpenMode};
use super::error::{StoreError, failed};
use crate::model::environment::Environment;
use crate::results::input::{self, LARGEST_DOCUMENT};

/// Rows whose sessions are not in the list: their machine, build and start are unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnlistedRows {
    rows: BTreeMap<usize, usize>,
}

impl UnlistedRows {
    /// True if every row has its session.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows.values().sum()
    }

    /// Adds the rows of another record, whose sessions are renumbered from `before`.
    pub(crate) fn add(&mut self, other: Self, before: usize) {
        self.rows.extend(other.rows.into_iter().map(|(session, rows)| (session + before, rows)));
    }

    /// Counts a row of a session, if the session is not in the list.
    pub(crate) fn note(&mut self, session: usize, sessions: &[Environment]) {
        self.note_all(session, 1, sessions);
    }

    /// Counts `rows` rows of a session, if the session is not in the list.
    pub(super) fn note_all(&mut self, session: usize, rows: usize, sessions: &[Environment]) {
        if sessions.get(session).is_none_or(|listed| listed.lost) {
            *self.rows.entry(session).or_default() += rows;
        }
    }
}

impl fmt::Display for UnlistedRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.rows.keys().next() else { return f.write_str("no row") };
        let (rows, their) = match self.rows() {
            1 => ("1 row names".to_owned(), "its"),
            rows => (format!("{rows} rows name"), "their"),
        };
        let sessions = match self.rows.len() {
            1 => format!("session {first}"),
            sessions => format!("{sessions} sessions (the first is {first})"),
        };
        write!(
            f,
            "{rows} {sessions}, missing in `{}`: {their} machine, build and start are unknown; restore \
             that file from a copy",
            super::ENVIRONMENT
        )
    }
}

/// The list with a place for every session that rows name.
pub(super) fn padded(mut sessions: Vec<Environment>, named: usize) -> Vec<Environment> {
    if sessions.len() < named {
        sessions.resize_with(named, Environment::lost);
    }
    sessions
}

/// Returns the list in a file; empty if there is no file.
pub(super) fn read(disk: &dyn Disk, path: &Path) -> Result<Vec<Environment>, StoreError> {
    let mut text = Vec::new();
    let file = disk.open(path, OpenMode::Read);
    match file.and_then(|file| input::read_all(file, LARGEST_DOCUMENT, &mut text)) {
        Ok(()) => {
            let path = path.to_owned();
            serde_json::from_slice(&text).map_err(|source| StoreError::Environment { path, source })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(failed("read", path)(error)),
    }
}
