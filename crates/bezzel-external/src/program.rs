//! Running a program from without: fed, drained, ended in time, and reaped.
//!
//! One thread does it all by `poll`: the process itself (a pidfd), its input, its outputs, and the
//! clock. Outputs go through pipes that are read as they fill and never waited for: files would
//! let a program that floods its output fill the disk, and reading a pipe to its end would wait
//! for every grandchild that holds it. A run ends when the program ends, and then what is in the
//! pipes is read and no more.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};
use wait4::{ResUse, Wait4};

use crate::capture::{Captured, Stream};
use crate::error::ExternalError;
use crate::exit::Exit;
use crate::running::Traces;
use crate::{cgroup, marker, running, sweep};

/// A program to be run, and how.
///
/// Its environment holds what is given here and nothing else (`CADICAL_*` variables would
/// silently set a solver's options), apart from the mark `BEZZEL_RUN`, by which its descendants
/// are known.
#[derive(Clone, Debug)]
pub struct Program {
    /// The file that is run. It is not looked up anywhere.
    pub path: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its environment.
    pub environment: Vec<(OsString, OsString)>,
    /// Its working directory; that of this process if there is none.
    pub directory: Option<PathBuf>,
    /// What it reads on its standard input.
    pub stdin: Vec<u8>,
    /// The wall time after which it is asked to end, by TERM to its process group.
    pub wall: Duration,
    /// How long after TERM the group is killed. At once, without TERM, if zero.
    pub grace: Duration,
    /// How many bytes of each output are kept; the last ones. All of it is read.
    pub keep_bytes: usize,
    /// How many bytes it may write to both outputs together. Its group is killed beyond.
    pub output_bytes: u64,
    /// Whether to look among all processes of the machine for descendants that left the process
    /// group, and kill them. It takes some microseconds per process there, and workers of ours,
    /// which start nothing, can do without.
    pub sweep: bool,
    /// The control group that it, or who is started by it, may [join](crate::cgroup::join), if any:
    /// whoever is in it or below ends with the program.
    pub cgroup: Option<PathBuf>,
}

/// Why the supervisor ended a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// It ran out of wall time.
    Wall,
    /// The run was cancelled.
    Cancelled,
    /// It wrote more than it may.
    Output,
}

/// What became of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// How it ended.
    pub exit: Exit,
    /// Why the supervisor made it end, if it did. A program that is asked to end may still end by
    /// itself, with whatever code it likes.
    pub killed_by: Option<Cause>,
    /// CPU time as the kernel counted it, in seconds: the program's and that of those descendants
    /// that it waited for.
    pub cpu_s: f64,
    /// Wall time from before its start to its end, in seconds.
    pub wall_s: f64,
    /// What it wrote to its standard output.
    pub stdout: Captured,
    /// What it wrote to its standard error.
    pub stderr: Captured,
    /// Descendants outside its process group, or in its control group, that had to be killed after
    /// it.
    pub stragglers: usize,
}

impl Program {
    /// The program at `path`, without arguments, environment or input, that may run for `wall`.
    pub fn new(path: impl Into<PathBuf>, wall: Duration) -> Self {
        Self {
            path: path.into(),
            args: Vec::new(),
            environment: Vec::new(),
            directory: None,
            stdin: Vec::new(),
            wall,
            grace: Duration::from_millis(500),
            keep_bytes: 1 << 20,
            output_bytes: u64::MAX,
            sweep: true,
            cgroup: None,
        }
    }

    /// Runs the program to its end, and returns when nothing of it is left.
    ///
    /// When `cancel` becomes true, the whole process group is killed at once.
    ///
    /// A worker that has [entered its fences](crate::limits::enter) is killed when the *thread*
    /// that called this ends, so this is the thread that waits.
    ///
    /// # Errors
    ///
    /// When the program cannot be started or watched. Nothing is left of it then, either.
    pub fn run(&self, cancel: Option<&AtomicBool>) -> Result<Outcome, ExternalError> {
        let program = || self.path.display().to_string();
        let mark = marker::next();
        let start = Instant::now();
        let traces = Traces {
            mark: self.sweep.then(|| mark.clone()),
            control: None,
            cgroup: self.cgroup.clone(),
        };
        let child = running::start(&mut self.command(&mark), traces)
            .map_err(|reason| ExternalError::Start { program: program(), reason })?;
        self.supervise(child, &mark, start, cancel)
            .map_err(|reason| ExternalError::Supervise { program: program(), reason })
    }

    fn command(&self, mark: &str) -> Command {
        let mut command = Command::new(&self.path);
        command
            .args(&self.args)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .env(marker::VARIABLE, mark)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
    }

    fn supervise(
        &self,
        mut child: Child,
        mark: &str,
        start: Instant,
        cancel: Option<&AtomicBool>,
    ) -> io::Result<Outcome> {
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let group = Group::new(child);
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            unreachable!("all three were asked for")
        };
        let process = group.handle()?;
        let mut input = Input::new(stdin.into(), &self.stdin)?;
        let mut outputs = [
            Stream::new(stdout.into(), self.keep_bytes)?,
            Stream::new(stderr.into(), self.keep_bytes)?,
        ];
        let mut block = vec![0; 1 << 16];
        let mut end = End::new(start, self.wall, self.grace);
        loop {
            let cancelled = cancel.is_some_and(|flag| flag.load(Ordering::Relaxed));
            let flooded = outputs.iter().map(Stream::written).sum::<u64>() > self.output_bytes;
            let at_once = match (cancelled, flooded) {
                (true, _) => Some(Cause::Cancelled),
                (false, true) => Some(Cause::Output),
                (false, false) => None,
            };
            if let Some(signal) = end.due(Instant::now(), at_once) {
                group.signal(signal);
                if signal == Signal::KILL
                    && let Some(path) = &self.cgroup
                {
                    cgroup::end(path).map_err(io::Error::other)?;
                }
            }
            let wait = end.wait(Instant::now(), cancel.is_some());
            if wait_for(&process, input.pipe.as_ref(), &outputs, wait)? {
                break;
            }
            input.write();
            for output in &mut outputs {
                output.read(&mut block)?;
            }
        }
        let wall_s = start.elapsed().as_secs_f64();
        let used = group.end()?;
        let escaped = self.cgroup.as_deref().map(cgroup::end).transpose();
        let escaped = escaped.map_err(io::Error::other)?.unwrap_or(0);
        let [stdout, stderr] = outputs;
        Ok(Outcome {
            exit: Exit::from_status(used.status),
            killed_by: end.cause,
            cpu_s: (used.rusage.utime + used.rusage.stime).as_secs_f64(),
            wall_s,
            stdout: stdout.finish(&mut block)?,
            stderr: stderr.finish(&mut block)?,
            stragglers: escaped + if self.sweep { sweep::end(mark)? } else { 0 },
        })
    }
}

/// Waits until something happens, at most for `wait`. Returns whether the process ended.
pub(crate) fn wait_for(
    process: &OwnedFd,
    input: Option<&File>,
    outputs: &[Stream],
    wait: Option<Duration>,
) -> io::Result<bool> {
    let mut watched = Vec::with_capacity(4);
    watched.push(PollFd::new(process, PollFlags::IN));
    watched.extend(input.map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
    let pipes = outputs.iter().filter_map(Stream::pipe);
    watched.extend(pipes.map(|pipe| PollFd::from_borrowed_fd(pipe, PollFlags::IN)));
    // A wait that is too long to be said is as good as none.
    let wait = wait.and_then(|wait| Timespec::try_from(wait).ok());
    match poll(&mut watched, wait.as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(!watched[0].revents().is_empty()),
        Err(error) => Err(error.into()),
    }
}

/// When a program is made to end, and why.
struct End {
    /// When it will be asked to end, if ever: later than the clock can say is never.
    wall: Option<Instant>,
    grace: Duration,
    /// When it will be killed.
    kill: Option<Instant>,
    killed: bool,
    cause: Option<Cause>,
}

/// How often the flag that cancels is looked at.
pub(crate) const CANCEL_PERIOD: Duration = Duration::from_millis(20);

impl End {
    fn new(start: Instant, wall: Duration, grace: Duration) -> Self {
        let wall = start.checked_add(wall);
        Self { wall, grace, kill: None, killed: false, cause: None }
    }

    /// The signal that is due now, if any; `at_once` is a reason not to wait. Each is due once.
    fn due(&mut self, now: Instant, at_once: Option<Cause>) -> Option<Signal> {
        let past = |time: Option<Instant>| time.is_some_and(|time| time <= now);
        let overdue = past(self.wall);
        if let Some(cause) = if overdue { Some(Cause::Wall) } else { at_once } {
            self.cause.get_or_insert(cause);
        }
        if self.killed {
            return None;
        }
        if at_once.is_some() || past(self.kill) || (overdue && self.grace.is_zero()) {
            self.killed = true;
            return Some(Signal::KILL);
        }
        if overdue && self.kill.is_none() {
            self.kill = Some(now + self.grace);
            return Some(Signal::TERM);
        }
        None
    }

    /// How long until something may be due; `None` is for ever.
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

/// A child and its process group. Dropped before its end, it is killed and reaped.
pub(crate) struct Group {
    child: Option<Child>,
    id: Pid,
}

impl Group {
    pub(crate) fn new(child: Child) -> Self {
        let id = Pid::from_child(&child);
        Self { child: Some(child), id }
    }

    /// The child, as something to wait for.
    pub(crate) fn handle(&self) -> io::Result<OwnedFd> {
        Ok(pidfd_open(self.id, PidfdFlags::empty())?)
    }

    /// Sends a signal to all members. The group's number cannot be another's, since the child is
    /// not reaped; who is not there any more does not mind.
    fn signal(&self, signal: Signal) {
        if self.child.is_some() {
            let _ = kill_process_group(self.id, signal);
        }
    }

    /// Kills what is left of the group, and reaps the child.
    pub(crate) fn end(mut self) -> io::Result<ResUse> {
        self.signal(Signal::KILL);
        let child = self.child.take().expect("it is taken here and in drop only");
        running::over(self.id);
        child.wait4()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
        if let Some(mut child) = self.child.take() {
            running::over(self.id);
            let _ = child.wait();
        }
    }
}

/// The writing end of the input, never waited on.
struct Input<'a> {
    /// Closed when all is written or nobody reads any more.
    pipe: Option<File>,
    rest: &'a [u8],
}

impl<'a> Input<'a> {
    fn new(pipe: OwnedFd, bytes: &'a [u8]) -> io::Result<Self> {
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
                    // The program does not want to know.
                    _ => self.pipe = None,
                },
            }
        }
    }
}
