//! The kinds of figures and tables that reports can have. A plug-in adds its own.

use crate::figure::{self, FigureKind};
use crate::table::{self, TableIds, TableKind};

/// The kinds of figures and tables, in the order in which reports prefer figures and show tables. A program hands them in
/// beside its registry of encodings.
#[derive(Clone, Debug)]
pub struct ReportParts {
    /// The kinds of figures.
    pub figures: Vec<FigureKind>,
    /// The kinds of short tables.
    pub tables: Vec<TableKind>,
}

impl ReportParts {
    /// The figures and tables of every kind of problem.
    pub fn standard() -> Self {
        Self { figures: figure::ALL.into(), tables: table::ALL.into() }
    }

    /// Adds a figure before that with the id `before`, or at the end without it. It takes the place of a figure with its
    /// id, if there is one.
    pub fn add_figure(&mut self, kind: FigureKind, before: &str) {
        match self.figures.iter_mut().find(|known| known.id == kind.id) {
            Some(known) => *known = kind,
            None => insert(&mut self.figures, kind, |known| known.id == before),
        }
    }

    /// Adds a kind of tables before that with the id `before`, or at the end without it.
    pub fn add_table(&mut self, kind: TableKind, before: &str) {
        insert(&mut self.tables, kind, |known| known.id == before);
    }

    /// The ids of tables, in the order in which reports show them, the tables of all cells last.
    pub fn table_ids(&self) -> impl Iterator<Item = &'static TableIds> {
        self.tables.iter().flat_map(|kind| kind.tables).chain(table::FULL)
    }
}

fn insert<T>(list: &mut Vec<T>, item: T, is_next: impl Fn(&T) -> bool) {
    let place = list.iter().position(is_next).unwrap_or(list.len());
    list.insert(place, item);
}
