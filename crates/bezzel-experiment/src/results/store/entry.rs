//! The entries of a session's file, one on each line.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::name::SessionName;
use crate::model::environment::Environment;
use crate::model::row::Row;

/// The format of the sessions that this version writes.
pub const FORMAT: u32 = 4;

/// An entry that is read: a line without its checksum.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Entry {
    /// The beginning of the session, on the first line.
    Session(Box<SessionStart>),
    /// The outcome of a job.
    Row(Box<Row>),
    /// A reading of the machine: the outcome of a fixed job, beside those of the experiment.
    Reading(Box<Row>),
    /// An event.
    Event(Event),
}

/// An entry that is written.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NewEntry<'a> {
    /// The beginning of the session.
    Session(&'a SessionStart),
    /// The outcome of a job.
    Row(&'a Row),
    /// A reading of the machine.
    Reading(&'a Row),
    /// An event.
    Event(Event),
}

/// The beginning of a session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionStart {
    /// The format of the file.
    pub format: u32,
    /// The name of the session, which a file that was renamed keeps.
    pub name: SessionName,
    /// The command, as it was given.
    pub command: String,
    /// The shard that was run, as in `3/16`; absent for all jobs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// Build, machine and solvers.
    pub environment: Environment,
    /// The config.
    #[serde(flatten)]
    pub config: RecordedConfig,
}

/// The key of a session's config that marks an imported table.
pub const IMPORTED: &str = "imported";

/// A config as a session states it: with the keys of the configs that it extends, and with all limits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RecordedConfig {
    /// The keys that determine jobs and their runs.
    pub config: Map<String, Json>,
    /// The keys that only reports use.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub report: Map<String, Json>,
    /// The digests of the files that it names, by their paths relative to the config.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
}

impl RecordedConfig {
    /// True if it is the map of a table of others, whose rows answer no jobs.
    pub fn is_imported(&self) -> bool {
        self.config.contains_key(IMPORTED)
    }
}

/// An event of a session.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Its time, in seconds since 1970.
    pub unix_s: f64,
    /// Its kind.
    pub kind: EventKind,
}

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// The session ended after all of its jobs.
    Finished,
    /// The session was stopped before all of its jobs were run.
    Stopped,
}

/// Returns the format that a first line states.
pub(super) fn format_of(body: &[u8]) -> Option<u32> {
    #[derive(Deserialize)]
    struct FirstLine {
        session: Format,
    }
    #[derive(Deserialize)]
    struct Format {
        format: u32,
    }
    serde_json::from_slice(body).ok().map(|FirstLine { session }| session.format)
}

/// The line of an entry, with its checksum and its end.
pub fn line_of(entry: NewEntry<'_>) -> Vec<u8> {
    super::checksum::with_checksum(
        serde_json::to_vec(&entry).expect("an entry has string keys only"),
    )
}
