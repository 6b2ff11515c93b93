//! The kinds of figures and tables that reports can have. A plug-in adds its own.

use std::str::FromStr;

use bezzel_experiment::{ConfigError, Passage, ReportSpec};
use bezzel_problem::UnknownId;

use crate::figure::{FigureKind, RequestedFigures};
use crate::table::{TableIds, TableKind, ids};
use crate::{answer, figure, table};

/// The kinds of figures and tables, in the order in which reports prefer figures and show tables. A program hands them in
/// beside its registry of encodings.
#[derive(Clone, Debug)]
pub struct ReportParts {
    /// The kinds of figures.
    pub figures: Vec<FigureKind>,
    /// The kinds of short tables.
    pub tables: Vec<TableKind>,
    /// The columns of tables in LaTeX. A table that is not listed has all of its columns.
    pub columns: Vec<ChosenColumns>,
}

/// The columns of a table in LaTeX, in their order there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenColumns {
    /// The id of the table.
    pub table: String,
    /// The names of the columns in CSV.
    pub columns: Vec<String>,
}

/// From text as in `encodings:encoding,clauses_8`.
impl FromStr for ChosenColumns {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (table, columns) = text
            .split_once(':')
            .filter(|(table, columns)| !table.is_empty() && !columns.is_empty())
            .ok_or("write the id of a table, a colon, and names of columns with commas, as in `encodings:encoding,clauses_8`")?;
        let columns = columns.split(',').map(|name| name.trim().to_owned()).collect();
        Ok(Self { table: table.to_owned(), columns })
    }
}

impl ReportParts {
    /// The figures and tables of every kind of problem.
    pub fn standard() -> Self {
        Self { figures: figure::ALL.into(), tables: table::ALL.into(), columns: Vec::new() }
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

/// Checks the ids of figures and tables, and the form of placeholders. Rows, columns, and figures and tables without
/// data depend on the evidence, and are not checked here.
///
/// # Errors
///
/// The first id that no figure or table can have, or the first placeholder of another form.
pub fn check(spec: &ReportSpec, parts: &ReportParts) -> Result<(), ConfigError> {
    requested_figures(spec, parts).map(drop)
}

/// The figures that the author names, with the errors of [`check`].
pub(crate) fn requested_figures(
    spec: &ReportSpec,
    parts: &ReportParts,
) -> Result<RequestedFigures, ConfigError> {
    let requested = figures(spec, &parts.figures)?;
    let known: Vec<TableIds> = parts.table_ids().copied().collect();
    for id in spec.tables.iter().flatten() {
        let kinds = || parts.tables.iter().map(|kind| kind.id);
        if !ids::is_known(id, &known) && !kinds().any(|kind| kind == &**id) {
            return Err(spec.error(id, id, ids::unknown(id, kinds(), &known).to_string()));
        }
    }
    answer::check(spec, &known)?;
    Ok(requested)
}

/// The kinds of these figures.
fn figures(spec: &ReportSpec, known: &[FigureKind]) -> Result<RequestedFigures, ConfigError> {
    let kind = |id: &Passage| -> Result<FigureKind, ConfigError> {
        known.iter().find(|kind| kind.id == &**id).copied().ok_or_else(|| {
            let unknown = UnknownId::new("figure", id, known.iter().map(|kind| kind.id));
            spec.error(id, id, unknown.to_string())
        })
    };
    let all = spec.figures.as_ref().map(|ids| ids.iter().map(kind).collect::<Result<_, _>>());
    Ok(RequestedFigures {
        lead: spec.lead_figure.as_ref().map(kind).transpose()?,
        all: all.transpose()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_chosen_by_the_id_of_their_table() {
        let chosen: ChosenColumns = "encodings:encoding, clauses_8".parse().unwrap();
        assert_eq!((chosen.table.as_str(), chosen.columns.len()), ("encodings", 2));
        assert_eq!(chosen.columns[1], "clauses_8");
        assert!(
            ["encodings", "encodings:", ":a"]
                .map(str::parse::<ChosenColumns>)
                .iter()
                .all(Result::is_err)
        );
    }

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
