//! Encodings of whole boards.
//!
//! One file each; [`direct`] makes one of any at-most-one encoding. To add one: write its file,
//! and add its line to `register`.

use bezzel_problem::Board;

use crate::card::Card;
use crate::circuit::Circuit;
use crate::constraints::Misfit;
use crate::layout::Layout;
use crate::sink::ClauseSink;
use crate::size::Size;

pub mod binary;
pub mod binary_selectors;
pub mod broken;
pub mod bryant_circuit;
mod conflicts;
pub mod direct;
pub mod implication;
pub mod mixture;
pub mod order;
pub mod recorded;
pub mod support;
pub(crate) mod unsimplified;

/// A way to say the rules of a board in clauses.
pub trait Encoding: Send + Sync {
    /// Name, source and promises.
    fn card(&self) -> Card;

    /// Refuses boards of which the encoding cannot say the rules, with the reason. The other
    /// methods are called for boards that fit only.
    ///
    /// # Errors
    ///
    /// The reason, and what fits instead.
    fn fits(&self, _board: &Board) -> Result<(), Misfit> {
        Ok(())
    }

    /// The size of what [`rules`](Self::rules) writes for the board, in closed form.
    fn size(&self, board: &Board) -> Option<Size>;

    /// Writes the rules of the board to `out`, whatever is given or blocked on it, and says what
    /// the variables mean. Settings may say otherwise: lines without their blocked squares, or one
    /// of several placements that are images of each other.
    ///
    /// The same board gives the same stream of clauses every time.
    fn rules(&self, board: &Board, out: &mut dyn ClauseSink) -> Layout;

    /// The gates behind the rules, for whoever reads gates rather than clauses: the rules of the board
    /// as [`rules`](Self::rules) says them, whatever is given or blocked on it. Input i is variable i,
    /// a primary one. `None` for encodings that are made of clauses.
    fn circuit(&self, _board: &Board) -> Option<Circuit> {
        None
    }

    /// Writes the rules, then what the board adds to them: given queens as one clause for each
    /// literal of their cubes (section `queens`), blocked squares as one clause each (section
    /// `blocked`).
    fn encode(&self, board: &Board, out: &mut dyn ClauseSink) -> Layout {
        let layout = self.rules(board, out);
        if !board.placed().is_empty() {
            out.section("queens");
            for &square in board.placed() {
                for &lit in layout.cube(square) {
                    out.clause(&[lit]);
                }
            }
        }
        if !board.blocked().is_empty() {
            out.section("blocked");
            let mut clause = Vec::with_capacity(layout.width());
            for &square in board.blocked() {
                clause.clear();
                clause.extend(layout.cube(square).iter().map(|&lit| !lit));
                out.clause(&clause);
            }
        }
        layout
    }
}

/// A list to which board encodings are added.
pub(crate) trait List: Sized {
    /// The list and one more encoding.
    fn with(self, encoding: impl Encoding + 'static) -> Self {
        self.with_all([encoding])
    }

    /// The list and more encodings of one kind.
    fn with_all<E: Encoding + 'static>(self, encodings: impl IntoIterator<Item = E>) -> Self;
}

/// Registers the board encodings that Bezzel comes with, in the order in which they are listed.
pub(crate) fn register<L: List>(list: L) -> L {
    list.with(implication::Implication { later: false })
        .with(implication::Implication { later: true })
        .with(implication::Auxiliary { plaisted_greenbaum: false })
        .with(implication::Auxiliary { plaisted_greenbaum: true })
        .with(binary::Binary)
        .with(binary_selectors::BinarySelectors { bits: false })
        .with(binary_selectors::BinarySelectors { bits: true })
        .with(order::Order)
        .with(support::Support { columns: false })
        .with(support::Support { columns: true })
        .with_all(bryant_circuit::BryantCircuit::all())
}
