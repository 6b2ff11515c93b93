//! The runner: one process for each job of a plan, one row for each process.
//!
//! Jobs whose key has a row already are not run again. Rows are appended as they come, by one
//! writer, so that at any moment everything that is done is kept.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::{fs, io, thread};

use bezzel_external::cgroup::Cgroups;
use bezzel_external::cores::Claim;
use bezzel_external::{ExternalError, blame};
use thiserror::Error;

use crate::backend::command::{self, Command};
use crate::check::judge::Judge;
use crate::model::job::Planned;
use crate::model::permission::{NotPermitted, Permission};
use crate::model::row::Row;
use crate::results::store::{Store, StoreError};
use crate::run::calibration::Fixed;
use crate::run::transcript::Refused;

mod again;
mod attempt;
mod shift;

pub use again::again;
use attempt::Slot;
use shift::{Done, Queue, Shift};

/// Why a run came to an early end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// Evidence cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A worker cannot be started or watched.
    #[error(transparent)]
    Worker(#[from] ExternalError),
    /// There is no place for large files.
    #[error("cannot make the folder `{}`: {reason}", folder.display())]
    Scratch {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// A job names a program that may not be started. Nothing was run.
    #[error(transparent)]
    NotPermitted(#[from] NotPermitted),
    /// A worker refused its job, which the plan should have found out.
    #[error(transparent)]
    Refused(#[from] Refused),
}

/// How workers are started.
#[derive(Clone, Debug)]
pub struct Workers {
    /// The program; it must know the verb `worker`.
    pub program: PathBuf,
    /// The programs that they may start.
    pub permission: Permission,
    /// How many run at the same time.
    pub parallel: u32,
    /// The core of each of them; where there are none, they wander.
    pub cores: Arc<Claim>,
    /// A folder of the runner's own for files of any size, such as proofs. It is emptied at the
    /// start and gone at the end.
    pub scratch: PathBuf,
    /// The largest proof that is checked, in bytes. What is larger is left unchecked.
    pub proof_bytes: u64,
    /// So many first jobs are run once before, for at most a second each, and thrown away.
    pub warm_up: u32,
    /// What is solved between the jobs to measure the machine, if it is measured.
    pub calibration: Option<Fixed>,
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Rows that were added.
    pub added: usize,
    /// Jobs whose processes somebody else has killed each time: they have no row that settles them,
    /// and are run again by the next session.
    pub unsettled: usize,
    /// Whether it was cancelled before all was done.
    pub cancelled: bool,
}

/// Runs the jobs, appends a row for each, and shows each to `observe`.
///
/// When `cancel` is set, running workers are stopped without a row, and no more are started. It is
/// set here as well, when something fails.
///
/// # Errors
///
/// When a job names a program that may not be started, a worker cannot be started or refuses its job, or a
/// row cannot be kept. What was appended
/// before stays.
pub fn run(
    jobs: Vec<Planned>,
    session: usize,
    workers: &Workers,
    store: &mut Store,
    judge: Judge,
    cancel: &AtomicBool,
    mut observe: impl FnMut(&Row),
) -> Result<Summary, RunError> {
    refuse(&jobs, &workers.permission)?;
    let programs = command::of_jobs(jobs.iter().map(|planned| &planned.job));
    let queue = Queue::new(jobs, workers.warm_up);
    let judge = Mutex::new(judge);
    let mut summary = Summary::default();
    let cgroups = Cgroups::detect();
    let slots = slots(session, workers, &programs, &cgroups)?;
    let (send, receive) = mpsc::channel();
    let done = thread::scope(|scope| {
        for slot in &slots {
            let shift = Shift {
                slot,
                queue: &queue,
                fixed: workers.calibration.as_ref(),
                judge: &judge,
                cancel,
                send: send.clone(),
            };
            scope.spawn(move || shift.work());
        }
        drop(send);
        let mut failure = None;
        for done in receive {
            // Rows that come after a failure are kept, unless it is the store that fails.
            let kept = match done {
                Ok(_) if matches!(failure, Some(RunError::Store(_))) => continue,
                Ok(Done::Job(row)) => store.append(&row).map(|()| {
                    summary.added += 1;
                    summary.unsettled += usize::from(!row.is_settled());
                    observe(&row);
                }),
                Ok(Done::Again(row)) => store.append(&row).map(|()| summary.added += 1),
                Ok(Done::Reading(row)) => store.append_reading(&row),
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
    });
    // What is left of it does no harm: it is emptied at the next start.
    let _ = fs::remove_dir_all(&workers.scratch);
    done?;
    summary.cancelled = cancel.load(Ordering::Relaxed);
    Ok(summary)
}

/// Refuses jobs that name programs which may not be started, before any job is run.
fn refuse(jobs: &[Planned], permission: &Permission) -> Result<(), NotPermitted> {
    jobs.iter().try_for_each(|planned| permission.refuse(&planned.job))
}

/// What each of the threads works with. Files of an earlier run that was killed are gone then.
fn slots<'a>(
    session: usize,
    workers: &'a Workers,
    programs: &'a HashMap<String, Command>,
    cgroups: &'a Cgroups,
) -> Result<Vec<Slot<'a>>, RunError> {
    // There may be none.
    let _ = fs::remove_dir_all(&workers.scratch);
    let slot = |number: u32| {
        let scratch = workers.scratch.join(number.to_string());
        fs::create_dir_all(&scratch)
            .map_err(|reason| RunError::Scratch { folder: scratch.clone(), reason })?;
        let core = workers.cores.processors.get(number as usize).copied();
        let oom_kills = blame::host_oom_kills().into();
        Ok(Slot { workers, session, programs, scratch, core, cgroups, oom_kills })
    };
    (0..workers.parallel.max(1)).map(slot).collect()
}
