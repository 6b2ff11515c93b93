//! A shard of a submission, and the beginning of an experiment by several runners at the same time.

use std::collections::HashSet;
use std::path::Path;
use std::thread;
use std::time::Duration;

use super::{Experiment, OpenError, Place};
use crate::backend::workbench::Workbench;
use crate::config::Config;
use crate::model::job::{Key, Planned};
use crate::results::store::{Store, StoreError, Wanted, rows_of};
use crate::run::shard::Shard;
use crate::run::submission::{Submission, SubmissionError};

/// The number of tries while another runner freezes the same config, and the time between them.
const TRIES: u32 = 100;
const REST: Duration = Duration::from_millis(100);

impl Experiment {
    /// Takes up a shard of the submission in a folder. Only attempts at the same shard can have answered its
    /// jobs: jobs that were done when it was submitted are no part of it.
    ///
    /// # Errors
    ///
    /// When the submission or the frozen config was changed, the shard is not one of it, a job names a program
    /// that may not be started, or the jobs were planned for other versions.
    pub fn of_submission(
        folder: &Path,
        shard: Shard,
        workbench: &Workbench,
    ) -> Result<Self, OpenError> {
        let submission = Submission::open(folder)?;
        let most = submission.shards().len();
        if shard.of as usize != most {
            let folder = folder.to_owned();
            return Err(SubmissionError::NoShard { shard, most, folder }.into());
        }
        let mut config = Config::read_frozen(&submission.config()?, workbench)?;
        submission.name().clone_into(&mut config.name);
        let jobs = submission.jobs_of(shard.number)?;
        jobs.iter().try_for_each(|planned| workbench.permission.refuse(&planned.job))?;
        submission.refuse_outdated(&jobs, workbench)?;
        let keys = keys(&jobs);
        let mut attempts = submission.attempts()?;
        attempts.retain(|files| files.attempt.shard() == shard.number);
        let found = attempts.iter().map(|files| rows_of(&files.rows(), &[], Wanted::Keys(&keys)));
        let found = found.collect::<Result<_, _>>()?;
        let place = Place::Attempt { folder: folder.to_owned(), number: shard.number };
        Ok(Self::new(config, workbench.clone(), place, jobs, found))
    }
}

pub(super) fn keys(jobs: &[Planned]) -> HashSet<Key> {
    jobs.iter().map(|job| job.key.clone()).collect()
}

/// Locks an experiment, begins it by this config if it is not begun, and calls `act`. Runners that begin at the same
/// time wait for each other.
pub(super) fn with_lock(
    experiment: &Path,
    config: &Config,
    act: impl FnOnce(&Store) -> Result<(), OpenError>,
) -> Result<(), OpenError> {
    let mut tried = 0;
    loop {
        match Store::open(experiment, &config.frozen_text(), &config.files) {
            Err(StoreError::Busy { .. }) if tried < TRIES => thread::sleep(REST),
            opened => return act(&opened?.0),
        }
        tried += 1;
    }
}
