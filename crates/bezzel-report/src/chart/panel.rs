//! One panel: its axes, the lines to compare with, and what is drawn inside.

use serde::Serialize;

use bezzel_problem::Drawing;

use super::{Axis, Diagram, Heat, Series};

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
    /// Points: with lines, bands, bars or boxes, as each [`Series`] and [`Point`](super::Point) says.
    Series(Vec<Series>),
    /// Cells in rows and columns. Both axes are of names: the position's are the rows, from the
    /// top, the value's the columns.
    Heat(Heat),
    /// A board, which has no axes.
    Board(Diagram),
    /// The solution of another instance, which has no axes.
    Solution(Drawing),
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
            Body::Heat(_) | Body::Board(_) | Body::Solution(_) => &[],
        }
    }

    /// Keeps the series for which `keep` is true.
    pub(crate) fn keep(&mut self, keep: impl FnMut(&Series) -> bool) {
        if let Body::Series(series) = &mut self.body {
            series.retain(keep);
        }
    }

    /// Gives the series of a label another one.
    pub(crate) fn relabel(&mut self, from: &str, to: &str) {
        if let Body::Series(series) = &mut self.body {
            for series in series.iter_mut().filter(|series| series.label == from) {
                to.clone_into(&mut series.label);
            }
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
            Body::Solution(_) => false,
        }
    }
}
