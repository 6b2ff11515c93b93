//! Tables as data.
//!
//! CSV is tidy: one line of headings with the units in the names, one row per cell, numbers not rounded. Missing values
//! are empty. An item is `inf` if a run without an answer has a share in it, since it counts as longer than every
//! measured run. Markdown is for reading, and rounded.

use bezzel_experiment::quantity::grouped;
use bezzel_problem::{Instance, UnknownId};
use serde::Serialize;

use crate::analysis::Analysis;
use crate::caveats::{CaveatPlace, caveats};
use crate::chart::LegendEntry;
use crate::comparison::PAIRED;
use crate::dataset::Dataset;
use crate::label::with_solver_names;
use crate::number::{join_last, significant};
use bezzel_statistics::Value;

mod by_instance;
mod cells;
pub(crate) mod columns;
pub(crate) mod effects;
mod factors;
pub mod ids;
mod measures;
pub(crate) mod models;
mod pairs;
pub(crate) mod plain;
pub(crate) mod propagation;
mod ranking;
mod scramblings;

/// A kind of table.
#[derive(Clone, Copy, Debug)]
pub struct TableKind {
    /// The permanent name; of a main table also the id of the table.
    pub id: &'static str,
    /// The ids of its tables.
    pub tables: &'static [TableIds],
    /// True if it compares the record with source documents.
    pub is_of_sources: bool,
    /// Makes the tables. Empty if the record has nothing to show.
    pub make: fn(&Analysis<'_>) -> Vec<Table>,
}

/// The ids of tables with the same content. A word in capitals represents [several words](ids).
#[derive(Clone, Copy, Debug, Serialize)]
pub struct TableIds {
    /// The id.
    pub id: &'static str,
    /// The content.
    pub shows: &'static str,
}

impl TableIds {
    /// The ids with this content.
    pub const fn new(id: &'static str, shows: &'static str) -> Self {
        Self { id, shows }
    }
}

/// The kinds of short tables, in the order in which a report shows them. To add one, write its file with a
/// `KIND` and add its line here.
pub const ALL: &[TableKind] = &[
    by_instance::KIND,
    by_instance::PROCESS,
    models::KIND,
    measures::OPTIMA,
    ranking::KIND,
    pairs::FAMILIES,
    pairs::KIND,
    effects::KIND,
    by_instance::PROOFS,
    by_instance::ENGINES,
    measures::DIAGRAMS,
    propagation::KIND,
    factors::KIND,
    scramblings::KIND,
];

/// The ids of the full tables.
pub(crate) const FULL: &[TableIds] = &[
    TableIds::new(
        "cells",
        "every encoding on every instance: times, ends, conflicts, sizes, proofs",
    ),
    TableIds::new("engines", "every run of an engine, where no solver was run"),
    TableIds::new("measurements", "every measured formula, where nothing was solved"),
];

/// The ids of the kinds of main tables.
pub(crate) const MAIN: [&str; 2] = [by_instance::KIND.id, by_instance::PROCESS.id];

impl TableKind {
    /// A kind of tables that do not compare the record with source documents.
    pub const fn new(
        id: &'static str,
        tables: &'static [TableIds],
        make: fn(&Analysis<'_>) -> Vec<Table>,
    ) -> Self {
        Self { id, tables, is_of_sources: false, make }
    }

    /// True if a page does not show the tables of the record of this kind.
    pub(crate) fn is_too_long(&self, dataset: &Dataset<'_>) -> bool {
        self.id == pairs::KIND.id && dataset.encodings.len() > PAIRED
    }
}

/// The short tables of a report of these kinds.
pub(crate) fn all(analysis: &Analysis<'_>, kinds: &[TableKind]) -> Vec<(TableKind, Table)> {
    let of_kind = |kind: TableKind| {
        (kind.make)(analysis).into_iter().map(move |table| {
            let is_listed = kind.tables.iter().any(|ids| ids.has(&table.id));
            debug_assert!(is_listed, "the id `{}` is none of the kind `{}`", table.id, kind.id);
            (kind, table)
        })
    };
    kinds
        .iter()
        .copied()
        .flat_map(of_kind)
        .map(|(kind, table)| (kind, ended(analysis, table)))
        .collect()
}

/// The full table of a report.
pub(crate) fn full(analysis: &Analysis<'_>) -> Table {
    let table = if !analysis.cells.is_empty() {
        cells::table(analysis)
    } else if !analysis.counter_runs.cells.is_empty() {
        measures::engine_cells(analysis)
    } else {
        measures::measurements(analysis).unwrap_or_else(|| cells::table(analysis))
    };
    ended(analysis, table)
}

/// The table with a note of the meaning of the size in its headings, and one of the limits that ended runs, if a run without an
/// answer has a share in an item.
fn ended(dataset: &Dataset<'_>, mut table: Table) -> Table {
    let heads = table.columns.iter().map(|column| column.head.as_str());
    let defined = dataset.size_name.defined(heads);
    join_last(&mut table.notes, defined);
    if table.rows.iter().flatten().any(|item| *item == Item::Value(Value::OverLimit)) {
        table.notes.extend(caveats(dataset, CaveatPlace::NoAnswer));
    }
    table
}

/// A table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// The permanent name, words with hyphens, unique in a report. It is used for files, labels and keys.
    pub id: String,
    /// The title.
    pub title: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, each with an item for every column.
    pub rows: Vec<Vec<Item>>,
    /// The explanations that a reader needs.
    pub notes: Vec<String>,
}

/// The names of columns with ids of solvers.
const SOLVERS: [&str; 2] = ["solver", "held"];

/// A column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// The name in CSV, with the unit at its end if there is one.
    pub name: String,
    /// The heading for people, with its unit.
    pub head: String,
    /// True for a column of numbers.
    pub numeric: bool,
    /// True for words that depend on the evidence, and do not identify their row.
    #[serde(skip)]
    pub is_result: bool,
}

impl Column {
    /// A column of words.
    pub fn words(name: &str, head: &str) -> Self {
        Self { name: name.into(), head: head.into(), numeric: false, is_result: false }
    }

    /// A column of words that depend on the evidence, such as a verdict.
    pub fn results(name: &str, head: &str) -> Self {
        Self { is_result: true, ..Self::words(name, head) }
    }

    /// A column of numbers.
    pub fn numbers(name: impl Into<String>, head: impl Into<String>) -> Self {
        Self { name: name.into(), head: head.into(), numeric: true, is_result: false }
    }

    /// An item of this column for people, not yet escaped. Solvers have their names; CSV has their ids.
    pub fn shown(&self, item: &Item) -> String {
        let text = item.read();
        if SOLVERS.contains(&&*self.name) { with_solver_names(&text) } else { text }
    }
}

/// An item of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Item {
    /// Words.
    Words(String),
    /// An encoding's label, with its look.
    Encoding(usize, String),
    /// An instance: its name in the report for people, and its id for programs.
    Instance {
        /// The name.
        name: String,
        /// The id.
        id: String,
    },
    /// A whole number.
    Count(u128),
    /// A measured number, or the statement that it depends on runs without an answer.
    Value(Value),
    /// A bound of a number.
    Bound {
        /// The bound for people.
        text: String,
        /// The number, not rounded.
        number: f64,
        /// The relation of the true value to the number: `≤`, `≥` or `>`.
        relation: &'static str,
    },
    /// The open upper end of an interval.
    Open,
    /// Bytes.
    Bytes(u64),
    /// No value was measured.
    Missing,
}

impl Item {
    /// The label of the encoding of this number.
    pub fn encoding(dataset: &Dataset<'_>, number: usize) -> Self {
        let LegendEntry { style, label } = dataset.entry(number);
        Self::Encoding(style, label)
    }

    /// The encoding with this label.
    pub fn labelled(dataset: &Dataset<'_>, label: &str) -> Self {
        Self::encoding(dataset, dataset.style(label))
    }

    /// The instance.
    pub fn instance(dataset: &Dataset<'_>, instance: &Instance) -> Self {
        Self::Instance { name: dataset.name(instance), id: instance.to_string() }
    }

    /// A number of bytes.
    pub fn of_bytes(bytes: Value) -> Self {
        bytes.measured().map_or(Self::Value(bytes), |bytes| Self::Bytes(bytes.round() as u64))
    }

    /// The item for people, not yet escaped.
    pub fn read(&self) -> String {
        match self {
            Self::Words(text)
            | Self::Encoding(_, text)
            | Self::Instance { name: text, .. }
            | Self::Bound { text, .. } => text.clone(),
            Self::Count(number) => grouped(*number),
            Self::Value(Value::Measured(number)) => significant(*number, 3),
            Self::Value(Value::OverLimit) => "no answer".into(),
            Self::Open => "open".into(),
            // The unit is MiB, as in the heading and in limits.
            Self::Bytes(bytes) => significant(*bytes as f64 / 1_048_576.0, 3),
            Self::Missing => "–".into(),
        }
    }

    /// The item for programs, not yet escaped: numbers are not rounded.
    pub fn whole(&self) -> String {
        match self {
            Self::Words(text) | Self::Encoding(_, text) | Self::Instance { id: text, .. } => {
                text.clone()
            }
            Self::Count(number) => number.to_string(),
            Self::Value(Value::Measured(number)) | Self::Bound { number, .. } => number.to_string(),
            Self::Value(Value::OverLimit) | Self::Open => "inf".into(),
            Self::Bytes(bytes) => bytes.to_string(),
            Self::Missing => String::new(),
        }
    }
}

impl Table {
    /// The table with these columns alone, in this order.
    ///
    /// # Errors
    ///
    /// The first name that no column has.
    pub(crate) fn with_columns(&self, names: &[String]) -> Result<Self, UnknownId> {
        let place = |name: &String| {
            let known = || self.columns.iter().map(|column| &column.name);
            let place = known().position(|known| known == name);
            place.ok_or_else(|| UnknownId::new("column", name, known()))
        };
        let places = names.iter().map(place).collect::<Result<Vec<usize>, _>>()?;
        let rows = self.rows.iter();
        Ok(Self {
            columns: places.iter().map(|&place| self.columns[place].clone()).collect(),
            rows: rows
                .map(|row| places.iter().map(|&place| row[place].clone()).collect())
                .collect(),
            ..self.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_experiment::{ExperimentRecord, Row};

    use super::*;
    use crate::tests::sample::{at_wall_limit, out_of_memory, solved, timed_out};

    fn table(items: Vec<Item>) -> Table {
        let columns = (0..items.len()).map(|index| Column::numbers(format!("c{index}"), "C"));
        Table {
            id: "t".into(),
            title: "T".into(),
            columns: columns.collect(),
            rows: vec![items],
            notes: vec![],
        }
    }

    #[test]
    fn numbers_are_rounded_for_people_and_whole_for_programs() {
        let table = table(vec![
            Item::Count(352_940),
            Item::Value(Value::Measured(0.012_345_6)),
            Item::Value(Value::OverLimit),
            Item::Missing,
            Item::Bytes(12_345_678),
            Item::Open,
        ]);
        let people = "| 352,940 | 0.0123 | no answer | – | 11.8 | open |";
        assert!(table.markdown().contains(people), "{}", table.markdown());
        let programs = "352940,0.0123456,inf,,12345678,inf";
        assert_eq!(table.csv(), format!("c0,c1,c2,c3,c4,c5\n{programs}\n"));
    }

    #[test]
    fn columns_are_chosen_in_their_order_and_an_unknown_one_is_refused() {
        let table = table(vec![Item::Count(1), Item::Count(2), Item::Count(3)]);
        let chosen = |names: &[&str]| {
            table.with_columns(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(chosen(&["c2", "c0"]).unwrap().csv(), "c2,c0\n3,1\n");
        assert_eq!(chosen(&["c0", "c9"]).unwrap_err().id, "c9");
    }

    #[test]
    fn a_table_with_a_number_that_has_no_answer_names_the_limits_that_ended_runs() {
        let mut late = [timed_out(), at_wall_limit(2.0), at_wall_limit(3.0), out_of_memory()];
        for row in &mut late {
            row.job.encoding = "late".into();
        }
        let note = |rows: Vec<Row>| {
            let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
            let (_, main) = all(&Analysis::new(&record, &Registry::new()), ALL).remove(0);
            main.notes.into_iter().find(|note| note.starts_with("No answer"))
        };
        let rows = [late.to_vec(), vec![solved(1.0)]].concat();
        assert_eq!(
            note(rows).unwrap(),
            "No answer: the value depends on runs without an answer. Of all runs, 1 ended at the CPU limit, 2 at \
             the wall limit, 1 at the memory limit."
        );
        assert_eq!(note(vec![solved(1.0)]), None);
    }

    #[test]
    fn hostile_words_are_harmless_in_markdown_and_in_csv() {
        let words = Item::Words("=1+1|<script>\n\"x\"".into());
        let table = table(vec![words]);
        assert!(table.markdown().contains("| \\=1+1\\|\\<script\\> \"x\" |"));
        assert_eq!(table.csv(), "c0\n\"'=1+1|<script> \"\"x\"\"\"\n");
    }
}
