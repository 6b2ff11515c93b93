//! The store: an experiment's folder, and the only place that writes evidence.
//!
//! `experiments/<name>/` holds the frozen config with the files that it names, `environment.json`
//! with one entry for each session of the runner, and `rows.jsonl`, to which rows are appended one
//! by one and never edited. A torn last line, as a power cut leaves it, is set aside; nothing is
//! guessed.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use rustix::fs::FlockOperation;
use rustix::io::Errno;
use thiserror::Error;

use crate::config::Attached;
use crate::environment::Environment;
use crate::job::Key;
use crate::row::Row;

/// The frozen config's name within the experiment's folder.
pub const CONFIG: &str = "config.yaml";
/// The name of the list of sessions.
pub const ENVIRONMENT: &str = "environment.json";
/// The name of the evidence.
pub const ROWS: &str = "rows.jsonl";
/// Where torn lines are set aside.
const TORN: &str = "rows.torn";
/// What no file that a config names may be called, since it is kept beside these.
pub(crate) const OWN_NAMES: [&str; 4] = [CONFIG, ENVIRONMENT, ROWS, TORN];

/// Why evidence could not be read or kept.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The operating system refused.
    #[error("cannot {doing} `{}`: {source}", path.display())]
    Io {
        /// What was being done.
        doing: &'static str,
        /// To which file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is no such experiment.
    #[error("there is no experiment in `{}`: run its config first", .0.display())]
    Missing(PathBuf),
    /// Another runner works on the same experiment.
    #[error("another runner is at work on `{}`: let it finish, or stop it", .0.display())]
    Busy(PathBuf),
    /// The list of sessions cannot be understood.
    #[error("cannot understand `{}`: {source}", path.display())]
    Environment {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
}

/// What was doing when the operating system refused.
fn failed<'a>(doing: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> StoreError + 'a {
    move |source| StoreError::Io { doing, path: path.to_owned(), source }
}

/// Rows as they were found.
#[derive(Debug, Default)]
pub struct Rows {
    /// The first row of each key.
    pub by_key: HashMap<Key, Row>,
    /// Lines that are no rows, the torn last one not counted.
    pub damaged: usize,
    /// Bytes of a torn last line.
    pub torn: usize,
}

/// An experiment's folder, opened for adding rows.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    rows: File,
}

impl Store {
    /// Opens the folder, makes it if there is none, freezes the config in it if none is frozen,
    /// with the files that it names, and sets a torn last line aside.
    ///
    /// # Errors
    ///
    /// When the folder cannot be written, or another runner is at work on it.
    pub fn open(
        folder: &Path,
        config: &str,
        files: &[Attached],
    ) -> Result<(Self, Rows), StoreError> {
        fs::create_dir_all(folder).map_err(failed("make the folder", folder))?;
        let path = folder.join(ROWS);
        let rows = OpenOptions::new().create(true).read(true).append(true).open(&path);
        let rows = rows.map_err(failed("open", &path))?;
        // The lock goes with the process, however it ends, so that no lock is ever stale.
        rustix::fs::flock(&rows, FlockOperation::NonBlockingLockExclusive).map_err(|errno| {
            match errno {
                Errno::WOULDBLOCK => StoreError::Busy(folder.to_owned()),
                other => failed("lock", &path)(other.into()),
            }
        })?;

        let frozen = folder.join(CONFIG);
        if !frozen.exists() {
            // The config comes last: where it is, its files are.
            for Attached { path, text } in files {
                let path = folder.join(path);
                let above = path.parent().unwrap_or(folder);
                fs::create_dir_all(above).map_err(failed("make the folder", above))?;
                write_whole(&path, text.as_bytes())?;
            }
            write_whole(&frozen, config.as_bytes())?;
        }
        // The names of new files last only when their folder is on the disk.
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed("keep", folder))?;
        let mut store = Self { folder: folder.to_owned(), rows };
        let found = store.mend()?;
        Ok((store, found))
    }

    /// Reads the rows and sets a torn last line aside.
    fn mend(&mut self) -> Result<Rows, StoreError> {
        let path = self.folder.join(ROWS);
        let mut bytes = Vec::new();
        self.rows.read_to_end(&mut bytes).map_err(failed("read", &path))?;
        let found = read(&bytes);
        if found.torn > 0 {
            let whole = bytes.len() - found.torn;
            let aside = self.folder.join(TORN);
            let mut file = OpenOptions::new()
                .create(true)
                .append(true)
                .open(&aside)
                .map_err(failed("open", &aside))?;
            file.write_all(&bytes[whole..])
                .and_then(|()| file.write_all(b"\n"))
                .and_then(|()| file.sync_all())
                .map_err(failed("write", &aside))?;
            self.rows.set_len(whole as u64).map_err(failed("shorten", &path))?;
        }
        Ok(found)
    }

    /// Adds a session and returns its number.
    ///
    /// # Errors
    ///
    /// When the list of sessions cannot be read or written.
    pub fn begin_session(&mut self, environment: Environment) -> Result<usize, StoreError> {
        let mut sessions = read_environments(&self.folder)?;
        sessions.push(environment);
        let text = serde_json::to_string_pretty(&sessions).expect("plain data");
        write_whole(&self.folder.join(ENVIRONMENT), (text + "\n").as_bytes())?;
        Ok(sessions.len() - 1)
    }

    /// Appends a row. When this returns, the row survives a power cut.
    ///
    /// # Errors
    ///
    /// When the row cannot be written. Then the runner must stop: a failed write is not retried,
    /// and the part that may have been written is set aside at the next start.
    pub fn append(&mut self, row: &Row) -> Result<(), StoreError> {
        let path = self.folder.join(ROWS);
        let mut line = serde_json::to_string(row).expect("a row has string keys only");
        line.push('\n');
        self.rows.write_all(line.as_bytes()).map_err(failed("write", &path))?;
        self.rows.sync_data().map_err(failed("write", &path))
    }
}

/// Reads the frozen config, the sessions and the rows of a folder, changing nothing.
///
/// # Errors
///
/// When there is no experiment, or it cannot be read.
pub fn look(folder: &Path) -> Result<(String, Vec<Environment>, Rows), StoreError> {
    let path = folder.join(CONFIG);
    let config = fs::read_to_string(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => StoreError::Missing(folder.to_owned()),
        _ => failed("read", &path)(error),
    })?;
    let path = folder.join(ROWS);
    let rows = fs::read(&path).map_err(failed("read", &path))?;
    Ok((config, read_environments(folder)?, read(&rows)))
}

/// Whether a file that a config names is frozen as it is now.
pub(crate) fn is_frozen(folder: &Path, file: &Attached) -> bool {
    fs::read(folder.join(&file.path)).is_ok_and(|frozen| frozen == file.text.as_bytes())
}

/// The config frozen in a folder, if there is one.
///
/// # Errors
///
/// When there is one that cannot be read.
pub fn frozen_config(folder: &Path) -> Result<Option<String>, StoreError> {
    let path = folder.join(CONFIG);
    match fs::read_to_string(&path) {
        Ok(config) => Ok(Some(config)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed("read", &path)(error)),
    }
}

fn read(bytes: &[u8]) -> Rows {
    let mut rows = Rows::default();
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    rows.torn = bytes.len() - whole;
    for line in bytes[..whole].split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        match serde_json::from_slice::<Row>(line) {
            Ok(row) => {
                rows.by_key.entry(row.key.clone()).or_insert(row);
            }
            Err(_) => rows.damaged += 1,
        }
    }
    rows
}

fn read_environments(folder: &Path) -> Result<Vec<Environment>, StoreError> {
    let path = folder.join(ENVIRONMENT);
    match fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map_err(|source| StoreError::Environment { path, source }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(failed("read", &path)(error)),
    }
}

/// Writes a file whole or not at all.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    let write = || {
        let mut file = File::create(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    write().map_err(failed("write", path))
}
