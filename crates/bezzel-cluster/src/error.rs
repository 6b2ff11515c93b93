//! Why Slurm is not given anything, or does not tell.

use std::path::PathBuf;

use bezzel_external::ExternalError;
use thiserror::Error;

/// Why a script cannot be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ScriptError {
    /// A path that cannot be in a script.
    #[error("the {what} `{}` {reason}: Slurm cannot be told of it", path.display())]
    Path {
        /// What is there.
        what: &'static str,
        /// The path.
        path: PathBuf,
        /// Why not.
        reason: &'static str,
    },
    /// A partition or an account that nobody can have.
    #[error("{what} {text:?}: no name holds control characters, and none is empty")]
    Name {
        /// What it names.
        what: &'static str,
        /// The name.
        text: String,
    },
}

/// Why Slurm does not do what it is asked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SlurmError {
    /// A program of Slurm's cannot be run.
    #[error(transparent)]
    Start(#[from] ExternalError),
    /// There is no such program.
    #[error("there is no `{program}` on PATH: is this a machine from which Slurm can be reached?")]
    Missing {
        /// Its name.
        program: &'static str,
    },
    /// It refused.
    #[error("`{program}` refused: {said}")]
    Refused {
        /// The program.
        program: &'static str,
        /// What it said.
        said: String,
    },
    /// It was ended by a signal, or because it said far too much.
    #[error("`{program}` did not end by itself: {said}")]
    Ended {
        /// The program.
        program: &'static str,
        /// What it said.
        said: String,
    },
    /// It did not answer in time.
    #[error("`{program}` did not answer within {seconds} s")]
    Slow {
        /// The program.
        program: &'static str,
        /// How long it was waited for.
        seconds: u64,
    },
    /// What it said is not what it says when all is well.
    #[error("`{program}` said what nobody understands: {said}")]
    Garbage {
        /// The program.
        program: &'static str,
        /// What it said.
        said: String,
    },
    /// A submission failed, and nothing is left of it.
    #[error("{what} was not submitted: {reason}; nothing of this submission is left in the queue")]
    NotSubmitted {
        /// Which of the jobs.
        what: &'static str,
        /// Why not.
        reason: Box<Self>,
    },
    /// A submission failed, and something may be left of it.
    #[error(
        "{what} was not submitted: {reason}; what may be in the queue all the same could not be \
         cancelled ({cancelling}): when Slurm answers again, say `{command}`"
    )]
    HalfSubmitted {
        /// Which of the jobs.
        what: &'static str,
        /// Why not.
        reason: Box<Self>,
        /// Why it could not be cancelled.
        cancelling: Box<Self>,
        /// The command that cancels it.
        command: String,
    },
}
