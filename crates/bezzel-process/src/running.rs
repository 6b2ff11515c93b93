//! The list of running programs, so that an interrupted process leaves none behind.

use std::io;
use std::mem;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Signal, getpid, kill_process_group, pidfd_open, set_child_subreaper,
};

use crate::cgroup;
use crate::tree::Finder;

/// The programs from start until they are reaped, so that no number can be reused.
static RUNNING: Mutex<Running> = Mutex::new(Running { programs: Vec::new(), closed: false });

struct Running {
    programs: Vec<RunningProgram>,
    /// True if no program may be started any more.
    closed: bool,
}

struct RunningProgram {
    /// The process group that the program leads.
    group: Pid,
    handles: EndHandles,
}

/// The means to end a program and all processes that it starts, beside its process group.
#[derive(Clone, Debug, Default)]
pub(crate) struct EndHandles {
    /// The connection to the supervisor, if it is one.
    pub(crate) control: Option<Control>,
    /// Its control group, if it has one.
    pub(crate) cgroup: Option<PathBuf>,
}

/// The input of a supervisor. The supervisor continues as long as it is open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Control(Arc<Mutex<ControlInput>>);

#[derive(Debug, Default)]
enum ControlInput {
    /// The supervisor is being started.
    #[default]
    Starting,
    Open(ChildStdin),
    Closed,
}

impl Control {
    /// Keeps the input open, unless it was closed meanwhile.
    pub(crate) fn open(&self, stdin: ChildStdin) {
        let mut input = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !matches!(*input, ControlInput::Closed) {
            *input = ControlInput::Open(stdin);
        }
    }

    /// Closes the input, which makes the supervisor end all processes.
    pub(crate) fn close(&self) {
        let mut input = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let ControlInput::Open(stdin) = mem::replace(&mut *input, ControlInput::Closed) {
            drop(stdin);
        }
    }
}

/// The time that supervisors may take to end their programs when all programs must end, and killed processes to end.
const END_TIMEOUT: Duration = Duration::from_secs(2);

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a program that leads a process group. `end_all` either finds it or prevents the start.
pub(crate) fn start(command: &mut Command, handles: EndHandles) -> io::Result<Child> {
    let mut running = running();
    if running.closed {
        return Err(io::Error::new(io::ErrorKind::Interrupted, "this program is about to end"));
    }
    let child = command.spawn()?;
    running.programs.push(RunningProgram { group: Pid::from_child(&child), handles });
    Ok(child)
}

/// Removes the group whose leader is about to be reaped.
pub(crate) fn remove(group: Pid) {
    running().programs.retain(|known| known.group != group);
}

/// Kills all programs that this process runs now, and prevents further starts. An interrupted process calls it before it
/// ends. Supervisors of programs that a killed worker has started detect its end, and end all processes of these.
///
/// The results of these programs are not reported: a thread that waits for one of them waits until this process
/// ends, so that it does not record an aborted run.
pub fn end_all() {
    let mut running = running();
    running.closed = true;
    for control in running.programs.iter().filter_map(|entry| entry.handles.control.as_ref()) {
        control.close();
    }
    let end = Instant::now() + END_TIMEOUT;
    for entry in &running.programs {
        if entry.handles.control.is_some() {
            wait_for(entry.group, end);
        }
        // The group may have ended, which is harmless.
        let _ = kill_process_group(entry.group, Signal::KILL);
        let _ = entry.handles.cgroup.as_deref().map(cgroup::end);
    }
    mem::forget(running);
}

/// Makes this process the parent of each descendant that loses its own.
pub(crate) fn adopt() {
    // Without it they become children of the first process of the machine.
    let _ = set_child_subreaper(Some(getpid()));
}

/// Kills the adopted descendants of this process, and those that these leave behind, until none is left.
pub(crate) fn end_adopted() {
    let running = running();
    let (own, end) = (getpid(), Instant::now() + END_TIMEOUT);
    while Instant::now() < end {
        let is_started = |pid| running.programs.iter().any(|known| known.group == pid);
        let mut adopted = Finder::new().descendants(own);
        adopted.retain(|it| it.parent == Some(own) && !it.zombie && !is_started(it.pid));
        if adopted.is_empty() {
            return;
        }
        for process in &adopted {
            process.signal(Signal::KILL);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Waits until the child has ended, or until `end`.
fn wait_for(child: Pid, end: Instant) {
    let Ok(process) = pidfd_open(child, PidfdFlags::empty()) else { return };
    let wait = Timespec::try_from(end.saturating_duration_since(Instant::now())).ok();
    let _ = poll(&mut [PollFd::new(&process, PollFlags::IN)], wait.as_ref());
}
