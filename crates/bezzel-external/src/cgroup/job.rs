//! The control group of one job.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::{Level, Usage, end, usage, write};
use crate::error::ExternalError;

/// How many threads of all its processes the programs of a job may have at a time.
const PIDS: u64 = 4096;

/// How much more memory than a job's limit its worker may have: it keeps the limit itself, and needs
/// to live to tell.
const WORKER_SLACK_BYTES: u64 = 64 << 20;

/// How long a group may take to be empty of zombies. What is not removed by then is removed by the
/// next run.
const REAPED_IN: Duration = Duration::from_millis(300);

/// The control group of one job, with one below for its worker and one for its programs. Dropped, it
/// and everything in it ends.
///
/// They are two since the kernel may kill a whole group that is out of memory, and a worker whose
/// solver took too much is to tell so.
#[derive(Debug)]
pub struct JobCgroup {
    /// The group, if it could be had.
    path: Option<PathBuf>,
    level: Level,
}

impl JobCgroup {
    /// No group.
    pub(super) fn none() -> Self {
        Self { path: None, level: Level::Rlimits }
    }

    /// Makes it, as far as that can be done.
    pub(super) fn new(path: PathBuf, level: Level, memory_bytes: u64) -> Self {
        if level == Level::Rlimits || fs::create_dir(&path).is_err() {
            return Self::none();
        }
        let mut made = Self { path: Some(path), level: Level::CgroupV2NoMemory };
        let Some([worker, programs]) = made.leaves() else { return Self::none() };
        if fs::create_dir(&worker).is_err() || fs::create_dir(&programs).is_err() {
            return Self::none();
        }
        let limited = || {
            enable(made.path()?)?;
            limit(&worker, memory_bytes.saturating_add(WORKER_SLACK_BYTES))?;
            limit(&programs, memory_bytes)?;
            // All of a program ends, not one process that the others wait for.
            write(&programs, "memory.oom.group", "1").ok()?;
            // Not every kernel counts processes.
            let _ = write(&programs, "pids.max", &PIDS.to_string());
            Some(())
        };
        if level == Level::CgroupV2 && limited().is_some() {
            made.level = Level::CgroupV2;
        }
        made
    }

    fn leaves(&self) -> Option<[PathBuf; 2]> {
        let path = self.path.as_ref()?;
        Some([path.join("worker"), path.join("programs")])
    }

    /// What this job has, which may be less than could be expected.
    pub fn level(&self) -> Level {
        self.level
    }

    /// The group that holds all of the job, for [`Program::cgroup`](crate::Program::cgroup).
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The group that its worker [joins](super::join).
    pub fn worker(&self) -> Option<PathBuf> {
        self.leaves().map(|[worker, _]| worker)
    }

    /// The group that its programs run in, for
    /// [`Supervised::cgroup`](crate::Supervised::cgroup).
    pub fn programs(&self) -> Option<PathBuf> {
        self.leaves().map(|[_, programs]| programs)
    }

    /// What all of the job has used so far; nothing is known without a group. The peak of memory is
    /// the larger one of worker and programs.
    pub fn usage(&self) -> Option<Usage> {
        let whole = usage(self.path()?).ok()?;
        let [worker, programs] = self.leaves()?.map(|leaf| usage(&leaf).unwrap_or_default());
        let peaks = [worker.memory_peak_bytes, programs.memory_peak_bytes];
        Some(Usage { memory_peak_bytes: peaks.into_iter().max().flatten(), ..whole })
    }

    /// Kills everything in it, and waits until nobody is left. Returns how many there were.
    ///
    /// # Errors
    ///
    /// When somebody will not die.
    pub fn kill(&self) -> Result<usize, ExternalError> {
        self.path().map_or(Ok(0), end)
    }
}

impl Drop for JobCgroup {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            let _ = end(path);
            remove(path);
        }
    }
}

/// Has the groups below counted and limited. Whether processes are is of less weight.
pub(super) fn enable(path: &Path) -> Option<()> {
    write(path, "cgroup.subtree_control", "+memory").ok()?;
    let _ = write(path, "cgroup.subtree_control", "+pids");
    Some(())
}

/// Limits memory, and has none of it swapped out.
fn limit(path: &Path, memory_bytes: u64) -> Option<()> {
    write(path, "memory.max", &memory_bytes.to_string()).ok()?;
    // Where there is no swap there is no such file.
    let _ = write(path, "memory.swap.max", "0");
    Some(())
}

/// Removes a group in which nobody is, with those below it.
pub(super) fn remove(path: &Path) {
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove(&entry.path());
        }
    }
    // Who has ended is in it until it is reaped.
    let pause = Duration::from_micros(200);
    for _ in 0..REAPED_IN.as_micros() / pause.as_micros() {
        match fs::remove_dir(path) {
            Err(error) if error.kind() == std::io::ErrorKind::ResourceBusy => thread::sleep(pause),
            _ => return,
        }
    }
}
