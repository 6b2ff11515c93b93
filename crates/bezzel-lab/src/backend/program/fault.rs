//! What can go wrong with a program.

use bezzel_encode::registry::Command;
use bezzel_external::ExternalError;
use thiserror::Error;

use crate::model::row::Stop;

/// A program that encodes failed.
#[derive(Debug, Error)]
#[error("the encoder `{command}` {fault}")]
pub struct ProgramError {
    /// Its command line.
    pub command: String,
    /// The fault, as the end of a sentence that begins with the program.
    pub fault: Fault,
}

/// The fault of a program.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Fault {
    /// It may not be started.
    #[error("is not started: {}", crate::model::permission::RULE)]
    NotPermitted,
    /// It could not be started or watched.
    #[error("cannot be run: {0}")]
    Run(ExternalError),
    /// It ran out of wall time.
    #[error("had not ended after {0} s, and was killed")]
    Wall(f64),
    /// It ran out of CPU time.
    #[error("used more than {0} s of CPU time, and was killed")]
    Cpu(f64),
    /// It was refused more memory.
    #[error("ran out of memory (limit {limit}){said}")]
    Memory {
        /// Its limit of memory.
        limit: String,
        /// The end of its standard error, after a colon; empty if it wrote nothing there.
        said: String,
    },
    /// It wrote more than is read.
    #[error("wrote more than {0}, and was killed")]
    Flood(String),
    /// It had more processes at a time than it may.
    #[error("started too many processes, and was killed")]
    Processes,
    /// It ended otherwise than with exit code 0.
    #[error("ended {how}{said}")]
    Ended {
        /// `with exit code 3`, `by signal 11`.
        how: String,
        /// The end of its standard error, after a colon; empty if it wrote nothing there.
        said: String,
    },
    /// An answer is no formula, or not of what was asked.
    #[error("answered `{request}` wrongly: {what}")]
    Answer {
        /// The request.
        request: String,
        /// The fault of the answer, with the line and column in all that it printed.
        what: String,
    },
    /// It did not answer everything, or answered more.
    #[error("was asked {asked} lines and answered {answered}")]
    Count {
        /// The number of requests.
        asked: usize,
        /// The number of answers.
        answered: usize,
    },
    /// It printed other clauses when it was asked a second time.
    #[error("printed other clauses when it was asked `{0}` a second time")]
    Unsteady(String),
}

impl Fault {
    /// The fault of this program.
    pub(super) fn of(self, command: &Command) -> ProgramError {
        ProgramError { command: command.line.clone(), fault: self }
    }
}

impl ProgramError {
    /// The end of a job in which the program fails.
    pub fn stop(&self) -> Stop {
        match self.fault {
            Fault::Wall(_) => Stop::WallLimit,
            Fault::Cpu(_) => Stop::CpuLimit,
            Fault::Memory { .. } => Stop::MemoryLimit,
            _ => Stop::Crashed,
        }
    }
}
