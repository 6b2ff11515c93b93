//! Checking evidence again without trusting it.
//!
//! Each line's seal, each key, the frozen config with its sessions, each placement and verdict, the
//! sizes and digests of the formulas, and what the rows say of each other are found out anew; of a
//! sample, chosen by a seed, the jobs are run again by workers in the isolation of a run. Nothing
//! in the experiment's folder is changed.
//!
//! What evidence names is not run unasked: programs that encode or solve are left out unless the
//! caller wants them run.

use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bezzel_encode::Size;

use crate::backend::workbench::Workbench;
use crate::check::report::{Checking, Found};
use crate::check::verdicts;
use crate::config::PROOF_BYTES;
use crate::model::job::Task;
use crate::model::row::Row;
use crate::results::store;
use crate::run::runner::{RunError, Workers};

mod clauses;
mod lines;
mod plan;
mod sample;

pub use crate::check::report::{Checked, Fault, Outcome, Step};

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
    let config = store::config_of(folder)?;
    let checking = &mut Checking { outcome: Outcome::default(), cancel, observe };
    let found = lines::check(folder, checking)?;
    if checking.is_cancelled() {
        return Ok(mem::take(&mut checking.outcome));
    }
    lines::check_readings(folder, checking)?;
    let asked_for = plan::check(folder, &config, &found, workbench, checking);
    verdicts::check(&found, &|row| closed_form(row, workbench), checking);
    // No work is done for a row that no plan asks for, or under another key than its own.
    let found: Vec<Found> =
        found.into_iter().filter(|found| asked_for.contains(&found.line)).collect();
    clauses::check(&found, workbench, wanted, checking);
    run_sample(&found, workbench, wanted, checking)?;
    Ok(mem::take(&mut checking.outcome))
}

/// Runs the sample with a folder of this process's own for large files, which is gone afterwards.
fn run_sample(
    found: &[Found],
    workbench: &Workbench,
    wanted: &Wanted,
    checking: &mut Checking<'_>,
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
    sample::check(found, workbench, wanted, &workers, checking)
}

/// The closed form by which a size is judged: that of the encoding of the measured revision, if it is
/// here.
fn closed_form(row: &Row, workbench: &Workbench) -> Option<Size> {
    let job = &row.job;
    if job.task != Task::Size {
        return None;
    }
    let encoding = workbench.encoding(job).ok()??;
    let is_here = encoding.card().revision == row.encoding_revision;
    if is_here && job.instance.has_problem() && encoding.fits(&job.instance.problem()).is_ok() {
        encoding.size(&job.instance.problem())
    } else {
        None
    }
}
