//! The writer of a session: it creates the file of its session and appends entries to it. It opens no other session's
//! file.
//!
//! Acknowledged data are durable: a row is on the disk before [`append`](SessionWriter::append) returns. A failed write is
//! not repeated, since a system that could not store a page may report success the second time. Its bytes are removed,
//! and nothing is appended after it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::disk::{Disk, FileHandle, OpenMode, RealDisk};
use super::entry::{Event, EventKind, FORMAT, NewEntry, RecordedConfig, SessionStart, line_of};
use super::error::failed;
use super::lock;
use super::name::{LockHolder, SessionName};
use super::{Attached, FILES, StoreError, session_files, starts, whole};
use crate::model::quantity::unix_s;
use crate::model::row::Row;

/// The number of further names that are tried if one is in use.
const TRIES: u32 = 3;

/// A session that is being written.
#[derive(Debug)]
pub struct SessionWriter {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    file: Box<dyn FileHandle>,
    /// The number of bytes that are stored.
    kept: u64,
    /// True if an entry could not be stored.
    failed: bool,
}

impl SessionWriter {
    /// Creates the file of a session in the folder of an experiment, with its first line, and stores the files that its
    /// config names. The folder is made if there is none.
    ///
    /// # Errors
    ///
    /// When the folder cannot be read or written.
    pub fn create(
        folder: &Path,
        start: &SessionStart,
        files: &[Attached],
    ) -> Result<Self, StoreError> {
        let disk: Arc<dyn Disk> = Arc::new(RealDisk);
        whole::make_folder(disk.as_ref(), folder)?;
        // A file may have another name than its session.
        let names = session_files(folder)?.into_iter().map(|file| file.name);
        let starts = starts(folder)?.list.into_iter().map(|session| session.start.name);
        let last = names.chain(starts).filter(SessionName::is_valid).max();
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Self::create_on(disk, folder, last, now, start, files)
    }

    pub(super) fn create_on(
        disk: Arc<dyn Disk>,
        folder: &Path,
        mut last: Option<SessionName>,
        now: Duration,
        start: &SessionStart,
        files: &[Attached],
    ) -> Result<Self, StoreError> {
        let here = LockHolder::here();
        keep_files(disk.as_ref(), folder, files, &format!("{}-{}", here.pid, now.as_nanos()))?;
        let mut tried = 0;
        loop {
            let name = SessionName::new(now, last.as_ref(), &here);
            let path = folder.join(format!("{name}.jsonl"));
            let mut file = match disk.open(&path, OpenMode::Fresh) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tried < TRIES => {
                    tried += 1;
                    last = Some(name);
                    continue;
                }
                file => file.map_err(failed("make", &path))?,
            };
            // No other process writes the file: the lock only shows that the session is running, and a file system may
            // have none.
            let _ = lock::take(|| file.lock());
            let start = SessionStart { name, ..start.clone() };
            let mut writer = Self { disk, path, file, kept: 0, failed: false };
            writer.append_entry(NewEntry::Session(&start))?;
            writer.disk.sync_folder(folder).map_err(failed("keep", folder))?;
            return Ok(writer);
        }
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Ends the session if another one is running, and removes its file, which has no row yet.
    ///
    /// # Errors
    ///
    /// The refusal, with the process of the other session.
    pub fn give_way(self) -> Result<Self, StoreError> {
        let folder = whole::above(&self.path).to_owned();
        let other = session_files(&folder)?
            .into_iter()
            .find(|file| file.path != self.path && file.is_held());
        let Some(other) = other else { return Ok(self) };
        // The file states a session that measured nothing.
        let _ = std::fs::remove_file(&self.path);
        Err(StoreError::Busy { folder, holder: other.name.holder() })
    }

    /// Appends a row. It survives a power failure after this returns.
    ///
    /// # Errors
    ///
    /// When the row cannot be stored. Then the runner must stop: no further entry is accepted. The written part is
    /// removed, or is a torn line that readers skip.
    pub fn append(&mut self, row: &Row) -> Result<(), StoreError> {
        self.append_entry(NewEntry::Row(row))
    }

    /// Appends a reading of the machine.
    ///
    /// # Errors
    ///
    /// As [`append`](Self::append).
    pub fn append_reading(&mut self, row: &Row) -> Result<(), StoreError> {
        self.append_entry(NewEntry::Reading(row))
    }

    /// Appends an event of this moment.
    ///
    /// # Errors
    ///
    /// As [`append`](Self::append).
    pub fn append_event(&mut self, kind: EventKind) -> Result<(), StoreError> {
        self.append_entry(NewEntry::Event(Event { unix_s: unix_s(SystemTime::now()), kind }))
    }

    fn append_entry(&mut self, entry: NewEntry<'_>) -> Result<(), StoreError> {
        if self.failed {
            return Err(StoreError::Closed(self.path.clone()));
        }
        self.refuse_if_gone()?;
        let line = line_of(entry);
        match self.file.write_all(&line).and_then(|()| self.file.sync()) {
            Ok(()) => self.kept += line.len() as u64,
            Err(source) => {
                self.failed = true;
                // If this fails too, readers find a torn line, or a complete entry that was not acknowledged.
                let _ = self.file.set_length(self.kept);
                return Err(StoreError::Append { path: self.path.clone(), source });
            }
        }
        // A row in a file without a name is lost.
        self.refuse_if_gone()
    }

    /// Fails if the path does not lead to the open file any more: writing to an open file succeeds even after its name is
    /// removed.
    fn refuse_if_gone(&mut self) -> Result<(), StoreError> {
        let own = self.file.identity().map_err(failed("look at", &self.path))?;
        let error = match self.disk.identity(&self.path) {
            Ok(there) if there == own => return Ok(()),
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                failed("look at", &self.path)(error)
            }
            _ => StoreError::Gone(self.path.clone()),
        };
        self.failed = true;
        Err(error)
    }
}

/// Writes the session of an imported table at once. Its name does not depend on the time and the machine, so that the
/// same table gives the same bytes.
///
/// # Errors
///
/// When the folder cannot be written. Nothing is left of it then.
pub fn write_imported(
    folder: &Path,
    config: RecordedConfig,
    rows: &[Row],
) -> Result<PathBuf, StoreError> {
    let holder = LockHolder { pid: 0, host: "imported".into() };
    let name = SessionName::new(Duration::ZERO, None, &holder);
    let path = folder.join(format!("{name}.jsonl"));
    let start = SessionStart {
        format: FORMAT,
        name,
        command: "bezzel import".into(),
        config,
        ..SessionStart::default()
    };
    let entries = std::iter::once(NewEntry::Session(&start)).chain(rows.iter().map(NewEntry::Row));
    let bytes: Vec<u8> = entries.flat_map(line_of).collect();
    let is_new = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let made: Vec<&Path> = folder.ancestors().take_while(is_new).collect();
    let new = folder.join("new");
    let written = whole::make_folder(&RealDisk, folder)
        .and_then(|()| whole::write(&RealDisk, &new, &path, &bytes));
    if written.is_err() && !made.is_empty() {
        // An error of removing would hide the one of the write.
        let _ = [&new, &path].map(std::fs::remove_file);
        let _ = made.into_iter().map(std::fs::remove_dir).collect::<Vec<_>>();
    }
    written.map(|()| path)
}

/// The digest of a file that a config names, which is also the name of its copy.
pub(crate) fn digest_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..32].to_owned()
}

/// Stores the files that a config names, each once.
fn keep_files(
    disk: &dyn Disk,
    folder: &Path,
    files: &[Attached],
    unique: &str,
) -> Result<(), StoreError> {
    if files.is_empty() {
        return Ok(());
    }
    let kept = folder.join(FILES);
    whole::make_folder(disk, &kept)?;
    for Attached { bytes, .. } in files {
        let path = kept.join(digest_of(bytes));
        if !disk.content(&path).is_ok_and(|there| there == *bytes) {
            let new = kept.join(format!("new-{unique}"));
            whole::write(disk, &new, &path, bytes)?;
        }
    }
    // The process that gave a file its name may have ended before its sync.
    disk.sync_folder(&kept).map_err(failed("keep", &kept))
}
