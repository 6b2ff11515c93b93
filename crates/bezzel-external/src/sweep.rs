//! Finding and ending what left the process group of a run.
//!
//! A process that makes a session of its own and lets its parent die escapes every group and
//! every family tree, but keeps its environment, and in it the mark of the run. Who also clears
//! its environment escapes the sweep too; only a container of processes would hold it.

use std::fs;
use std::io;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use crate::marker;

/// How long the killed may take to go. They go at once unless the kernel holds them in a device.
const PATIENCE: Duration = Duration::from_secs(2);

/// Kills every process that carries the mark, and those they start meanwhile, until none is left.
/// Returns how many there were.
pub(crate) fn end(mark: &str) -> io::Result<usize> {
    let start = Instant::now();
    let mut ended = Vec::new();
    loop {
        let found = find(mark)?;
        if found.is_empty() {
            return Ok(ended.len());
        }
        if start.elapsed() > PATIENCE {
            return Err(io::Error::other(format!("{} processes of it will not die", found.len())));
        }
        for pid in found {
            if kill(pid, mark) && !ended.contains(&pid) {
                ended.push(pid);
            }
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// The processes that carry the mark.
fn find(mark: &str) -> io::Result<Vec<Pid>> {
    let mut found = Vec::new();
    for process in fs::read_dir("/proc")? {
        let name = process?.file_name();
        let Some(pid) = name.to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw)
        else {
            continue;
        };
        if carries(pid, mark) {
            found.push(pid);
        }
    }
    Ok(found)
}

/// Whether the process carries the mark. Who ended meanwhile, or belongs to somebody else, does
/// not.
fn carries(pid: Pid, mark: &str) -> bool {
    let environ = fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).unwrap_or_default();
    environ.split(|&byte| byte == 0).any(|entry| marker::marks(entry, mark))
}

/// Kills the process if it still is the one that was found: its number may be another's by now.
fn kill(pid: Pid, mark: &str) -> bool {
    let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else { return false };
    carries(pid, mark) && pidfd_send_signal(&handle, Signal::KILL).is_ok()
}
