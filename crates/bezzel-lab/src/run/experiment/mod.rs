//! An experiment at work: its folder, the jobs that are missing, and their run.
//!
//! A [`PlannedExperiment`] is a config with its plan; nothing is written yet. It is opened whole or as a shard.
//! A [`Sample`] is opened from a record, and a shard of a submission from its folder. All of them become an
//! [`Experiment`], which runs what is missing.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bezzel_external::cores::{self, Claim};

use crate::backend::workbench::Workbench;
use crate::check::judge::Judge;
use crate::config::Config;
use crate::model::environment::{Build, ClusterTask, Environment};
use crate::model::job::Planned;
use crate::model::quantity::span;
use crate::model::row::Row;
use crate::plan::{answering, threads};
use crate::results::store::{Holder, Rows, SCRATCH, Store};
use crate::run::calibration::Fixed;
use crate::run::runner::{self, RunError, Workers};

mod draw;
mod error;
mod planned;
mod sample;
mod shard;

pub use draw::Drawn;
pub use error::OpenError;
pub use planned::{PlannedExperiment, Recorded};
pub use sample::Sample;

/// An experiment at work, or a part of it: jobs, and the place of their rows.
pub struct Experiment {
    name: String,
    config: Config,
    workbench: Workbench,
    place: Place,
    missing: Vec<Planned>,
    done: usize,
    found: Vec<Rows>,
    cores: Arc<Claim>,
    notes: Vec<String>,
    /// The name of the record of which jobs are run again.
    reproduces: Option<String>,
}

/// The place of new rows.
enum Place {
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

    /// Takes up the jobs that `found` does not answer.
    fn new(
        config: Config,
        workbench: Workbench,
        place: Place,
        jobs: Vec<Planned>,
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
        let cores = match cores::claim(config.parallel as usize) {
            _ if missing.is_empty() => Claim::default(),
            Ok(claim) => {
                if claim.shared {
                    let note = "WARNING: other runs on this machine use the same cores, which affects times";
                    notes.push(note.to_owned());
                }
                claim
            }
            Err(error) => {
                notes.push(format!("WARNING: {error}"));
                Claim::default()
            }
        };
        Self {
            name: config.name.clone(),
            done: all - missing.len(),
            config,
            workbench,
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

    /// The jobs that have no row yet.
    pub fn missing(&self) -> &[Planned] {
        &self.missing
    }

    /// The number of jobs that have a row already.
    pub fn done(&self) -> usize {
        self.done
    }

    /// The rows that are there, with the damage that was found.
    pub fn found(&self) -> &[Rows] {
        &self.found
    }

    /// Remarks and warnings for the user, a line each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Runs the missing jobs in a new session; see [`runner::run`]. The build is that of `program`, which must
    /// know the command `worker`.
    ///
    /// # Errors
    ///
    /// As [`runner::run`], and when the session cannot be written.
    pub fn run(
        self,
        build: Build,
        program: &Path,
        cancel: &AtomicBool,
        observe: impl FnMut(&Row),
    ) -> Result<runner::Summary, RunError> {
        let Self { config, workbench, place, missing, found, cores, reproduces, .. } = self;
        if missing.is_empty() {
            return Ok(runner::Summary::default());
        }
        let here = Environment::here(build, &workbench, config.arms(), config.parallel);
        let here = Environment { reproduces, ..here };
        let (mut store, scratch, environment) = match place {
            Place::Whole { folder, store } => (*store, folder.join(SCRATCH), here),
            Place::Attempt { folder, number } => {
                let (store, attempt) = Store::begin_attempt(&folder, number)?;
                // Not beside the rows: a folder that machines share would delay the jobs.
                let scratch = env::temp_dir().join(format!("bezzel-{SCRATCH}-{attempt}"));
                let environment = Environment {
                    attempt: Some(attempt.to_string()),
                    host: Some(Holder::here().host),
                    cluster: ClusterTask::of(|name| env::var(name).ok()),
                    ..here
                };
                (store, scratch, environment)
            }
        };
        let session = store.begin_session(environment)?;
        let every = config.calibration.map(|calibration| span(calibration.every_s));
        let workers = Workers {
            program: program.to_owned(),
            parallel: config.parallel,
            cores,
            scratch,
            proof_bytes: config.proof_bytes,
            warm_up: config.warm_up,
            calibration: every.and_then(|every| Fixed::new(&workbench, every)),
            permission: workbench.permission,
        };
        let judge = Judge::knowing(found.iter().flat_map(|rows| rows.by_key.values()));
        runner::run(missing, session, &workers, &mut store, judge, cancel, observe)
    }
}

/// The text of a warning if the jobs that run at the same time have more threads than the machine has cores.
pub fn note_of_threads(jobs: &[Planned], parallel: u32) -> Option<String> {
    let threads = threads(jobs);
    // A claim of cores warns of jobs with one thread.
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
