//! The store: an experiment's folder, and the only module that writes evidence.
//!
//! `experiments/<name>/` contains the frozen config with the files that it names, its earlier versions,
//! `environment.json` with one entry for each session of the runner, and `rows.jsonl`, to which rows are appended one
//! by one and never edited. Each line ends in a [checksum], which reveals damage. A torn last line, for example after a
//! power failure, is set aside; it is not repaired.
//!
//! Acknowledged data are durable: a row is on the disk before [`append`](Store::append) returns, and a file is written
//! under another name and renamed. A failed write is not repeated, since a system that could not store a page may
//! report success the second time. Its bytes are removed, and nothing is appended after it.

mod ahead;
mod attempt;
mod brief;
mod calibration;
pub mod checksum;
mod disk;
mod error;
mod files;
mod lines;
mod lock;
mod merging;
mod rows;
mod sessions;
#[cfg(test)]
mod tests;
mod versions;
mod whole;

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::model::environment::Environment;
use crate::model::row::Row;
use crate::results::input::{self, LARGEST_DOCUMENT};

use disk::{Disk, FileHandle, OpenMode, RealDisk};
use files::Files;
use lines::Extent;

pub(crate) use attempt::attempts;
pub use attempt::{Attempt, AttemptFiles, all_attempts, shard_folders};
pub(crate) use brief::{BriefJob, BriefLine, BriefRow, BriefSize};
pub use calibration::readings;
pub use checksum::{Damage, FORMAT, LineContent, RowView};
pub use error::StoreError;
pub(crate) use error::failed;
pub use lines::{Line, Lines, lines};
pub(crate) use lines::{lines_if_there, rows_in};
pub use lock::LockHolder;
pub(crate) use merging::lines_of;
pub use merging::{MergedRows, PresentRows, SkippedAttempt};
pub(crate) use rows::{RowFilter, disagreeing, rows_of};
pub use rows::{Rows, unlisted};
pub use sessions::UnlistedRows;
pub(crate) use versions::is_frozen_copy;
pub use versions::{VERSIONS, kept_versions};

/// The frozen config's name within the experiment's folder.
pub const CONFIG: &str = "config.yaml";
/// The name of the list of sessions.
pub const ENVIRONMENT: &str = "environment.json";
/// The name of the evidence.
pub const ROWS: &str = "rows.jsonl";
/// The name of the readings of the machine.
pub const CALIBRATION: &str = "calibration.jsonl";
/// The file for torn lines.
pub const TORN: &str = "rows.torn";
/// The file that names the runner while one works.
pub const RUNNER: &str = "runner.json";
/// The folder of attempts at shards. They may stay after their rows are merged.
pub const SHARDS: &str = "shards";
/// The name of a file until it is complete.
const NEW: &str = "file.new";
/// The names that a file of a config must not have, since it is stored beside these.
pub(crate) const OWN_NAMES: [&str; 10] =
    [CONFIG, ENVIRONMENT, ROWS, CALIBRATION, TORN, RUNNER, SHARDS, SCRATCH, NEW, VERSIONS];

/// The folder of large files of jobs that run, within that of the experiment.
pub const SCRATCH: &str = "scratch";

/// The number of bytes that are read or copied at once.
const BLOCK: usize = 1 << 16;

/// A file that a config names, with its content at the time of reading. It is frozen with the config.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attached {
    /// Its path, relative to the config's folder.
    pub path: String,
    /// Its content, compressed if the file is.
    pub bytes: Vec<u8>,
}

/// An experiment's folder, or an attempt at one of its shards, opened for adding rows.
#[derive(Debug)]
pub struct Store {
    disk: Arc<dyn Disk>,
    files: Files,
    rows: Box<dyn FileHandle>,
    /// The number of bytes of the rows that are stored.
    kept: u64,
    /// True if a row could not be stored.
    failed: bool,
    /// One past the highest session that a row names.
    named: usize,
}

impl Store {
    /// Opens the folder, creates it if there is none, freezes the config in it if none is frozen, with the files that
    /// it names, and sets a torn last line aside.
    ///
    /// # Errors
    ///
    /// When the folder cannot be written, another runner works on it, or it is of a newer version.
    pub fn open(
        folder: &Path,
        config: &str,
        files: &[Attached],
    ) -> Result<(Self, Rows), StoreError> {
        Self::open_on(Arc::new(RealDisk), folder, config, files)
    }

    fn open_on(
        disk: Arc<dyn Disk>,
        folder: &Path,
        config: &str,
        files: &[Attached],
    ) -> Result<(Self, Rows), StoreError> {
        whole::make_folder(disk.as_ref(), folder)?;
        let mut store = Self::locked(disk, folder)?;
        lock::announce(store.disk.as_ref(), &store.path(RUNNER));
        store.freeze(config, files)?;
        // The names of new files are durable only after their folder is synced.
        store.disk.sync_folder(folder).map_err(failed("keep", folder))?;
        let sessions = store.sessions()?;
        let found = store.mend(|lines| Rows::read(lines, &sessions))?;
        Ok((store, found))
    }

    /// Takes the lock of an existing folder.
    fn locked(disk: Arc<dyn Disk>, folder: &Path) -> Result<Self, StoreError> {
        let files = Files::new(folder, None);
        let path = files.path(ROWS);
        let mut rows = disk.open(&path, OpenMode::Append).map_err(failed("open", &path))?;
        let runner = files.path(RUNNER);
        let named = || lock::holder_in_file(disk.as_ref(), &runner);
        let taken =
            lock::take(|| rows.lock(), named, lock::pause).map_err(failed("lock", &path))?;
        if let Err(holder) = taken {
            return Err(StoreError::Busy { folder: folder.to_owned(), holder });
        }
        let mut store = Self { disk, files, rows, kept: 0, failed: false, named: 0 };
        store.refuse_if_gone()?;
        Ok(store)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.files.path(name)
    }

    /// Writes a file completely or not at all.
    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        whole::write(self.disk.as_ref(), &self.path(NEW), path, bytes)
    }

    /// Stores the config, if none is stored.
    fn freeze(&self, config: &str, files: &[Attached]) -> Result<(), StoreError> {
        let frozen = self.files.folder.join(CONFIG);
        match self.disk.identity(&frozen) {
            Ok(_) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed("look for", &frozen)(error)),
        }
        self.write_config(&self.files.folder, config, files)
    }

    /// Writes a config and its files into a folder. The config comes last, so a folder with a config has all its files.
    fn write_config(
        &self,
        folder: &Path,
        config: &str,
        files: &[Attached],
    ) -> Result<(), StoreError> {
        for Attached { path, bytes } in files {
            let path = folder.join(path);
            whole::make_folder(self.disk.as_ref(), whole::above(&path))?;
            self.write(&path, bytes)?;
        }
        self.write(&folder.join(CONFIG), config.as_bytes())
    }

    /// Reads the rows and sets a torn last line aside.
    fn mend<F, T>(
        &mut self,
        read: impl FnOnce(&mut Lines<&mut Box<dyn FileHandle>, T>) -> Result<F, StoreError>,
    ) -> Result<F, StoreError> {
        let path = self.path(ROWS);
        let mut lines = Lines::new(&mut self.rows, &path);
        let found = read(&mut lines)?;
        let Extent { whole, torn, named } = lines.extent()?;
        (self.kept, self.named) = (whole, named);
        if torn > 0 {
            self.set_aside(torn)?;
            self.rows.set_length(whole).map_err(failed("shorten", &path))?;
            self.rows.sync().map_err(failed("shorten", &path))?;
        }
        Ok(found)
    }

    /// Copies the last `torn` bytes of the rows to the file for torn lines.
    fn set_aside(&self, torn: u64) -> Result<(), StoreError> {
        let (path, aside) = (self.path(ROWS), self.path(TORN));
        let mut source = self.disk.open(&path, OpenMode::Read).map_err(failed("open", &path))?;
        let mut file = self.disk.open(&aside, OpenMode::Append).map_err(failed("open", &aside))?;
        let copy = || -> io::Result<()> {
            let mut whole = (&mut source).take(self.kept);
            io::copy(&mut whole, &mut io::sink())?;
            io::copy(&mut source.take(torn), &mut file)?;
            file.write_all(b"\n")?;
            file.sync()
        };
        copy().map_err(failed("write", &aside))?;
        self.disk.sync_folder(&self.files.folder).map_err(failed("keep", &self.files.folder))
    }

    /// Adds a session and returns its number: one past the highest that the list or a row has.
    ///
    /// # Errors
    ///
    /// When the list of sessions cannot be read or written.
    pub fn begin_session(&mut self, environment: Environment) -> Result<usize, StoreError> {
        let mut sessions = self.all_sessions()?;
        sessions.push(environment);
        self.keep_sessions(&sessions)?;
        Ok(sessions.len() - 1)
    }

    fn sessions(&self) -> Result<Vec<Environment>, StoreError> {
        sessions::read(self.disk.as_ref(), &self.path(ENVIRONMENT))
    }

    /// The list with a place for every session that a row or a reading of the machine names.
    fn all_sessions(&self) -> Result<Vec<Environment>, StoreError> {
        let mut named = self.named;
        for reading in rows_in::<BriefRow>(&self.path(CALIBRATION))? {
            named = named.max(reading?.1.session + 1);
        }
        Ok(sessions::padded(self.sessions()?, named))
    }

    fn keep_sessions(&self, sessions: &[Environment]) -> Result<(), StoreError> {
        let text = serde_json::to_string_pretty(sessions).expect("plain data") + "\n";
        self.write(&self.path(ENVIRONMENT), text.as_bytes())
    }

    /// Appends a row. It survives a power failure after this returns.
    ///
    /// # Errors
    ///
    /// When the row cannot be stored. Then the runner must stop: no further row is accepted. The written part of the
    /// row is removed, or set aside at the next start.
    pub fn append(&mut self, row: &Row) -> Result<(), StoreError> {
        let line = checksum::line_of(row);
        self.append_lines(&line, line.len() as u64, true)
    }

    /// Appends complete lines of rows with their checksums. If `last` is true, the file is synced; `added` is the length of
    /// all lines since the last sync.
    fn append_lines(&mut self, lines: &[u8], added: u64, last: bool) -> Result<(), StoreError> {
        let path = self.path(ROWS);
        if self.failed {
            return Err(StoreError::Closed(path));
        }
        self.refuse_if_gone()?;
        let written = self.rows.write_all(lines);
        match written.and_then(|()| if last { self.rows.sync() } else { Ok(()) }) {
            Ok(()) if last => self.kept += added,
            Ok(()) => {}
            Err(source) => {
                self.failed = true;
                // If this fails too, the next start finds a torn line, or a complete row that was not acknowledged.
                let _ = self.rows.set_length(self.kept);
                return Err(StoreError::Append { path, source });
            }
        }
        // A row in a file without a name is lost.
        self.refuse_if_gone()
    }

    /// Fails if `rows.jsonl` is not the open file any more: writing to an open file succeeds even after its name is
    /// removed.
    fn refuse_if_gone(&mut self) -> Result<(), StoreError> {
        let path = self.path(ROWS);
        let own = self.rows.identity().map_err(failed("look at", &path))?;
        let error = match self.disk.identity(&path) {
            Ok(there) if there == own => return Ok(()),
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                failed("look at", &path)(error)
            }
            _ => StoreError::Gone(path),
        };
        self.failed = true;
        Err(error)
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        lock::withdraw(self.disk.as_ref(), &self.path(RUNNER));
    }
}

/// Reads the frozen config, the sessions and the rows of a folder. It changes nothing. Every session that a row names
/// has its place among the sessions; [`Rows::unlisted`] counts the rows of lost sessions.
///
/// # Errors
///
/// When there is no experiment, it cannot be read, or is of a newer version.
pub fn read_folder(folder: &Path) -> Result<(String, Vec<Environment>, Rows), StoreError> {
    let config = config_of(folder)?;
    let sessions = environments(folder)?;
    let mut lines = lines(folder)?;
    let rows = Rows::read(&mut lines, &sessions)?;
    let sessions = sessions::padded(sessions, lines.extent()?.named);
    Ok((config, sessions, rows))
}

/// The sessions of a folder.
///
/// # Errors
///
/// When the list cannot be read or parsed.
pub fn environments(folder: &Path) -> Result<Vec<Environment>, StoreError> {
    sessions::read(&RealDisk, &folder.join(ENVIRONMENT))
}

/// Returns the runner that works on the complete experiment in this folder.
pub fn runner(folder: &Path) -> Option<LockHolder> {
    lock::at_work(&folder.join(RUNNER), &folder.join(ROWS))
}

/// The config frozen in a folder, if there is one.
///
/// # Errors
///
/// When there is one that cannot be read.
pub fn frozen_config(folder: &Path) -> Result<Option<String>, StoreError> {
    let path = folder.join(CONFIG);
    match input::read_text(&path, LARGEST_DOCUMENT) {
        Ok(config) => Ok(Some(config)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed("read", &path)(error)),
    }
}

/// The config of the experiment in a folder.
///
/// # Errors
///
/// When there is no experiment, or it cannot be read.
pub(crate) fn config_of(folder: &Path) -> Result<String, StoreError> {
    frozen_config(folder)?.ok_or_else(|| StoreError::Missing(folder.to_owned()))
}

/// The name of a folder.
pub(crate) fn name_of(folder: &Path) -> Option<String> {
    folder.file_name().map(|name| name.to_string_lossy().into_owned())
}
