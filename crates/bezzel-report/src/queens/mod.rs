//! Boards of queens and rooks: the answers of their kind to the questions of a report, and the figures and tables that
//! only they have.

use bezzel_problem::{Board, Drawing, Instance, Solution};

use crate::analysis::Analysis;
use crate::chart::Chart;
use crate::figure::FigureKind;
use crate::parts::ReportParts;
use crate::reported_kind::{Form, KnownNodes, ReportedKind};
use crate::toolkit::{ALL_TIMES, SIZES};

mod address;
mod columns;
mod diagram;
mod drawing;
mod form;
mod operations;
mod published;

/// The size of the original puzzle.
const CLASSIC: u32 = 8;

/// All figures and tables: those of every kind of problem, and those of boards.
pub fn parts() -> ReportParts {
    let mut parts = ReportParts::standard();
    add_to(&mut parts);
    parts
}

/// Adds the figures and tables of boards.
pub fn add_to(parts: &mut ReportParts) {
    parts.add_figure(operations::figure::KIND, "propagation");
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

/// The answers of an instance that is a board.
pub(crate) fn reported(instance: &Instance) -> Option<&dyn ReportedKind> {
    instance.board().map(|board| board as &dyn ReportedKind)
}

impl ReportedKind for Board {
    fn form(&self) -> Option<Form> {
        Some(form::form(self))
    }

    fn family(&self) -> Option<String> {
        Some(form::family(self))
    }

    fn short_name(&self) -> Option<String> {
        Some(form::short_name(self))
    }

    fn panel_title(&self) -> Option<String> {
        Some(form::panel_title(self))
    }

    fn usual_size(&self) -> Option<u32> {
        Some(CLASSIC)
    }

    fn drawing(&self, solution: Option<&Solution>) -> Option<Drawing> {
        drawing::solved(self, solution)
    }

    fn propagated(&self, known: &[Option<bool>]) -> Option<Drawing> {
        drawing::propagated(self, known)
    }

    fn page_fragment(&self) -> Option<String> {
        Some(address::fragment(self))
    }

    fn columns(&self) -> Vec<(&'static str, String)> {
        columns::columns(self)
    }

    fn known_nodes(&self, engine: &str, encoding: &str) -> Option<KnownNodes> {
        diagram::known_nodes(self, engine, encoding)
    }
}
