//! A chart as data: what is drawn, and nothing of how.
//!
//! Figures make charts, and the tests compare them; only [`render`](mod@crate::render) knows how they
//! are drawn. Whoever draws a chart in another way, as source for a paper say, matches over the
//! [`Body`] of each [`Panel`]: title, axes and guides are the same for all bodies.

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

/// A name on an axis of names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Name {
    /// The name.
    pub label: String,
    /// The place in the report of the encoding that it names, if it names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style: Option<usize>,
    /// Whether it belongs with the name before it, as the numberings of one encoding do.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub with_last: bool,
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
    /// A box from the lower to the upper quartile, with whiskers.
    Box,
    /// A stroke across the value.
    Tick,
    /// A small dot.
    Dot,
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

/// One panel: its axes, and inside of them its [`Body`].
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
    /// Lines to compare marks with, behind all of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub guides: Vec<Guide>,
    /// What is drawn.
    pub body: Body,
}

/// What is drawn inside of a panel's axes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Body {
    /// Points: with lines, bands, bars or boxes, as each [`Series`] and [`Point`] says.
    Series(Vec<Series>),
    /// Cells in rows and columns. Both axes are of names: the position's are the rows, from the
    /// top, the value's the columns.
    Heat(Heat),
    /// A board, which has no axes.
    Board(Diagram),
}

/// A board with what stands on its squares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagram {
    /// The number of rows.
    pub rows: u32,
    /// The number of columns.
    pub columns: u32,
    /// Whether rooks stand on it, not queens.
    pub rooks: bool,
    /// The squares on which something is, by row and column counted from 0, the upper left one first.
    pub squares: Vec<(u32, u32, BoardSquare)>,
}

/// What is on a square of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardSquare {
    /// A queen that was found, or a rook on a board of rooks.
    Queen,
    /// One that was given.
    Given,
    /// Nothing, and nothing may be.
    Blocked,
    /// Nothing, and propagation finds that nothing can be.
    RuledOut,
}

impl BoardSquare {
    /// What it is, in a word or two.
    pub fn told(self) -> &'static str {
        match self {
            Self::Queen => "found",
            Self::Given => "given",
            Self::Blocked => "blocked",
            Self::RuledOut => "ruled out by propagation",
        }
    }
}

/// A straight line to compare marks with.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Guide {
    /// Where it runs.
    pub line: GuideLine,
    /// What stands at its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Whether it is the one that marks are on if nothing differs.
    pub main: bool,
}

/// Where a guide runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GuideLine {
    /// Where the value is so many times the position.
    Ratio(f64),
    /// Where the value is this.
    Value(f64),
}

/// A heat map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Heat {
    /// What the numbers in the cells are.
    pub label: String,
    /// In which unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The cells, row by row.
    pub cells: Vec<HeatCell>,
    /// What the shades mean: one key for all panels that have the same.
    pub key: HeatKey,
}

/// What shades mean.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeatKey {
    /// What is shaded.
    pub label: String,
    /// Labels below the shades, each with its place from 0 (lightest) to 1 (darkest).
    pub ticks: Vec<(f64, String)>,
}

/// A cell of a heat map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeatCell {
    /// Its row, from the top.
    pub row: usize,
    /// Its column, from the left.
    pub column: usize,
    /// What was measured; none if nothing was.
    pub value: Option<Value>,
    /// What is written in it.
    pub text: String,
    /// How dark it is, from 0 to 1; none of a value over the limit and of none.
    pub shade: Option<f64>,
    /// Whether some answer in it is unchecked.
    pub unchecked: bool,
    /// How many runs it stands for.
    pub runs: usize,
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
    /// By names, at 0, 1, 2, ….
    Names(Vec<Name>),
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
    /// The encoding's place in the report; none if it is of no encoding, and drawn in grey.
    pub style: Option<usize>,
    /// What the series is of.
    pub label: String,
    /// Whether its line may be thin and plain because it has a point for every run.
    pub dense: bool,
    /// Whether the bars of its points are drawn as one light band along the line.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub band: bool,
    /// Whether its line goes up in steps, each at a point.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub steps: bool,
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
    /// The end of the lower whisker of its box.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least: Option<Value>,
    /// The end of the upper whisker of its box.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most: Option<Value>,
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
    /// By a stroke across its value.
    Tick,
    /// By a bar from `low` to `value`, of so many of ten parts of the colour.
    Block(u8),
    /// By a box from `low` to `high` with a line at the value, and whiskers from `least` to `most`.
    Box,
    /// By such a box filled with white: some answer in it is unchecked.
    HollowBox,
    /// Not at all.
    None,
}

impl Mark {
    /// Whether some answer in what is marked so is unchecked.
    pub fn is_hollow(self) -> bool {
        matches!(self, Self::Hollow | Self::HollowDot | Self::HollowShape(_) | Self::HollowBox)
    }

    /// Whether it is the small mark of one run.
    pub fn is_dot(self) -> bool {
        matches!(self, Self::Dot | Self::HollowDot)
    }
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
    pub fn names(label: &str, names: Vec<Name>) -> Self {
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
        titled(&self.label, self.unit.as_deref())
    }
}

fn titled(label: &str, unit: Option<&str>) -> String {
    match unit {
        Some(unit) => format!("{label} ({unit})"),
        None => label.to_owned(),
    }
}

impl Heat {
    /// The label with its unit.
    pub fn title(&self) -> String {
        titled(&self.label, self.unit.as_deref())
    }
}

impl Point {
    /// A filled point of one run that is joined to the one before.
    pub fn new(at: f64, value: Value) -> Self {
        let mark = Mark::Filled;
        let (low, high, least, most) = (None, None, None, None);
        Self { at, value, low, high, least, most, mark, joined: true, runs: 1 }
    }
}

impl Name {
    /// A name that names no encoding.
    pub fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), style: None, with_last: false }
    }
}

/// The name of an encoding.
impl From<Entry> for Name {
    fn from(entry: Entry) -> Self {
        Self { label: entry.label, style: Some(entry.style), with_last: false }
    }
}

impl Series {
    /// A series of points of the encoding of this style.
    pub fn new(style: usize, label: impl Into<String>, points: Vec<Point>) -> Self {
        let style = Some(style);
        Self {
            style,
            label: label.into(),
            dense: false,
            band: false,
            steps: false,
            points,
            end: None,
        }
    }
}

impl Panel {
    /// A panel of series whose values run up.
    pub fn new(title: impl Into<String>, position: Axis, value: Axis, series: Vec<Series>) -> Self {
        Self {
            title: title.into(),
            position,
            value,
            sideways: false,
            apart: false,
            end_title: None,
            guides: Vec::new(),
            body: Body::Series(series),
        }
    }

    /// A panel of series whose positions are rows, and whose values run to the right.
    pub fn sideways(
        title: impl Into<String>,
        rows: Axis,
        value: Axis,
        series: Vec<Series>,
    ) -> Self {
        Self { sideways: true, ..Self::new(title, rows, value, series) }
    }

    /// Its series; none if its body is another one.
    pub fn series(&self) -> &[Series] {
        match &self.body {
            Body::Series(series) => series,
            Body::Heat(_) | Body::Board(_) => &[],
        }
    }

    /// Whether values are compared with positions, so that both axes have one range.
    pub fn is_square(&self) -> bool {
        self.guides.iter().any(|guide| matches!(guide.line, GuideLine::Ratio(_)))
    }

    /// Whether nothing is drawn in it.
    pub fn is_empty(&self) -> bool {
        match &self.body {
            Body::Series(series) => series.iter().all(|series| series.points.is_empty()),
            Body::Heat(heat) => heat.cells.is_empty(),
            Body::Board(diagram) => diagram.squares.is_empty(),
        }
    }
}

impl Chart {
    /// All points with their panels and series; none of bodies that are no series.
    pub fn points(&self) -> impl Iterator<Item = (&Panel, &Series, &Point)> {
        self.panels.iter().flat_map(|panel| {
            panel.series().iter().flat_map(move |series| {
                series.points.iter().map(move |point| (panel, series, point))
            })
        })
    }

    /// All cells of heat maps with their panels.
    pub fn cells(&self) -> impl Iterator<Item = (&Panel, &Heat, &HeatCell)> {
        self.panels.iter().flat_map(|panel| {
            let heat = match &panel.body {
                Body::Heat(heat) => Some(heat),
                Body::Series(_) | Body::Board(_) => None,
            };
            heat.into_iter()
                .flat_map(move |heat| heat.cells.iter().map(move |cell| (panel, heat, cell)))
        })
    }

    /// All boards with their panels.
    pub fn diagrams(&self) -> impl Iterator<Item = (&Panel, &Diagram)> {
        self.panels.iter().filter_map(|panel| match &panel.body {
            Body::Board(diagram) => Some((panel, diagram)),
            _ => None,
        })
    }

    /// Whether nothing is drawn.
    pub fn is_empty(&self) -> bool {
        self.panels.iter().all(Panel::is_empty)
    }
}
