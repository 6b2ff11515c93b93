//! Control groups, version 2: the kernel counts and kills the processes of a job as a unit.
//!
//! A process cannot leave its control group without the right to write to another group. All processes that a job
//! starts are therefore found and killed in one step, and their CPU time is counted whether or not their parents
//! wait for them. With the memory controller the kernel enforces the memory limit, and counts the processes that it
//! killed for it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Pid;
use serde::{Deserialize, Serialize};

use crate::error::ExternalError;

/// The level of isolation of a job's processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IsolationLevel {
    /// Limits of each process, process groups, and the search for descendants.
    Rlimits,
    /// The above, and a control group that contains every process, with an exact account of its CPU time; without
    /// the memory controller.
    CgroupV2NoMemory,
    /// The above, and the kernel enforces the limits on memory and on the number of processes.
    CgroupV2,
}

impl IsolationLevel {
    /// All levels, the weakest first.
    pub const ALL: [Self; 3] = [Self::Rlimits, Self::CgroupV2NoMemory, Self::CgroupV2];

    /// Returns its name, as in rows and in the environment variable [`VARIABLE`].
    pub fn id(self) -> &'static str {
        match self {
            Self::Rlimits => "rlimits",
            Self::CgroupV2NoMemory => "cgroup-v2-no-memory",
            Self::CgroupV2 => "cgroup-v2",
        }
    }
}

/// The environment variable with the highest level to be used, as the [`id`](IsolationLevel::id) of one. Without it, the
/// best available level is used.
pub const VARIABLE: &str = "BEZZEL_ISOLATION";

/// The time that killed processes may take to end. They end at once unless the kernel holds them in a device.
const END_TIMEOUT: Duration = Duration::from_secs(2);

/// The resources that a control group has used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CgroupUsage {
    /// CPU time in seconds of all processes that are or were in it.
    pub cpu_s: f64,
    /// The largest memory in bytes that was charged to it, file caches included; `None` without the memory
    /// controller, or on kernels that do not report it.
    pub memory_peak_bytes: Option<u64>,
    /// The number of its processes that the kernel killed because memory was out; `None` without the memory
    /// controller.
    pub oom_kills: Option<u64>,
}

/// Puts this process into the control group.
///
/// # Errors
///
/// The group does not exist, or this process may not join it.
pub fn join(path: &Path) -> Result<(), ExternalError> {
    add(path, None)
}

/// Puts a process into the control group, this process if it is none.
pub(crate) fn add(path: &Path, process: Option<Pid>) -> Result<(), ExternalError> {
    let number = process.map_or(0, Pid::as_raw_pid);
    write(path, "cgroup.procs", &number.to_string()).map_err(|reason| error(path, "join", reason))
}

/// Returns the resources that the control group has used so far.
///
/// # Errors
///
/// The group does not exist.
pub fn usage(path: &Path) -> Result<CgroupUsage, ExternalError> {
    let cpu_s = cpu_s(path).map_err(|reason| error(path, "read the usage of", reason))?;
    let number = |file: &str, key| find(&fs::read_to_string(path.join(file)).ok()?, key);
    Ok(CgroupUsage {
        cpu_s,
        memory_peak_bytes: fs::read_to_string(path.join("memory.peak"))
            .ok()
            .and_then(|text| text.trim().parse().ok()),
        oom_kills: number("memory.events", "oom_kill"),
    })
}

/// Returns the CPU time in seconds of all processes that are or were in the control group.
pub(crate) fn cpu_s(path: &Path) -> io::Result<f64> {
    let stat = fs::read_to_string(path.join("cpu.stat"))?;
    Ok(find(&stat, "usage_usec").unwrap_or(0) as f64 * 1e-6)
}

/// Kills all processes in the control group and in those below it.
///
/// # Errors
///
/// The group does not exist, or the kernel has no such function (before Linux 5.14).
pub(crate) fn kill(path: &Path) -> Result<(), ExternalError> {
    write(path, "cgroup.kill", "1").map_err(|reason| error(path, "end what is in", reason))
}

/// Kills all processes in the control group and below, and waits until none is left.
pub(crate) fn end(path: &Path) -> Result<(), ExternalError> {
    if !populated(path) {
        return Ok(());
    }
    kill(path)?;
    let start = Instant::now();
    while populated(path) {
        if start.elapsed() > END_TIMEOUT {
            let reason = io::Error::other("processes in it cannot be killed");
            return Err(error(path, "end what is in", reason));
        }
        thread::sleep(Duration::from_micros(100));
    }
    Ok(())
}

/// Returns true if a living process is in the control group or below.
fn populated(path: &Path) -> bool {
    let events = fs::read_to_string(path.join("cgroup.events"));
    events.is_ok_and(|events| find(&events, "populated") == Some(1))
}

pub(crate) fn write(path: &Path, file: &str, text: &str) -> io::Result<()> {
    fs::write(path.join(file), text)
}

fn error(path: &Path, doing: &'static str, reason: io::Error) -> ExternalError {
    ExternalError::Cgroup { doing, path: path.to_path_buf(), reason }
}

/// Returns the number after a key, in a text with one key and number per line.
fn find(text: &str, key: &str) -> Option<u64> {
    let mut lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(name, _)| *name == key)?.1.trim().parse().ok()
}

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
    pub(crate) fn none() -> Self {
        Self { path: None, level: IsolationLevel::Rlimits }
    }

    /// Makes the group, at the highest possible level.
    pub(crate) fn new(path: PathBuf, level: IsolationLevel, memory_bytes: u64) -> Self {
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

    /// Returns the group that its worker process [joins](join).
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
pub(crate) fn enable(path: &Path) -> Option<()> {
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
pub(crate) fn remove(path: &Path) {
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
