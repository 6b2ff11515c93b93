//! The runner: one process for each job of a plan, one row for each process.
//!
//! Jobs whose key has a row are not run again. One writer appends each row at once, so that all finished work is stored
//! at any moment.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::{env, io, thread};

use bezzel_encode::properties::shapes::Counterexample;
use bezzel_process::cores::ClaimedCores;
use bezzel_process::{ExternalError, host_oom_kills};
use thiserror::Error;

use crate::backend::command::{self, CommandBackend};
use crate::backend::program::FindError;
use crate::check::judge::Judge;
use crate::config::PROOF_BYTES;
use crate::model::job::{Job, PlannedJob};
use crate::model::permission::{NotPermitted, Permission};
use crate::model::row::{Row, Termination};
use crate::results::scratch::{ScratchFolder, make};
use crate::results::store::{SessionWriter, StoreError};
use crate::run::calibration::CalibrationJob;
use crate::run::transcript::RefusedJob;

mod attempt;
mod rerun;
mod start_job;
mod worker_thread;

use attempt::Slot;
pub use rerun::rerun;
pub use start_job::{EndedWorker, StartJob, WorkerProcesses, WorkerStart};
use worker_thread::{JobQueue, ProcessResult, WorkerThread};

/// The reason for an early end of a run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// Evidence cannot be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A worker cannot be started or watched.
    #[error(transparent)]
    Worker(#[from] ExternalError),
    /// The folder for large files cannot be created.
    #[error("cannot make the folder `{}`: {reason}", folder.display())]
    Scratch {
        /// The folder.
        folder: PathBuf,
        /// The error of the operating system.
        reason: io::Error,
    },
    /// The system starts no further thread.
    #[error(
        "cannot start a thread: {0}; take a smaller `parallel`, or allow more processes (`ulimit -u`)"
    )]
    Thread(#[source] io::Error),
    /// A job names a program that may not be started. Nothing was run.
    #[error(transparent)]
    NotPermitted(#[from] NotPermitted),
    /// A worker refused its job, which the plan should have excluded.
    #[error(transparent)]
    Refused(#[from] RefusedJob),
    /// An encoder is wrong. Nothing was run.
    #[error(
        "the encoder `{}` is wrong: {}; no job was run: correct the encoder (`bezzel check` examines it), or \
         remove it from `encodings`{}",
        .0.encoder, .0, drawn(.0)
    )]
    WrongEncoder(Box<Counterexample>),
    /// A program that encodes failed when its encoder was checked. Nothing was run.
    #[error(transparent)]
    Encoder(#[from] FindError),
}

/// The drawing of a counterexample on lines of its own.
fn drawn(counterexample: &Counterexample) -> String {
    let drawing = counterexample.finding().drawing;
    let lines = drawing.lines().map(|line| ["\n    ", line].concat());
    lines.collect()
}

/// The parameters of workers.
pub struct RunnerOptions<'a> {
    /// The start of workers.
    pub starter: &'a dyn StartJob,
    /// The programs that workers may start.
    pub permission: Permission,
    /// The number of workers that run at the same time.
    pub parallel: u32,
    /// The core of each of them; without cores they are not bound.
    pub cores: Arc<ClaimedCores>,
    /// The runner's own folder for files of any size, such as proofs, which it replaces at the start and removes at the
    /// end; none for a new folder among the temporary files.
    pub scratch: Option<PathBuf>,
    /// The largest proof that is checked, in bytes. Larger proofs stay unchecked.
    pub proof_bytes: u64,
    /// The number of first jobs that are run once before the measurement, for at most a second each. Their rows are
    /// discarded.
    pub warm_up: u32,
    /// The fixed job that is solved between the jobs to measure the machine, if it is measured.
    pub calibration: Option<CalibrationJob>,
    /// False for a job that is left out. It is asked as soon as a thread is free for the job; without it, all jobs are run.
    pub wants: Option<&'a WantedJobs<'a>>,
}

/// The choice of jobs while they run.
pub type WantedJobs<'a> = dyn Fn(&Job) -> bool + Sync + 'a;

impl<'a> RunnerOptions<'a> {
    /// Runs jobs one after the other on any core, without warm-up and readings of the machine.
    pub fn one_by_one(starter: &'a dyn StartJob, permission: Permission) -> Self {
        Self {
            starter,
            permission,
            parallel: 1,
            cores: Arc::default(),
            scratch: None,
            proof_bytes: PROOF_BYTES,
            warm_up: 0,
            calibration: None,
            wants: None,
        }
    }
}

/// The result of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunSummary {
    /// The number of rows that were added.
    pub added: usize,
    /// The number of jobs whose processes were killed from outside each time. They have no row that settles them, and
    /// the next session runs them again.
    pub unsettled: usize,
    /// The number of jobs that were skipped, since their solvers or engines are not installed.
    pub skipped: usize,
    /// True if it was cancelled before all jobs were done.
    pub cancelled: bool,
}

/// Runs the jobs, appends a row for each, and passes each to `observe`.
///
/// When `cancel` is set, running workers are stopped without a row, and no more are started. This function also sets it
/// after an error.
///
/// # Errors
///
/// When a job names a program that may not be started, a worker cannot be started or refuses its job, or a row cannot
/// be stored. Rows that were appended before stay.
pub fn run(
    jobs: Vec<PlannedJob>,
    options: &RunnerOptions<'_>,
    writer: &mut SessionWriter,
    judge: Judge,
    cancel: &AtomicBool,
    mut observe: impl FnMut(&Row),
) -> Result<RunSummary, RunError> {
    let mut summary = RunSummary::default();
    run_all(jobs, options, judge, cancel, |result| match result {
        ProcessResult::Job(row) => writer.append(row).map(|()| {
            summary.added += 1;
            summary.unsettled += usize::from(!row.is_settled());
            summary.skipped += usize::from(row.termination == Termination::Skipped);
            observe(row);
        }),
        ProcessResult::Again(row) => writer.append(row).map(|()| summary.added += 1),
        ProcessResult::Reading(row) => writer.append_reading(row),
    })?;
    summary.cancelled = cancel.load(Ordering::Relaxed);
    Ok(summary)
}

/// Runs the jobs, and passes the result of each process to `keep`, in the order of their ends.
fn run_all(
    jobs: Vec<PlannedJob>,
    options: &RunnerOptions<'_>,
    judge: Judge,
    cancel: &AtomicBool,
    mut keep: impl FnMut(&ProcessResult) -> Result<(), StoreError>,
) -> Result<(), RunError> {
    refuse(&jobs, &options.permission)?;
    let programs = command::of_jobs(jobs.iter().map(|planned| &planned.job));
    let threads = options.parallel.clamp(1, u32::try_from(jobs.len().max(1)).unwrap_or(u32::MAX));
    let queue = JobQueue::new(jobs, options.warm_up);
    let judge = Mutex::new(judge);
    let scratch = scratch(options)?;
    let slots = slots(options, threads, &scratch, &programs)?;
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        let mut failure = None;
        for slot in &slots {
            let worker_thread = WorkerThread {
                slot,
                queue: &queue,
                fixed: options.calibration.as_ref(),
                judge: &judge,
                cancel,
                send: send.clone(),
            };
            let started = thread::Builder::new().spawn_scoped(scope, move || worker_thread.work());
            if let Err(reason) = started {
                cancel.store(true, Ordering::Relaxed);
                failure = Some(RunError::Thread(reason));
                break;
            }
        }
        drop(send);
        for done in receive {
            // Rows that arrive after an error are stored, unless the store itself failed.
            let kept = match done {
                Ok(_) if matches!(failure, Some(RunError::Store(_))) => continue,
                Ok(result) => keep(&result),
                Err(error) => {
                    failure.get_or_insert(error);
                    continue;
                }
            };
            if let Err(error) = kept {
                cancel.store(true, Ordering::Relaxed);
                failure.get_or_insert(error.into());
            }
        }
        failure.map_or(Ok(()), Err)
    })
}

/// Refuses jobs that name programs which may not be started, before any job is run.
fn refuse(jobs: &[PlannedJob], permission: &Permission) -> Result<(), NotPermitted> {
    jobs.iter().try_for_each(|planned| permission.refuse(&planned.job))
}

/// Makes the runner's own folder. Removes the files of an earlier run that was killed.
fn scratch(options: &RunnerOptions<'_>) -> Result<ScratchFolder, RunError> {
    let (made, folder) = match &options.scratch {
        Some(folder) => (ScratchFolder::at(folder), folder.clone()),
        None => (ScratchFolder::new("run"), env::temp_dir()),
    };
    made.map_err(|reason| RunError::Scratch { folder, reason })
}

/// Returns the resources of each thread.
fn slots<'a>(
    options: &'a RunnerOptions<'a>,
    threads: u32,
    scratch: &ScratchFolder,
    programs: &'a HashMap<String, CommandBackend>,
) -> Result<Vec<Slot<'a>>, RunError> {
    let slot = |number: u32| {
        let scratch = scratch.path().join(number.to_string());
        make(&scratch).map_err(|reason| RunError::Scratch { folder: scratch.clone(), reason })?;
        let core = options.cores.processors.get(number as usize).copied();
        let oom_kills = host_oom_kills().into();
        Ok(Slot { options, programs, scratch, core, oom_kills })
    };
    (0..threads).map(slot).collect()
}

#[cfg(test)]
pub(crate) mod tests;
