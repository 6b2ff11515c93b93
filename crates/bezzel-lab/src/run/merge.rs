//! Merging: what attempts at shards found becomes part of their experiment.
//!
//! Anybody may merge at any time: what is there already is passed over, and what is still being written
//! comes with the next merge. The work is done by the [store](crate::results::store); here the attempts are
//! found, and rows that contradict each other.

use std::collections::HashSet;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::check::said::Disagreement;
use crate::results::store::{
    AttemptFiles, Merged, Present, Store, StoreError, attempts, disagreeing, environments,
};
use crate::run::submission::shard_folders;

/// What a merge came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// What was carried over, and what could not be.
    pub merged: Merged,
    /// Jobs that several attempts have done.
    pub repeated: usize,
    /// Those of them whose answers cannot both be right.
    pub disagreeing: Vec<Disagreement>,
}

/// The files of every attempt at a shard of the experiment in this folder.
///
/// # Errors
///
/// When they cannot be looked for.
pub fn all_attempts(experiment: &Path) -> Result<Vec<AttemptFiles>, StoreError> {
    let mut all = Vec::new();
    for folder in shard_folders(experiment)? {
        all.extend(attempts(&folder)?);
    }
    Ok(all)
}

/// Merges all attempts into the experiment in this folder.
///
/// # Errors
///
/// When there is no experiment, it is in somebody's hands for longer than `patience`, or anything cannot
/// be read or kept.
pub fn merge(experiment: &Path, patience: Duration) -> Result<Outcome, StoreError> {
    let attempts = all_attempts(experiment)?;
    let (mut store, mut present) = open(experiment, patience)?;
    let merged = store.merge(&attempts, &mut present)?;
    let disagreeing = disagreeing(experiment, &present.repeated)?;
    Ok(Outcome { merged, repeated: present.repeated.len(), disagreeing })
}

/// How many attempts have begun of which nothing was ever merged.
///
/// # Errors
///
/// When they cannot be looked for.
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

/// Takes the lock, which another merge may have for some seconds.
fn open(experiment: &Path, patience: Duration) -> Result<(Store, Present), StoreError> {
    const REST: Duration = Duration::from_millis(200);
    let begun = Instant::now();
    loop {
        match Store::open_to_merge(experiment) {
            Err(StoreError::Busy { .. }) if begun.elapsed() < patience => thread::sleep(REST),
            opened => return opened,
        }
    }
}
