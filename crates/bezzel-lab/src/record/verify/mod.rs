//! Checking evidence again without trusting it.
//!
//! Each line's seal, each key, the frozen config with its sessions, each placement and verdict, the
//! sizes and digests of the formulas, and what the rows say of each other are found out anew; of a
//! sample, chosen by a seed, the jobs are run again by workers in the isolation of a run. Nothing
//! in the experiment's folder is changed.
//!
//! What evidence names is not run unasked: programs that encode or solve are left out unless the
//! caller wants them run.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::backend::workbench::Workbench;
use crate::config::PROOF_BYTES;
use crate::results::store::{self, StoreError};
use crate::run::runner::{RunError, Workers};

mod clauses;
mod lines;
mod numbers;
mod outcome;
mod plan;
mod sample;
mod verdicts;

use outcome::Found;
pub use outcome::{Checked, Fault, Outcome, Step};

/// What is to be checked.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// How many jobs are run again.
    pub sample: usize,
    /// The seed by which they are chosen.
    pub seed: u64,
    /// For how long formulas are encoded anew; those that are left are counted.
    pub encode_for: Duration,
    /// The program whose workers run the sample.
    pub worker: PathBuf,
}

/// Checks the evidence in an experiment's folder. Programs that rows name are run with the permission of
/// the workbench. `observe` gets the step, how much of it is done, and how much there is. When `cancel` is set, the
/// rest is not checked.
///
/// # Errors
///
/// When there is no experiment, it cannot be read, or workers cannot be run.
pub fn verify(
    folder: &Path,
    workbench: &Workbench,
    wanted: &Wanted,
    cancel: &AtomicBool,
    observe: &mut dyn FnMut(Step, usize, usize),
) -> Result<Outcome, RunError> {
    let config = store::frozen_config(folder)?;
    let config = config.ok_or_else(|| StoreError::Missing(folder.to_owned()))?;
    let mut outcome = Outcome::default();
    let found = lines::check(folder, cancel, &mut outcome)?;
    if cancel.load(Ordering::Relaxed) {
        return Ok(outcome);
    }
    lines::check_readings(folder, &mut outcome)?;
    let asked_for = plan::check(folder, &config, &found, workbench, &mut outcome);
    verdicts::check(&found, cancel, &mut outcome, observe, workbench);
    // No work is done for a row that no plan asks for, or under another key than its own.
    let found: Vec<Found> =
        found.into_iter().filter(|found| asked_for.contains(&found.line)).collect();
    clauses::check(&found, workbench, wanted, cancel, &mut outcome, observe);
    run_sample(&found, workbench, wanted, cancel, &mut outcome, observe)?;
    Ok(outcome)
}

/// Runs the sample with a folder of this process's own for large files, which is gone afterwards.
fn run_sample(
    found: &[Found],
    workbench: &Workbench,
    wanted: &Wanted,
    cancel: &AtomicBool,
    outcome: &mut Outcome,
    observe: &mut dyn FnMut(Step, usize, usize),
) -> Result<(), RunError> {
    let workers = Workers {
        program: wanted.worker.clone(),
        permission: workbench.permission.clone(),
        parallel: 1,
        cores: Arc::default(),
        scratch: std::env::temp_dir().join(format!("bezzel-verify-{}", std::process::id())),
        proof_bytes: PROOF_BYTES,
        warm_up: 0,
        calibration: None,
    };
    sample::check(found, workbench, wanted, &workers, cancel, outcome, observe)
}
