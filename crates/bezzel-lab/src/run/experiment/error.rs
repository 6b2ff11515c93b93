//! Refusals of an experiment.

use std::path::PathBuf;

use thiserror::Error;

use crate::config::ConfigError;
use crate::model::permission::NotPermitted;
use crate::results::store::{self, StoreError};
use crate::run::submission::{Outdated, SubmissionError};

/// Why an experiment cannot be taken up.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The config cannot be read or planned.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The evidence cannot be read or kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A submission cannot be read.
    #[error(transparent)]
    Submission(#[from] SubmissionError),
    /// A submission has jobs of another version of a solver or an encoding.
    #[error(transparent)]
    Outdated(#[from] Outdated),
    /// A job names a program that may not be started.
    #[error(transparent)]
    NotPermitted(#[from] NotPermitted),
    /// The name is no name of a folder.
    #[error("--name {name}: it {reason}")]
    Name {
        /// The name.
        name: String,
        /// The end of the sentence.
        reason: String,
    },
    /// Workers get the path of the folder for their large files as text.
    #[error("the folder `{}` is not UTF-8 text: choose another --root", .0.display())]
    NotText(PathBuf),
    /// The folder holds the answers to another question.
    #[error(
        "`{}` holds evidence for another config: give this one another `name`, or move that \
         folder away; what was asked there is in its {}",
        .0.display(), store::CONFIG
    )]
    OtherConfig(PathBuf),
    /// The folder holds imported results.
    #[error(
        "`{}` holds results of BenchExec: `bezzel benchexec import` adds to them, and a run needs a name \
         of its own, by --name", .0.display()
    )]
    Imported(PathBuf),
    /// The folder holds something other than jobs of the record that were run again.
    #[error(
        "`{}` holds something else than a sample of `{record}`: give the sample another name by --name, or \
         move that folder away",
        folder.display()
    )]
    Taken {
        /// The folder.
        folder: PathBuf,
        /// The name of the record.
        record: String,
    },
    /// No job of a record can be run again.
    #[error(
        "no job of `{record}` can be run again: {unanswered} have no answer, {unable} are of solvers, engines \
         or encodings that cannot be run here{}",
        if *unable > 0 {
            ": programs run only with --programs, and only where they are installed"
        } else {
            ""
        }
    )]
    NothingDrawn {
        /// The name of the record.
        record: String,
        /// The number of jobs without an answer.
        unanswered: usize,
        /// The number of jobs that cannot be run here.
        unable: usize,
    },
    /// The folder holds rows of other clauses than the encoding writes now.
    #[error(
        "`{encoding}` writes other clauses for the board {board} than were measured in `{}` under \
         the same revision: count the `revision` in its card up, or move that folder away",
        folder.display()
    )]
    Stale {
        /// The encoding, with its settings.
        encoding: String,
        /// The board.
        board: String,
        /// The experiment's folder.
        folder: PathBuf,
    },
    /// A solver is another program than the one whose rows are there.
    #[error(
        "the solver `{solver}` has another file than when the rows in `{}` were measured, and calls \
         itself `{version}` as before: put the former one back, run it under another name by --name, \
         or move that folder away",
        folder.display()
    )]
    Replaced {
        /// The solver.
        solver: String,
        /// Its version, then and now.
        version: String,
        /// The experiment's folder.
        folder: PathBuf,
    },
}
