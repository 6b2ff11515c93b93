//! An external program, with everything that it starts, inside limits.
//!
//! A process of its own starts it, the *supervisor* (our own binary with the hidden verb
//! `supervise`), for three reasons. The kernel's number for a reaped child's peak of memory begins
//! with the size of the process that started it, so that process must be small. Orphans come to the
//! nearest ancestor that asks for them, so that no descendant can leave the family, whatever
//! sessions it makes and however it clears its environment. The supervisor starts nothing else: any
//! process that is left when the program ends belongs to it.

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::account::Account;
use crate::capture::Stream;
use crate::error::ExternalError;
use crate::exit::Exit;
use crate::program::{CANCEL_PERIOD, Group, wait_for};
use crate::running::{Control, Traces};
use crate::supervisor::{Report, Request};
use crate::watch::SoftLimits;
use crate::{cgroup, marker, running, sweep};

/// The variables of this process's environment that a program gets, beside `LC_ALL=C`: a solver must
/// find its libraries, and must not find options that no record has (`CADICAL_*`).
pub const ENVIRONMENT: [&str; 5] = ["PATH", "LANG", "HOME", "TMPDIR", "LD_LIBRARY_PATH"];

/// The time that the supervisor has to end everything on request, before it is ended itself.
const PATIENCE: Duration = Duration::from_secs(10);

/// A command line to be run within limits that hold for all its processes together.
///
/// Its standard input is empty; it has a session of its own, without a terminal.
#[derive(Clone, Debug)]
pub struct Supervised {
    /// The program that knows the verb `supervise`, and calls
    /// [`supervisor::serve`](crate::supervisor::serve) then.
    pub supervisor: PathBuf,
    /// The command line, as `/bin/sh` understands it.
    pub command: String,
    /// Its working directory.
    pub directory: PathBuf,
    /// Its environment, apart from the mark `BEZZEL_RUN` by which its descendants are known.
    pub environment: Vec<(OsString, OsString)>,
    /// The limits of all its processes together. Wall time counts from its beginning.
    pub limits: SoftLimits,
    /// The file that gets its standard output. Its old content is overwritten.
    pub output: PathBuf,
    /// The most bytes that it may write to its standard output.
    pub output_bytes: u64,
    /// The most bytes that it may write to its standard error.
    pub error_bytes: u64,
    /// The most bytes of each file that it writes itself. It gets XFSZ beyond, which ends it.
    pub file_bytes: u64,
    /// The number of bytes of its standard error that are kept: the last ones.
    pub keep_bytes: usize,
    /// The most processes that it may have at a time.
    pub processes: usize,
    /// The control group that it runs in, if any; see [`cgroup`]. Nothing else may be in it.
    pub cgroup: Option<PathBuf>,
    /// The time from TERM, at a limit, until everything is killed.
    pub grace: Duration,
}

impl Supervised {
    /// The command line, run in `directory` within these limits, with its standard output in
    /// `output`. The supervisor is this very program.
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

    /// Runs the command line to its end, and returns when nothing of it is left.
    ///
    /// When `cancel` becomes true, or this process ends, everything is killed at once.
    ///
    /// # Errors
    ///
    /// When the supervisor cannot be started, cannot begin (no such directory, no right to join the
    /// control group, no room for the output), or is itself killed from outside. Nothing is left of
    /// the program then, either.
    pub fn run(&self, cancel: Option<&AtomicBool>) -> Result<Account, ExternalError> {
        let mark = marker::next();
        let answer = self.supervise(&mark, cancel);
        let report = match &answer {
            Ok(Answer { exit: Exit::Code(0), told, .. }) => serde_json::from_slice(told).ok(),
            _ => None,
        };
        let reason = match report {
            Some(Report::Ended(account)) => return Ok(account),
            Some(Report::Failed(reason)) => reason,
            None => {
                // Its processes may still run.
                let _ = self.cgroup.as_deref().map(cgroup::end);
                let _ = sweep::end(&mark);
                return Err(match answer {
                    Ok(Answer { exit, stderr, .. }) => {
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

    fn request(&self, mark: &str) -> Request {
        let limits = SoftLimits {
            // JSON knows no infinity.
            cpu_s: self.limits.cpu_s.min(f64::MAX),
            wall_s: self.limits.wall_s.min(f64::MAX),
            ..self.limits
        };
        Request {
            mark: mark.to_owned(),
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

    fn supervise(&self, mark: &str, cancel: Option<&AtomicBool>) -> io::Result<Answer> {
        let mut command = Command::new(&self.supervisor);
        command
            .arg("supervise")
            .env_clear()
            .envs(library_path())
            .env(marker::SUPERVISES, mark)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let control = Control::default();
        let traces = Traces {
            mark: Some(mark.to_owned()),
            control: Some(control.clone()),
            cgroup: self.cgroup.clone(),
        };
        let mut child = running::start(&mut command, traces)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let group = Group::new(child);
        let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes else {
            unreachable!("all three were asked for")
        };
        let mut request = serde_json::to_vec(&self.request(mark))?;
        request.push(b'\n');
        // A supervisor that does not read has ended, and its end tells more.
        let _ = stdin.write_all(&request);
        // Held open: its end is the word to end everything.
        control.hold(stdin);
        let process = group.handle()?;
        let mut outputs =
            [Stream::new(stdout.into(), usize::MAX)?, Stream::new(stderr.into(), self.keep_bytes)?];
        let mut block = vec![0; 1 << 16];
        let longest = Duration::try_from_secs_f64(self.limits.wall_s)
            .ok()
            .and_then(|wall| wall.checked_add(self.grace + PATIENCE));
        let mut end = longest.and_then(|longest| Instant::now().checked_add(longest));
        let mut told = false;
        loop {
            let now = Instant::now();
            let cancelled = cancel.is_some_and(|flag| flag.load(Ordering::Relaxed));
            let late = end.is_some_and(|end| end <= now);
            if !told && (cancelled || late) {
                control.hang_up();
                told = true;
                end = now.checked_add(PATIENCE);
            } else if late {
                break;
            }
            let wait = end.map(|end| end.saturating_duration_since(now));
            let period = (cancel.is_some() && !told).then_some(CANCEL_PERIOD);
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
        Ok(Answer {
            exit: Exit::from_status(used.status),
            told: stdout.finish(&mut block)?.tail,
            stderr: stderr.finish(&mut block)?.text(),
        })
    }
}

/// The exit of a supervisor and its outputs.
struct Answer {
    exit: Exit,
    told: Vec<u8>,
    stderr: String,
}

/// The variable by which the supervisor finds the libraries it was linked with, if it is set.
fn library_path() -> Option<(&'static Path, OsString)> {
    let name = "LD_LIBRARY_PATH";
    Some((Path::new(name), std::env::var_os(name)?))
}
