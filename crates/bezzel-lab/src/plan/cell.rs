//! An encoding of a matrix with its settings, alone and on one board.

use std::sync::Arc;

use bezzel_encode::registry::Found;
use bezzel_encode::{Board, Card, Constraints, Encoding, Settings, Size};

use crate::config::{EncodingEntry, Exclusion};
use crate::job::encoding_label;

/// An encoding with its settings on one board, as it stands in the matrix.
#[derive(Clone)]
pub(super) struct Cell {
    pub(super) id: String,
    takes_constraints: bool,
    pub(super) settings: Settings,
    pub(super) encoding: Arc<dyn Encoding>,
    pub(super) revision: u32,
    /// The encoding stands for a program that was not run, and cannot encode.
    pub(super) stands_in: bool,
}

impl Cell {
    pub(super) fn label(&self) -> String {
        encoding_label(&self.id, self.settings)
    }

    /// The set of constraints, where it is a setting.
    pub(super) fn constraints(&self) -> Option<Constraints> {
        self.takes_constraints.then_some(self.settings.constraints)
    }

    /// The closed form of the size of the rules of a board.
    pub(super) fn closed_form(&self, board: &Board) -> Option<Size> {
        if self.stands_in { None } else { self.encoding.size(board) }
    }

    /// The size of the rules of a board, where it is known without running.
    pub(super) fn size(&self, board: &Board) -> Option<Size> {
        if self.stands_in { None } else { crate::fit::size(self.encoding.as_ref(), board) }
    }
}

/// An encoding of the config with one of the settings.
pub(super) struct Wanted<'a> {
    pub(super) entry: &'a EncodingEntry,
    /// The encoding as it is known without running a program.
    pub(super) found: Found,
    pub(super) settings: Settings,
}

impl Wanted<'_> {
    pub(super) fn card(&self) -> Card {
        self.found.card()
    }

    /// True if an exclusion names it.
    pub(super) fn is_named_by(&self, exclusion: &Exclusion) -> bool {
        exclusion.names_encoding(&self.entry.id, self.found.takes_constraints(), self.settings)
    }

    /// The cell of this encoding, as it is found for some board.
    pub(super) fn cell(&self, encoding: Arc<dyn Encoding>, revision: u32, stands_in: bool) -> Cell {
        Cell {
            id: self.entry.id.clone(),
            takes_constraints: self.found.takes_constraints(),
            settings: self.settings,
            encoding,
            revision,
            stands_in,
        }
    }
}
