//! A run of a child process from outside: its input is written, its outputs are read, it is ended in time, and reaped.
//!
//! One thread does all of it by `poll`: it waits for the process itself (a pidfd), its input, its outputs, and the
//! clock. Outputs go through pipes that are read without blocking. Files would let a program with endless output
//! fill the disk, and reading a pipe to its end would wait for every grandchild that holds it. A run ends when the
//! program ends. Then the data in the pipes are read and no more.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};
use wait4::{ResUse, Wait4};

use crate::capture::Stream;
use crate::error::{Exit, ExternalError};
use crate::limits::SUPERVISOR;
use crate::outcome::{Outcome, StopReason};
use crate::{cgroup, running};

/// A program to be run, with its limits.
///
/// Its environment contains only the given variables (`CADICAL_*` variables would silently set a solver's options)
/// and `BEZZEL_RUN`, the number of this process, by which a worker detects that this process has ended.
#[derive(Clone, Debug)]
pub struct Program {
    /// The path of the program file. It is not searched in `PATH`.
    pub path: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its environment.
    pub environment: Vec<(OsString, OsString)>,
    /// Its standard input.
    pub stdin: Vec<u8>,
    /// The wall time after which its process group gets TERM.
    pub wall: Duration,
    /// The time from TERM until the group is killed. If zero, the group is killed at once, without TERM.
    pub grace: Duration,
    /// The number of bytes of each output that are kept: the last ones. All of it is read.
    pub keep_bytes: usize,
    /// The control group that it, or a process that it starts, may [join](crate::cgroup::join), if any: all
    /// processes in it or below end with the program.
    pub cgroup: Option<PathBuf>,
}

impl Program {
    /// Returns the program at `path`, without arguments, environment or input, with the wall limit `wall`.
    pub fn new(path: impl Into<PathBuf>, wall: Duration) -> Self {
        Self {
            path: path.into(),
            args: Vec::new(),
            environment: Vec::new(),
            stdin: Vec::new(),
            wall,
            grace: Duration::from_millis(500),
            keep_bytes: 1 << 20,
            cgroup: None,
        }
    }

    /// Runs the program to its end, and returns when no process of its group is left, and none of its control group.
    ///
    /// When `cancel` becomes true, the whole process group is killed at once.
    ///
    /// A worker process that has [set its hard limits](crate::limits::set_hard_limits) is killed when the *thread* that called
    /// this ends, so this thread waits.
    ///
    /// # Errors
    ///
    /// The program cannot be started or watched. None of its processes is left then, either.
    pub fn run(&self, cancel: Option<&AtomicBool>) -> Result<Outcome, ExternalError> {
        let program = || self.path.display().to_string();
        let start = Instant::now();
        let child = running::start(&mut self.command(), self.cgroup.clone())
            .map_err(|reason| ExternalError::Start { program: program(), reason })?;
        let deadlines = Deadlines::new(start, self.wall, self.grace);
        let end_cgroup =
            || self.cgroup.as_deref().map_or(Ok(()), cgroup::end).map_err(io::Error::other);
        let run = || {
            let run = ChildRun::new(child, &self.stdin, [self.keep_bytes; 2])?;
            let outcome = run.wait(deadlines, cancel, |group, step| {
                group.signal(if step == Step::Ask { Signal::TERM } else { Signal::KILL });
                if step == Step::Kill { end_cgroup() } else { Ok(()) }
            })?;
            end_cgroup().map(|()| outcome)
        };
        run().map_err(|reason| ExternalError::Supervise { program: program(), reason })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command
            .args(&self.args)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .env(SUPERVISOR, std::process::id().to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        command
    }
}

/// A child that runs: the leader of a process group, with its input and its outputs.
pub(crate) struct ChildRun<'a> {
    group: ProcessGroup,
    process: OwnedFd,
    input: Option<InputPipe<'a>>,
    outputs: [Stream; 2],
}

impl<'a> ChildRun<'a> {
    /// Writes these bytes to the input of the child, if it was not taken, and keeps this number of the last bytes of each
    /// output. The child is killed if that fails.
    pub(crate) fn new(mut child: Child, input: &'a [u8], keep: [usize; 2]) -> io::Result<Self> {
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let group = ProcessGroup::new(child);
        let (stdin, Some(stdout), Some(stderr)) = pipes else {
            unreachable!("both were asked for")
        };
        Ok(Self {
            process: group.handle()?,
            group,
            input: stdin.map(|stdin| InputPipe::new(stdin, input)).transpose()?,
            outputs: [Stream::new(stdout.into(), keep[0])?, Stream::new(stderr.into(), keep[1])?],
        })
    }

    /// Waits for the end of the child, and takes the steps towards it when they are due.
    pub(crate) fn wait(
        mut self,
        mut deadlines: Deadlines,
        cancel: Option<&AtomicBool>,
        take: impl Fn(&ProcessGroup, Step) -> io::Result<()>,
    ) -> io::Result<Outcome> {
        let mut block = vec![0; 1 << 16];
        loop {
            let cancelled = cancel.is_some_and(|flag| flag.load(Ordering::Relaxed));
            if let Some(step) = deadlines.due(Instant::now(), cancelled) {
                take(&self.group, step)?;
            }
            if self.wait_for_event(deadlines.wait(Instant::now(), cancel.is_some()))? {
                break;
            }
            if let Some(input) = &mut self.input {
                input.write();
            }
            for output in &mut self.outputs {
                output.read(&mut block)?;
            }
        }
        let wall_s = deadlines.start.elapsed().as_secs_f64();
        let used = self.group.end()?;
        let [stdout, stderr] = self.outputs;
        Ok(Outcome {
            exit: Exit::from_status(used.status),
            killed_by: deadlines.cause,
            cpu_s: (used.rusage.utime + used.rusage.stime).as_secs_f64(),
            wall_s,
            stdout: stdout.finish(&mut block)?,
            stderr: stderr.finish(&mut block)?,
        })
    }

    /// Waits for an event, at most for `wait`. Returns true if the child ended.
    fn wait_for_event(&self, wait: Option<Duration>) -> io::Result<bool> {
        let mut watched = Vec::with_capacity(4);
        watched.push(PollFd::new(&self.process, PollFlags::IN));
        let input = self.input.as_ref().and_then(|input| input.pipe.as_ref());
        watched.extend(input.map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
        let pipes = self.outputs.iter().filter_map(Stream::pipe);
        watched.extend(pipes.map(|pipe| PollFd::from_borrowed_fd(pipe, PollFlags::IN)));
        // A wait that is too long for the type counts as no limit.
        let wait = wait.and_then(|wait| Timespec::try_from(wait).ok());
        match poll(&mut watched, wait.as_ref()) {
            Ok(_) | Err(Errno::INTR) => Ok(!watched[0].revents().is_empty()),
            Err(error) => Err(error.into()),
        }
    }
}

/// A step towards the end of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It is asked to end.
    Ask,
    /// It is killed.
    Kill,
}

/// The times at which a child is made to end, and the reason.
pub(crate) struct Deadlines {
    start: Instant,
    /// The time at which it is asked to end, if any; a time beyond the clock's range is none.
    wall: Option<Instant>,
    grace: Duration,
    /// True if a child that is cancelled is asked to end first.
    asks_if_cancelled: bool,
    /// The time at which it is killed.
    kill: Option<Instant>,
    killed: bool,
    cause: Option<StopReason>,
}

/// The period of the checks of the flag that cancels.
const CANCEL_PERIOD: Duration = Duration::from_millis(20);

impl Deadlines {
    pub(crate) fn new(start: Instant, wall: Duration, grace: Duration) -> Self {
        let wall = start.checked_add(wall);
        let asks_if_cancelled = false;
        Self { start, wall, grace, asks_if_cancelled, kill: None, killed: false, cause: None }
    }

    /// The same times for a child that is asked to end also when the run is cancelled.
    pub(crate) fn asking(self) -> Self {
        Self { asks_if_cancelled: true, ..self }
    }

    /// Returns the step that is due now, if any. Each is due once.
    fn due(&mut self, now: Instant, cancelled: bool) -> Option<Step> {
        let past = |time: Option<Instant>| time.is_some_and(|time| time <= now);
        let overdue = past(self.wall);
        if overdue || cancelled {
            let cause = if overdue { StopReason::Wall } else { StopReason::Cancelled };
            self.cause.get_or_insert(cause);
        }
        let at_once = (cancelled && !self.asks_if_cancelled) || (overdue && self.grace.is_zero());
        if self.killed || self.cause.is_none() {
            return None;
        }
        if at_once || past(self.kill) {
            self.killed = true;
            return Some(Step::Kill);
        }
        if self.kill.is_none() {
            self.kill = Some(now + self.grace);
            return Some(Step::Ask);
        }
        None
    }

    /// Returns the time until a step may be due; `None` for never.
    fn wait(&self, now: Instant, cancellable: bool) -> Option<Duration> {
        let next = match self.kill {
            _ if self.killed => return None,
            None => self.wall,
            kill => kill,
        };
        let wait = next.map(|next| next.saturating_duration_since(now));
        let period = cancellable.then_some(CANCEL_PERIOD);
        wait.into_iter().chain(period).min()
    }
}

/// A child and its process group. If it is dropped before its end, it is killed and reaped.
pub(crate) struct ProcessGroup {
    child: Option<Child>,
    id: Pid,
}

impl ProcessGroup {
    fn new(child: Child) -> Self {
        let id = Pid::from_child(&child);
        Self { child: Some(child), id }
    }

    /// Returns a handle of the child to wait for.
    fn handle(&self) -> io::Result<OwnedFd> {
        Ok(pidfd_open(self.id, PidfdFlags::empty())?)
    }

    /// Sends a signal to all members. The group's number cannot be reused, since the child is not reaped. A member
    /// may have ended, which is harmless.
    pub(crate) fn signal(&self, signal: Signal) {
        if self.child.is_some() {
            let _ = kill_process_group(self.id, signal);
        }
    }

    /// Kills the rest of the group, and reaps the child.
    fn end(mut self) -> io::Result<ResUse> {
        self.signal(Signal::KILL);
        let child = self.child.take().expect("it is taken here and in drop only");
        running::reap(self.id, || child.wait4())
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
        if let Some(mut child) = self.child.take() {
            let _ = running::reap(self.id, || child.wait());
        }
    }
}

/// The writing end of the input. Writes do not block.
struct InputPipe<'a> {
    /// The pipe, closed when all is written or no process reads any more.
    pipe: Option<File>,
    rest: &'a [u8],
}

impl<'a> InputPipe<'a> {
    fn new(pipe: ChildStdin, bytes: &'a [u8]) -> io::Result<Self> {
        let pipe = OwnedFd::from(pipe);
        ioctl_fionbio(&pipe, true)?;
        let mut input = Self { pipe: Some(pipe.into()), rest: bytes };
        input.write();
        Ok(input)
    }

    fn write(&mut self) {
        while let Some(pipe) = &mut self.pipe {
            if self.rest.is_empty() {
                self.pipe = None;
                return;
            }
            match pipe.write(self.rest) {
                Ok(length) => self.rest = &self.rest[length..],
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock => return,
                    io::ErrorKind::Interrupted => {}
                    // The program does not read its input.
                    _ => self.pipe = None,
                },
            }
        }
    }
}
