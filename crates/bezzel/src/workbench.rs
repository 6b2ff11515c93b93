//! The workbench: all that a program of Bezzel knows, built once and handed to every command.

use std::ops::Deref;

use bezzel_encode::bound::AtMostSum;
use bezzel_encode::{AtMostK, AtMostOne, Encoding, Registry};
use bezzel_experiment::Catalog;
use bezzel_problem::{EntryKind, KindEntry, add_kind};
use bezzel_report::ReportParts;

/// The kinds of problems, encodings, solvers, engines, figures and tables of a program.
#[derive(Clone)]
pub struct Workbench {
    /// The encodings, the solvers and engines, and what experiments ask of kinds.
    pub catalog: Catalog,
    /// The figures and tables of reports.
    pub parts: ReportParts,
}

impl Workbench {
    /// The workbench without plug-ins.
    pub fn general() -> Self {
        Self { catalog: Catalog::new(Registry::standard()), parts: ReportParts::standard() }
    }

    /// The workbench of the program `bezzel`: with queens.
    pub fn standard() -> Self {
        Self {
            catalog: bezzel_queens::experiment::catalog(),
            parts: bezzel_queens::report::parts(),
        }
    }

    /// This workbench and a kind of problems, whose instances a config describes by keys.
    ///
    /// The kinds that can be read belong to the process, since reading a row has no context.
    #[must_use]
    pub fn with_kind<K: EntryKind>(self) -> Self {
        add_kind(&KindEntry::with_entries::<K>());
        self
    }

    /// This workbench and an encoding of whole problems.
    #[must_use]
    pub fn with_encoding(self, encoding: impl Encoding + 'static) -> Self {
        self.with_encodings(|all| all.with(encoding))
    }

    /// This workbench and an encoding of at most one.
    #[must_use]
    pub fn with_at_most_one(self, encoding: impl AtMostOne + 'static) -> Self {
        self.with_encodings(|all| all.with_at_most_one(encoding))
    }

    /// This workbench and an encoder of at most k.
    #[must_use]
    pub fn with_at_most_k(self, encoder: impl AtMostK + 'static) -> Self {
        self.with_encodings(|all| all.with_at_most_k(encoder))
    }

    /// This workbench and an encoder of weighted sums.
    #[must_use]
    pub fn with_sum(self, encoder: impl AtMostSum + 'static) -> Self {
        self.with_encodings(|all| all.with_sum(encoder))
    }

    /// This workbench with other encodings.
    #[must_use]
    pub fn with_encodings(mut self, change: impl FnOnce(Registry) -> Registry) -> Self {
        self.catalog.encodings = change(self.catalog.encodings);
        self
    }
}

impl Deref for Workbench {
    type Target = Catalog;

    fn deref(&self) -> &Catalog {
        &self.catalog
    }
}
