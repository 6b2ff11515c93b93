//! The work of one thread of the runner, from warm-up to the last reading.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};

use super::{RunError, Slot};
use crate::check::judge::Judge;
use crate::model::job::{PlannedJob, WARM_UP_S};
use crate::model::row::Row;
use crate::run::calibration::{AT_END, AT_START, CalibrationJob};

/// The number of further runs of a job whose process was killed from outside.
pub(super) const TRIES: u32 = 3;

/// The queue from which all threads take jobs.
pub(super) struct JobQueue {
    /// Jobs that are run once and whose rows are discarded.
    warm_up: Mutex<VecDeque<PlannedJob>>,
    jobs: Mutex<VecDeque<QueuedJob>>,
}

/// A job, and the number of its earlier runs.
#[derive(Clone, Debug, PartialEq)]
struct QueuedJob {
    planned: PlannedJob,
    tried: u32,
}

impl JobQueue {
    /// Returns a queue of all jobs. The first `warm_up` of them are also run once before, and their rows are discarded.
    pub(super) fn new(jobs: Vec<PlannedJob>, warm_up: u32) -> Self {
        let first = jobs.iter().take(warm_up as usize).cloned().map(|mut planned| {
            let limits = &mut planned.job.limits;
            limits.cpu_s = limits.cpu_s.min(WARM_UP_S);
            limits.wall_s = limits.wall_s.min(WARM_UP_S);
            planned
        });
        let warm_up = Mutex::new(first.collect());
        let jobs = jobs.into_iter().map(|planned| QueuedJob { planned, tried: 0 });
        Self { warm_up, jobs: Mutex::new(jobs.collect()) }
    }
}

fn next<T>(queue: &Mutex<VecDeque<T>>) -> Option<T> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
}

/// The result of one process.
pub(super) enum ProcessResult {
    /// A job has its row.
    Job(Row),
    /// A job has a row that does not settle it, and is run again.
    Again(Row),
    /// The machine was measured.
    Reading(Row),
}

/// The data of a thread.
pub(super) struct WorkerThread<'a> {
    pub(super) slot: &'a Slot<'a>,
    pub(super) queue: &'a JobQueue,
    /// The fixed job that is solved between the jobs to measure the machine.
    pub(super) fixed: Option<&'a CalibrationJob>,
    pub(super) judge: &'a Mutex<Judge>,
    pub(super) cancel: &'a AtomicBool,
    pub(super) send: mpsc::Sender<Result<ProcessResult, RunError>>,
}

/// The thread ends: the receiver has ended, or the run was cancelled.
struct ThreadEnd;

impl WorkerThread<'_> {
    /// Works until no job is left, or the run is cancelled.
    pub(super) fn work(&self) {
        // The caller already knows the reason of an early end: it was cancelled, or an error was sent.
        let _ = self.run_jobs();
    }

    fn run_jobs(&self) -> Result<(), ThreadEnd> {
        while let Some(planned) = next(&self.queue.warm_up) {
            self.attempt(planned)?;
        }
        self.read(AT_START)?;
        let starter = self.slot.options.starter;
        let mut last = starter.now();
        while let Some(QueuedJob { planned, tried }) = self.next_job() {
            let is_due = |fixed: &CalibrationJob| {
                starter.now().saturating_duration_since(last) >= fixed.every
            };
            if self.fixed.is_some_and(is_due) {
                self.read(1)?;
                last = starter.now();
            }
            // The row is judged before the next job starts, so that judging does not disturb a measurement.
            let row = self.attempt(planned.clone())?;
            if row.is_settled() || tried == TRIES {
                self.send_result(ProcessResult::Job(row))?;
                continue;
            }
            // The job is appended to the queue, since the cause of the kill may be gone after the other jobs. It is
            // appended before the row is sent, so that no thread finds the queue empty in between.
            let queued = QueuedJob { planned, tried: tried + 1 };
            self.queue.jobs.lock().unwrap_or_else(PoisonError::into_inner).push_back(queued);
            self.send_result(ProcessResult::Again(row))?;
        }
        self.read(AT_END)
    }

    fn next_job(&self) -> Option<QueuedJob> {
        // A cancelled run starts no job, and leaves the rest to the next session.
        while !self.cancel.load(Ordering::Relaxed) {
            let queued = next(&self.queue.jobs)?;
            if self.slot.options.wants.is_none_or(|wants| wants(&queued.planned.job)) {
                return Some(queued);
            }
        }
        None
    }

    /// Takes `number` readings of the machine.
    fn read(&self, number: usize) -> Result<(), ThreadEnd> {
        let Some(fixed) = self.fixed else { return Ok(()) };
        for _ in 0..number {
            let row = self.attempt(fixed.planned.clone())?;
            self.send_result(ProcessResult::Reading(row))?;
        }
        Ok(())
    }

    fn attempt(&self, planned: PlannedJob) -> Result<Row, ThreadEnd> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(ThreadEnd);
        }
        match self.slot.attempt(planned, self.judge, self.cancel) {
            Ok(row) => row.ok_or(ThreadEnd),
            Err(error) => {
                // The flag is set before any thread looks for its next job.
                self.cancel.store(true, Ordering::Relaxed);
                let _ = self.send.send(Err(error));
                Err(ThreadEnd)
            }
        }
    }

    fn send_result(&self, result: ProcessResult) -> Result<(), ThreadEnd> {
        self.send.send(Ok(result)).map_err(|_| ThreadEnd)
    }
}
