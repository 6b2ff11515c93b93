//! The signs in cells of chequered drawings.

use bezzel_problem::{Cell, CellLook};
use serde::Serialize;

/// The content of a cell as a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CellSign {
    /// The look of the cell.
    pub look: CellLook,
    /// The piece, if the look has one.
    pub piece: Piece,
}

/// A piece. It is drawn as a shape, since fonts differ in the signs of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Piece {
    /// A crown, in place of ♛.
    Crown,
    /// A tower, in place of ♜.
    Tower,
    /// A disc, in place of any other sign.
    Disc,
}

impl CellSign {
    /// The sign of a cell of a chequered drawing. None if the cell is empty.
    pub fn of(cell: &Cell) -> Option<Self> {
        let piece = match cell.text.as_str() {
            "" => return None,
            "♛" => Piece::Crown,
            "♜" => Piece::Tower,
            _ => Piece::Disc,
        };
        Some(Self { look: cell.look, piece })
    }
}
