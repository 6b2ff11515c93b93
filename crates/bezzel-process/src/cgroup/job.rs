//! The control group of one job.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::{CgroupUsage, IsolationLevel, end, usage, write};

/// The largest number of threads that all processes of a job's programs may have at a time.
const MAX_THREADS: u64 = 4096;

/// The memory that a worker process may have beyond its job's limit: the worker enforces the limit itself, and must
/// live to report it.
const WORKER_SLACK_BYTES: u64 = 64 << 20;

/// The time that a group may take to be empty of zombies. A group that is not removed by then is removed by the
/// next run.
const REAP_TIMEOUT: Duration = Duration::from_millis(300);

/// The control group of one job, with one group below it for its worker process and one for its programs. Dropping
/// the value ends all processes in it.
///
/// The two are separate since the kernel may kill a whole group that is out of memory, and a worker process must
/// report that its solver took too much.
#[derive(Debug)]
pub struct JobCgroup {
    /// The group, if it could be made.
    path: Option<PathBuf>,
    level: IsolationLevel,
}

impl JobCgroup {
    /// Returns a job without a group.
    pub(super) fn none() -> Self {
        Self { path: None, level: IsolationLevel::Rlimits }
    }

    /// Makes the group, at the highest possible level.
    pub(super) fn new(path: PathBuf, level: IsolationLevel, memory_bytes: u64) -> Self {
        if level == IsolationLevel::Rlimits || fs::create_dir(&path).is_err() {
            return Self::none();
        }
        let mut job = Self { path: Some(path), level: IsolationLevel::CgroupV2NoMemory };
        let Some([worker, programs]) = job.leaves() else { return Self::none() };
        if fs::create_dir(&worker).is_err() || fs::create_dir(&programs).is_err() {
            return Self::none();
        }
        let limited = || {
            enable(job.path()?)?;
            limit(&worker, memory_bytes.saturating_add(WORKER_SLACK_BYTES))?;
            limit(&programs, memory_bytes)?;
            // The kernel kills all processes of a program, not a single one for which the others would wait.
            write(&programs, "memory.oom.group", "1").ok()?;
            // Some kernels do not count processes.
            let _ = write(&programs, "pids.max", &MAX_THREADS.to_string());
            Some(())
        };
        if level == IsolationLevel::CgroupV2 && limited().is_some() {
            job.level = IsolationLevel::CgroupV2;
        }
        job
    }

    fn leaves(&self) -> Option<[PathBuf; 2]> {
        let path = self.path.as_ref()?;
        Some([path.join("worker"), path.join("programs")])
    }

    /// Returns the level of this job, which may be lower than expected.
    pub fn level(&self) -> IsolationLevel {
        self.level
    }

    /// Returns the group of the whole job, for [`Program::cgroup`](crate::Program::cgroup).
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns the group that its worker process [joins](super::join).
    pub fn worker(&self) -> Option<PathBuf> {
        self.leaves().map(|[worker, _]| worker)
    }

    /// Returns the group that its programs run in, for [`Supervised::cgroup`](crate::Supervised::cgroup).
    pub fn programs(&self) -> Option<PathBuf> {
        self.leaves().map(|[_, programs]| programs)
    }

    /// Returns the resources that the whole job has used so far; `None` without a group. The peak of memory is the
    /// larger one of worker process and programs.
    pub fn usage(&self) -> Option<CgroupUsage> {
        let whole = usage(self.path()?).ok()?;
        let [worker, programs] = self.leaves()?.map(|leaf| usage(&leaf).unwrap_or_default());
        let peaks = [worker.memory_peak_bytes, programs.memory_peak_bytes];
        Some(CgroupUsage { memory_peak_bytes: peaks.into_iter().max().flatten(), ..whole })
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

/// Enables the memory controller for the groups below, and the process controller if it exists.
pub(super) fn enable(path: &Path) -> Option<()> {
    write(path, "cgroup.subtree_control", "+memory").ok()?;
    let _ = write(path, "cgroup.subtree_control", "+pids");
    Some(())
}

/// Limits memory, and disables swap.
fn limit(path: &Path, memory_bytes: u64) -> Option<()> {
    write(path, "memory.max", &memory_bytes.to_string()).ok()?;
    // Without swap this file does not exist.
    let _ = write(path, "memory.swap.max", "0");
    Some(())
}

/// Removes a group without processes, with the groups below it.
pub(super) fn remove(path: &Path) {
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove(&entry.path());
        }
    }
    // A process that has ended stays in its group until it is reaped.
    let pause = Duration::from_micros(200);
    for _ in 0..REAP_TIMEOUT.as_micros() / pause.as_micros() {
        match fs::remove_dir(path) {
            Err(error) if error.kind() == std::io::ErrorKind::ResourceBusy => thread::sleep(pause),
            _ => return,
        }
    }
}
