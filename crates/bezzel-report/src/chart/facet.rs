//! One panel: its axes, its reference lines, and its content.

use bezzel_experiment::Key;
use bezzel_problem::Drawing;
use bezzel_statistics::Value;
use serde::Serialize;

use super::axis::titled;
use super::{Axis, Series};

/// A facet of a figure, one of its panels: its axes and its [`FacetBody`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Facet {
    /// The property of this panel that distinguishes it from others.
    pub title: String,
    /// The axis of the positions, such as the size of the instance.
    pub position: Axis,
    /// The axis of the measured values.
    pub value: Axis,
    /// True if values run to the right and positions down. Otherwise values run up and positions to the right.
    pub sideways: bool,
    /// True if marks at the same position are set apart a little, so that fewer cover each other.
    pub apart: bool,
    /// The texts in the upper left and the lower right corner, if there are some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corners: Option<[String; 2]>,
    /// The title above the ends of the series, if there is one.
    pub end_title: Option<String>,
    /// Reference lines, drawn behind all marks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub guides: Vec<Guide>,
    /// The content.
    pub body: FacetBody,
}

/// The content of a panel.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FacetBody {
    /// Points with lines, bands, bars or boxes, as given by each [`Series`] and [`Point`](super::Point).
    Series(Vec<Series>),
    /// Cells in rows and columns. Both axes are of names: the axis of positions has the rows, from the top, and the
    /// axis of values has the columns.
    Heat(HeatMap),
    /// An instance or its solution, which has no axes.
    Drawing(Drawing),
}

/// A straight reference line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Guide {
    /// The position of the line.
    pub line: GuideLine,
    /// The text at its end, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// True for the line on which equal values lie.
    pub main: bool,
}

/// The position of a guide.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GuideLine {
    /// The value is this multiple of the position.
    Ratio(f64),
    /// The value is constant.
    Value(f64),
}

impl Facet {
    /// A panel of series whose values run up.
    pub fn new(title: impl Into<String>, position: Axis, value: Axis, series: Vec<Series>) -> Self {
        Self {
            title: title.into(),
            position,
            value,
            sideways: false,
            apart: false,
            corners: None,
            end_title: None,
            guides: Vec::new(),
            body: FacetBody::Series(series),
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

    /// Its series. Empty if its body is another one.
    pub fn series(&self) -> &[Series] {
        match &self.body {
            FacetBody::Series(series) => series,
            FacetBody::Heat(_) | FacetBody::Drawing(_) => &[],
        }
    }

    /// Keeps the series for which `keep` is true.
    pub(crate) fn keep(&mut self, keep: impl FnMut(&Series) -> bool) {
        if let FacetBody::Series(series) = &mut self.body {
            series.retain(keep);
        }
    }

    /// Gives series other looks, where `look` returns one.
    pub(crate) fn restyle(&mut self, look: impl Fn(&Series) -> Option<usize>) {
        let FacetBody::Series(all) = &mut self.body else { return };
        for series in all {
            series.style = look(series).or(series.style);
        }
    }

    /// Removes the series `others`, whose points have the same values as those of `first`. The points of `first` then
    /// have the keys of all, and its label is `to`.
    pub(crate) fn merge(&mut self, first: &str, others: &[String], to: &str) {
        let FacetBody::Series(all) = &mut self.body else { return };
        let (removed, kept): (Vec<Series>, Vec<Series>) =
            std::mem::take(all).into_iter().partition(|series| others.contains(&series.label));
        *all = kept;
        for series in all.iter_mut().filter(|series| series.label == first) {
            to.clone_into(&mut series.label);
            for (place, point) in series.points.iter_mut().enumerate() {
                let same = removed.iter().filter_map(|other| other.points.get(place));
                point.keys.extend(same.flat_map(|other| &other.keys).cloned());
            }
        }
    }

    /// True if values are compared with positions, so that both axes have one range.
    pub fn is_square(&self) -> bool {
        self.guides.iter().any(|guide| matches!(guide.line, GuideLine::Ratio(_)))
    }

    /// True if the panel is empty.
    pub fn is_empty(&self) -> bool {
        match &self.body {
            FacetBody::Series(series) => series.iter().all(|series| series.points.is_empty()),
            FacetBody::Heat(heat) => heat.cells.is_empty(),
            FacetBody::Drawing(_) => false,
        }
    }
}

/// A heat map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeatMap {
    /// The quantity in the cells.
    pub label: String,
    /// The unit, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The cells, row by row.
    pub cells: Vec<HeatCell>,
    /// The key of the shades. All panels with an equal key share one.
    pub key: HeatKey,
}

/// The key of shades.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeatKey {
    /// The quantity that is shaded.
    pub label: String,
    /// Labels below the shades, each with its place from 0 (lightest) to 1 (darkest).
    pub ticks: Vec<(f64, String)>,
}

/// A cell of a heat map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeatCell {
    /// The row, counted from the top.
    pub row: usize,
    /// The column, counted from the left.
    pub column: usize,
    /// The measured value, if there is one.
    pub value: Option<Value>,
    /// The text in the cell.
    pub text: String,
    /// The darkness, from 0 to 1. A value over the limit has the darkest. None for a missing value.
    pub shade: Option<f64>,
    /// True if an answer in the cell is unchecked.
    pub unchecked: bool,
    /// The number of runs.
    pub runs: usize,
    /// The keys of the rows that it stands for, with those that enter no statistic. Empty without a value.
    #[serde(skip)]
    pub keys: Vec<Key>,
}

impl HeatMap {
    /// The label with its unit.
    pub fn title(&self) -> String {
        titled(&self.label, self.unit.as_deref())
    }
}
