//! Files that a paper reads by `\input`: tables, and numbers that its text quotes.
//!
//! Everything is ASCII, so that every engine of LaTeX reads it. Only the packages that the first lines name are needed.

mod escape;
mod numbers;
mod table;

pub(crate) use numbers::numbers;

use bezzel_problem::UnknownId;

use crate::parts::ChosenColumns;
use crate::report::Report;
use crate::table::Table;

/// The files of the tables of a report, each by its name, with the chosen columns.
pub(crate) fn tables(
    report: &Report<'_>,
    chosen: &[ChosenColumns],
) -> Result<Vec<(String, String)>, UnknownId> {
    let tables: Vec<&Table> = report.short_tables().chain([&report.cells]).collect();
    for ChosenColumns { table, .. } in chosen {
        if tables.iter().all(|known| known.id != *table) {
            return Err(UnknownId::new("table", table, tables.iter().map(|known| &known.id)));
        }
    }
    let file = |table: &&Table| {
        let columns = chosen.iter().find(|chosen| chosen.table == table.id);
        let shown = columns.map(|chosen| table.with_columns(&chosen.columns)).transpose()?;
        let shown = shown.as_ref().unwrap_or(table);
        let text = table::table(&report.record.name, shown, &report.of_tables);
        Ok((format!("table-{}.tex", table.id), text))
    };
    tables.iter().map(file).collect()
}
