//! Boards of queens and rooks: the figures and tables that only they have.

use crate::analysis::Analysis;
use crate::chart::Chart;
use crate::figure::FigureKind;
use crate::parts::ReportParts;
use crate::toolkit::{ALL_TIMES, SIZES};

mod operations;
mod operations_figure;
mod published;

/// All figures and tables: those of every kind of problem, and those of boards.
pub fn parts() -> ReportParts {
    let mut parts = ReportParts::standard();
    add_to(&mut parts);
    parts
}

/// Adds the figures and tables of boards.
pub fn add_to(parts: &mut ReportParts) {
    parts.add_figure(operations_figure::KIND, "propagation");
    parts.add_figure(FigureKind { draw: published::cao::all_times, ..ALL_TIMES }, "");
    parts.add_figure(FigureKind { draw: sizes, ..SIZES }, "");
    parts.add_table(published::KIND, "propagation");
    parts.add_table(operations::KIND, "propagation");
}

/// The figure of sizes. None if that of operations already shows the clauses.
fn sizes(dataset: &Analysis<'_>) -> Option<Chart> {
    let circuits = operations::counted_circuits(dataset);
    let has_circuits = circuits.iter().any(|counted| counted.operations.is_some());
    if has_circuits { None } else { (SIZES.draw)(dataset) }
}

#[cfg(test)]
pub(crate) mod tests;
