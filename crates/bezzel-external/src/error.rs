//! What can go wrong with processes.

use std::io;

use rustix::io::Errno;
use thiserror::Error;

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
