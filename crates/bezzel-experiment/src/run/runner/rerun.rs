//! Running jobs again without storing their rows, to compare them with existing rows.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{RunError, RunnerOptions, refuse, scratch, slots};
use crate::backend::command;
use crate::check::judge::Judge;
use crate::model::job::PlannedJob;
use crate::model::row::Row;

/// Runs these jobs one after the other in the isolation of a run, judges their answers by `judge`, and passes each row to
/// `observe` with the job's place among them. Nothing is stored.
///
/// # Errors
///
/// When a job names a program that may not be started, or a worker cannot be started or refuses its job.
pub fn rerun(
    jobs: Vec<PlannedJob>,
    options: &RunnerOptions<'_>,
    judge: Judge,
    cancel: &AtomicBool,
    mut observe: impl FnMut(usize, Row),
) -> Result<(), RunError> {
    refuse(&jobs, &options.permission)?;
    let programs = command::of_jobs(jobs.iter().map(|planned| &planned.job));
    let scratch = scratch(options)?;
    let slots = slots(options, 1, &scratch, &programs)?;
    let judge = Mutex::new(judge);
    jobs.into_iter().enumerate().try_for_each(|(place, planned)| {
        if !cancel.load(Ordering::Relaxed)
            && let Some(row) = slots[0].attempt(planned, &judge, cancel)?
        {
            observe(place, row);
        }
        Ok(())
    })
}
