//! An experiment that runs: its folder, the jobs that are missing, and their run.
//!
//! A [`PlannedExperiment`] is a config with its plan; nothing is written yet. It is opened completely or as a shard. A
//! [`Sample`] is opened from a record. Each of them becomes an [`Experiment`], which runs the missing jobs. A
//! [`RepeatedJob`] is run without one, and its row is not stored.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bezzel_process::cores::{self, ClaimedCores};

use crate::backend::catalog::Catalog;
use crate::check::judge::Judge;
use crate::config::{Config, PROOF_BYTES};
use crate::model::environment::{Build, Environment};
use crate::model::job::PlannedJob;
use crate::model::quantity::span;
use crate::model::row::Row;
use crate::plan::{answering, threads};
use crate::results::store::{LockHolder, Rows, SCRATCH, Store};
use crate::run::calibration::CalibrationJob;
use crate::run::runner::{self, RunError, RunnerOptions, StartJob};

mod draw;
mod encoders;
mod error;
mod planned;
mod repeated;
mod sample;

pub use draw::DrawnJobs;
pub use error::OpenError;
pub use planned::{PlannedExperiment, RecordedJobs};
pub use repeated::RepeatedJob;
pub use sample::Sample;

/// An experiment that runs, or a part of it: jobs, and the place of their rows.
pub struct Experiment {
    name: String,
    config: Config,
    catalog: Catalog,
    place: Destination,
    missing: Vec<PlannedJob>,
    done: usize,
    found: Vec<Rows>,
    cores: Arc<ClaimedCores>,
    notes: Vec<String>,
    /// The name of the record whose jobs are run again.
    reproduces: Option<String>,
}

/// The place of new rows.
enum Destination {
    /// The experiment's folder.
    Whole { folder: PathBuf, store: Box<Store> },
    /// A new attempt at a shard.
    Attempt { folder: PathBuf, number: u32 },
}

impl Experiment {
    /// The folder of an experiment.
    pub fn folder(root: &Path, name: &str) -> PathBuf {
        root.join("experiments").join(name)
    }

    /// Returns an experiment with the jobs that `found` does not answer.
    fn new(
        config: Config,
        catalog: Catalog,
        place: Destination,
        jobs: Vec<PlannedJob>,
        found: Vec<Rows>,
    ) -> Self {
        let all = jobs.len();
        let threads = note_of_threads(&jobs, config.parallel);
        let mut notes: Vec<_> =
            threads.map(|note| format!("WARNING: {note}")).into_iter().collect();
        let mut missing = jobs;
        let known = found.iter().flat_map(|rows| rows.by_key.values());
        let mut answered = answering::answered(&missing, known).into_iter();
        missing.retain(|_| !answered.next().unwrap_or(false));
        let mut cores = ClaimedCores::default();
        if !missing.is_empty() {
            cores = cores::claim(config.parallel as usize);
        }
        notes.extend(cores.warning.iter().map(|warning| format!("WARNING: {warning}")));
        Self {
            name: config.name.clone(),
            done: all - missing.len(),
            config,
            catalog,
            place,
            missing,
            found,
            cores: cores.into(),
            notes,
            reproduces: None,
        }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the jobs without a row.
    pub fn missing(&self) -> &[PlannedJob] {
        &self.missing
    }

    /// Returns the number of jobs with a row.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Returns the existing rows, with the damage.
    pub fn found(&self) -> &[Rows] {
        &self.found
    }

    /// Returns remarks and warnings for the user, one line each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Runs the missing jobs in a new session; see [`runner::run`]. The build is that of the workers.
    ///
    /// # Errors
    ///
    /// As [`runner::run`]; when the session cannot be written; and when an encoder of the jobs is wrong at a shape of
    /// constraints that they use, before anything is written.
    pub fn run(
        self,
        build: Build,
        starter: &dyn StartJob,
        cancel: &AtomicBool,
        observe: impl FnMut(&Row),
    ) -> Result<runner::RunSummary, RunError> {
        let Self { config, catalog, place, missing, found, cores, reproduces, .. } = self;
        if missing.is_empty() {
            return Ok(runner::RunSummary::default());
        }
        encoders::check(&missing, config.limits, &catalog, cancel)?;
        let here = Environment::here(build, &catalog, config.arms(), config.parallel);
        let here = Environment { reproduces, ..here };
        let (mut store, scratch, environment) = match place {
            Destination::Whole { folder, store } => (*store, Some(folder.join(SCRATCH)), here),
            Destination::Attempt { folder, number } => {
                let (store, attempt) = Store::begin_attempt(&folder, number)?;
                let environment = Environment {
                    attempt: Some(attempt.to_string()),
                    host: Some(LockHolder::here().host),
                    ..here
                };
                // The scratch folder is not beside the rows: a folder that machines share would delay the jobs.
                (store, None, environment)
            }
        };
        let session = store.begin_session(environment)?;
        let judge = Judge::with_size_checks(&catalog.size_checks);
        let every = config.calibration.map(|calibration| span(calibration.every_s));
        let options = RunnerOptions {
            starter,
            parallel: config.parallel,
            cores,
            scratch,
            proof_bytes: PROOF_BYTES,
            warm_up: config.warm_up,
            calibration: every.and_then(|every| CalibrationJob::new(&catalog, every)),
            permission: catalog.permission,
        };
        let known = found.iter().flat_map(|rows| rows.by_key.values());
        let judge = judge.with_facts_of(known);
        runner::run(missing, session, &options, &mut store, judge, cancel, observe)
    }
}

/// The text of a warning if the jobs that run at the same time have more threads than the machine has cores.
pub fn note_of_threads(jobs: &[PlannedJob], parallel: u32) -> Option<String> {
    let threads = threads(jobs);
    // The claim of cores warns for jobs with one thread.
    let cores = cores::usable().ok().filter(|_| threads > 1)?.len();
    if u64::from(threads) * u64::from(parallel) <= cores as u64 {
        return None;
    }
    let (jobs, advice) = match parallel {
        1 => ("a job".to_owned(), ""),
        parallel => (format!("{parallel} jobs at a time"), ", or `parallel: 1`"),
    };
    Some(format!(
        "{jobs} on up to {threads} threads each, and {cores} cores: threads share cores, which \
         affects times; take fewer `threads`{advice}"
    ))
}

#[cfg(test)]
mod tests;
