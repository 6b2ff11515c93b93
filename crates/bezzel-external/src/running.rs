//! The programs that run now, so that who is interrupted leaves none behind.

use std::io;
use std::mem;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use crate::{cgroup, sweep};

/// Each program from its start until it is reaped, so that no number is another's.
static RUNNING: Mutex<Running> = Mutex::new(Running { programs: Vec::new(), over: false });

struct Running {
    programs: Vec<Entry>,
    /// Whether nothing may be started any more.
    over: bool,
}

struct Entry {
    /// The process group that the program leads.
    group: Pid,
    traces: Traces,
}

/// By what a program and all that it starts are ended, beside its process group.
#[derive(Clone, Debug, Default)]
pub(crate) struct Traces {
    /// The mark by which it is swept, if it is.
    pub(crate) mark: Option<String>,
    /// How it is told to end what it supervises, if it does.
    pub(crate) control: Option<Control>,
    /// Its control group, if it has one.
    pub(crate) cgroup: Option<PathBuf>,
}

/// The input of a supervisor, held open as long as it shall go on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Control(Arc<Mutex<Line>>);

#[derive(Debug, Default)]
enum Line {
    /// The supervisor is being started.
    #[default]
    Unmade,
    Open(ChildStdin),
    Closed,
}

impl Control {
    /// Keeps it open, unless it was hung up meanwhile.
    pub(crate) fn hold(&self, stdin: ChildStdin) {
        let mut line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !matches!(*line, Line::Closed) {
            *line = Line::Open(stdin);
        }
    }

    /// Tells the supervisor to end everything.
    pub(crate) fn hang_up(&self) {
        let mut line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Line::Open(stdin) = mem::replace(&mut *line, Line::Closed) {
            drop(stdin);
        }
    }
}

/// How long supervisors may take to end what they look after, when everything is to end.
const PATIENCE: Duration = Duration::from_secs(2);

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a program that leads a process group. Whoever ends all either finds it or keeps it from
/// starting.
pub(crate) fn start(command: &mut Command, traces: Traces) -> io::Result<Child> {
    let mut running = running();
    if running.over {
        return Err(io::Error::new(io::ErrorKind::Interrupted, "this program is about to end"));
    }
    let child = command.spawn()?;
    running.programs.push(Entry { group: Pid::from_child(&child), traces });
    Ok(child)
}

/// The leader of a group is about to be reaped.
pub(crate) fn over(group: Pid) {
    running().programs.retain(|known| known.group != group);
}

/// Kills all programs that this process runs now, with all that they started, and starts none any
/// more: what somebody does who is interrupted and ends at once.
///
/// Nobody gets to know how they ended: who waits for one of them waits until this process ends, so
/// that it does not report what it was not meant to see.
pub fn end_all() {
    let mut running = running();
    running.over = true;
    for control in running.programs.iter().filter_map(|entry| entry.traces.control.as_ref()) {
        control.hang_up();
    }
    let end = Instant::now() + PATIENCE;
    for entry in &running.programs {
        if entry.traces.control.is_some() {
            wait_for(entry.group, end);
        }
        // Who is not there any more does not mind.
        let _ = kill_process_group(entry.group, Signal::KILL);
        let _ = entry.traces.cgroup.as_deref().map(cgroup::end);
    }
    for mark in running.programs.iter().filter_map(|entry| entry.traces.mark.as_ref()) {
        // Whoever will not die now cannot be waited for.
        let _ = sweep::end(mark);
    }
    mem::forget(running);
}

/// Waits until the child has ended, or it is too late.
fn wait_for(child: Pid, end: Instant) {
    let Ok(process) = pidfd_open(child, PidfdFlags::empty()) else { return };
    let wait = Timespec::try_from(end.saturating_duration_since(Instant::now())).ok();
    let _ = poll(&mut [PollFd::new(&process, PollFlags::IN)], wait.as_ref());
}
