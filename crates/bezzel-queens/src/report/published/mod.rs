//! Comparisons with the source documents: published results and those of the record. A source has one table or several,
//! with a verdict in one sentence.
//!
//! A block is shown if a record has the source's own instance, measured by the source's method. Times of another
//! machine are not compared, but their growth is. Sizes are exact; a difference is explained.

use crate::{Board, Geometry, Piece};
use bezzel_experiment::Row;
use bezzel_problem::Instance;

use bezzel_report::analysis::Analysis;
use bezzel_report::table::{Table, TableIds, TableKind};

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
