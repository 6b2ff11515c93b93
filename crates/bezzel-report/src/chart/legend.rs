//! The legend of a chart: the encodings and the marks that need a word.

use serde::Serialize;

use super::BoardSquare;

/// An encoding in the legend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The number of its look: colour, marker and dash.
    pub style: usize,
    /// The encoding's label.
    pub label: String,
}

/// A mark in the legend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sign {
    /// The mark.
    pub sign: SignKind,
    /// What it means.
    pub label: String,
}

/// What needs a word in the legend.
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
    /// A thin line to compare marks with.
    Guide,
    /// The marker of this number, in no encoding's colour.
    Shape(usize),
    /// A cell of a heat map whose value is over the limit.
    OverCell,
    /// A cell of a heat map that nothing was measured for.
    MissingCell,
    /// A square of a board.
    Square(BoardSquare),
    /// A cell of a heat map in which an answer is unchecked.
    UncheckedCell,
}
