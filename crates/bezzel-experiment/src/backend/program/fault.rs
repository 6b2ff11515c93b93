//! The faults of a program.

use bezzel_encode::registry::Command;
use bezzel_process::ExternalError;
use thiserror::Error;

use crate::model::row::Termination;

/// A program that encodes failed.
#[derive(Debug, Error)]
#[error("the encoder `{command}` {fault}")]
pub struct ProgramError {
    /// Its command line.
    pub command: String,
    /// The fault, as the end of a sentence that begins with the program.
    pub fault: ProgramFault,
}

/// The fault of a program.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProgramFault {
    /// It may not be started.
    #[error("is not started: {}", crate::model::permission::RULE)]
    NotPermitted,
    /// It could not be started or supervised.
    #[error("cannot be run: {0}")]
    Run(ExternalError),
    /// It ran out of wall time.
    #[error("had not ended after {0} s, and was killed")]
    Wall(f64),
    /// It ran out of CPU time.
    #[error("used more than {0} s of CPU time, and was killed")]
    Cpu(f64),
    /// It ran out of memory.
    #[error("ran out of memory (limit {limit}){stderr}")]
    Memory {
        /// Its limit of memory.
        limit: String,
        /// The end of its standard error, after a colon; empty if it wrote nothing there.
        stderr: String,
    },
    /// It wrote more than the limit of output.
    #[error("wrote more than {0}, and was killed")]
    Flood(String),
    /// It had more processes at a time than the limit.
    #[error("started too many processes, and was killed")]
    Processes,
    /// It did not end with exit code 0.
    #[error("ended {how}{stderr}")]
    Ended {
        /// `with exit code 3`, `by signal 11`.
        how: String,
        /// The end of its standard error, after a colon; empty if it wrote nothing there.
        stderr: String,
    },
    /// An answer is no formula, or does not match its request.
    #[error("answered `{request}` wrongly: {what}")]
    Answer {
        /// The request.
        request: String,
        /// The fault of the answer, with the line and column in the whole output.
        what: String,
    },
    /// It answered fewer requests than there are, or more.
    #[error("was asked {asked} lines and answered {answered}")]
    Count {
        /// The number of requests.
        asked: usize,
        /// The number of answers.
        answered: usize,
    },
    /// It printed other clauses for the same request in a second run.
    #[error("printed other clauses when it was asked `{0}` a second time")]
    Unsteady(String),
}

impl ProgramFault {
    /// The fault of this program.
    pub(super) fn of(self, command: &Command) -> ProgramError {
        ProgramError { command: command.line.clone(), fault: self }
    }
}

impl ProgramError {
    /// True if the program needed more time, memory or output than its limits allow.
    pub fn is_of_limits(&self) -> bool {
        let is_flood = matches!(self.fault, ProgramFault::Flood(_));
        is_flood || self.termination() != Termination::Crashed
    }

    /// The end of a job in which the program fails.
    pub fn termination(&self) -> Termination {
        match self.fault {
            ProgramFault::Wall(_) => Termination::WallLimit,
            ProgramFault::Cpu(_) => Termination::CpuLimit,
            ProgramFault::Memory { .. } => Termination::MemoryLimit,
            _ => Termination::Crashed,
        }
    }
}
