//! A chart as data: what is drawn, and nothing of how.
//!
//! Figures make charts, and the tests compare them; only [`render`](mod@crate::render) knows how they
//! are drawn.

use serde::Serialize;

use crate::statistics::Value;

/// A figure: panels side by side under one legend.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Chart {
    /// The permanent name, and the stem of the files' names.
    pub id: String,
    /// What the figure is, in a few words.
    pub title: String,
    /// What is drawn, in sentences: what every mark means, and what was left out and how often.
    pub caption: String,
    /// How many panels stand side by side.
    pub columns: usize,
    /// The panels, row by row. Axes of one kind and label are given the same range.
    pub panels: Vec<Panel>,
    /// The encodings that occur, each with its style.
    pub legend: Vec<Entry>,
    /// The marks that occur and need a word.
    pub signs: Vec<Sign>,
}

/// An encoding in the legend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The encoding's place in the report: the same everywhere, so that colour, marker and dash
    /// are too.
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
    /// A small dot.
    Dot,
    /// The marker of this number, in no encoding's colour.
    Shape(usize),
}

/// One panel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Panel {
    /// What is special about this panel.
    pub title: String,
    /// Along which the series are laid out: the board's side, say.
    pub position: Axis,
    /// What was measured.
    pub value: Axis,
    /// Whether values run to the right and positions down; else they run up and to the right.
    pub sideways: bool,
    /// Whether marks at the same position are set a little apart, so that none hides another.
    pub apart: bool,
    /// Above the ends of the series, where they have one.
    pub end_title: Option<String>,
    /// What is drawn.
    pub series: Vec<Series>,
}

/// An axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Axis {
    /// What it measures.
    pub label: String,
    /// In which unit.
    pub unit: Option<String>,
    /// How.
    pub scale: Scale,
    /// Where labels stand, if it matters.
    pub ticks: Option<Vec<f64>>,
    /// The limit beyond which nothing was measured.
    pub limit: Option<Limit>,
}

/// How an axis measures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Evenly.
    Linear,
    /// Evenly, and by whole numbers only.
    Count,
    /// By the logarithm. Zeros get a place of their own below it.
    Log,
    /// By names, at 0, 1, 2, …, each in its encoding's colour if it has one.
    Names(Vec<Entry>),
}

/// A limit on an axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Limit {
    /// Where it lies, if that is known in the axis's unit; else values over the limit get a place
    /// of their own beyond the axis.
    pub at: Option<f64>,
    /// What it says.
    pub label: String,
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// The encoding's place in the report.
    pub style: usize,
    /// What the series is of.
    pub label: String,
    /// Whether its line may be thin and plain because it has a point for every run.
    pub dense: bool,
    /// The points, in the order in which a line joins them.
    pub points: Vec<Point>,
    /// What stands at the end of the line.
    pub end: Option<String>,
}

/// One point.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    /// Where it stands.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// By the encoding's marker.
    Filled,
    /// By the encoding's marker filled with white: some answer in it is unchecked.
    Hollow,
    /// By a small dot.
    Dot,
    /// By a small dot filled with white.
    HollowDot,
    /// By the marker of this number.
    Shape(usize),
    /// By the marker of this number filled with white.
    HollowShape(usize),
    /// By a bar from `low` to `value`, of so many of ten parts of the colour.
    Block(u8),
    /// Not at all.
    None,
}

impl Axis {
    /// An axis of a log scale.
    pub fn log(label: &str, unit: Option<&str>) -> Self {
        Self {
            label: label.to_owned(),
            unit: unit.map(str::to_owned),
            scale: Scale::Log,
            ticks: None,
            limit: None,
        }
    }

    /// An axis of a linear scale.
    pub fn linear(label: &str, unit: Option<&str>) -> Self {
        Self { scale: Scale::Linear, ..Self::log(label, unit) }
    }

    /// An axis of whole numbers.
    pub fn count(label: &str) -> Self {
        Self { scale: Scale::Count, ..Self::log(label, None) }
    }

    /// An axis of names.
    pub fn names(label: &str, names: Vec<Entry>) -> Self {
        Self { scale: Scale::Names(names), ..Self::log(label, None) }
    }

    /// The same axis with labels at these values.
    #[must_use]
    pub fn with_ticks(mut self, ticks: Vec<f64>) -> Self {
        self.ticks = Some(ticks);
        self
    }

    /// The same axis with this limit.
    #[must_use]
    pub fn with_limit(mut self, at: Option<f64>, label: impl Into<String>) -> Self {
        self.limit = Some(Limit { at, label: label.into() });
        self
    }

    /// The label with its unit: `CPU time of solving (s)`.
    pub fn title(&self) -> String {
        match &self.unit {
            Some(unit) => format!("{} ({unit})", self.label),
            None => self.label.clone(),
        }
    }
}

impl Point {
    /// A filled point of one run that is joined to the one before.
    pub fn new(at: f64, value: Value) -> Self {
        Self { at, value, low: None, high: None, mark: Mark::Filled, joined: true, runs: 1 }
    }
}

impl Chart {
    /// All points with their panels and series.
    pub fn points(&self) -> impl Iterator<Item = (&Panel, &Series, &Point)> {
        self.panels.iter().flat_map(|panel| {
            panel.series.iter().flat_map(move |series| {
                series.points.iter().map(move |point| (panel, series, point))
            })
        })
    }

    /// Whether anything is drawn.
    pub fn is_empty(&self) -> bool {
        self.points().next().is_none()
    }
}
