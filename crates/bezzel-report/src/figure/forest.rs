//! Forest plots: ratios with their intervals, one or more marks in each row. `ranking` and `effects` are such figures.

use indexmap::IndexMap;

use super::legend::occurring;
use super::remark::paragraph;
use crate::chart::{
    Axis, AxisName, Chart, Facet, Guide, GuideLine, LegendSign, Mark, Point, Series, SignKind,
};
use crate::number::count;
use bezzel_statistics::{Outcome, Value};

/// A mark of a forest plot.
pub(super) struct ForestMark {
    /// The heading of its group of rows. Empty without a group.
    pub(super) group: String,
    /// The name of its row. Marks of a group with equal names are in one row.
    pub(super) row: AxisName,
    /// The text at the end of its row, if there is one.
    pub(super) end: Option<String>,
    /// The look of its series, if it is an encoding's.
    pub(super) style: Option<usize>,
    /// The label of its series.
    pub(super) label: String,
    /// The point, at its distance from the middle of the row. A row without a point is left out.
    pub(super) point: Option<Point>,
}

/// A panel of a forest plot, and the number of rows that are left out.
pub(super) struct ForestPanel {
    pub(super) facet: Facet,
    pub(super) left_out: usize,
}

impl ForestPanel {
    /// Draws marks in the order of their groups and rows. `axis` is the title of the ratios, `ends` that of the ends of
    /// rows. Guides are at `guides`, the main one at 1.
    pub(super) fn new(
        title: String,
        axis: &str,
        ends: Option<&str>,
        guides: &[f64],
        marks: Vec<ForestMark>,
    ) -> Self {
        let mut groups: IndexMap<String, IndexMap<String, Vec<ForestMark>>> = IndexMap::new();
        for mark in marks {
            let rows = groups.entry(mark.group.clone()).or_default();
            rows.entry(mark.row.label.clone()).or_default().push(mark);
        }
        let (mut names, mut series, mut left_out) = (Vec::new(), Vec::new(), 0);
        for (group, mut rows) in groups {
            let all = rows.len();
            rows.retain(|_, marks| marks.iter().any(|mark| mark.point.is_some()));
            left_out += all - rows.len();
            if !group.is_empty() && !rows.is_empty() {
                names.push(AxisName { is_heading: true, ..AxisName::new(group) });
            }
            for marks in rows.into_values() {
                let place = names.len() as f64;
                names.push(marks[0].row.clone());
                let marks = marks.into_iter().filter_map(|mark| Some((mark.point.clone()?, mark)));
                for (turn, (point, mark)) in marks.enumerate() {
                    let point = Point { at: place + point.at, ..point };
                    // Each row has its end once.
                    let end = mark.end.filter(|_| turn == 0);
                    let series_of = Series::new(0, mark.label, vec![point]);
                    series.push(Series { style: mark.style, end, ..series_of });
                }
            }
        }
        let guides = guides.iter().map(|&value| (value, false)).chain([(1.0, true)]);
        let guides =
            guides.map(|(value, main)| Guide { line: GuideLine::Value(value), label: None, main });
        let value = Axis::log(axis, None).with_limit(None, "open end");
        let facet = Facet {
            end_title: ends.map(str::to_owned),
            guides: guides.collect(),
            ..Facet::sideways(title, Axis::names("", names), value, series)
        };
        Self { facet, left_out }
    }
}

/// The ratio of a comparison in the middle of its row, marked by `exact` if it depends on no limit, with its interval
/// as a bar. The point has no keys. None without a ratio.
pub(super) fn of_outcome(outcome: &Outcome, exact: Mark, runs: usize) -> Option<Point> {
    let estimate = outcome.ratio.estimate?;
    let (low, high) = outcome.interval.map(|of| (of.low, of.high)).unzip();
    Some(Point {
        low: low.map(|low| Value::Measured(low.unwrap_or(0.0))),
        high: high.map(|high| high.map_or(Value::OverLimit, Value::Measured)),
        open_low: low.is_some_and(|low| low.is_none()),
        mark: if estimate.exact().is_some() { exact } else { Mark::Tick },
        runs,
        ..Point::new(0.0, Value::Measured(estimate.bound()?))
    })
}

/// Sentences that explain open ends, if there are some, and count the rows that are left out.
pub(super) fn note(panels: &[ForestPanel]) -> String {
    let points = panels.iter().flat_map(|panel| panel.facet.series());
    let mut points = points.flat_map(|series| &series.points);
    let open = if points.any(Point::is_open) {
        "An arrow is an open end of an interval: a run over its limit leaves the ratio without a bound there."
    } else {
        ""
    };
    let left_out = match panels.iter().map(|panel| panel.left_out).sum::<usize>() {
        0 => String::new(),
        rows => format!(
            "Not drawn: {}, whose ratio depends on the family or is unknown.",
            count(rows, "row")
        ),
    };
    paragraph(&[open, &left_out])
}

/// The signs of the intervals, bounds and open ends that occur. The intervals of `together` are simultaneous.
pub(super) fn signs(chart: &Chart, together: &str) -> Vec<LegendSign> {
    let any = |is: fn(&Point) -> bool| chart.points().any(|(_, _, point)| is(point));
    let intervals = format!("simultaneous 95 % confidence intervals of {together}");
    let known = [
        (any(|point| point.low.is_some()), SignKind::Bar, intervals),
        (
            any(|point| point.mark == Mark::Tick),
            SignKind::Tick,
            "a bound, because a run was over its limit".into(),
        ),
        (any(Point::is_open), SignKind::OpenEnd, "open end, no bound".into()),
    ];
    occurring(known)
}
