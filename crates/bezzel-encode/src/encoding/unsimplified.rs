//! An encoding that cannot leave out blocked squares, asked to do so.

use std::sync::Arc;

use bezzel_problem::Board;

use super::Encoding;
use crate::card::Card;
use crate::circuit::Circuit;
use crate::constraints::Misfit;
use crate::layout::Layout;
use crate::settings::Blocked;
use crate::sink::ClauseSink;
use crate::size::Size;

/// An encoding of whole boards that always leaves blocked squares to the solver: where a square is
/// blocked, there is nothing that could be measured under another name.
pub(crate) struct Unsimplified(pub(crate) Arc<dyn Encoding>);

impl Encoding for Unsimplified {
    fn card(&self) -> Card {
        self.0.card()
    }

    fn fits(&self, board: &Board) -> Result<(), Misfit> {
        self.0.fits(board)?;
        if board.blocked().is_empty() {
            return Ok(());
        }
        let what = format!("`{}` under `blocked: {}`", self.card().id, Blocked::Simplified);
        let why = "only encodings of lines can leave blocked squares out, and it encodes the whole \
                   board";
        Err(Misfit::new(what, board, why, "take `blocked: units`"))
    }

    fn size(&self, board: &Board) -> Option<Size> {
        self.0.size(board)
    }

    fn circuit(&self, board: &Board) -> Option<Circuit> {
        self.0.circuit(board)
    }

    fn rules(&self, board: &Board, out: &mut dyn ClauseSink) -> Layout {
        self.0.rules(board, out)
    }

    fn encode(&self, board: &Board, out: &mut dyn ClauseSink) -> Layout {
        self.0.encode(board, out)
    }
}
