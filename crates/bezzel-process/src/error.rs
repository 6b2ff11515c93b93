//! The exit of a program, and errors of starting, watching and limiting processes.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;

use rustix::io::Errno;
use rustix::process::Signal;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The exit of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// A normal exit, with this code.
    Code(i32),
    /// An end by this signal.
    Signal(i32),
}

impl Exit {
    /// Returns true if the signal is that of the CPU limit.
    pub fn is_cpu_limit(self) -> bool {
        self == Self::Signal(Signal::XCPU.as_raw())
    }

    pub(crate) fn from_status(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Code(code),
            (None, Some(signal)) => Self::Signal(signal),
            (None, None) => unreachable!("a reaped process has left a code or died by a signal"),
        }
    }
}

/// The reason why a process could not be started, watched or limited.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExternalError {
    /// A program could not be started.
    #[error("cannot start {program}: {reason}")]
    Start {
        /// The program.
        program: String,
        /// The error of the system.
        reason: io::Error,
    },
    /// A running program could not be watched; it was ended.
    #[error("cannot watch {program}, which was ended: {reason}")]
    Supervise {
        /// The program.
        program: String,
        /// The error of the system.
        reason: io::Error,
    },
    /// A hard limit could not be set.
    #[error("cannot set {limit}: {reason}")]
    HardLimit {
        /// The limit.
        limit: &'static str,
        /// The error of the system.
        reason: Errno,
    },
    /// The runner ended before its worker process began.
    #[error("the process that started this worker has ended")]
    Orphaned,
    /// A supervisor could not start or continue a program.
    #[error("cannot run `{command}`: {reason}")]
    Supervisor {
        /// The command line.
        command: String,
        /// The supervisor's reason.
        reason: String,
    },
    /// A supervisor ended without an answer: another process killed it, or the program that was started as
    /// supervisor is none. All processes that it supervised were ended.
    #[error("the supervisor of a program ended without an answer ({exit:?}): {stderr}")]
    SupervisorDied {
        /// The exit of the supervisor.
        exit: Exit,
        /// The last part of its standard error.
        stderr: String,
    },
    /// A control group could not be used.
    #[error("cannot {doing} the control group {}: {reason}", path.display())]
    Cgroup {
        /// The failed operation.
        doing: &'static str,
        /// Its folder.
        path: PathBuf,
        /// The error of the system.
        reason: io::Error,
    },
    /// The process could not read its own usage.
    #[error("cannot read {file}: {reason}")]
    Usage {
        /// The file.
        file: &'static str,
        /// The error of the system.
        reason: io::Error,
    },
    /// The watching thread could not be started.
    #[error("cannot start the thread that watches the limits: {0}")]
    Thread(io::Error),
}
