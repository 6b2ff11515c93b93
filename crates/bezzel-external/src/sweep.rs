//! Finding and ending what left the process group of a run.
//!
//! A process that makes a session of its own and lets its parent die escapes every group and
//! every family tree, but keeps its environment, and in it the mark of the run. Who also clears
//! its environment escapes the sweep too; only a supervisor or a control group holds it.

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
///
/// Supervisors, whose orders have ended with whoever gave them, know better whom to kill: they are
/// waited for, and killed only if they do not go by themselves.
pub(crate) fn end(mark: &str) -> io::Result<usize> {
    let start = Instant::now();
    let mut ended = Vec::new();
    loop {
        let found = find(mark)?;
        if found.is_empty() {
            return Ok(ended.len());
        }
        let patient = start.elapsed() < PATIENCE;
        if start.elapsed() > 2 * PATIENCE {
            return Err(io::Error::other(format!("{} processes of it will not die", found.len())));
        }
        for (pid, part) in found {
            let spared = part == Part::Supervisor && patient;
            if !spared && kill(pid, mark) && !ended.contains(&pid) {
                ended.push(pid);
            }
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// What a process has to do with a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// It belongs to it.
    Member,
    /// It looks after it.
    Supervisor,
}

/// The processes that carry the mark.
fn find(mark: &str) -> io::Result<Vec<(Pid, Part)>> {
    let mut found = Vec::new();
    for process in fs::read_dir("/proc")? {
        let name = process?.file_name();
        let Some(pid) = name.to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw)
        else {
            continue;
        };
        found.extend(part(pid, mark).map(|part| (pid, part)));
    }
    Ok(found)
}

/// What the process has to do with the run. Who ended meanwhile, or belongs to somebody else, has
/// nothing to do with it.
fn part(pid: Pid, mark: &str) -> Option<Part> {
    let environ = fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).unwrap_or_default();
    environ.split(|&byte| byte == 0).find_map(|entry| {
        if marker::marks(entry, mark) {
            Some(Part::Member)
        } else {
            marker::supervises(entry, mark).then_some(Part::Supervisor)
        }
    })
}

/// Kills the process if it still is the one that was found: its number may be another's by now.
fn kill(pid: Pid, mark: &str) -> bool {
    let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else { return false };
    part(pid, mark).is_some() && pidfd_send_signal(&handle, Signal::KILL).is_ok()
}
