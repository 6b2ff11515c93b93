//! Points that belong together, and how they are marked.

use serde::Serialize;

use crate::statistics::Value;

/// Points that belong together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// The number of the encoding's look. A series of no encoding has none, and is grey.
    pub style: Option<usize>,
    /// What the series is of.
    pub label: String,
    /// Whether its line may be thin and plain because it has a point for every run.
    pub dense: bool,
    /// Whether the bars of its points are drawn as one light band along the line.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub band: bool,
    /// The points, in the order in which a line joins them.
    pub points: Vec<Point>,
    /// What stands at the end of the line.
    pub end: Option<String>,
}

/// One point.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    /// Where it stands; infinite if that is over the limit of the position's axis.
    pub at: f64,
    /// What was measured there.
    pub value: Value,
    /// The lower end of its bar.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low: Option<Value>,
    /// The upper end of its bar.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<Value>,
    /// How it is marked.
    pub mark: Mark,
    /// Whether a line leads to it from the point before.
    pub joined: bool,
    /// How many runs it stands for.
    pub runs: usize,
}

/// How a point is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// By the encoding's marker.
    Filled,
    /// By the encoding's marker filled with white: some answer in it is unchecked.
    Hollow,
    /// By the marker of this number.
    Shape(usize),
    /// By the marker of this number filled with white.
    HollowShape(usize),
    /// By a stroke across its value.
    Tick,
    /// Not at all.
    None,
}

impl Mark {
    /// Whether some answer in what is marked so is unchecked.
    pub fn is_hollow(self) -> bool {
        matches!(self, Self::Hollow | Self::HollowShape(_))
    }
}

impl Point {
    /// A filled point of one run that is joined to the one before.
    pub fn new(at: f64, value: Value) -> Self {
        let mark = Mark::Filled;
        Self { at, value, low: None, high: None, mark, joined: true, runs: 1 }
    }
}

impl Series {
    /// A series of points of the encoding of this style.
    pub fn new(style: usize, label: impl Into<String>, points: Vec<Point>) -> Self {
        let style = Some(style);
        Self { style, label: label.into(), dense: false, band: false, points, end: None }
    }
}

/// Points in pieces that a line joins.
pub(crate) fn pieces<'p>(points: impl IntoIterator<Item = &'p Point>) -> Vec<Vec<&'p Point>> {
    let mut pieces: Vec<Vec<&Point>> = Vec::new();
    for point in points {
        match pieces.last_mut() {
            Some(piece) if point.joined => piece.push(point),
            _ => pieces.push(vec![point]),
        }
    }
    pieces
}
