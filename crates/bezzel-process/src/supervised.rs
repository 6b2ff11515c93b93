//! An external program, with all processes that it starts, inside limits.
//!
//! A separate process starts it, the *supervisor* (our own binary with the hidden command `supervise`), for three
//! reasons. The kernel's peak of memory of a reaped child begins with the size of the process that started it, so
//! that process must be small. Orphans become children of the nearest ancestor that requests them, so no descendant
//! can escape, with any new session or a cleared environment. The supervisor starts no other process: any process
//! that is left when the program ends belongs to it.

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::capture::Stream;
use crate::error::ExternalError;
use crate::exit::Exit;
use crate::outcome::SupervisedOutcome;
use crate::program::{CANCEL_PERIOD, ProcessGroup, wait_for};
use crate::running::{Control, EndHandles};
use crate::supervisor::{Report, Request};
use crate::watch::SoftLimits;
use crate::{cgroup, running};

/// The variables of this process's environment that a program gets, beside `LC_ALL=C`: a solver must find its
/// libraries, and must not find options that no row records (`CADICAL_*`).
pub const ENVIRONMENT: [&str; 5] = ["PATH", "LANG", "HOME", "TMPDIR", "LD_LIBRARY_PATH"];

/// The time that the supervisor has to end all processes on request, before it is ended itself.
const END_TIMEOUT: Duration = Duration::from_secs(10);

/// A command line to be run within limits on the sum of its processes.
///
/// Its standard input is empty; it has a session of its own, without a terminal.
#[derive(Clone, Debug)]
pub struct Supervised {
    /// The program that has the command `supervise`, and calls [`supervisor::serve`](crate::supervisor::serve) for it.
    pub supervisor: PathBuf,
    /// The command line, in the syntax of `/bin/sh`.
    pub command: String,
    /// Its working directory.
    pub directory: PathBuf,
    /// Its environment.
    pub environment: Vec<(OsString, OsString)>,
    /// The limits on the sum of its processes. Wall time counts from its beginning.
    pub limits: SoftLimits,
    /// The file for its standard output. Its old content is overwritten.
    pub output: PathBuf,
    /// The largest number of bytes of its standard output.
    pub output_bytes: u64,
    /// The largest number of bytes of its standard error.
    pub error_bytes: u64,
    /// The largest size of each file that it writes itself, in bytes. It gets XFSZ beyond, which ends it.
    pub file_bytes: u64,
    /// The number of bytes of its standard error that are kept: the last ones.
    pub keep_bytes: usize,
    /// The largest number of its processes at a time.
    pub processes: usize,
    /// The control group that it runs in, if any; see [`cgroup`]. It must contain no other process.
    pub cgroup: Option<PathBuf>,
    /// The time from TERM, at a limit, until all processes are killed.
    pub grace: Duration,
}

impl Supervised {
    /// Returns the command line, run in `directory` within these limits, with its standard output in `output`. The
    /// supervisor is this very program.
    pub fn new(
        command: impl Into<String>,
        directory: impl Into<PathBuf>,
        limits: SoftLimits,
        output: impl Into<PathBuf>,
    ) -> Self {
        let given = |name: &&str| Some((OsString::from(*name), std::env::var_os(name)?));
        let fixed = ("LC_ALL".into(), "C".into());
        Self {
            supervisor: PathBuf::from("/proc/self/exe"),
            command: command.into(),
            directory: directory.into(),
            environment: ENVIRONMENT.iter().filter_map(given).chain([fixed]).collect(),
            limits,
            output: output.into(),
            output_bytes: 1 << 30,
            error_bytes: u64::MAX,
            file_bytes: u64::MAX,
            keep_bytes: 1 << 14,
            processes: 1024,
            cgroup: None,
            grace: Duration::from_millis(500),
        }
    }

    /// Runs the command line to its end, and returns when none of its processes is left.
    ///
    /// When `cancel` becomes true, or this process ends, all processes are killed at once.
    ///
    /// # Errors
    ///
    /// The supervisor cannot be started, cannot begin (missing directory, no right to join the control group, no
    /// space for the output), or is itself killed from outside. No process of the program is left then, either.
    pub fn run(&self, cancel: Option<&AtomicBool>) -> Result<SupervisedOutcome, ExternalError> {
        let exited = self.supervise(cancel);
        let report = match &exited {
            Ok(SupervisorExit { exit: Exit::Code(0), stdout, .. }) => {
                serde_json::from_slice(stdout).ok()
            }
            _ => None,
        };
        let reason = match report {
            Some(Report::Ended(outcome)) => return Ok(outcome),
            Some(Report::Failed(reason)) => reason,
            None => {
                // Its processes may still run.
                let _ = self.cgroup.as_deref().map(cgroup::end);
                if let Ok(SupervisorExit { exit: Exit::Signal(_), .. }) = exited {
                    running::end_adopted();
                }
                return Err(match exited {
                    Ok(SupervisorExit { exit, stderr, .. }) => {
                        ExternalError::SupervisorDied { exit, stderr: stderr.trim().to_owned() }
                    }
                    Err(reason) => ExternalError::Start {
                        program: self.supervisor.display().to_string(),
                        reason,
                    },
                });
            }
        };
        Err(ExternalError::Supervisor { command: self.command.clone(), reason })
    }

    fn request(&self) -> Request {
        let limits = SoftLimits {
            // JSON cannot represent infinity.
            cpu_s: self.limits.cpu_s.min(f64::MAX),
            wall_s: self.limits.wall_s.min(f64::MAX),
            ..self.limits
        };
        Request {
            command: self.command.clone(),
            directory: self.directory.clone().into(),
            environment: self.environment.clone(),
            limits,
            output: self.output.clone().into(),
            output_bytes: self.output_bytes,
            error_bytes: self.error_bytes,
            file_bytes: self.file_bytes,
            keep_bytes: self.keep_bytes,
            processes: self.processes,
            cgroup: self.cgroup.clone().map(Into::into),
            grace: self.grace,
        }
    }

    fn supervise(&self, cancel: Option<&AtomicBool>) -> io::Result<SupervisorExit> {
        let mut command = Command::new(&self.supervisor);
        command
            .arg("supervise")
            .env_clear()
            .envs(library_path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let control = Control::default();
        let handles = EndHandles { control: Some(control.clone()), cgroup: self.cgroup.clone() };
        running::adopt();
        let mut child = running::start(&mut command, handles)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let group = ProcessGroup::new(child);
        let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes else {
            unreachable!("all three were asked for")
        };
        let mut request = serde_json::to_vec(&self.request())?;
        request.push(b'\n');
        // A supervisor that does not read has ended, and its exit gives the reason.
        let _ = stdin.write_all(&request);
        // Held open: its end makes the supervisor end all processes.
        control.open(stdin);
        let process = group.handle()?;
        let mut outputs =
            [Stream::new(stdout.into(), usize::MAX)?, Stream::new(stderr.into(), self.keep_bytes)?];
        let mut block = vec![0; 1 << 16];
        let longest = Duration::try_from_secs_f64(self.limits.wall_s)
            .ok()
            .and_then(|wall| wall.checked_add(self.grace + END_TIMEOUT));
        let mut deadline = longest.and_then(|longest| Instant::now().checked_add(longest));
        let mut is_closed = false;
        loop {
            let now = Instant::now();
            let cancelled = cancel.is_some_and(|flag| flag.load(Ordering::Relaxed));
            let late = deadline.is_some_and(|deadline| deadline <= now);
            if !is_closed && (cancelled || late) {
                control.close();
                is_closed = true;
                deadline = now.checked_add(END_TIMEOUT);
            } else if late {
                break;
            }
            let wait = deadline.map(|deadline| deadline.saturating_duration_since(now));
            let period = (cancel.is_some() && !is_closed).then_some(CANCEL_PERIOD);
            let wait = wait.into_iter().chain(period).min();
            if wait_for(&process, None, &outputs, wait)? {
                break;
            }
            for output in &mut outputs {
                output.read(&mut block)?;
            }
        }
        let used = group.end()?;
        let [stdout, stderr] = outputs;
        Ok(SupervisorExit {
            exit: Exit::from_status(used.status),
            stdout: stdout.finish(&mut block)?.tail,
            stderr: stderr.finish(&mut block)?.text(),
        })
    }
}

/// The exit of a supervisor and its outputs.
struct SupervisorExit {
    exit: Exit,
    stdout: Vec<u8>,
    stderr: String,
}

/// Returns the variable by which the supervisor finds its shared libraries, if it is set.
fn library_path() -> Option<(&'static Path, OsString)> {
    let name = "LD_LIBRARY_PATH";
    Some((Path::new(name), std::env::var_os(name)?))
}
