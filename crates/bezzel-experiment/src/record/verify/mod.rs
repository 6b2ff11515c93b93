//! Verification of evidence without trust in it.
//!
//! Each line's checksum, each key, the configs of the sessions, each placement and verdict, the sizes and digests
//! of the formulas, and the agreement of the rows with each other are computed again. The jobs of a sample, chosen by a
//! seed, are run again by workers in the isolation of a run. The experiment's folder is not changed.
//!
//! Programs that the evidence names are not run by default: jobs of programs that encode or solve are left out unless
//! the caller permits them.

use std::mem;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bezzel_encode::Size;

use crate::backend::catalog::Catalog;
use crate::check::judge::Judge;
use crate::check::report::{NumberedRow, Verification};
use crate::check::verdicts;
use crate::model::job::Task;
use crate::model::row::Row;
use crate::run::runner::{RunError, RunnerOptions, WorkerProcesses};

mod clauses;
mod lines;
mod plan;
mod sample;

pub use crate::check::report::{
    StepSummary, VerificationFault, VerificationReport, VerificationStep,
};

/// The parameters of a verification.
#[derive(Clone, Debug)]
pub struct VerifyOptions {
    /// The number of jobs that are run again.
    pub sample: usize,
    /// The seed of their choice.
    pub seed: u64,
    /// The time for encoding formulas again. The remaining formulas are counted.
    pub encode_for: Duration,
    /// The program whose workers run the sample.
    pub worker: PathBuf,
}

/// Checks the evidence in an experiment's folder. Programs that rows name are run with the permission of the catalog.
/// `observe` receives the step, the number of its items that are done, and the number of all its items. When `cancel`
/// is set, the rest is not checked.
///
/// # Errors
///
/// When there is no experiment, it cannot be read, or workers cannot be run.
pub fn verify(
    folder: &Path,
    catalog: &Catalog,
    options: &VerifyOptions,
    cancel: &AtomicBool,
    observe: &mut dyn FnMut(VerificationStep, usize, usize),
) -> Result<VerificationReport, RunError> {
    let verification = &mut Verification::new(cancel, observe);
    let (sessions, found) = lines::check(folder, verification)?;
    if verification.is_cancelled() {
        return Ok(mem::take(&mut verification.report));
    }
    let asked_for = plan::check(folder, &sessions, &found, catalog, verification);
    let judge = Judge::with_size_checks(&catalog.size_checks);
    verdicts::check(&found, judge, &|row| closed_form(row, catalog), verification);
    // Rows that no plan asks for, or whose key is not that of their job, are not encoded or run again.
    let found: Vec<NumberedRow> =
        found.into_iter().filter(|found| asked_for.contains(&found.place)).collect();
    clauses::check(&found, catalog, options, verification);
    run_sample(&found, catalog, options, verification)?;
    Ok(mem::take(&mut verification.report))
}

/// Runs the sample. This process has its own folder for large files, which is removed afterwards.
fn run_sample(
    found: &[NumberedRow],
    catalog: &Catalog,
    options: &VerifyOptions,
    verification: &mut Verification<'_>,
) -> Result<(), RunError> {
    let starter = WorkerProcesses::new(&options.worker);
    let runner_options = RunnerOptions::one_by_one(&starter, catalog.permission.clone());
    sample::check(found, catalog, options, &runner_options, verification)
}

/// Returns the closed form that the judge compares with a size: that of the encoding of the measured revision, if it is
/// available.
fn closed_form(row: &Row, catalog: &Catalog) -> Option<Size> {
    let job = &row.job;
    if job.task != Task::Size {
        return None;
    }
    let encoding = catalog.encoding(job).ok()??;
    let is_here = encoding.info().revision == row.encoding_revision;
    if is_here && job.instance.has_problem() && encoding.fits(&job.instance.problem()).is_ok() {
        encoding.size(&job.instance.problem())
    } else {
        None
    }
}
