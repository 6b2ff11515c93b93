//! Boards of queens and rooks: the figures and tables that only they have.

use std::path::Path;

use bezzel_encode::Registry;
use bezzel_experiment::ExperimentRecord;
use bezzel_report::analysis::Analysis;
use bezzel_report::chart::Chart;
use bezzel_report::figure::FigureKind;
use bezzel_report::toolkit::{ALL_TIMES, SIZES};
use bezzel_report::{Paths, ReportError, ReportParts};

mod operations;
mod operations_figure;
mod published;

/// All figures and tables: those of every kind of problem, and those of boards.
pub fn parts() -> ReportParts {
    let mut parts = ReportParts::standard();
    parts.add_figure(operations_figure::KIND, "propagation");
    parts.add_figure(FigureKind { draw: published::cao::all_times, ..ALL_TIMES }, "");
    parts.add_figure(FigureKind { draw: sizes, ..SIZES }, "");
    parts.add_table(published::KIND, "propagation");
    parts.add_table(operations::KIND, "propagation");
    parts
}

/// The figure of sizes. None if that of operations already shows the clauses.
fn sizes(dataset: &Analysis<'_>) -> Option<Chart> {
    let circuits = operations::counted_circuits(dataset);
    let has_circuits = circuits.iter().any(|counted| counted.operations.is_some());
    if has_circuits { None } else { (SIZES.draw)(dataset) }
}

/// Renders a record into a folder, which is made if it does not exist. `command` is the command that the report names.
/// Closed forms are those of the encodings of Bezzel and of this plug-in.
///
/// Every file is written as a whole. Files of an earlier report are replaced, and figures without data in this record
/// are removed. The same record gives the same bytes.
///
/// # Errors
///
/// When a file cannot be written, or a figure cannot be drawn.
pub fn render(
    record: &ExperimentRecord,
    folder: &Path,
    command: &str,
) -> Result<Paths, ReportError> {
    let registry = crate::register(Registry::standard());
    bezzel_report::render_watched(record, &registry, &parts(), folder, command, &mut |_| {})
}

#[cfg(test)]
mod diagram_tests;
#[cfg(test)]
mod drawing_tests;
#[cfg(test)]
#[expect(dead_code, reason = "some rows are for the tests of the crate of reports")]
#[path = "../../../bezzel-report/src/tests/sample.rs"]
pub(crate) mod sample;
#[cfg(test)]
pub(crate) mod tests;
