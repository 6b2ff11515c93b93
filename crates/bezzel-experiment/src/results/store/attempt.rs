//! Attempts at running a shard, each with its own files.
//!
//! A batch system may start a task again, during a run or after its end, without notice. Therefore two processes never
//! write the same file: each run of a shard is an attempt, which has a unique id and opens only its own files for
//! writing.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::disk::{Disk, OpenMode, RealDisk};
use super::error::failed;
use super::files::Files;
use super::lock::{self, LockHolder};
use super::{CALIBRATION, ENVIRONMENT, ROWS, RUNNER, SHARDS, Store, StoreError, sessions, whole};
use crate::model::environment::Environment;

/// The number of further ids that are tried if one is in use.
const TRIES: u32 = 3;

/// The last second of ten digits.
const LAST_SECOND: u64 = 9_999_999_999;

/// The id of an attempt, as in `1763780112.345-00003-9f3a1c2e`: its start in seconds since 1970, the number of its
/// shard, and a hash that distinguishes it from other attempts of the same moment.
///
/// The order of ids is that of the starts. An attempt begins at least a millisecond after every attempt that is in its
/// folder already, even if the clock does not say so. Attempts that begin at the same moment without a sight of each
/// other are ordered by shard, then by hash.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Attempt(String);

impl Attempt {
    /// Returns a new id of an attempt by this process at shard `shard`. It begins `now`, the time since 1970, but after
    /// the attempt `last`.
    fn new(shard: u32, tried: u32, now: Duration, last: Option<&Self>) -> Self {
        let next = last.and_then(Self::start).map(|start| start + Duration::from_millis(1));
        let since = next.filter(|next| *next > now).unwrap_or(now);
        let (seconds, thousandths) = (since.as_secs(), since.subsec_millis());
        // Two machines may have the same process id and moment, but hardly the same name too.
        let LockHolder { pid, host } = LockHolder::here();
        let apart = format!("{host} {pid} {} {tried}", now.as_nanos());
        let apart = &blake3::hash(apart.as_bytes()).to_hex()[..8];
        Self(format!("{seconds:010}.{thousandths:03}-{shard:05}-{apart}"))
    }

    /// Returns the attempt whose rows or session are in the file of this name.
    fn of_file(name: &str) -> Option<Self> {
        let id = [ROWS, ENVIRONMENT].iter().find_map(|own| {
            let (stem, ending) = own.split_once('.')?;
            let id = name.strip_prefix(stem)?.strip_prefix('-')?;
            id.strip_suffix(ending)?.strip_suffix('.')
        })?;
        let [_, shard, _] = id.split('-').collect::<Vec<_>>()[..] else { return None };
        shard.parse::<u32>().ok().map(|_| Self(id.to_owned()))
    }

    /// Its start; none if its name has another form. A start that has no successor of ten digits is none.
    fn start(&self) -> Option<Duration> {
        let (seconds, thousandths) = self.0.split('-').next()?.split_once('.')?;
        let seconds: u64 = seconds.parse().ok().filter(|seconds| *seconds < LAST_SECOND)?;
        let thousandths: u32 = thousandths.parse().ok().filter(|part| *part < 1000)?;
        Some(Duration::new(seconds, thousandths * 1_000_000))
    }

    /// The number of its shard.
    pub fn shard(&self) -> u32 {
        let shard = self.0.split('-').nth(1).and_then(|shard| shard.parse().ok());
        shard.unwrap_or_default()
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The files of an attempt.
#[derive(Clone, Debug)]
pub struct AttemptFiles {
    /// The attempt that wrote them.
    pub attempt: Attempt,
    files: Files,
}

impl AttemptFiles {
    fn of(folder: &Path, attempt: Attempt) -> Self {
        Self { files: Files::new(folder, Some(attempt.clone())), attempt }
    }

    /// Returns the path of its rows.
    pub fn rows(&self) -> PathBuf {
        self.files.path(ROWS)
    }

    /// Returns the path of the list of its only session.
    pub(super) fn environment(&self) -> PathBuf {
        self.files.path(ENVIRONMENT)
    }

    /// Returns its only session, if it has begun.
    ///
    /// # Errors
    ///
    /// When the list cannot be read or parsed.
    pub fn sessions(&self) -> Result<Vec<Environment>, StoreError> {
        sessions::read(&RealDisk, &self.environment())
    }

    /// Returns the path of its readings of the machine.
    pub(super) fn calibration(&self) -> PathBuf {
        self.files.path(CALIBRATION)
    }

    /// Returns the process that runs it; none if it has ended.
    pub fn holder(&self) -> Option<LockHolder> {
        lock::at_work(&self.files.path(RUNNER), &self.rows())
    }
}

/// Returns the folders of the attempts at the shards of an experiment, in the order of their names; none if it was
/// never cut.
///
/// # Errors
///
/// When they cannot be listed.
pub fn shard_folders(experiment: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let shards = experiment.join(SHARDS);
    if !shards.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(&shards).map_err(failed("read", &shards))?;
    let mut folders = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed("read", &shards))?.path();
        if path.is_dir() {
            folders.push(path);
        }
    }
    folders.sort_unstable();
    Ok(folders)
}

/// The files of every attempt at a shard of the experiment in this folder.
///
/// # Errors
///
/// When they cannot be listed.
pub fn all_attempts(experiment: &Path) -> Result<Vec<AttemptFiles>, StoreError> {
    let mut all = Vec::new();
    for folder in shard_folders(experiment)? {
        all.extend(attempts(&folder)?);
    }
    Ok(all)
}

/// Returns the attempts whose files lie in a folder, in the order of their start; none if there is no folder.
///
/// # Errors
///
/// When the folder cannot be read.
pub(crate) fn attempts(folder: &Path) -> Result<Vec<AttemptFiles>, StoreError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed("read", folder))?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let name = entry.map_err(failed("read", folder))?.file_name();
        found.extend(Attempt::of_file(&name.to_string_lossy()));
    }
    found.sort_unstable();
    found.dedup();
    Ok(found.into_iter().map(|attempt| AttemptFiles::of(folder, attempt)).collect())
}

impl Store {
    /// Begins an attempt at a shard in this folder, which is created if there is none. The config is frozen elsewhere.
    ///
    /// # Errors
    ///
    /// When the folder cannot be written.
    pub fn begin_attempt(folder: &Path, shard: u32) -> Result<(Self, Attempt), StoreError> {
        let disk: Arc<dyn Disk> = Arc::new(RealDisk);
        whole::make_folder(disk.as_ref(), folder)?;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let there = attempts(folder)?;
        let last = there.last().map(|files| &files.attempt);
        let mut tried = 0;
        loop {
            let attempt = Attempt::new(shard, tried, now, last);
            let files = Files::new(folder, Some(attempt.clone()));
            let path = files.path(ROWS);
            let mut rows = match disk.open(&path, OpenMode::Fresh) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tried < TRIES => {
                    tried += 1;
                    continue;
                }
                rows => rows.map_err(failed("make", &path))?,
            };
            // No other process writes it: the lock only shows that the attempt is running.
            rows.lock().map_err(failed("lock", &path))?;
            lock::announce(disk.as_ref(), &files.path(RUNNER));
            disk.sync_folder(folder).map_err(failed("keep", folder))?;
            let store = Self { disk, files, rows, kept: 0, failed: false, named: 0 };
            return Ok((store, attempt));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_of_one_process_differ_and_are_found_by_their_files_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let begun: Vec<Attempt> = [7, 3, 7]
            .map(|shard| Store::begin_attempt(folder.path(), shard).unwrap().1)
            .into_iter()
            .collect();
        let found = attempts(folder.path()).unwrap();
        let found: Vec<&Attempt> = found.iter().map(|files| &files.attempt).collect();
        assert_eq!(found, begun.iter().collect::<Vec<_>>());
        assert_eq!(begun[1].shard(), 3);
        assert!(attempts(&folder.path().join("nowhere")).unwrap().is_empty());
    }

    /// Two attempts of one millisecond, at shards in descending order, and a clock that was set back.
    #[test]
    fn an_attempt_is_after_those_that_are_there_whatever_the_clock_says() {
        let moment = Duration::from_millis(1_763_780_112_345);
        let mut last = Attempt::new(9, 0, moment, None);
        for (shard, now) in [(7, moment), (3, moment), (3, moment / 2), (1, Duration::ZERO)] {
            let next = Attempt::new(shard, 0, now, Some(&last));
            assert!(next > last && next.shard() == shard, "{next} after {last}");
            last = next;
        }
        assert!(last.to_string().starts_with("1763780112.349-00001-"), "{last}");
        let later = Attempt::new(1, 0, moment * 2, Some(&last));
        assert!(later.to_string().starts_with("3527560224.690-"), "{later}");
        // A name of another form gives no start.
        for odd in ["9999999999.999-00001-00000000", "x-1-y", "1.2000-1-y", "1-1-y"] {
            let next = Attempt::new(1, 0, moment, Some(&Attempt(odd.into())));
            assert!(next.to_string().starts_with("1763780112.345-"), "{next}");
        }
    }

    #[test]
    fn files_of_other_names_are_no_attempts() {
        for name in
            ["rows.jsonl", "rows-.jsonl", "rows-1-2.jsonl", "rows-1-x-3.jsonl", "rows-1-2-3"]
        {
            assert_eq!(Attempt::of_file(name), None, "{name}");
        }
        assert!(Attempt::of_file("rows-1763780112.345-00003-9f3a1c2e.jsonl").is_some());
    }
}
