//! The answers of boards to the questions of a report.

use crate::Board;
use bezzel_problem::{Drawing, Form, KnownNodes, ReportedKind, Solution};

mod address;
mod columns;
mod diagram;
mod drawing;
mod form;

/// The size of the original puzzle.
const CLASSIC: u32 = 8;

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
