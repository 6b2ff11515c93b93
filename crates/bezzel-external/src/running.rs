//! The process groups that run now, so that who is interrupted leaves none behind.

use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

/// Each group from its start until it is reaped, so that no number is another's.
static RUNNING: Mutex<Running> = Mutex::new(Running { groups: Vec::new(), over: false });

struct Running {
    groups: Vec<Pid>,
    /// Whether nothing may be started any more.
    over: bool,
}

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a program that leads a process group. Whoever ends all either finds it or keeps it from
/// starting.
pub(crate) fn start(command: &mut Command) -> io::Result<Child> {
    let mut running = running();
    if running.over {
        return Err(io::Error::new(io::ErrorKind::Interrupted, "this program is about to end"));
    }
    let child = command.spawn()?;
    running.groups.push(Pid::from_child(&child));
    Ok(child)
}

/// The leader of a group is about to be reaped.
pub(crate) fn over(group: Pid) {
    running().groups.retain(|&known| known != group);
}

/// Kills all programs that this process runs now, with their process groups, and starts none any
/// more: what somebody does who is interrupted and ends at once.
pub fn end_all() {
    let mut running = running();
    running.over = true;
    for &group in &running.groups {
        // Who is not there any more does not mind.
        let _ = kill_process_group(group, Signal::KILL);
    }
}
