//! The store: an experiment's folder, and the only module that writes evidence.
//!
//! A session is one call of a command that measures. It writes one file of its own,
//! `experiments/NAME/2026-11-26T12.44.07Z-HOST-PID.jsonl`, which it creates exclusively, and opens no other session's file
//! for writing. The first line states the command, the build, the machine and the resolved config; rows, readings of the
//! machine and events follow, one on each line. The files that configs name are kept once each, as `files/DIGEST`. Each
//! line ends in a checksum, which reveals damage. Readers skip damaged lines and a torn last line, and report them;
//! nothing is mended. So the sessions of other machines are other files of the same folder, and merging is copying.

mod checksum;
mod disk;
mod entry;
mod error;
mod lines;
mod lock;
mod name;
mod reader;
mod rows;
#[cfg(test)]
mod tests;
mod whole;
mod writer;

use std::path::Path;

pub use checksum::Damage;
pub use entry::{
    Event, EventKind, FORMAT, IMPORTED, NewEntry, RecordedConfig, SessionStart, line_of,
};
pub use error::StoreError;
pub use lock::FolderClaim;
pub use name::{LockHolder, SessionName};
pub use reader::{DamagedLine, Session, SessionFile, Sessions, session_files};
pub(crate) use reader::{ReadEntry, each_entry, starts};
pub use rows::Rows;
pub(crate) use writer::digest_of;
pub use writer::{SessionWriter, write_imported};

/// The folder of the files that configs name, within that of the experiment.
pub const FILES: &str = "files";
/// The folder of large files of jobs that run, within that of the experiment.
pub const SCRATCH: &str = "scratch";

/// A file that a config names, with its content at the time of reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attached {
    /// Its path, relative to the config's folder.
    pub path: String,
    /// Its content, compressed if the file is.
    pub bytes: Vec<u8>,
}

/// True if a folder has sessions.
pub fn is_experiment(folder: &Path) -> bool {
    session_files(folder).is_ok_and(|files| !files.is_empty())
}

/// Returns the name in the config of the last session in a folder.
pub fn config_name(folder: &Path) -> Option<String> {
    let sessions = starts(folder).ok()?;
    let config = &sessions.list.last()?.start.config.config;
    config.get("name")?.as_str().map(str::to_owned)
}

/// The name of a folder.
pub(crate) fn name_of(folder: &Path) -> Option<String> {
    folder.file_name().map(|name| name.to_string_lossy().into_owned())
}
