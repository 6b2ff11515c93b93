//! Comparisons with the source documents: published results and those of the record. A source has one table or several,
//! with a verdict in one sentence.
//!
//! A block is shown if a record has the source's own instance, measured by the source's method. Times of another
//! machine are not compared, but their growth is. Sizes are exact; a difference is explained.
//!
//! Numbers that a source printed are files, `configs/published/NAME.csv`, whose comments name the source. What follows
//! from them is computed.

use std::collections::BTreeMap;

use crate::{Board, Geometry, Piece};
use bezzel_experiment::Row;
use bezzel_problem::Instance;
use serde::de::DeserializeOwned;

use bezzel_report::analysis::Analysis;
use bezzel_report::table::{Item, Table, TableIds, TableKind};

/// The text of a file of printed numbers.
macro_rules! printed_file {
    ($name:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../configs/published/",
            $name,
            ".csv"
        ))
    };
}

pub(crate) mod bryant;
pub(crate) mod cao;
mod cook;
mod nielsen_faartoft;
mod reencoding;
mod zantema;

/// The kind of table.
pub(super) const KIND: TableKind = TableKind {
    id: "published",
    tables: &[
        TableIds::new("bryant-table-1", "comparison with Bryant's Table 1"),
        TableIds::new("cao-figure-2", "comparison with Cao's Figure 2"),
        TableIds::new("zantema", "comparison with Zantema's sixty queens"),
        TableIds::new("zantema-as-printed", "Zantema's formula as printed"),
        TableIds::new("zantema-redundancy", "Zantema's remark on redundancy"),
        TableIds::new("cook-two-approaches", "comparison with Cook's two approaches"),
        TableIds::new("cook-loading", "Cook's first approach and the second, with loading"),
        TableIds::new(
            "nielsen-faartoft",
            "comparison with Nielsen and Faartoft's diagram of rules",
        ),
        TableIds::new("re-encoded", "re-encoded boards, and other tools"),
    ],
    is_of_sources: true,
    make: tables,
};

/// The tables.
fn tables(dataset: &Analysis<'_>) -> Vec<Table> {
    let mut tables: Vec<Table> =
        [bryant::table(dataset), cao::table(dataset)].into_iter().flatten().collect();
    tables.extend(zantema::tables(dataset));
    tables.extend(cook::tables(dataset));
    tables.extend(nielsen_faartoft::table(dataset));
    tables.extend(reencoding::table(dataset));
    tables
}

/// The rows of a file of printed numbers.
fn printed<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(file.as_bytes());
    let rows = reader.into_deserialize().collect::<Result<_, _>>();
    rows.expect("a test reads every file")
}

/// Puts the rows of a file of printed numbers above those of a table that has columns of the same names. A column that
/// the file does not have is missing in them.
fn put_printed_above(table: &mut Table, file: &str) {
    let item = |text: &String| match text.parse() {
        Ok(count) => Item::Count(count),
        Err(_) => Item::from(text.as_str()),
    };
    let rows = printed::<BTreeMap<String, String>>(file).into_iter().map(|row| {
        let items = table
            .columns
            .iter()
            .map(|column| row.get(&column.name).filter(|text| !text.is_empty()).map(item).into());
        items.collect::<Vec<Item>>()
    });
    let rows: Vec<_> = rows.collect();
    table.rows.splice(..0, rows);
}

/// The table with its verdict before the other notes.
fn judged(verdict: &str, mut table: Table) -> Table {
    table.notes.insert(0, format!("Verdict: {verdict}."));
    table
}

/// The side of a board of queens that is square, plane and empty, like those of all sources.
fn side(instance: &Instance) -> Option<u32> {
    let board = Board::of(instance)?;
    let empty = board.placed().is_empty() && board.blocked().is_empty();
    let plain = board.geometry() == Geometry::Plane && board.piece() == Piece::Queen;
    (empty && plain && board.rows() == board.columns()).then(|| board.rows())
}

/// True if the variables of the formula have the numbers that the encoding gives them.
fn as_generated(row: &Row) -> bool {
    row.job.numbering == bezzel_encode::Numbering::AS_GENERATED
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_printed_numbers_names_its_source_and_can_be_read() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs/published");
        let files: Vec<_> = std::fs::read_dir(folder).unwrap().collect();
        assert!(!files.is_empty());
        for file in files {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            assert!(text.starts_with("# "), "{text}");
            assert!(!printed::<BTreeMap<String, String>>(&text).is_empty(), "{text}");
        }
    }
}
