//! Reading of all sessions of an experiment.

use std::collections::HashMap;
use std::fs;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use bezzel_problem::harmless_line;

use super::StoreError;
use super::checksum::Damage;
use super::entry::{Entry, FORMAT, SessionStart, format_of};
use super::error::failed;
use super::lines::Lines;
use super::lock;
use super::name::SessionName;
use crate::check::report::EntryPlace;
use crate::model::environment::Environment;
use crate::model::quantity::counted;
use crate::model::row::Row;
use crate::results::packing;

/// The endings of the files of sessions.
const ENDINGS: [&str; 2] = [".jsonl", ".jsonl.xz"];

/// The file of a session.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SessionFile {
    /// The name of the session.
    pub name: SessionName,
    /// The path.
    pub path: PathBuf,
}

impl SessionFile {
    /// Returns true if a process writes it.
    pub fn is_held(&self) -> bool {
        lock::is_held(&self.path)
    }
}

/// Returns the files of the sessions in the folder of an experiment, in the order of their names; none if there is no
/// folder.
///
/// # Errors
///
/// When the folder cannot be read.
pub fn session_files(folder: &Path) -> Result<Vec<SessionFile>, StoreError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed("read", folder))?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed("read", folder))?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if let Some(stem) = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)) {
            files.push(SessionFile { name: SessionName::of_file(stem), path });
        }
    }
    files.sort_unstable();
    Ok(files)
}

/// A session that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// Its first line.
    pub start: SessionStart,
    /// True if a process writes it.
    pub is_running: bool,
}

/// A line that was skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedLine {
    /// The name of the file.
    pub file: String,
    /// The number of the line, counted from 1.
    pub line: usize,
    /// The damage.
    pub damage: Damage,
}

/// The findings on the files of sessions, beside the entries.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sessions {
    /// The sessions, in the order of their names.
    pub list: Vec<Session>,
    /// The lines that were skipped, without torn last lines.
    pub damaged: Vec<DamagedLine>,
    /// The files whose last line is torn, with its number of bytes, without those that are being written.
    pub torn: Vec<(String, u64)>,
    /// The files without a readable first line. None of their entries are read.
    pub without_start: Vec<String>,
}

impl Sessions {
    /// The last session, whose config is that of the experiment, if no other is given.
    ///
    /// # Errors
    ///
    /// When no session of the experiment in this folder could be read.
    pub fn last(&self, folder: &Path) -> Result<&Session, StoreError> {
        self.list.last().ok_or_else(|| match &self.without_start[..] {
            [] => StoreError::Missing(folder.to_owned()),
            files => StoreError::NoStart { folder: folder.to_owned(), files: files.to_vec() },
        })
    }

    /// The environments of the sessions.
    pub fn environments(&self) -> Vec<Environment> {
        self.list.iter().map(|session| session.start.environment.clone()).collect()
    }

    /// The damage of the files in sentences, one for each kind; none if there is none.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some(DamagedLine { file, line, damage }) = self.damaged.first() {
            let (lines, file) = (counted(self.damaged.len(), "damaged line"), harmless_line(file));
            warnings.push(format!("{lines} skipped, the first is line {line} of {file}: {damage}"));
        }
        for (file, bytes) in &self.torn {
            let file = harmless_line(file);
            warnings.push(format!(
                "the last line of {file} is torn, and its {bytes} bytes are skipped"
            ));
        }
        for file in &self.without_start {
            let file = harmless_line(file);
            warnings.push(format!(
                "{file} is left out: its first line, which states the machine, the build and the config, is damaged"
            ));
        }
        warnings
    }
}

/// An entry of a session that is passed to a reader.
pub(crate) enum ReadEntry {
    /// The outcome of a job.
    Row(Row),
    /// A reading of the machine.
    Reading(Row),
}

/// Reads the sessions in a folder, and passes each row and each reading to `take`, in the order of the sessions and of
/// the lines. A session whose file is there twice is one session.
///
/// # Errors
///
/// When there is no session, a file cannot be opened, or a session is of a newer version.
pub(crate) fn each_entry(
    folder: &Path,
    mut take: impl FnMut(EntryPlace, ReadEntry),
) -> Result<Sessions, StoreError> {
    let mut files = session_files(folder)?;
    if files.is_empty() {
        return Err(StoreError::Missing(folder.to_owned()));
    }
    // A file may have another name than its session.
    files.sort_by_cached_key(|file| {
        let start = start_of(&file.path).ok().flatten();
        start.map_or_else(|| file.name.clone(), |start| start.name)
    });
    let (mut sessions, mut known) = (Sessions::default(), HashMap::new());
    for file in files {
        read_file(file, &mut sessions, &mut known, &mut take)?;
    }
    Ok(sessions)
}

/// Reads the first lines of the sessions in a folder, and nothing else.
///
/// # Errors
///
/// As [`each_entry`].
pub(crate) fn starts(folder: &Path) -> Result<Sessions, StoreError> {
    let mut sessions = Sessions::default();
    for SessionFile { name, path } in session_files(folder)? {
        match start_of(&path)? {
            Some(start) if start.format > FORMAT => {
                return Err(StoreError::Newer { path, format: start.format });
            }
            Some(start) if start.format < FORMAT || !start.name.is_valid() => {
                sessions.without_start.push(name.to_string());
            }
            Some(start) => sessions.list.push(Session { start, is_running: false }),
            None => sessions.without_start.push(name.to_string()),
        }
    }
    sessions.list.sort_by(|one, other| one.start.name.cmp(&other.start.name));
    Ok(sessions)
}

/// Returns the beginning of the session in a file, if its line can be read.
fn start_of(path: &Path) -> Result<Option<SessionStart>, StoreError> {
    let source = packing::read(path).map_err(failed("read", path))?;
    let entries = Lines::new(source).map_while(Result::ok).filter_map(|line| line.body.ok());
    let mut entries = entries.map(|body| serde_json::from_slice(&body));
    Ok(entries.find_map(|entry| match entry {
        Ok(Entry::Session(start)) => Some(*start),
        _ => None,
    }))
}

/// Reads one file. `known` has the numbers of sessions by the text of their first lines.
fn read_file(
    file: SessionFile,
    sessions: &mut Sessions,
    known: &mut HashMap<Vec<u8>, usize>,
    take: &mut impl FnMut(EntryPlace, ReadEntry),
) -> Result<(), StoreError> {
    let is_running = file.is_held();
    let source = packing::read(&file.path).map_err(failed("read", &file.path))?;
    read_session(source, file, is_running, sessions, known, take)
}

/// Reads a session from `source`, the content of its file.
pub(super) fn read_session(
    source: impl BufRead,
    file: SessionFile,
    is_running: bool,
    sessions: &mut Sessions,
    known: &mut HashMap<Vec<u8>, usize>,
    take: &mut impl FnMut(EntryPlace, ReadEntry),
) -> Result<(), StoreError> {
    let path = file.path;
    let file_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_packed = path.extension().is_some_and(|ending| ending == "xz");
    let mut lines = Lines::new(source);
    let mut own: Option<usize> = None;
    // Entries before the first line of the session, if lines were moved.
    let mut early = Vec::new();
    let mut damaged = |line: usize, damage: Damage| {
        sessions.damaged.push(DamagedLine { file: file_name.clone(), line, damage });
    };
    loop {
        let line = match lines.next() {
            None => break,
            Some(Ok(line)) => line,
            // A compressed file is read up to its damage.
            Some(Err(_)) if is_packed => {
                damaged(lines.number(), Damage::Compression);
                break;
            }
            Some(Err(error)) => return Err(failed("read", &path)(error)),
        };
        let number = line.number;
        let body = match line.body {
            Ok(body) => body,
            Err(damage) => {
                damaged(number, damage);
                continue;
            }
        };
        let Ok(entry) = serde_json::from_slice(&body) else {
            if let Some(format) = format_of(&body).filter(|format| *format > FORMAT) {
                return Err(StoreError::Newer { path, format });
            }
            damaged(number, Damage::NoEntry);
            continue;
        };
        let read = match entry {
            Entry::Session(start) if start.format > FORMAT => {
                return Err(StoreError::Newer { path, format: start.format });
            }
            Entry::Session(start) if start.format < FORMAT || !start.name.is_valid() => {
                damaged(number, Damage::NoEntry);
                continue;
            }
            Entry::Session(start) => {
                // Another first line begins another session: files may be joined.
                let session = *known.entry(body).or_insert(sessions.list.len());
                if session == sessions.list.len() {
                    sessions.list.push(Session { start: *start, is_running });
                }
                for (line, read) in early.drain(..) {
                    take(EntryPlace { session, line }, in_session(read, session));
                }
                own = Some(session);
                continue;
            }
            Entry::Event(_) => continue,
            Entry::Row(row) => ReadEntry::Row(*row),
            Entry::Reading(row) => ReadEntry::Reading(*row),
        };
        match own {
            Some(session) => {
                take(EntryPlace { session, line: number }, in_session(read, session));
            }
            None => early.push((number, read)),
        }
    }
    if lines.torn() > 0 && !is_running {
        sessions.torn.push((file_name.clone(), lines.torn()));
    }
    // A process that was killed may leave a file without a whole line.
    if own.is_none() && !is_running && lines.number() > 1 {
        sessions.without_start.push(file_name);
    }
    Ok(())
}

/// The entry with the number of its session.
fn in_session(read: ReadEntry, session: usize) -> ReadEntry {
    match read {
        ReadEntry::Row(row) => ReadEntry::Row(Row { session, ..row }),
        ReadEntry::Reading(row) => ReadEntry::Reading(Row { session, ..row }),
    }
}
