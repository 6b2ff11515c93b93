//! Control groups, version 2: what the kernel counts and kills by, where we may make some.
//!
//! A process cannot leave its control group without the right to write to another, so that
//! everything that a job starts is found and killed in one stroke, and its CPU time is counted
//! whoever waits for whom. With the memory controller the kernel keeps the limit of memory, and
//! tells whom it killed for it.

use std::fs;
use std::io;
use std::path::Path;

use crate::error::ExternalError;

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
    let stat = fs::read_to_string(path.join("cpu.stat"));
    let stat = stat.map_err(|reason| error(path, "read the usage of", reason))?;
    let number = |file: &str, key| find(&fs::read_to_string(path.join(file)).ok()?, key);
    Ok(Usage {
        cpu_s: find(&stat, "usage_usec").unwrap_or(0) as f64 * 1e-6,
        memory_peak_bytes: fs::read_to_string(path.join("memory.peak"))
            .ok()
            .and_then(|text| text.trim().parse().ok()),
        oom_kills: number("memory.events", "oom_kill"),
    })
}

/// Kills everything in the control group and in those below it.
///
/// # Errors
///
/// When there is no such group, or the kernel cannot (before Linux 5.14).
pub fn kill(path: &Path) -> Result<(), ExternalError> {
    write(path, "cgroup.kill", "1").map_err(|reason| error(path, "end what is in", reason))
}

fn write(path: &Path, file: &str, text: &str) -> io::Result<()> {
    // Never made: in a file system of another kind that would be a file like any other.
    use std::io::Write;
    fs::File::options().write(true).open(path.join(file))?.write_all(text.as_bytes())
}

fn error(path: &Path, doing: &'static str, reason: io::Error) -> ExternalError {
    ExternalError::Cgroup { doing, path: path.to_path_buf(), reason }
}

/// The number behind a key, in a text of lines of both.
fn find(text: &str, key: &str) -> Option<u64> {
    let mut lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(name, _)| *name == key)?.1.trim().parse().ok()
}
