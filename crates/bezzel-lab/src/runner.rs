//! The runner: one process for each job of a plan, one row for each process.
//!
//! Jobs whose key has a row already are not run again. Rows are appended as they come, by one
//! writer, so that at any moment everything that is done is kept.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::{Duration, SystemTime};
use std::{env, thread};

use bezzel_external::{Cause, ExternalError, Outcome, Program};
use thiserror::Error;

use crate::judge::Judge;
use crate::plan::Planned;
use crate::program::{ENVIRONMENT, needs_programs};
use crate::row::Row;
use crate::store::{Store, StoreError};
use crate::transcript::{self, Refused};

/// How much longer than its wall limit a worker may live: it keeps the limit itself, softly.
const WALL_GRACE_S: f64 = 1.0;

/// Where the C++ library lies, on machines that have it out of the way.
const LIBRARIES: &str = "LD_LIBRARY_PATH";

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
    /// A worker refused its job, which the plan should have found out.
    #[error(transparent)]
    Refused(#[from] Refused),
}

/// How workers are started.
#[derive(Clone, Debug)]
pub struct Workers {
    /// The program; it must know the verb `worker`.
    pub program: PathBuf,
    /// How many run at the same time.
    pub parallel: u32,
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Rows that were added.
    pub added: usize,
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
/// When a worker cannot be started or refuses its job, or a row cannot be kept. What was appended
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
    let queue = Mutex::new(VecDeque::from(jobs));
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let judge = Mutex::new(judge);
    let mut summary = Summary::default();
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..workers.parallel.max(1) {
            let send = send.clone();
            let (next, judge) = (&next, &judge);
            scope.spawn(move || {
                while !cancel.load(Ordering::Relaxed) {
                    let Some(planned) = next() else { break };
                    // Judged before the next job starts, so that judging disturbs no measuring.
                    let row = row(planned, session, workers, judge, cancel);
                    if row.is_err() {
                        // Before this thread looks for the next job.
                        cancel.store(true, Ordering::Relaxed);
                    }
                    if send.send(row).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let mut failure = None;
        for row in receive {
            // Rows that come after a failure are kept, unless it is the store that fails.
            let row = match row {
                Ok(Some(_)) if matches!(failure, Some(RunError::Store(_))) => continue,
                Ok(Some(row)) => store.append(&row).map(|()| Some(row)).map_err(RunError::from),
                other => other,
            };
            match row {
                Ok(Some(row)) => {
                    summary.added += 1;
                    observe(&row);
                }
                Ok(None) => {}
                Err(error) => {
                    cancel.store(true, Ordering::Relaxed);
                    failure.get_or_insert(error);
                }
            }
        }
        failure.map_or(Ok(()), Err)
    })?;
    summary.cancelled = cancel.load(Ordering::Relaxed);
    Ok(summary)
}

/// Does one job; no row if it was cancelled.
fn row(
    planned: Planned,
    session: usize,
    workers: &Workers,
    judge: &Mutex<Judge>,
    cancel: &AtomicBool,
) -> Result<Option<Row>, RunError> {
    let started = SystemTime::now();
    let outcome = start(workers, &planned, cancel)?;
    if outcome.killed_by == Some(Cause::Cancelled) {
        return Ok(None);
    }
    let mut judge = judge.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(Some(transcript::row(planned, session, started, &outcome, &mut judge)?))
}

fn start(workers: &Workers, planned: &Planned, cancel: &AtomicBool) -> Result<Outcome, RunError> {
    let wall = Duration::from_secs_f64(planned.job.limits.wall_s + WALL_GRACE_S);
    let mut program = Program::new(&workers.program, wall);
    program.args.push("worker".into());
    program.args.push(format!("--revision={}", planned.encoding_revision).into());
    program.stdin = serde_json::to_vec(&planned.job).expect("a job has string keys only");
    // A worker of ours starts nothing that could stay behind, but for a program that encodes,
    // which needs some of the environment.
    program.sweep = needs_programs(&planned.job.encoding);
    let names: &[&str] = if program.sweep { &ENVIRONMENT } else { &[LIBRARIES] };
    let given = |&name: &&str| Some((name.into(), env::var_os(name)?));
    program.environment.extend(names.iter().filter_map(given));
    Ok(program.run(Some(cancel))?)
}
