//! The legend of a chart: the encodings, and the marks that need an explanation.

use bezzel_problem::{Cell, CellLook};
use serde::Serialize;

use super::Tone;

/// An encoding in the legend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LegendEntry {
    /// The number of its look: colour, marker and dash.
    pub style: usize,
    /// The encoding's label.
    pub label: String,
}

/// A mark in the legend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LegendSign {
    /// The mark.
    pub sign: SignKind,
    /// The explanation of the mark.
    pub label: String,
}

/// The marks that a legend explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SignKind {
    /// A marker filled with white.
    Hollow,
    /// A marker on the limit with an arrow.
    OverLimit,
    /// A bar from the lower to the upper quartile.
    Bar,
    /// A band from the lower to the upper quartile.
    Band,
    /// A stroke across the value.
    Tick,
    /// An arrow at the open end of a bar.
    OpenEnd,
    /// A thin reference line.
    Guide,
    /// A line of no encoding.
    Line,
    /// The tone of marks.
    Tone(Tone),
    /// The marker of this number, in no encoding's colour.
    Shape(usize),
    /// A cell of a heat map whose value is over the limit.
    OverCell,
    /// A cell of a heat map without a measured value.
    MissingCell,
    /// A cell of a chequered drawing.
    Cell(CellSign),
    /// A cell of a heat map in which an answer is unchecked.
    UncheckedCell,
}

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
