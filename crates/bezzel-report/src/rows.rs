//! The rows of a record as one tidy table in CSV, for other programs: a line for each row, a column for each field,
//! units in the names.
//!
//! Verdicts are those after the rows were examined together. Rows are in the order of the plan, and the same record
//! gives the same bytes.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write};

use bezzel_encode::Settings;
use bezzel_encode::formula_stats::Section;
use bezzel_experiment::{
    ExperimentRecord, FieldsWithin, FormulaSize, Job, Row, RowField, SectionOperations, Termination,
};
use indexmap::IndexSet;
use serde_json::Value;

use crate::label::with_program_names;

/// Writes the rows of a record, one after the other, below one line with the names of the columns. Numbers are not
/// rounded: their exact values can be read back. Missing values are empty.
///
/// # Errors
///
/// When the output cannot be written.
pub fn csv(record: &ExperimentRecord, out: &mut dyn Write) -> io::Result<()> {
    let columns = RecordColumns::of(record);
    let mut out = ::csv::Writer::from_writer(out);
    out.write_record(cells(None, &columns).iter().map(|(name, _)| &**name)).map_err(plain)?;
    for row in &record.rows {
        out.write_record(cells(Some(row), &columns).iter().map(|(_, text)| text)).map_err(plain)?;
    }
    out.flush()
}

/// The inner error of the writer, whose kind the outer error does not show.
fn plain(error: ::csv::Error) -> io::Error {
    match error.into_kind() {
        ::csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// The columns that depend on the record: there is one for each option, section, part of a circuit and property of a
/// kind of instances that some row has.
#[derive(Debug, Default)]
struct RecordColumns {
    options: BTreeSet<String>,
    sections: BTreeSet<String>,
    circuit: BTreeSet<String>,
    /// The columns of the kinds of instances.
    of_kinds: IndexSet<&'static str>,
    /// The names that the config gives to programs.
    names: Vec<(String, String)>,
}

impl RecordColumns {
    fn of(record: &ExperimentRecord) -> Self {
        let mut columns = Self { names: record.names.clone(), ..Self::default() };
        let add = |names: &mut BTreeSet<String>, name: &str| {
            if !names.contains(name) {
                names.insert(name.to_owned());
            }
        };
        for row in &record.rows {
            columns
                .of_kinds
                .extend(row.job.instance.info().fields.iter().map(|field| field.column));
            row.job.options.keys().for_each(|name| add(&mut columns.options, name));
            let sections = row.formula.iter().flat_map(|formula| &formula.sections);
            sections.for_each(|section| add(&mut columns.sections, &section.name));
            let circuit = row.circuit.iter().flatten();
            circuit.for_each(|section| add(&mut columns.circuit, &section.name));
        }
        columns
    }
}

/// The cells of a row, each with the name of its column: always the same columns in the same order. A cell without a
/// measured value is empty. Without a row, all are.
fn cells(row: Option<&Row>, columns: &RecordColumns) -> Vec<(Cow<'static, str>, String)> {
    let mut cells = NamedCells(Vec::new());
    let value = row.map(|row| serde_json::to_value(row).expect("rows are written in this form"));
    of_fields(Row::FIELDS, value.as_ref(), row, columns, &mut cells);
    let (job, formula) = (row.map(|row| &row.job), row.and_then(|row| row.formula.as_ref()));
    of_options(job, columns, &mut cells);
    of_sections(formula, columns, &mut cells);
    of_circuit(row.and_then(|row| row.circuit.as_deref()), columns, &mut cells);
    cells.0
}

/// The named cells of one row.
struct NamedCells(Vec<(Cow<'static, str>, String)>);

impl NamedCells {
    fn shown(&mut self, name: impl Into<Cow<'static, str>>, value: Option<impl ToString>) {
        let text = value.map_or_else(String::new, |value| value.to_string());
        self.0.push((name.into(), text));
    }
}

/// The columns of these fields, whose map in JSON is `map`.
fn of_fields(
    fields: &[RowField],
    map: Option<&Value>,
    row: Option<&Row>,
    columns: &RecordColumns,
    cells: &mut NamedCells,
) {
    for field in fields {
        let value = map.and_then(|map| map.get(field.key));
        if let Some(column) = field.entry.column {
            let text = row.and_then(|row| cell(column, field, value, row));
            let name = text.as_deref().map(|text| with_program_names(text, &columns.names));
            cells.shown(column, text);
            // The name in tables and figures. Without programs it is the id.
            if ["encoding", "solver"].contains(&column) {
                cells.shown(format!("{column}_name"), name);
            }
        }
        match field.entry.within {
            FieldsWithin::Map(fields) => of_fields(fields, value, row, columns, cells),
            // The kind, and the fields of an instance. These cells are empty for other instances.
            FieldsWithin::Instance => {
                cells.shown("kind", row.map(|row| row.job.instance.kind()));
                for &name in &columns.of_kinds {
                    cells.shown(name, row.and_then(|row| instance_cell(name, map?, row)));
                }
            }
            FieldsWithin::Settings => {
                for axis in Settings::AXES {
                    cells.shown(axis.column, row.and_then(|row| axis.name(&row.job.settings)));
                }
            }
            FieldsWithin::None => {}
        }
    }
}

/// The text of a cell. None if no value was measured.
fn cell(column: &str, field: &RowField, value: Option<&Value>, row: &Row) -> Option<String> {
    let Job { instance, numbering, .. } = &row.job;
    match (column, value) {
        ("instance", _) => Some(instance.to_string()),
        ("session", _) => Some(row.session.to_string()),
        ("numbering", _) => Some(numbering.id()),
        // A skipped job has zeros there, which are no measurements.
        ("cpu_s" | "wall_s" | "started_unix_s", _) if row.termination == Termination::Skipped => {
            None
        }
        (_, None) => field.entry.absent.map(str::to_owned),
        (_, Some(Value::Null)) => None,
        (_, Some(Value::String(text))) => Some(text.clone()),
        // JSON has an exponent in small numbers; the table has none.
        (_, Some(Value::Number(number))) if number.is_f64() => {
            number.as_f64().map(|it| it.to_string())
        }
        // Squares as `1,7 2,2`: row and column, counted from 1.
        (_, Some(Value::Array(squares))) => {
            let words = squares.iter().map(|square| match square.as_array() {
                Some(place) => place.iter().map(Value::to_string).collect::<Vec<_>>().join(","),
                None => square.to_string(),
            });
            Some(words.collect::<Vec<_>>().join(" "))
        }
        (_, Some(value)) => Some(value.to_string()),
    }
}

/// The text of a field of an instance, whose job in JSON is `job`. None if its kind has no field with this column.
fn instance_cell(column: &str, job: &Value, row: &Row) -> Option<String> {
    let kind = row.job.instance.info();
    let field = kind.fields.iter().find(|field| field.column == column)?;
    let instance = job.get("problem")?.get(kind.id)?;
    let value = instance.get(field.key).or_else(|| instance.get(field.absent?));
    cell(column, &field.into(), value, row)
}

fn of_options(job: Option<&Job>, columns: &RecordColumns, cells: &mut NamedCells) {
    for name in &columns.options {
        cells.shown(format!("option_{name}"), job.and_then(|job| job.options.get(name)));
    }
}

fn of_sections(formula: Option<&FormulaSize>, columns: &RecordColumns, cells: &mut NamedCells) {
    for name in &columns.sections {
        let mut sections = formula.iter().flat_map(|formula| &formula.sections);
        let section = sections.find(|section| section.name == *name);
        let size = section.map(Section::size);
        let lengths = section.map(|Section { name: _, variables: _, lengths }| {
            let words: Vec<String> =
                lengths.iter().map(|(length, clauses)| format!("{length}:{clauses}")).collect();
            words.join(" ")
        });
        let name = |what| format!("section_{name}_{what}");
        cells.shown(name("variables"), size.map(|size| size.variables));
        cells.shown(name("clauses"), size.map(|size| size.clauses));
        cells.shown(name("literals"), size.map(|size| size.literals));
        cells.shown(name("clauses_by_length"), lengths);
    }
}

fn of_circuit(
    circuit: Option<&[SectionOperations]>,
    columns: &RecordColumns,
    cells: &mut NamedCells,
) {
    for name in &columns.circuit {
        let mut sections = circuit.into_iter().flatten();
        let numbers = sections.find(|section| section.name == *name).map(|section| {
            let SectionOperations { name: _, written, built, reachable } = section;
            [*written, *built, *reachable]
        });
        for (place, what) in ["written", "built", "reachable"].into_iter().enumerate() {
            cells.shown(format!("circuit_{name}_{what}"), numbers.map(|numbers| numbers[place]));
        }
    }
}

#[cfg(test)]
mod tests;
