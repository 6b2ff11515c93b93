//! Running some jobs of a record again, to see whether the record can be reproduced.
//!
//! So many are drawn as took about as long as there is time for, and run in the isolation of a run. Their
//! rows go into a folder of their own, with the frozen config and a session that says what it
//! reproduces; the evidence is only read. The same draw again goes on where it was interrupted.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use thiserror::Error;

use crate::environment::Environment;
use crate::experiment::Experiment;
use crate::job::Planned;
use crate::judge::Judge;
use crate::measured::Measured;
use crate::row::Row;
use crate::runner::{self, RunError, Summary, Workers};
use crate::store::Attached;
use crate::store::{self, Rows, Store, StoreError};

mod draw;

pub use draw::{Drawn, Wanted, draw};

/// Why jobs cannot be run again.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReproduceError {
    /// What was run again cannot be read or kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder holds something else.
    #[error(
        "`{}` holds something else than jobs of `{evidence}` that were run again: give what is run now \
         another name by --as, or move that folder away",
        folder.display()
    )]
    Taken {
        /// The folder.
        folder: PathBuf,
        /// The record that was to be reproduced.
        evidence: String,
    },
}

/// Jobs of a record about to be run again.
#[derive(Debug)]
pub struct Reproduction {
    store: Store,
    found: Rows,
    missing: Vec<Planned>,
    done: usize,
    of: String,
}

impl Reproduction {
    /// Takes up a reproduction below `root` under this name, or begins it. `files` are those that the
    /// frozen config names.
    ///
    /// # Errors
    ///
    /// When the folder holds evidence or another reproduction, cannot be written, or is in another
    /// runner's hands.
    pub fn open(
        root: &Path,
        name: &str,
        evidence: &Measured,
        files: &[Attached],
        jobs: Vec<Planned>,
    ) -> Result<Self, ReproduceError> {
        let folder = Experiment::folder(root, name);
        let taken =
            || ReproduceError::Taken { folder: folder.clone(), evidence: evidence.name.clone() };
        refuse_evidence(&folder, evidence, taken)?;
        let (store, found) = Store::open(&folder, &evidence.config, files)?;
        // Until the lock was taken somebody else may have begun something here.
        refuse_evidence(&folder, evidence, taken)?;
        let drawn = jobs.len();
        let mut missing = jobs;
        missing.retain(|job| !found.is_answered(&job.key));
        let done = drawn - missing.len();
        Ok(Self { store, found, missing, done, of: evidence.name.clone() })
    }

    /// The drawn jobs that have no row yet.
    pub fn missing(&self) -> &[Planned] {
        &self.missing
    }

    /// The number of drawn jobs that have a row already.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Runs what is missing in a new session; see [`runner::run`].
    ///
    /// # Errors
    ///
    /// As [`runner::run`], and when the session cannot be written down.
    pub fn run(
        mut self,
        environment: Environment,
        workers: &Workers,
        cancel: &AtomicBool,
        observe: impl FnMut(&Row),
    ) -> Result<Summary, RunError> {
        if self.missing.is_empty() {
            return Ok(Summary::default());
        }
        let reproduces = Some(self.of);
        let session = self.store.begin_session(Environment { reproduces, ..environment })?;
        let judge = Judge::knowing(self.found.by_key.values());
        runner::run(self.missing, session, workers, &mut self.store, judge, cancel, observe)
    }
}

/// Refuses a folder whose rows are no reproduction of this record.
fn refuse_evidence(
    folder: &Path,
    evidence: &Measured,
    taken: impl Fn() -> ReproduceError,
) -> Result<(), ReproduceError> {
    let Some(frozen) = store::frozen_config(folder)? else { return Ok(()) };
    let of_this =
        |session: &Environment| session.reproduces.as_deref() == Some(evidence.name.as_str());
    // Evidence may be there that no session tells of, if its list of sessions was lost.
    let sessions = store::environments(folder)?;
    let is_begun = !sessions.is_empty() || !store::look(folder)?.2.by_key.is_empty();
    let is_ours = frozen == evidence.config
        && sessions.iter().all(of_this)
        && (!is_begun || !sessions.is_empty());
    if is_ours { Ok(()) } else { Err(taken()) }
}
