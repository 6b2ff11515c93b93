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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_inserted_or_takes_the_place_of_that_with_its_id() {
        let mut parts = ReportParts::standard();
        let ids = |parts: &ReportParts| -> Vec<&str> {
            parts.figures.iter().map(|figure| figure.id).collect()
        };
        let before = ids(&parts);
        let own = FigureKind { id: "own", title: "Own", ..parts.figures[0] };
        parts.add_figure(own, before[1]);
        assert_eq!(ids(&parts), [&before[..1], &["own"], &before[1..]].concat());
        parts.add_figure(FigureKind { title: "Other", ..own }, before[0]);
        assert_eq!((parts.figures[1].id, parts.figures[1].title), ("own", "Other"));
        parts.add_figure(FigureKind { id: "last", ..own }, "");
        assert_eq!(ids(&parts).last(), Some(&"last"));
        assert_eq!(parts.figures.len(), before.len() + 2);
    }
}
