//! The ranges of axes: the panels that share one, and the panels that label it.

use super::super::layout::FramedFacet;
use super::super::scale::Span;
use crate::chart::{Axis, Chart, Facet, GuideLine, Point};
use crate::statistics::Value;

/// Returns the panels with the ranges of their axes, and with flags for labels.
pub(super) fn frame(chart: &Chart, columns: usize) -> Vec<FramedFacet<'_>> {
    let panels = &chart.panels;
    let mut framed: Vec<FramedFacet<'_>> = panels
        .iter()
        .enumerate()
        .map(|(index, panel)| FramedFacet {
            panel,
            position: if panel.is_square() {
                square_span(panels, &panel.position)
            } else {
                position_span(panels, index, columns)
            },
            value: if panel.is_square() {
                square_span(panels, &panel.value)
            } else {
                value_span(panels, panel)
            },
            left_labels: true,
            bottom_labels: true,
        })
        .collect();
    for index in 0..framed.len() {
        let here = &framed[index];
        let left_labels = index % columns == 0 || framed[index - 1].left() != here.left();
        let below = framed.get(index + columns);
        let bottom_labels = below.is_none_or(|below| below.bottom() != here.bottom());
        framed[index].left_labels = left_labels;
        framed[index].bottom_labels = bottom_labels;
    }
    framed
}

/// Values and positions are compared with each other, across all such panels.
fn square_span(panels: &[Facet], axis: &Axis) -> Span {
    let shared = panels.iter().filter(|panel| panel.is_square());
    let points = shared.flat_map(Facet::series).flat_map(|series| &series.points);
    Span::new(axis, points.flat_map(|point| [point.value, at(point.at)]))
}

/// A position as a value.
fn at(position: f64) -> Value {
    if position == f64::INFINITY { Value::OverLimit } else { Value::Measured(position) }
}

/// Values are compared across all panels, so the axes of one title have one range.
fn value_span(panels: &[Facet], panel: &Facet) -> Span {
    let title = panel.value.title();
    let shared = panels.iter().filter(|other| other.value.title() == title);
    let points = shared.flat_map(Facet::series).flat_map(|series| &series.points);
    let values = points.flat_map(|point| {
        let Point { value, low, high, open_low, .. } = *point;
        // An open end has no value.
        [Some(value), low.filter(|_| !open_low), high].into_iter().flatten()
    });
    let guides = panels.iter().filter(|other| other.value.title() == title);
    let guides = guides.flat_map(|panel| &panel.guides).filter_map(|guide| match guide.line {
        GuideLine::Value(value) => Some(Value::Measured(value)),
        GuideLine::Ratio(_) => None,
    });
    Span::new(&panel.value, values.chain(guides))
}

/// Positions are compared down a column.
fn position_span(panels: &[Facet], index: usize, columns: usize) -> Span {
    let panel = &panels[index];
    let title = panel.position.title();
    let column = panels.iter().skip(index % columns).step_by(columns);
    let shared: Vec<&Facet> = column.filter(|other| other.position.title() == title).collect();
    let points = shared.iter().flat_map(|panel| panel.series()).flat_map(|series| &series.points);
    let limits = shared.iter().filter_map(|panel| panel.position.limit.as_ref()?.at);
    let ticks = shared.iter().filter_map(|panel| panel.position.ticks.as_ref()).flatten().copied();
    let values = points.map(|point| point.at).chain(limits).chain(ticks);
    Span::new(&panel.position, values.map(at))
}
