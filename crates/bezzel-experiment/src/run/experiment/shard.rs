//! A shard of a submission, and the start of an experiment by several runners at the same time.

use std::collections::HashSet;
use std::path::Path;
use std::thread;
use std::time::Duration;

use super::{Destination, Experiment, OpenError};
use crate::backend::catalog::Catalog;
use crate::config::Config;
use crate::model::job::{Key, PlannedJob};
use crate::results::store::{RowFilter, Store, StoreError, rows_of};
use crate::run::shard::Shard;
use crate::run::submission::{Submission, SubmissionError};

/// The number of tries while another runner freezes the same config, and the delay between them.
const TRIES: u32 = 100;
const RETRY_DELAY: Duration = Duration::from_millis(100);

impl Experiment {
    /// Opens a shard of the submission in a folder. Only attempts at the same shard can have answered its jobs: jobs
    /// that were done at the time of submission are not part of it.
    ///
    /// # Errors
    ///
    /// When the submission or the frozen config was changed, the submission has no such shard, a job names a program
    /// that may not be started, or the jobs were planned for other versions.
    pub fn of_submission(
        folder: &Path,
        shard: Shard,
        catalog: &Catalog,
    ) -> Result<Self, OpenError> {
        let submission = Submission::open(folder)?;
        let max = submission.shards().len();
        if shard.of as usize != max {
            let folder = folder.to_owned();
            return Err(SubmissionError::NoShard { shard, max, folder }.into());
        }
        let mut config = Config::read_frozen(&submission.config()?, catalog)?;
        submission.name().clone_into(&mut config.name);
        let jobs = submission.jobs_of(shard.number)?;
        jobs.iter().try_for_each(|planned| catalog.permission.refuse(&planned.job))?;
        submission.refuse_outdated(&jobs, catalog)?;
        let keys = keys(&jobs);
        let mut attempts = submission.attempts()?;
        attempts.retain(|files| files.attempt.shard() == shard.number);
        let found =
            attempts.iter().map(|files| rows_of(&files.rows(), &[], RowFilter::Keys(&keys)));
        let found = found.collect::<Result<_, _>>()?;
        let place = Destination::Attempt { folder: folder.to_owned(), number: shard.number };
        Ok(Self::new(config, catalog.clone(), place, jobs, found))
    }
}

pub(super) fn keys(jobs: &[PlannedJob]) -> HashSet<Key> {
    jobs.iter().map(|job| job.key.clone()).collect()
}

/// Locks an experiment, begins it by this config if it does not exist, and calls `act`. Runners that begin at the same
/// time wait for each other.
pub(super) fn with_lock(
    experiment: &Path,
    config: &Config,
    act: impl FnOnce(&Store) -> Result<(), OpenError>,
) -> Result<(), OpenError> {
    let mut tried = 0;
    loop {
        match Store::open(experiment, &config.frozen_text(), &config.files) {
            Err(StoreError::Busy { .. }) if tried < TRIES => thread::sleep(RETRY_DELAY),
            opened => return act(&opened?.0),
        }
        tried += 1;
    }
}
