//! The list of running programs, so that an interrupted process leaves none behind; the orphans of programs that were
//! killed; and the browser, the only program that is in no list.

use std::io::{self, Write};
use std::mem;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpid, kill_process_group, pidfd_open,
    set_child_subreaper, waitpid,
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
    /// The input of the program, if it is a supervisor.
    control: Option<Control>,
    /// Its control group, if it has one.
    cgroup: Option<PathBuf>,
}

/// The input of a supervisor. The supervisor continues as long as it is open.
#[derive(Clone, Debug)]
pub(crate) struct Control(Arc<Mutex<Option<ChildStdin>>>);

impl Control {
    fn input(&self) -> MutexGuard<'_, Option<ChildStdin>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a request. A supervisor that does not read has ended, and its exit gives the reason.
    pub(crate) fn write(&self, request: &[u8]) {
        let _ = self.input().as_mut().map(|stdin| stdin.write_all(request));
    }

    /// Requests the end of the program and of all processes that it started.
    pub(crate) fn close(&self) {
        drop(self.input().take());
    }
}

/// The time that supervisors may take to end their programs when all programs must end, and killed processes to end.
const END_TIMEOUT: Duration = Duration::from_secs(2);

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a program that leads a process group. `end_all` either finds it or prevents the start.
pub(crate) fn start(command: &mut Command, cgroup: Option<PathBuf>) -> io::Result<Child> {
    start_in(&mut running(), command, cgroup)
}

/// Starts a supervisor. Its input is returned apart.
pub(crate) fn start_supervisor(
    command: &mut Command,
    cgroup: Option<PathBuf>,
) -> io::Result<(Child, Control)> {
    let mut running = running();
    let mut child = start_in(&mut running, command, cgroup)?;
    let control = Control(Arc::new(Mutex::new(child.stdin.take())));
    running.programs.last_mut().expect("it was added").control = Some(control.clone());
    Ok((child, control))
}

fn start_in(
    running: &mut Running,
    command: &mut Command,
    cgroup: Option<PathBuf>,
) -> io::Result<Child> {
    if running.closed {
        return Err(io::Error::new(io::ErrorKind::Interrupted, "this program is about to end"));
    }
    let child = command.spawn()?;
    let group = Pid::from_child(&child);
    running.programs.push(RunningProgram { group, control: None, cgroup });
    Ok(child)
}

/// Reaps the leader of a group, which has ended or was killed, and removes the group. Until then the leader is no orphan.
pub(crate) fn reap<T>(group: Pid, wait: impl FnOnce() -> T) -> T {
    let mut running = running();
    let ended = wait();
    running.programs.retain(|known| known.group != group);
    ended
}

/// Kills all programs that this process runs now, and prevents further starts. An interrupted process calls it before it
/// ends. Supervisors of programs that a killed worker has started detect its end, and end all processes of these.
///
/// The results of these programs are not reported: a thread that waits for one of them waits until this process
/// ends, so that it does not record an aborted run.
pub fn end_all() {
    let mut running = running();
    running.closed = true;
    running.programs.iter().filter_map(|entry| entry.control.as_ref()).for_each(Control::close);
    let end = Instant::now() + END_TIMEOUT;
    for entry in &running.programs {
        if entry.control.is_some() {
            wait_for(entry.group, end);
        }
        // The group may have ended, which is harmless.
        let _ = kill_process_group(entry.group, Signal::KILL);
        let _ = entry.cgroup.as_deref().map(cgroup::end);
    }
    mem::forget(running);
}

/// Makes this process the parent of each descendant that loses its own.
pub fn adopt_orphans() {
    // Without it they become children of the first process of the machine.
    let _ = set_child_subreaper(Some(getpid()));
}

/// Kills the adopted descendants of this process, and those that these leave behind, until none is left: those of a
/// program that was killed before it could end its own.
pub fn end_orphans() {
    let running = running();
    let (own, end) = (getpid(), Instant::now() + END_TIMEOUT);
    while Instant::now() < end {
        let is_started = |pid| running.programs.iter().any(|known| known.group == pid);
        let mut adopted = Finder::new().descendants(own);
        adopted.retain(|it| it.parent == Some(own) && !is_started(it.pid));
        if adopted.is_empty() {
            return;
        }
        for process in &adopted {
            process.signal(Signal::KILL);
            let _ = waitpid(Some(process.pid), WaitOptions::NOHANG);
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

/// The program with which desktops open a file or an address in the preferred application.
const OPENER: &str = "xdg-open";

/// Opens the address of a page in the browser of this desktop. The browser belongs to the user: it is in no process
/// group of ours, has no limits, and stays when this process ends.
///
/// # Errors
///
/// The desktop has no such program, or it cannot be started.
pub fn open_in_browser(address: &str) -> io::Result<()> {
    let mut command = Command::new(OPENER);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut opener = command.process_group(0).spawn()?;
    // It ends soon, and would stay a zombie if no thread waited for it.
    let _ = thread::Builder::new().spawn(move || opener.wait());
    Ok(())
}
