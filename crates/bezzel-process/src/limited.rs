//! This program once more, inside limits: a command ends in time in each of its phases.
//!
//! Work that reads a file, generates a formula or loads a solver checks no limits. So the program starts itself again with
//! the same arguments, and the child does the work with the same standard streams, in the same process group. The
//! caller only measures the child. At a limit it asks the child to stop, which takes milliseconds, since a thread of the
//! child waits for this request. A child that still works a second later is killed, with all processes that it started.
//!
//! The child opens two channels of its caller below `/proc/PID/fd`, so that it passes them on to no process: a pipe of
//! requests, which also shows the end of the caller, and a file in memory that holds the present phase of the work.

use std::env;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::Errno;
use rustix::param::{clock_ticks_per_second, page_size};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, PidfdFlags, Resource, getppid, pidfd_open};

use crate::error::{Exit, ExternalError};
use crate::limits::{HardLimits, PERIOD, set_limit};
use crate::outcome::StopReason;
use crate::running;
use crate::tree::Process;

/// The variable by which the child finds the channels: the number of the calling process and those of its files.
const VARIABLE: &str = "BEZZEL_LIMITED";

/// The CPU time that a child may use after it was asked to stop, in seconds. It ends by itself long before.
const GRACE_CPU_S: u64 = 1;

/// The wall time that a child has after it was asked to stop. It may wait for the reader of its output.
const GRACE_WALL: Duration = Duration::from_secs(15);

/// The longest name of a phase, in bytes.
const PHASE_BYTES: usize = 16;

/// The limits of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLimits {
    /// The wall time from the start of the caller; `None` for no limit.
    pub wall: Option<Duration>,
    /// The resident memory of the child, in bytes.
    pub memory_bytes: u64,
    /// The phase in which the child is asked to stop as at its time limit, before that limit; for tests, which must not
    /// depend on the speed of the machine.
    pub stop_in: Option<String>,
}

/// The requests to stop, a byte each.
const REQUESTS: [(StopReason, u8); 3] =
    [(StopReason::Wall, b't'), (StopReason::Memory, b'm'), (StopReason::Cancelled, b'c')];

/// The end of the child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitedOutcome {
    /// The exit of the child.
    pub exit: Exit,
    /// The reason why the child was asked to stop, if it was.
    pub stopped: Option<StopReason>,
    /// The last phase of its work.
    pub phase: String,
}

impl CommandLimits {
    /// Runs this program once more inside the limits with these words of a command line, and returns when the child has
    /// ended. Each time that `interrupts` grows, the child is asked to stop.
    ///
    /// # Errors
    ///
    /// The child cannot be started or watched. It is ended then.
    pub fn run(
        &self,
        words: &[OsString],
        interrupts: &AtomicUsize,
    ) -> Result<LimitedOutcome, ExternalError> {
        let program = || "this program again".to_owned();
        let start = Instant::now();
        running::adopt_orphans();
        let (child, channels) = start_child(words)
            .map_err(|reason| ExternalError::Start { program: program(), reason })?;
        let mut watched =
            Watched { limits: self.clone(), start, child, channels, asked: None, passed_on: 0 };
        let ended = watched.wait(interrupts);
        if watched.passed_on < interrupts.load(Ordering::Relaxed) {
            // The signal has reached the child itself, before it listened to requests.
            watched.ask(StopReason::Cancelled, 0);
        }
        if watched.asked.is_some() || !matches!(ended, Ok(Exit::Code(_))) {
            let _ = watched.child.kill();
            running::end_orphans();
        }
        let exit =
            ended.map_err(|reason| ExternalError::Supervise { program: program(), reason })?;
        let stopped = watched.asked.map(|asked| asked.reason);
        Ok(LimitedOutcome { exit, stopped, phase: watched.channels.phase() })
    }
}

/// The channels of the caller.
struct CallerChannels {
    requests: File,
    /// The end of the pipe that the child opens.
    _requests_end: OwnedFd,
    phase: File,
}

impl CallerChannels {
    fn ask(&mut self, reason: StopReason) {
        let request = REQUESTS.iter().find(|(known, _)| *known == reason);
        // A child that does not read has ended.
        let _ = request.map(|(_, byte)| self.requests.write_all(&[*byte]));
    }

    fn phase(&self) -> String {
        let mut bytes = [0; PHASE_BYTES];
        let length = self.phase.read_at(&mut bytes, 0).unwrap_or(0);
        let name = bytes[..length].split(|&byte| byte == 0).next().unwrap_or_default();
        String::from_utf8_lossy(name).into_owned()
    }
}

/// Starts this program with the same streams.
fn start_child(words: &[OsString]) -> io::Result<(Child, CallerChannels)> {
    let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
    let phase = memfd_create("bezzel-phase", MemfdFlags::CLOEXEC)?;
    let numbers = format!("{}:{}:{}", std::process::id(), read.as_raw_fd(), phase.as_raw_fd());
    let mut command = Command::new("/proc/self/exe");
    if let Some((name, words)) = words.split_first() {
        command.arg0(name).args(words);
    }
    let child = command.env(VARIABLE, numbers).spawn()?;
    let phase = File::from(phase);
    Ok((child, CallerChannels { requests: write.into(), _requests_end: read, phase }))
}

/// A child that is watched.
struct Watched {
    limits: CommandLimits,
    start: Instant,
    child: Child,
    channels: CallerChannels,
    asked: Option<Asked>,
    /// The number of interrupts that were passed on.
    passed_on: usize,
}

/// The first request to stop.
struct Asked {
    reason: StopReason,
    at: Instant,
    /// The CPU time of the child then, in ticks.
    cpu_ticks: u64,
}

impl Watched {
    /// Waits for the end of the child, and asks it to stop or kills it in time.
    fn wait(&mut self, interrupts: &AtomicUsize) -> io::Result<Exit> {
        let pid = Pid::from_child(&self.child);
        let handle = pidfd_open(pid, PidfdFlags::empty())?;
        let page_bytes = page_size() as u64;
        let grace_ticks = GRACE_CPU_S * clock_ticks_per_second();
        loop {
            let process = Process::read(pid).filter(|process| !process.zombie);
            let cpu_ticks = process.map_or(0, |process| process.cpu_ticks);
            let resident_bytes = process.map_or(0, |process| process.resident_pages * page_bytes);
            while self.passed_on < interrupts.load(Ordering::Relaxed) {
                self.passed_on += 1;
                self.ask(StopReason::Cancelled, cpu_ticks);
            }
            if self.asked.is_none()
                && let Some(reason) = self.passed(resident_bytes)
            {
                self.ask(reason, cpu_ticks);
            }
            if let Some(asked) = &self.asked
                && (cpu_ticks > asked.cpu_ticks + grace_ticks || asked.at.elapsed() > GRACE_WALL)
            {
                self.child.kill()?;
            }
            let left = self.limits.wall.map(|wall| wall.saturating_sub(self.start.elapsed()));
            let left = left.filter(|_| self.asked.is_none());
            let rest = PERIOD.min(left.unwrap_or(PERIOD));
            let rest = Timespec::try_from(rest).ok();
            match poll(&mut [PollFd::new(&handle, PollFlags::IN)], rest.as_ref()) {
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => return Ok(Exit::from_status(self.child.wait()?)),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The limit that is passed now, with this memory.
    fn passed(&self, resident_bytes: u64) -> Option<StopReason> {
        let stop_in = self.limits.stop_in.as_ref();
        if self.limits.wall.is_some_and(|wall| self.start.elapsed() >= wall)
            || stop_in.is_some_and(|phase| *phase == self.channels.phase())
        {
            Some(StopReason::Wall)
        } else {
            (resident_bytes > self.limits.memory_bytes).then_some(StopReason::Memory)
        }
    }

    fn ask(&mut self, reason: StopReason, cpu_ticks: u64) {
        self.channels.ask(reason);
        self.asked.get_or_insert(Asked { reason, at: Instant::now(), cpu_ticks });
    }
}

/// The side of the child.
#[derive(Debug)]
pub struct LimitedChild {
    requests: File,
    phase: File,
}

impl LimitedChild {
    /// Returns the channels to the caller; `None` if this process was not started by [`CommandLimits::run`].
    ///
    /// # Errors
    ///
    /// The channels cannot be opened.
    pub fn of_environment() -> io::Result<Option<Self>> {
        let Ok(numbers) = env::var(VARIABLE) else { return Ok(None) };
        let mut numbers = numbers.split(':');
        let mut number = || numbers.next()?.parse::<i32>().ok();
        let (Some(caller), Some(requests), Some(phase)) = (number(), number(), number()) else {
            return Ok(None);
        };
        // The variable may come from a caller further above.
        if Pid::from_raw(caller) != getppid() {
            return Ok(None);
        }
        let path = |number: i32| format!("/proc/{caller}/fd/{number}");
        let requests = File::open(path(requests))?;
        let phase = OpenOptions::new().write(true).open(path(phase))?;
        Ok(Some(Self { requests, phase }))
    }

    /// Returns a writer of the phase.
    ///
    /// # Errors
    ///
    /// The file cannot be shared.
    pub fn phase_writer(&self) -> io::Result<PhaseWriter> {
        Ok(PhaseWriter(self.phase.try_clone()?))
    }

    /// Waits for the next request to stop; `None` if the caller has ended.
    pub fn next_request(&mut self) -> Option<StopReason> {
        let mut byte = [0];
        self.requests.read_exact(&mut byte).ok()?;
        REQUESTS.iter().find(|(_, known)| *known == byte[0]).map(|(reason, _)| *reason)
    }
}

/// Tells the caller the phase of the work.
#[derive(Debug)]
pub struct PhaseWriter(File);

impl PhaseWriter {
    /// Writes the name of the phase that begins now.
    pub fn begin(&self, name: &str) {
        let mut bytes = [0; PHASE_BYTES];
        let length = name.len().min(PHASE_BYTES);
        bytes[..length].copy_from_slice(&name.as_bytes()[..length]);
        // A caller that has ended reads no phase.
        let _ = self.0.write_at(&bytes, 0);
    }
}

/// Sets the limit of the kernel beyond a limit of memory for this process. It ends a process that grows faster than it
/// is measured. Processes that this one starts can set higher limits of their own.
///
/// # Errors
///
/// The kernel refuses.
pub fn set_hard_memory_limit(memory_bytes: u64) -> Result<(), ExternalError> {
    let bytes = HardLimits::beyond(0.0, memory_bytes).memory_bytes;
    set_limit(None, "the memory limit", Resource::Data, (bytes, u64::MAX))
}
