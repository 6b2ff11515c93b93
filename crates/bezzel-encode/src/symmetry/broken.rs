//! An encoding with some of its board's symmetry broken.

use std::sync::Arc;

use super::dihedral::{Dihedral, stabilizer};
use super::selectors::Selectors;
use super::{Symmetry, half_board, lex_leader};
use crate::board::Board;
use crate::card::{Auxiliaries, Card};
use crate::constraints::Misfit;
use crate::encoding::Encoding;
use crate::layout::Layout;
use crate::sink::ClauseSink;
use crate::size::Size;

/// Counted up whenever the clauses of a rule change, as an encoding's revision is.
const REVISION: u32 = 1;

/// An encoding with some of its board's symmetry broken, by clauses in a section `symmetry` after
/// its own.
#[derive(Clone)]
pub struct Broken {
    inner: Arc<dyn Encoding>,
    symmetry: Symmetry,
    one_literal_per_square: bool,
}

impl Broken {
    /// Adds the rule to an encoding. Whoever knows that the encoding has a variable for each square
    /// gets the size in closed form.
    pub fn new(inner: Arc<dyn Encoding>, symmetry: Symmetry, one_literal_per_square: bool) -> Self {
        Self { inner, symmetry, one_literal_per_square }
    }
}

/// The maps under which placements are compared.
fn moving(board: &Board) -> Vec<Dihedral> {
    let moves = |map: &Dihedral| *map != Dihedral::Identity;
    stabilizer(board).into_iter().filter(moves).collect()
}

impl Encoding for Broken {
    fn card(&self) -> Card {
        let card = self.inner.card();
        let auxiliaries = match (self.symmetry, card.auxiliaries) {
            (Symmetry::Full, Auxiliaries::None) => Auxiliaries::Defined,
            (_, own) => own,
        };
        Card {
            revision: card.revision.wrapping_add(REVISION - 1),
            auxiliaries,
            constraints: card.constraints + self.symmetry.describe(),
            ..card
        }
    }

    fn fits(&self, board: &Board) -> Result<(), Misfit> {
        self.inner.fits(board)?;
        self.symmetry.fits(board)
    }

    fn size(&self, board: &Board) -> Option<Size> {
        let size = self.inner.size(board)?;
        match self.symmetry {
            Symmetry::None => Some(size),
            // How long cubes are is not known before they are made.
            _ if !self.one_literal_per_square => None,
            Symmetry::HalfBoard => Some(size + half_board::size(board)),
            Symmetry::Full => {
                let maps = moving(board).into_iter();
                Some(size + maps.map(|map| lex_leader::size(board, map)).sum())
            }
        }
    }

    fn rules(&self, board: &Board, out: &mut dyn ClauseSink) -> Layout {
        let layout = self.inner.rules(board, out);
        match self.symmetry {
            Symmetry::None => {}
            Symmetry::HalfBoard => {
                out.section("symmetry");
                half_board::state(board, &layout, out);
            }
            Symmetry::Full => {
                out.section("symmetry");
                let maps = moving(board);
                let selectors = Selectors::new(board, &maps, &layout, out);
                for map in maps {
                    lex_leader::state(board, map, |square| selectors.lit(square), out);
                }
            }
        }
        layout
    }
}
