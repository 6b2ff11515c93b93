//! An encoding of a matrix with its settings, alone and on one board.

use std::sync::Arc;

use bezzel_encode::registry::Found;
use bezzel_encode::{Card, Encoding, Settings, Size};
use bezzel_problem::Instance;

use crate::config::{EncodingEntry, Part};
use crate::model::job::encoding_label;

/// An encoding with its settings on one board, as it stands in the matrix.
#[derive(Clone)]
pub(super) struct Cell {
    pub(super) id: String,
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

    /// The closed form of the size of the rules of a board.
    pub(super) fn closed_form(&self, instance: &Instance) -> Option<Size> {
        if self.stands_in { None } else { self.encoding.size(&instance.problem()) }
    }

    /// The size of the rules of a board, where it is known without running.
    pub(super) fn size(&self, instance: &Instance) -> Option<Size> {
        if self.stands_in {
            None
        } else {
            crate::backend::fit::size(self.encoding.as_ref(), instance)
        }
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

    /// It as exclusions see it.
    pub(super) fn part(&self) -> Part<'_> {
        Part::Encoding(Some((&self.entry.id, &self.found, self.settings)))
    }

    /// The cell of this encoding, as it is found for some board.
    pub(super) fn cell(&self, encoding: Arc<dyn Encoding>, revision: u32, stands_in: bool) -> Cell {
        Cell { id: self.entry.id.clone(), settings: self.settings, encoding, revision, stands_in }
    }
}
