//! Points of one group, and their marks.

use bezzel_experiment::Key;
use serde::Serialize;

use bezzel_statistics::Value;

/// A group of points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// The number of the encoding's look. A series without an encoding has none, and is grey.
    pub style: Option<usize>,
    /// The tone of a series without an encoding.
    #[serde(skip_serializing_if = "Tone::is_grey")]
    pub tone: Tone,
    /// The label.
    pub label: String,
    /// True if the bars of its points are drawn as one light band along the line.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub band: bool,
    /// The points, in the order in which a line joins them.
    pub points: Vec<Point>,
    /// The text at the end of the line, if there is one.
    pub end: Option<String>,
}

/// The tone of marks of no encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tone {
    /// Grey.
    #[default]
    Grey,
    /// Blue: instances with a solution.
    Satisfiable,
    /// Red: instances without a solution.
    Unsatisfiable,
}

impl Tone {
    /// True for grey.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_grey(&self) -> bool {
        *self == Self::Grey
    }
}

/// One point.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    /// The position. Infinite if it is over the limit of the position's axis.
    pub at: f64,
    /// The measured value.
    pub value: Value,
    /// The lower end of its bar.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low: Option<Value>,
    /// The upper end of its bar.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<Value>,
    /// True if the lower end is open: the value has no lower bound. An upper end is open if it is over the limit.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub open_low: bool,
    /// The mark.
    pub mark: Mark,
    /// True if a line joins it to the point before.
    pub joined: bool,
    /// The number of runs.
    pub runs: usize,
    /// The keys of the rows that it stands for, in figures of cells with those that enter no statistic. Empty if it
    /// stands for no rows, such as a published number, or for whole factors.
    #[serde(skip)]
    pub keys: Vec<Key>,
}

/// The mark of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// The encoding's marker.
    Filled,
    /// The encoding's marker filled with white: an answer in it is unchecked.
    Hollow,
    /// The marker of this number.
    Shape(usize),
    /// The marker of this number filled with white.
    HollowShape(usize),
    /// A stroke across the value.
    Tick,
    /// No mark.
    None,
}

impl Mark {
    /// True if the mark means that an answer is unchecked.
    pub fn is_hollow(self) -> bool {
        matches!(self, Self::Hollow | Self::HollowShape(_))
    }
}

impl Point {
    /// True if an end of its bar is open.
    pub fn is_open(&self) -> bool {
        self.open_low || (self.low.is_some() && self.high == Some(Value::OverLimit))
    }

    /// A filled point of one run that is joined to the one before. It has no keys.
    pub fn new(at: f64, value: Value) -> Self {
        Self {
            at,
            value,
            low: None,
            high: None,
            open_low: false,
            mark: Mark::Filled,
            joined: true,
            runs: 1,
            keys: Vec::new(),
        }
    }
}

impl Series {
    /// A series of points of the encoding of this style.
    pub fn new(style: usize, label: impl Into<String>, points: Vec<Point>) -> Self {
        let style = Some(style);
        let tone = Tone::Grey;
        Self { style, tone, label: label.into(), band: false, points, end: None }
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
