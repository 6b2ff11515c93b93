//! An external program, with all processes that it starts, inside limits.
//!
//! A separate process starts it, the *supervisor* (our own binary with the hidden command `supervise`), for three
//! reasons. The kernel's peak of memory of a reaped child begins with the size of the process that started it, so
//! that process must be small. Orphans become children of the nearest ancestor that requests them, so no descendant
//! can escape, with any new session or a cleared environment. The supervisor starts no other process: any process
//! that is left when the program ends belongs to it.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde::{Deserialize, Serialize};

use crate::error::{Exit, ExternalError};
use crate::limits::SoftLimits;
use crate::outcome::{Outcome, SupervisedOutcome};
use crate::program::{ChildRun, Deadlines, Step};
use crate::{cgroup, running};

/// The variables of this process's environment that a program gets, beside `LC_ALL=C`: a solver must find its
/// libraries, and must not find options that no row records (`CADICAL_*`).
pub const ENVIRONMENT: [&str; 5] = ["PATH", "LANG", "HOME", "TMPDIR", "LD_LIBRARY_PATH"];

/// The time that the supervisor has to end all processes on request, before it is ended itself.
const END_TIMEOUT: Duration = Duration::from_secs(10);

/// A command line to be run within limits on the sum of its processes.
///
/// Its standard input is empty; it has a session of its own, without a terminal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Supervised {
    /// The program that has the command `supervise`, and calls [`supervisor::serve`](crate::supervisor::serve) for it.
    #[serde(skip)]
    pub supervisor: PathBuf,
    /// The command line, in the syntax of `/bin/sh`.
    pub command: String,
    /// Its working directory.
    #[serde(with = "file_name")]
    pub directory: PathBuf,
    /// Its environment.
    pub environment: Vec<(OsString, OsString)>,
    /// The limits on the sum of its processes. Wall time counts from its beginning.
    pub limits: SoftLimits,
    /// The file for its standard output. Its old content is overwritten.
    #[serde(with = "file_name")]
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
        let ended = self.supervise(cancel);
        let report = match &ended {
            Ok(Outcome { exit: Exit::Code(0), stdout, .. }) => {
                serde_json::from_slice(&stdout.tail).ok()
            }
            _ => None,
        };
        match report {
            Some(Report::Ended(outcome)) => return Ok(outcome),
            Some(Report::Failed(reason)) => {
                return Err(ExternalError::Supervisor { command: self.command.clone(), reason });
            }
            None => {}
        }
        // Its processes may still run.
        let _ = self.cgroup.as_deref().map(cgroup::end);
        if let Ok(Outcome { exit: Exit::Signal(_), .. }) = ended {
            running::end_orphans();
        }
        Err(match ended {
            Ok(Outcome { exit, stderr, .. }) => {
                ExternalError::SupervisorDied { exit, stderr: stderr.text().trim().to_owned() }
            }
            Err(reason) => {
                ExternalError::Start { program: self.supervisor.display().to_string(), reason }
            }
        })
    }

    /// Runs the supervisor to its end. It ends the program when its input is closed.
    fn supervise(&self, cancel: Option<&AtomicBool>) -> io::Result<Outcome> {
        // JSON cannot represent infinity.
        let SoftLimits { cpu_s, wall_s, memory_bytes } = self.limits;
        let limits =
            SoftLimits { cpu_s: cpu_s.min(f64::MAX), wall_s: wall_s.min(f64::MAX), memory_bytes };
        let mut request = serde_json::to_vec(&Self { limits, ..self.clone() })?;
        request.push(b'\n');
        let mut command = Command::new(&self.supervisor);
        command
            .arg("supervise")
            .env_clear()
            .envs(library_path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        running::adopt_orphans();
        let (child, control) = running::start_supervisor(&mut command, self.cgroup.clone())?;
        let run = ChildRun::new(child, &[], [usize::MAX, self.keep_bytes])?;
        control.write(&request);
        let wall = Duration::try_from_secs_f64(wall_s).unwrap_or(Duration::MAX);
        let wall = wall.saturating_add(self.grace + END_TIMEOUT);
        let deadlines = Deadlines::new(Instant::now(), wall, END_TIMEOUT).asking();
        run.wait(deadlines, cancel, |group, step| {
            match step {
                Step::Ask => control.close(),
                Step::Kill => group.signal(Signal::KILL),
            }
            Ok(())
        })
    }
}

/// The answer of a supervisor.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Report {
    /// The program ran and ended.
    Ended(SupervisedOutcome),
    /// It could not be run or watched, and none of its processes is left.
    Failed(String),
}

/// Returns the variable by which the supervisor finds its shared libraries, if it is set.
fn library_path() -> Option<(&'static Path, OsString)> {
    let name = "LD_LIBRARY_PATH";
    Some((Path::new(name), std::env::var_os(name)?))
}

/// Names of files in requests. They need not be text.
mod file_name {
    use std::ffi::{OsStr, OsString};
    use std::path::{Path, PathBuf};

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        OsStr::serialize(path.as_os_str(), to)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<PathBuf, D::Error> {
        OsString::deserialize(from).map(PathBuf::from)
    }
}
