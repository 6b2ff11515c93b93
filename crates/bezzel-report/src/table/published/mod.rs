//! Published results beside ours: a table for each source, where a record has something to set beside it.
//!
//! Times of another machine are no yardstick: what is compared is how they grow. Sizes are exact, and
//! either the same or explained.

use bezzel_encode::{Board, Geometry, Piece};
use bezzel_lab::Row;

use super::{Table, TableKind};
use crate::material::Material;

mod cao;
mod reencoding;
mod zantema;

/// The kind of table.
pub(super) const KIND: TableKind = TableKind { id: "published", make: |of| tables(of) };

/// The tables.
fn tables(material: &Material<'_>) -> Vec<Table> {
    [cao::table(material), zantema::table(material), reencoding::table(material)]
        .into_iter()
        .flatten()
        .collect()
}

/// The side of a board of queens that is square, plane and empty, as all of the sources' are.
fn side(board: &Board) -> Option<u32> {
    let empty = board.placed().is_empty() && board.blocked().is_empty();
    let plain = board.geometry() == Geometry::Plane && board.piece() == Piece::Queen;
    (empty && plain && board.rows() == board.columns()).then(|| board.rows())
}

/// Whether the formula is numbered as it comes.
fn as_generated(row: &Row) -> bool {
    row.job.numbering == bezzel_encode::Numbering::AS_GENERATED
}
