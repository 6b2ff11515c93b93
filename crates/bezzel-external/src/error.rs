//! What can go wrong with processes.

use std::io;
use std::path::PathBuf;

use rustix::io::Errno;
use thiserror::Error;

use crate::exit::Exit;

/// Why a process could not be started, watched or limited.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExternalError {
    /// A program could not be started.
    #[error("cannot start {program}: {reason}")]
    Start {
        /// The program.
        program: String,
        /// What the system said.
        reason: io::Error,
    },
    /// A running program could not be watched; it was ended.
    #[error("cannot watch {program}, which was ended: {reason}")]
    Supervise {
        /// The program.
        program: String,
        /// What the system said.
        reason: io::Error,
    },
    /// A fence could not be set.
    #[error("cannot set {fence}: {reason}")]
    Fence {
        /// The fence.
        fence: &'static str,
        /// What the system said.
        reason: Errno,
    },
    /// The runner ended before its worker began.
    #[error("the process that started this worker has ended")]
    Orphaned,
    /// A supervisor could not begin or go on with a program.
    #[error("cannot run `{command}`: {reason}")]
    Supervisor {
        /// The command line.
        command: String,
        /// What the supervisor said.
        reason: String,
    },
    /// A supervisor ended without an answer: somebody killed it, or the program that was started
    /// as one is none. Everything that it looked after was ended.
    #[error("the supervisor of a program ended without an answer ({exit:?}): {stderr}")]
    SupervisorDied {
        /// How it ended.
        exit: Exit,
        /// The end of what it wrote to its standard error.
        stderr: String,
    },
    /// A control group could not be used.
    #[error("cannot {doing} the control group {}: {reason}", path.display())]
    Cgroup {
        /// What was being done to it.
        doing: &'static str,
        /// Its folder.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// The process could not read about itself.
    #[error("cannot read {file}: {reason}")]
    Usage {
        /// The file.
        file: &'static str,
        /// What the system said.
        reason: io::Error,
    },
    /// The watching thread could not be started.
    #[error("cannot start the thread that watches the limits: {0}")]
    Thread(io::Error),
}
