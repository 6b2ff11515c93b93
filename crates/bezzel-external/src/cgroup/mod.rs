//! Control groups, version 2: what the kernel counts and kills by, where we may make some.
//!
//! A process cannot leave its control group without the right to write to another, so that
//! everything that a job starts is found and killed in one stroke, and its CPU time is counted
//! whoever waits for whom. With the memory controller the kernel keeps the limit of memory, and
//! tells whom it killed for it.

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

/// How well the processes of a job are kept apart and together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Limits of each process, process groups, and the search for descendants.
    Rlimits,
    /// These, and a control group in which nobody is lost, with an exact account of its CPU time;
    /// without the memory controller.
    CgroupV2NoMemory,
    /// These, and the kernel keeps the limits of memory and of the number of processes.
    CgroupV2,
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Self; 3] = [Self::Rlimits, Self::CgroupV2NoMemory, Self::CgroupV2];

    /// Its name, in rows and in the environment variable [`VARIABLE`].
    pub fn id(self) -> &'static str {
        match self {
            Self::Rlimits => "rlimits",
            Self::CgroupV2NoMemory => "cgroup-v2-no-memory",
            Self::CgroupV2 => "cgroup-v2",
        }
    }
}

/// The environment variable that names the highest level to be used: the [`id`](Level::id) of one.
/// Without it, the best that can be had is used.
pub const VARIABLE: &str = "BEZZEL_ISOLATION";

/// How long the killed may take to go. They go at once unless the kernel holds them in a device.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a control group has used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// CPU time in seconds of everything that is or was in it.
    pub cpu_s: f64,
    /// The most memory in bytes that was charged to it, caches of files included; `None` without
    /// the memory controller, or on kernels that do not tell.
    pub memory_peak_bytes: Option<u64>,
    /// How many of its processes the kernel killed since memory was out; `None` without the memory
    /// controller.
    pub oom_kills: Option<u64>,
}

/// Puts this process into the control group.
///
/// # Errors
///
/// When there is no such group, or it is not ours to join.
pub fn join(path: &Path) -> Result<(), ExternalError> {
    write(path, "cgroup.procs", "0").map_err(|reason| error(path, "join", reason))
}

/// What the control group has used so far.
///
/// # Errors
///
/// When there is no such group.
pub fn usage(path: &Path) -> Result<Usage, ExternalError> {
    let cpu_s = cpu_s(path).map_err(|reason| error(path, "read the usage of", reason))?;
    let number = |file: &str, key| find(&fs::read_to_string(path.join(file)).ok()?, key);
    Ok(Usage {
        cpu_s,
        memory_peak_bytes: fs::read_to_string(path.join("memory.peak"))
            .ok()
            .and_then(|text| text.trim().parse().ok()),
        oom_kills: number("memory.events", "oom_kill"),
    })
}

/// CPU time in seconds of everything that is or was in the control group.
pub(crate) fn cpu_s(path: &Path) -> io::Result<f64> {
    let stat = fs::read_to_string(path.join("cpu.stat"))?;
    Ok(find(&stat, "usage_usec").unwrap_or(0) as f64 * 1e-6)
}

/// Kills everything in the control group and in those below it.
///
/// # Errors
///
/// When there is no such group, or the kernel cannot (before Linux 5.14).
pub fn kill(path: &Path) -> Result<(), ExternalError> {
    write(path, "cgroup.kill", "1").map_err(|reason| error(path, "end what is in", reason))
}

/// Kills everything in the control group and below, and waits until nobody is left. Returns how
/// many there were.
pub(crate) fn end(path: &Path) -> Result<usize, ExternalError> {
    if !populated(path) {
        return Ok(0);
    }
    let members = members(path);
    kill(path)?;
    let start = Instant::now();
    while populated(path) {
        if start.elapsed() > PATIENCE {
            let reason = io::Error::other("processes in it will not die");
            return Err(error(path, "end what is in", reason));
        }
        thread::sleep(Duration::from_micros(100));
    }
    Ok(members)
}

/// Whether a living process is in the control group or below.
fn populated(path: &Path) -> bool {
    let events = fs::read_to_string(path.join("cgroup.events"));
    events.is_ok_and(|events| find(&events, "populated") == Some(1))
}

/// How many processes are in the control group and below, zombies excluded.
fn members(path: &Path) -> usize {
    let own = fs::read_to_string(path.join("cgroup.procs")).unwrap_or_default();
    let below = fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
    own.lines().count()
        + below.filter(|path| path.is_dir()).map(|path| members(&path)).sum::<usize>()
}

fn write(path: &Path, file: &str, text: &str) -> io::Result<()> {
    fs::write(path.join(file), text)
}

fn error(path: &Path, doing: &'static str, reason: io::Error) -> ExternalError {
    ExternalError::Cgroup { doing, path: path.to_path_buf(), reason }
}

/// The number behind a key, in a text of lines of both.
fn find(text: &str, key: &str) -> Option<u64> {
    let mut lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(name, _)| *name == key)?.1.trim().parse().ok()
}
