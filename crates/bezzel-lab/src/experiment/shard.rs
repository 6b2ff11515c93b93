//! A shard of an experiment at work: some of its jobs, whose rows go into a file of this attempt.

use std::collections::HashSet;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use super::{Experiment, OpenError, refuse_other};
use crate::config::Config;
use crate::environment::{ClusterTask, Environment};
use crate::job::Key;
use crate::job::Planned;
use crate::judge::Judge;
use crate::merge::{self, MergeError};
use crate::plan::Plan;
use crate::row::Row;
use crate::runner::{self, RunError, Summary, Workers};
use crate::shard::Shard;
use crate::store::SCRATCH;
use crate::store::{self, Holder, ROWS, Rows, Store, StoreError, rows_of};
use crate::submission::Submission;
use crate::workbench::Workbench;

/// How often and after which rest somebody is waited for who freezes the same config.
const TRIES: u32 = 100;
const REST: Duration = Duration::from_millis(100);

/// A shard at work.
#[derive(Debug)]
pub struct ShardAtWork {
    /// Where its attempts are.
    folder: PathBuf,
    number: u32,
    missing: Vec<Planned>,
    done: usize,
    known: Vec<Rows>,
}

impl ShardAtWork {
    /// Takes up a shard of this config below `root`, beside others that are at work on other shards,
    /// or on this one. What any attempt has found is not run again.
    ///
    /// # Errors
    ///
    /// As [`Experiment::open`]; an experiment at work is no hindrance.
    pub fn open(
        root: &Path,
        config: &Config,
        plan: Plan,
        shard: Shard,
        workbench: &Workbench,
    ) -> Result<Self, OpenError> {
        let experiment = Experiment::begin(root, config, &plan, workbench)?;
        let jobs = shard.jobs(plan);
        let keys = keys(&jobs);
        let mut known = vec![rows_of(&experiment.join(ROWS), &[], Some(&keys))?];
        let folder = experiment.join(store::SHARDS).join(format!("of-{}", shard.of));
        let attempts = merge::all_attempts(&experiment).map_err(|error| match error {
            MergeError::Store(error) => OpenError::Store(error),
            MergeError::Submission(error) => OpenError::Submission(error),
        })?;
        for files in &attempts {
            let found = rows_of(&files.rows(), &[], Some(&keys))?;
            if !found.by_key.is_empty() {
                refuse_other(&experiment, &jobs, &found, &files.sessions()?, workbench)?;
                known.push(found);
            }
        }
        Ok(Self::of(folder, shard.number, jobs, known))
    }

    /// Takes up a shard of a submission. Only attempts at the same shard can have found what it asks
    /// for: what was there when it was submitted is no part of it.
    ///
    /// # Errors
    ///
    /// When what they have found cannot be read.
    pub fn of_submission(
        submission: &Submission,
        number: u32,
        jobs: Vec<Planned>,
    ) -> Result<Self, StoreError> {
        let keys = keys(&jobs);
        let mut attempts = submission.attempts()?;
        attempts.retain(|files| files.attempt.shard() == number);
        let folder = submission.folder().to_owned();
        let known = attempts.iter().map(|files| rows_of(&files.rows(), &[], Some(&keys)));
        Ok(Self::of(folder, number, jobs, known.collect::<Result<_, _>>()?))
    }

    /// What is missing of these jobs, where so much is known of them.
    fn of(folder: PathBuf, number: u32, jobs: Vec<Planned>, known: Vec<Rows>) -> Self {
        let all = jobs.len();
        let mut missing = jobs;
        missing.retain(|job| !known.iter().any(|rows| rows.is_answered(&job.key)));
        let done = all - missing.len();
        Self { folder, number, missing, done, known }
    }

    /// The jobs that have no row yet.
    pub fn missing(&self) -> &[Planned] {
        &self.missing
    }

    /// The number of jobs that have a row already.
    pub fn done(&self) -> usize {
        self.done
    }

    /// The rows of its jobs that were found.
    pub fn known(&self) -> impl Iterator<Item = &Row> {
        self.known.iter().flat_map(|rows| rows.by_key.values())
    }

    /// Runs what is missing as a new attempt; see [`runner::run`]. Large files of workers go where this
    /// machine has its temporary files.
    ///
    /// # Errors
    ///
    /// As [`runner::run`], and when the attempt cannot be written down.
    pub fn run(
        self,
        environment: Environment,
        cluster: Option<ClusterTask>,
        workers: &Workers,
        cancel: &AtomicBool,
        observe: impl FnMut(&Row),
    ) -> Result<Summary, RunError> {
        if self.missing.is_empty() {
            return Ok(Summary::default());
        }
        let (mut store, attempt) = Store::begin_attempt(&self.folder, self.number)?;
        // Not beside the rows: what is measured is not to wait for a folder that others share.
        let scratch = env::temp_dir().join(format!("bezzel-{SCRATCH}-{attempt}"));
        let workers = Workers { scratch, ..workers.clone() };
        let session = store.begin_session(Environment {
            attempt: Some(attempt.to_string()),
            host: Some(Holder::here().host),
            cluster,
            ..environment
        })?;
        let judge = Judge::knowing(self.known.iter().flat_map(|rows| rows.by_key.values()));
        runner::run(self.missing, session, &workers, &mut store, judge, cancel, observe)
    }
}

fn keys(jobs: &[Planned]) -> HashSet<Key> {
    jobs.iter().map(|job| job.key.clone()).collect()
}

/// Freezes the config, unless it is: several that begin at once do so one after the other.
pub(super) fn freeze(experiment: &Path, config: &Config) -> Result<(), StoreError> {
    for tried in 0.. {
        if store::frozen_config(experiment)?.is_some() {
            break;
        }
        match Store::open(experiment, &config.frozen_text(), &config.files) {
            Err(StoreError::Busy { .. }) if tried < TRIES => thread::sleep(REST),
            opened => return opened.map(drop),
        }
    }
    Ok(())
}
