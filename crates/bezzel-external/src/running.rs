//! The programs that run now, so that who is interrupted leaves none behind.

use std::io;
use std::mem;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::sweep;

/// Each program from its start until it is reaped, so that no number is another's.
static RUNNING: Mutex<Running> = Mutex::new(Running { programs: Vec::new(), over: false });

struct Running {
    /// The process group that each leads, and the mark by which it is swept, if it is.
    programs: Vec<(Pid, Option<String>)>,
    /// Whether nothing may be started any more.
    over: bool,
}

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a program that leads a process group. Whoever ends all either finds it or keeps it from
/// starting.
pub(crate) fn start(command: &mut Command, mark: Option<&str>) -> io::Result<Child> {
    let mut running = running();
    if running.over {
        return Err(io::Error::new(io::ErrorKind::Interrupted, "this program is about to end"));
    }
    let child = command.spawn()?;
    running.programs.push((Pid::from_child(&child), mark.map(str::to_owned)));
    Ok(child)
}

/// The leader of a group is about to be reaped.
pub(crate) fn over(group: Pid) {
    running().programs.retain(|&(known, _)| known != group);
}

/// Kills all programs that this process runs now, with all that they started, and starts none any
/// more: what somebody does who is interrupted and ends at once.
///
/// Nobody gets to know how they ended: who waits for one of them waits until this process ends, so
/// that it does not report what it was not meant to see.
pub fn end_all() {
    let mut running = running();
    running.over = true;
    for (group, _) in &running.programs {
        // Who is not there any more does not mind.
        let _ = kill_process_group(*group, Signal::KILL);
    }
    for mark in running.programs.iter().filter_map(|(_, mark)| mark.as_ref()) {
        // Whoever will not die now cannot be waited for.
        let _ = sweep::end(mark);
    }
    mem::forget(running);
}
