//! The list of sessions, and the rows that name a session which it lacks.
//!
//! A row names its session by a number, which is a place in `environment.json`. If that file is lost, or an
//! older copy of it is put back, a new session must not take a number that rows have: it would claim them.
//! So the number of a session is one past the highest that rows have, and a lost session keeps its place.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;

use super::disk::{Disk, How};
use super::error::{StoreError, failed};
use crate::model::environment::Environment;
use crate::results::input::{self, LARGEST_DOCUMENT};

/// Rows whose sessions are not in the list: their machine, build and start are unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unlisted {
    rows: BTreeMap<usize, usize>,
}

impl Unlisted {
    /// True if every row has its session.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows.values().sum()
    }

    /// Adds those of another record, whose sessions are numbered on from `before`.
    pub(crate) fn add(&mut self, other: Self, before: usize) {
        self.rows.extend(other.rows.into_iter().map(|(session, rows)| (session + before, rows)));
    }

    /// Notes the session of a row, if it is not in this list.
    pub(crate) fn note(&mut self, session: usize, sessions: &[Environment]) {
        self.note_all(session, 1, sessions);
    }

    /// Notes `rows` rows of a session, if it is not in this list.
    pub(super) fn note_all(&mut self, session: usize, rows: usize, sessions: &[Environment]) {
        if sessions.get(session).is_none_or(|listed| listed.lost) {
            *self.rows.entry(session).or_default() += rows;
        }
    }
}

impl fmt::Display for Unlisted {
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

/// The list in a file; none if there is no file.
pub(super) fn read(disk: &dyn Disk, path: &Path) -> Result<Vec<Environment>, StoreError> {
    let mut text = Vec::new();
    let file = disk.open(path, How::Read);
    match file.and_then(|file| input::read_all(file, LARGEST_DOCUMENT, &mut text)) {
        Ok(()) => {
            let path = path.to_owned();
            serde_json::from_slice(&text).map_err(|source| StoreError::Environment { path, source })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(failed("read", path)(error)),
    }
}
