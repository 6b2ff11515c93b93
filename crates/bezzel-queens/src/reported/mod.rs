//! The answers of boards to the questions of a report.

use crate::Board;
use crate::rules::cells;
use bezzel_problem::{Drawing, Form, KnownNodes, ReportedKind};

mod address;
mod diagram;
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

    fn propagated(&self, known: &[Option<bool>]) -> Option<Drawing> {
        cells::propagated(self, known)
    }

    fn page_fragment(&self) -> Option<String> {
        Some(address::fragment(self))
    }

    fn known_nodes(&self, engine: &str, encoding: &str) -> Option<KnownNodes> {
        diagram::known_nodes(self, engine, encoding)
    }
}
