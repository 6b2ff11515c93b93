//! Errors of writing scripts and of calling Slurm.

use std::path::PathBuf;

use bezzel_process::ExternalError;
use thiserror::Error;

/// The reason why a script cannot be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ScriptError {
    /// A path that cannot be in a script.
    #[error("the {what} `{}` {reason}: Slurm cannot receive it", path.display())]
    Path {
        /// The meaning of the path.
        what: &'static str,
        /// The path.
        path: PathBuf,
        /// The reason.
        reason: &'static str,
    },
    /// A partition or an account with an impossible name.
    #[error("{what} {text:?}: no name holds control characters, and none is empty")]
    Name {
        /// The meaning of the name.
        what: &'static str,
        /// The name.
        text: String,
    },
}

/// The reason why a call of Slurm failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SlurmError {
    /// A program of Slurm cannot be run.
    #[error(transparent)]
    Start(#[from] ExternalError),
    /// There is no such program.
    #[error("there is no `{program}` on PATH: is this a machine from which Slurm can be reached?")]
    Missing {
        /// Its name.
        program: &'static str,
    },
    /// The program refused.
    #[error("`{program}` refused: {output}")]
    Refused {
        /// The program.
        program: &'static str,
        /// Its output.
        output: String,
    },
    /// The program was ended by a signal, or because of its endless output.
    #[error("`{program}` did not end by itself: {output}")]
    Ended {
        /// The program.
        program: &'static str,
        /// Its output.
        output: String,
    },
    /// The program did not answer in time.
    #[error("`{program}` did not answer within {seconds} s")]
    Slow {
        /// The program.
        program: &'static str,
        /// The time limit, in seconds.
        seconds: u64,
    },
    /// The output has an unknown form.
    #[error("the output of `{program}` has an unknown form: {output}")]
    Garbage {
        /// The program.
        program: &'static str,
        /// The output.
        output: String,
    },
    /// A submission failed, and none of its jobs is left.
    #[error("{what} was not submitted: {reason}; nothing of this submission is left in the queue")]
    NotSubmitted {
        /// The job.
        what: &'static str,
        /// The reason.
        reason: Box<Self>,
    },
    /// A submission failed, and some of its jobs may be left.
    #[error(
        "{what} was not submitted: {reason}; what may be in the queue all the same could not be \
         cancelled ({cancelling}): when Slurm answers again, say `{command}`"
    )]
    HalfSubmitted {
        /// The job.
        what: &'static str,
        /// The reason.
        reason: Box<Self>,
        /// The reason why it could not be cancelled.
        cancelling: Box<Self>,
        /// The command that cancels it.
        command: String,
    },
}
