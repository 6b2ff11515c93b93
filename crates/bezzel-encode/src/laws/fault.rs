//! What is wrong with a formula of a board, in words and drawn.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::{Breach, Law};
use crate::board::Board;
use crate::draw;
use crate::encoding::Encoding;
use crate::formula::Formula;
use crate::layout::Layout;
use crate::models;
use crate::placement::Placement;

/// What is wrong, without a word on whose fault it is.
pub(super) struct Fault {
    pub(super) what: String,
    pub(super) drawing: String,
}

impl Fault {
    /// A fault that shows on this placement.
    pub(super) fn of(what: String, board: &Board, placement: &Placement) -> Self {
        Self { what, drawing: draw::placement(board.rows(), board.columns(), placement) }
    }

    /// The same fault, which shows after something was done.
    pub(super) fn after(self, done: &str) -> Self {
        Self { what: format!("{done}, {}", self.what), ..self }
    }

    /// The breach of a law by this encoding on this board.
    pub(super) fn breach(self, encoding: &dyn Encoding, law: Law, board: &Board) -> Breach {
        let place = format!("the board {board}");
        Breach { drawing: self.drawing, ..Breach::new(encoding.card().id, law, place, self.what) }
    }
}

impl From<String> for Fault {
    fn from(what: String) -> Self {
        Self { what, drawing: String::new() }
    }
}

/// The squares of a placement, as people read them.
pub(super) fn show(placement: &Placement) -> String {
    let squares: Vec<_> = placement.squares().map(|square| square.to_string()).collect();
    if squares.is_empty() { "no square".into() } else { squares.join(" and ") }
}

/// Whether the formula's models mean these placements, each by one assignment of the primary
/// variables; what is wrong otherwise.
pub(super) fn means_exactly(
    formula: &Formula,
    layout: &Layout,
    expected: &BTreeSet<Placement>,
) -> Result<(), Fault> {
    let fault = |what: String, placement: &Placement| {
        let drawing = draw::placement(layout.rows(), layout.columns(), placement);
        Fault { what, drawing }
    };
    let mut found = BTreeSet::new();
    let wrong = models::each(formula, &layout.variables(), 1, |model, _| {
        let placement = layout.decode(|lit| model.holds(lit));
        let shown = show(&placement);
        if !expected.contains(&placement) {
            let what = format!("a model means queens on {shown}: no solution");
            return ControlFlow::Break(fault(what, &placement));
        }
        if found.contains(&placement) {
            let what = "two assignments of the primary variables mean the same queens, on";
            return ControlFlow::Break(fault(format!("{what} {shown}"), &placement));
        }
        found.insert(placement);
        ControlFlow::Continue(())
    });
    if let ControlFlow::Break(fault) = wrong {
        return Err(fault);
    }
    match expected.difference(&found).next() {
        None => Ok(()),
        Some(missing) => {
            Err(fault(format!("no model means the solution {}", show(missing)), missing))
        }
    }
}
