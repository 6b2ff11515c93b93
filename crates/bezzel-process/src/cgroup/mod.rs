//! Control groups, version 2: the kernel counts and kills the processes of a job as a unit.
//!
//! A process cannot leave its control group without the right to write to another group. All processes that a job
//! starts are therefore found and killed in one step, and their CPU time is counted whether or not their parents
//! wait for them. With the memory controller the kernel enforces the memory limit, and counts the processes that it
//! killed for it.

mod detect;
mod job;

use std::fs;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

pub use detect::Cgroups;
pub use job::JobCgroup;
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
    write(path, "cgroup.procs", "0").map_err(|reason| error(path, "join", reason))
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

fn write(path: &Path, file: &str, text: &str) -> io::Result<()> {
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
