//! The search for processes that left the process group of a run, and their end.
//!
//! A process that makes a session of its own and lets its parent die escapes every group and every process tree,
//! but keeps its environment, and in it the mark of the run. A process that also clears its environment escapes the
//! sweep too; only a supervisor or a control group holds it.

use std::fs;
use std::io;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use crate::marker;

/// The time that killed processes may take to end. They end at once unless the kernel holds them in a device.
const END_TIMEOUT: Duration = Duration::from_secs(2);

/// Kills every process that carries the mark, and those that they start meanwhile, until none is left. Returns
/// their number.
///
/// Supervisors whose caller has ended kill their own descendants: the sweep waits for them, and kills them only if
/// they do not end by themselves.
pub(crate) fn end(mark: &str) -> io::Result<usize> {
    let start = Instant::now();
    let mut ended = Vec::new();
    loop {
        let found = find(mark)?;
        if found.is_empty() {
            return Ok(ended.len());
        }
        let is_waiting = start.elapsed() < END_TIMEOUT;
        if start.elapsed() > 2 * END_TIMEOUT {
            return Err(io::Error::other(format!(
                "{} processes of it cannot be killed",
                found.len()
            )));
        }
        for (pid, role) in found {
            let spared = role == RunRole::Supervisor && is_waiting;
            if !spared && kill(pid, mark) && !ended.contains(&pid) {
                ended.push(pid);
            }
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// The role of a process in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunRole {
    /// It belongs to the run.
    Member,
    /// It supervises the run.
    Supervisor,
}

/// Returns the processes that carry the mark.
fn find(mark: &str) -> io::Result<Vec<(Pid, RunRole)>> {
    let mut found = Vec::new();
    for process in fs::read_dir("/proc")? {
        let name = process?.file_name();
        let Some(pid) = name.to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw)
        else {
            continue;
        };
        found.extend(role(pid, mark).map(|role| (pid, role)));
    }
    Ok(found)
}

/// Returns the role of the process in the run. A process that ended meanwhile, or belongs to another user, has
/// none.
fn role(pid: Pid, mark: &str) -> Option<RunRole> {
    let environ = fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).unwrap_or_default();
    environ.split(|&byte| byte == 0).find_map(|entry| {
        if marker::marks(entry, mark) {
            Some(RunRole::Member)
        } else {
            marker::supervises(entry, mark).then_some(RunRole::Supervisor)
        }
    })
}

/// Kills the process if the number still belongs to the one that was found: it may have been reused.
fn kill(pid: Pid, mark: &str) -> bool {
    let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else { return false };
    role(pid, mark).is_some() && pidfd_send_signal(&handle, Signal::KILL).is_ok()
}
