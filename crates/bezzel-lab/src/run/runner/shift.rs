//! A shift: what one thread of the runner does, from warming up to its last reading.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Instant;

use super::{RunError, Slot};
use crate::check::judge::Judge;
use crate::model::job::{Planned, WARM_UP_S};
use crate::model::row::Row;
use crate::run::calibration::{AT_END, AT_START, Fixed};

/// How often a job is tried again whose process somebody else has killed.
pub(super) const TRIES: u32 = 3;

/// What all threads take from.
pub(super) struct Queue {
    /// What is run once and thrown away.
    warm_up: Mutex<VecDeque<Planned>>,
    jobs: Mutex<VecDeque<Turn>>,
}

/// A job, and how often it was tried already.
#[derive(Clone, Debug, PartialEq)]
struct Turn {
    planned: Planned,
    tried: u32,
}

impl Queue {
    /// All jobs, the first so many of them to be run once before and thrown away.
    pub(super) fn new(jobs: Vec<Planned>, warm_up: u32) -> Self {
        let first = jobs.iter().take(warm_up as usize).cloned().map(|mut planned| {
            let limits = &mut planned.job.limits;
            limits.cpu_s = limits.cpu_s.min(WARM_UP_S);
            limits.wall_s = limits.wall_s.min(WARM_UP_S);
            planned
        });
        let warm_up = Mutex::new(first.collect());
        let jobs = jobs.into_iter().map(|planned| Turn { planned, tried: 0 });
        Self { warm_up, jobs: Mutex::new(jobs.collect()) }
    }
}

fn next<T>(queue: &Mutex<VecDeque<T>>) -> Option<T> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
}

/// What became of one process.
pub(super) enum Done {
    /// A job has its row.
    Job(Row),
    /// A job has a row that does not settle it, and is tried again.
    Again(Row),
    /// The machine was measured.
    Reading(Row),
}

/// What a thread works with.
pub(super) struct Shift<'a> {
    pub(super) slot: &'a Slot<'a>,
    pub(super) queue: &'a Queue,
    /// What is solved between the jobs to measure the machine.
    pub(super) fixed: Option<&'a Fixed>,
    pub(super) judge: &'a Mutex<Judge>,
    pub(super) cancel: &'a AtomicBool,
    pub(super) send: mpsc::Sender<Result<Done, RunError>>,
}

/// Nobody takes what is done any more, or it is not to be done any more.
struct Over;

impl Shift<'_> {
    /// Works until no job is left, or it is cancelled.
    pub(super) fn work(&self) {
        // That it ends early is known by then to whoever set the flag or failed.
        let _ = self.go_through();
    }

    fn go_through(&self) -> Result<(), Over> {
        while let Some(planned) = next(&self.queue.warm_up) {
            self.attempt(planned)?;
        }
        self.read(AT_START)?;
        let mut last = Instant::now();
        while let Some(Turn { planned, tried }) = self.next_job() {
            if self.fixed.is_some_and(|fixed| last.elapsed() >= fixed.every) {
                self.read(1)?;
                last = Instant::now();
            }
            // Judged before the next job starts, so that judging disturbs no measuring.
            let row = self.attempt(planned.clone())?;
            if row.is_settled() || tried == TRIES {
                self.tell(Done::Job(row))?;
                continue;
            }
            // After all others: whoever killed it may have gone by then. Before it is told, so that
            // nobody finds the queue empty in between.
            let turn = Turn { planned, tried: tried + 1 };
            self.queue.jobs.lock().unwrap_or_else(PoisonError::into_inner).push_back(turn);
            self.tell(Done::Again(row))?;
        }
        self.read(AT_END)
    }

    fn next_job(&self) -> Option<Turn> {
        // What is cancelled begins nothing, and leaves the rest to the next session.
        if self.cancel.load(Ordering::Relaxed) { None } else { next(&self.queue.jobs) }
    }

    /// So many readings of the machine.
    fn read(&self, number: usize) -> Result<(), Over> {
        let Some(fixed) = self.fixed else { return Ok(()) };
        for _ in 0..number {
            let row = self.attempt(fixed.planned.clone())?;
            self.tell(Done::Reading(row))?;
        }
        Ok(())
    }

    fn attempt(&self, planned: Planned) -> Result<Row, Over> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(Over);
        }
        match self.slot.attempt(planned, self.judge, self.cancel) {
            Ok(row) => row.ok_or(Over),
            Err(error) => {
                // Before any thread looks for its next job.
                self.cancel.store(true, Ordering::Relaxed);
                let _ = self.send.send(Err(error));
                Err(Over)
            }
        }
    }

    fn tell(&self, done: Done) -> Result<(), Over> {
        self.send.send(Ok(done)).map_err(|_| Over)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::workbench::Workbench;
    use crate::run::calibration::Fixed;
    use std::time::Duration;

    #[test]
    fn what_is_thrown_away_is_a_copy_of_the_first_jobs_and_no_long_one() {
        let planned = Fixed::new(&Workbench::standard(), Duration::ZERO).unwrap().planned;
        let queue = Queue::new(vec![planned.clone(); 3], 2);
        let mut warm_up = 0;
        while let Some(first) = next(&queue.warm_up) {
            assert!(first.job.limits.cpu_s <= WARM_UP_S && first.job.limits.wall_s <= WARM_UP_S);
            warm_up += 1;
        }
        assert_eq!(warm_up, 2);
        for _ in 0..3 {
            let turn = Turn { planned: planned.clone(), tried: 0 };
            assert_eq!(next(&queue.jobs), Some(turn), "every job is still to be done");
        }
        assert_eq!(next(&queue.jobs), None);
        let queue = Queue::new(vec![planned; 3], 0);
        assert_eq!(next(&queue.warm_up), None);
    }
}
