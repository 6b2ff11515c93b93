//! An experiment that runs: its folder, the jobs that are missing, and their run.
//!
//! A [`PlannedExperiment`] is a config with its plan; nothing is written yet. It is opened as a whole or in part. A
//! [`Sample`] is opened from a record. Each of them becomes an [`Experiment`], which runs the missing jobs. A
//! [`RepeatedJob`] is run without one, and its row is not stored.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::{Map, Value as Json};

use bezzel_process::cores::{self, ClaimedCores};

use crate::backend::catalog::Catalog;
use crate::check::judge::Judge;
use crate::config::{Config, PROOF_BYTES};
use crate::model::environment::{Build, Environment};
use crate::model::job::{Job, PlannedJob};
use crate::model::quantity::span;
use crate::model::row::Row;
use crate::plan::{answering, threads};
use crate::results::store::{
    EventKind, FORMAT, FolderClaim, Rows, SCRATCH, SessionStart, SessionWriter, Sessions,
    StoreError,
};
use crate::run::calibration::CalibrationJob;
use crate::run::runner::{self, RunError, RunnerOptions, StartJob, WantedJobs};
use crate::run::shard::Shard;

mod draw;
mod encoders;
mod error;
mod planned;
mod repeated;
mod sample;

use planned::{refuse_no_text, refuse_other};

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
    place: OpenFolder,
    missing: Vec<PlannedJob>,
    done: usize,
    cores: Arc<ClaimedCores>,
    notes: Vec<String>,
    /// The name of the record whose jobs are run again.
    reproduces: Option<String>,
    /// The author's part of a report; none for that of the config.
    report: Option<Map<String, Json>>,
}

/// The folder of new rows, and its content.
struct OpenFolder {
    folder: PathBuf,
    /// The shard that is run; none for all jobs.
    shard: Option<Shard>,
    /// The permission to run the whole experiment, if that is meant.
    claim: Option<FolderClaim>,
    sessions: Sessions,
    found: Rows,
}

impl OpenFolder {
    /// Reads the folder. A session of all jobs needs that no other session is running; one of a shard does not.
    fn new(folder: PathBuf, shard: Option<Shard>) -> Result<Self, OpenError> {
        refuse_no_text(&folder)?;
        let claim = shard.is_none().then(|| FolderClaim::new(&folder)).transpose()?;
        let (sessions, found) = found_in(&folder)?;
        Ok(Self { folder, shard, claim, sessions, found })
    }
}

/// The call of a command that measures.
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// The build of the workers.
    pub build: Build,
    /// The command, as it was given.
    pub command: String,
}

impl Experiment {
    /// The folder of an experiment.
    pub fn folder(root: &Path, name: &str) -> PathBuf {
        root.join("experiments").join(name)
    }

    /// Returns an experiment with the jobs that the rows in the folder do not answer.
    fn new(
        config: Config,
        catalog: Catalog,
        place: OpenFolder,
        jobs: Vec<PlannedJob>,
    ) -> Result<Self, OpenError> {
        refuse_other(&place, &jobs, &catalog)?;
        let all = jobs.len();
        let threads = note_of_threads(&jobs, config.parallel);
        let mut notes: Vec<_> =
            threads.map(|note| format!("WARNING: {note}")).into_iter().collect();
        let mut missing = jobs;
        let known = place.found.by_key.values();
        let mut answered = answering::answered(&missing, known).into_iter();
        missing.retain(|_| !answered.next().unwrap_or(false));
        let cores = cores::claim((config.parallel as usize).min(missing.len()));
        notes.extend(cores.warning.iter().map(|warning| format!("WARNING: {warning}")));
        Ok(Self {
            name: config.name.clone(),
            done: all - missing.len(),
            config,
            catalog,
            place,
            missing,
            cores: cores.into(),
            notes,
            reproduces: None,
            report: None,
        })
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

    /// Returns the existing rows.
    pub fn found(&self) -> &Rows {
        &self.place.found
    }

    /// Returns the existing sessions, with the damage of their files.
    pub fn sessions(&self) -> &Sessions {
        &self.place.sessions
    }

    /// Returns remarks and warnings for the user, one line each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Leaves out the missing jobs without a place, and orders the others by their places.
    pub fn arrange<P: Ord>(&mut self, place: impl Fn(&Job) -> Option<P>) {
        let placed = |planned: PlannedJob| Some((place(&planned.job)?, planned));
        let mut all: Vec<(P, PlannedJob)> = self.missing.drain(..).filter_map(placed).collect();
        all.sort_by(|one, other| one.0.cmp(&other.0));
        self.missing.extend(all.into_iter().map(|(_, planned)| planned));
    }

    /// Runs the missing jobs in a new session, as [`runner::run`] does. With `wants`, it runs those that `wants` chooses
    /// while they run. A config that differs from that of the last session is recorded even if no job is missing, so that
    /// reports take it.
    ///
    /// # Errors
    ///
    /// As [`runner::run`]; when the session cannot be written; and when an encoder of the jobs is wrong at a shape of
    /// constraints that they use, before anything is written.
    pub fn run(
        self,
        call: Call,
        starter: &dyn StartJob,
        cancel: &AtomicBool,
        wants: Option<&WantedJobs<'_>>,
        observe: impl FnMut(&Row),
    ) -> Result<runner::RunSummary, RunError> {
        let Self { config, catalog, place, missing, cores, reproduces, report, .. } = self;
        let OpenFolder { folder, shard, claim, sessions, found } = place;
        let mut recorded = config.recorded();
        recorded.report = report.unwrap_or(recorded.report);
        if missing.is_empty() {
            let last = sessions.list.last().map(|session| &session.start.config);
            let is_recorded = last.is_some_and(|last| {
                (&last.config, &last.files) == (&recorded.config, &recorded.files)
            });
            if is_recorded || shard.is_some() {
                return Ok(runner::RunSummary::default());
            }
        }
        encoders::check(&missing, config.limits, &catalog, cancel)?;
        let Call { build, command } = call;
        let environment = Environment::here(build, &catalog, config.arms(), config.parallel);
        let start = SessionStart {
            format: FORMAT,
            command,
            shard: shard.map(|shard| shard.to_string()),
            environment: Environment { reproduces, ..environment },
            config: recorded,
            ..SessionStart::default()
        };
        let mut writer = SessionWriter::create(&folder, &start, &config.files)?;
        if claim.is_some() {
            // A shard may have begun since the folder was claimed.
            writer = writer.give_way()?;
        }
        if missing.is_empty() {
            writer.append_event(EventKind::Finished)?;
            return Ok(runner::RunSummary::default());
        }
        // Sessions at the same time have folders of their own for large files. Those are not beside the rows: a folder
        // that machines share would delay the jobs.
        let scratch = claim.as_ref().map(|_| folder.join(SCRATCH));
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
            wants,
        };
        let judge = judge.with_facts_of(found.by_key.values());
        let summary = runner::run(missing, &options, &mut writer, judge, cancel, observe)?;
        let is_stopped = summary.cancelled;
        writer.append_event(if is_stopped { EventKind::Stopped } else { EventKind::Finished })?;
        drop(claim);
        Ok(summary)
    }
}

/// Returns the sessions and the rows in a folder; none if there is no session.
fn found_in(folder: &Path) -> Result<(Sessions, Rows), OpenError> {
    match Rows::read(folder) {
        Err(StoreError::Missing(_)) => Ok((Sessions::default(), Rows::default())),
        found => Ok(found?),
    }
}

/// The text of a warning if the jobs that run at the same time have more threads than the machine has cores.
pub fn note_of_threads(jobs: &[PlannedJob], parallel: u32) -> Option<String> {
    let (threads, parallel) = (threads(jobs), parallel.min(jobs.len() as u32));
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
