//! Helpers for the tests of several modules, and the files of papers.

#[path = "../../../../tests/committed.rs"]
pub(crate) mod committed;
#[cfg(feature = "pdf")]
mod pdf;
pub(crate) mod sample;

use bezzel_encode::Registry;
use bezzel_experiment::{ExperimentRecord, Row};

use crate::analysis::Analysis;

/// The result on a record of these rows.
pub(crate) fn analysed<T>(rows: Vec<Row>, of: impl FnOnce(&Analysis<'_>) -> T) -> T {
    let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
    of(&Analysis::new(&record, &Registry::new()))
}
