//! Merging: rows of attempts at shards become rows of their experiment.
//!
//! A merge is possible at any time: existing rows are skipped, and rows that are being written are added by the next
//! merge. The [store](crate::results::store) does the work. This module finds rows that contradict each
//! other.

use std::collections::HashSet;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::check::claim::Disagreement;
use crate::results::store::{
    AttemptFiles, MergedRows, PresentRows, Store, StoreError, all_attempts, disagreeing,
    environments,
};

/// The result of a merge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeResult {
    /// The rows that were copied, and those that were left out.
    pub merged: MergedRows,
    /// The number of jobs that several attempts have done.
    pub repeated: usize,
    /// The disagreements between the answers of these jobs.
    pub disagreeing: Vec<Disagreement>,
}

/// Merges all attempts into the experiment in this folder.
///
/// # Errors
///
/// When there is no experiment, a runner works on it for longer than `wait_limit`, or a file cannot be read or written.
pub fn merge(experiment: &Path, wait_limit: Duration) -> Result<MergeResult, StoreError> {
    let attempts = all_attempts(experiment)?;
    let (mut store, mut present) = open(experiment, wait_limit)?;
    let merged = store.merge(&attempts, &mut present)?;
    let disagreeing = disagreeing(experiment, &present.repeated)?;
    Ok(MergeResult { merged, repeated: present.repeated.len(), disagreeing })
}

/// Returns the number of attempts that have begun and of which nothing was merged.
///
/// # Errors
///
/// When they cannot be listed.
pub fn unmerged(experiment: &Path) -> Result<usize, StoreError> {
    let attempts = all_attempts(experiment)?;
    if attempts.is_empty() {
        return Ok(0);
    }
    let sessions = environments(experiment)?;
    let known: HashSet<&str> =
        sessions.iter().filter_map(|session| session.attempt.as_deref()).collect();
    let is_news = |files: &&AttemptFiles| !known.contains(files.attempt.to_string().as_str());
    Ok(attempts.iter().filter(is_news).count())
}

/// Takes the lock, which another merge may hold for some seconds.
fn open(experiment: &Path, wait_limit: Duration) -> Result<(Store, PresentRows), StoreError> {
    const RETRY_DELAY: Duration = Duration::from_millis(200);
    let begun = Instant::now();
    loop {
        match Store::open_to_merge(experiment) {
            Err(StoreError::Busy { .. }) if begun.elapsed() < wait_limit => {
                thread::sleep(RETRY_DELAY);
            }
            opened => return opened,
        }
    }
}
