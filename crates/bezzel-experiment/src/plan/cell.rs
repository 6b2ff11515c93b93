//! An encoding of a matrix with its settings, alone and on one instance.

use std::sync::Arc;

use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::{Encoding, EncodingInfo, Settings, Size};
use bezzel_problem::Instance;

use crate::config::{EncodingEntry, PartNames};
use crate::model::job::encoding_label;

/// An encoding with its settings on one instance, as it stands in the matrix.
#[derive(Clone)]
pub(super) struct Cell {
    pub(super) id: String,
    pub(super) settings: Settings,
    pub(super) encoding: Arc<dyn Encoding>,
    pub(super) revision: u32,
    /// True if the encoding is a stand-in for a program that was not run. A stand-in cannot encode.
    pub(super) stands_in: bool,
}

impl Cell {
    pub(super) fn label(&self) -> String {
        encoding_label(&self.id, self.settings)
    }

    /// The closed form of the size of the rules of an instance.
    pub(super) fn closed_form(&self, instance: &Instance) -> Option<Size> {
        if self.stands_in { None } else { self.encoding.size(&instance.problem()) }
    }

    /// Returns the size of the rules of an instance, if it is known without a run.
    pub(super) fn size(&self, instance: &Instance) -> Option<Size> {
        if self.stands_in {
            None
        } else {
            crate::backend::fit::size(self.encoding.as_ref(), instance)
        }
    }
}

/// An encoding of the config with one of the settings.
pub(super) struct EncodingVariant<'a> {
    pub(super) entry: &'a EncodingEntry,
    /// The encoding, as far as it is known without running a program.
    pub(super) found: NamedEncoding,
    pub(super) settings: Settings,
    /// False if this version does not know it. Its jobs are those of the rows.
    pub(super) is_known: bool,
}

impl EncodingVariant<'_> {
    pub(super) fn info(&self) -> EncodingInfo {
        self.found.info()
    }

    /// The names of the encoding and of the values of its settings, for exclusions.
    pub(super) fn names(&self) -> PartNames {
        let id = &self.entry.id;
        let mut own = vec![id.clone(), encoding_label(id, self.settings)];
        own.dedup();
        let settings = Settings::AXES.iter().map(|axis| {
            let value = axis.name(&self.settings).filter(|_| self.found.has(axis));
            (axis.key, value.into_iter().collect())
        });
        [("encoding", own)].into_iter().chain(settings).collect()
    }

    /// Returns the cell of this encoding on an instance; `encoding` is the one that was found for the instance.
    pub(super) fn cell(&self, encoding: Arc<dyn Encoding>, revision: u32, stands_in: bool) -> Cell {
        Cell { id: self.entry.id.clone(), settings: self.settings, encoding, revision, stands_in }
    }
}
