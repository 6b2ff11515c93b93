//! The ranges of axes: the panels that share one, and the panels that label it.

use super::super::axis::name_space;
use super::super::layout::{FramedFacet, PAGE};
use super::super::scale::Span;
use crate::chart::{Axis, Chart, Facet, GuideLine, Point};
use bezzel_statistics::Value;

/// The largest width of a text beside a row of a narrow figure, as a share of the space for names.
const SHARE_OF_NAMES: f64 = 0.75;

/// Returns the panels with the ranges of their axes, and with flags for labels.
pub(super) fn frame(chart: &Chart, columns: usize, width: f64) -> Vec<FramedFacet<'_>> {
    let facets = &chart.facets;
    let mut framed: Vec<FramedFacet<'_>> = facets
        .iter()
        .enumerate()
        .map(|(index, facet)| FramedFacet {
            facet,
            position: if facet.is_square() {
                square_span(facets, &facet.position)
            } else {
                position_span(facets, index, columns)
            },
            value: if facet.is_square() {
                square_span(facets, &facet.value)
            } else {
                value_span(facets, facet)
            },
            left_labels: true,
            bottom_labels: true,
            bottom_title: true,
            name_space: name_space(facet, width),
            end_space: (width < PAGE).then(|| SHARE_OF_NAMES * name_space(facet, width)),
        })
        .collect();
    for index in 0..framed.len() {
        let here = &framed[index];
        let left_labels = index % columns == 0 || framed[index - 1].left() != here.left();
        let below = framed.get(index + columns);
        let bottom_title = below.is_none_or(|below| below.bottom() != here.bottom());
        // Between rows of names and those of the panel below is its title, so numbers there are too far away.
        let is_apart = below.is_some_and(|below| here.is_forest() && !below.facet.title.is_empty());
        let bottom_labels = bottom_title || is_apart;
        let here = &mut framed[index];
        (here.left_labels, here.bottom_labels, here.bottom_title) =
            (left_labels, bottom_labels, bottom_title);
    }
    framed
}

/// Values and positions are compared with each other, across all such panels.
fn square_span(facets: &[Facet], axis: &Axis) -> Span {
    let shared = facets.iter().filter(|facet| facet.is_square());
    let points = shared.flat_map(Facet::series).flat_map(|series| &series.points);
    Span::new(axis, points.flat_map(|point| [point.value, at(point.at)]))
}

/// A position as a value.
fn at(position: f64) -> Value {
    if position == f64::INFINITY { Value::OverLimit } else { Value::Measured(position) }
}

/// Values are compared across all panels, so the axes of one title have one range.
fn value_span(facets: &[Facet], facet: &Facet) -> Span {
    let title = facet.value.title();
    let shared = facets.iter().filter(|other| other.value.title() == title);
    let points = shared.flat_map(Facet::series).flat_map(|series| &series.points);
    let values = points.flat_map(|point| {
        let Point { value, low, high, open_low, .. } = *point;
        // An open end has no value.
        [Some(value), low.filter(|_| !open_low), high].into_iter().flatten()
    });
    let guides = facets.iter().filter(|other| other.value.title() == title);
    let guides = guides.flat_map(|facet| &facet.guides).filter_map(|guide| match guide.line {
        GuideLine::Value(value) => Some(Value::Measured(value)),
        GuideLine::Ratio(_) => None,
    });
    Span::new(&facet.value, values.chain(guides))
}

/// Positions are compared down a column.
fn position_span(facets: &[Facet], index: usize, columns: usize) -> Span {
    let facet = &facets[index];
    let title = facet.position.title();
    let column = facets.iter().skip(index % columns).step_by(columns);
    let shared: Vec<&Facet> = column.filter(|other| other.position.title() == title).collect();
    let points = shared.iter().flat_map(|facet| facet.series()).flat_map(|series| &series.points);
    let limits = shared.iter().filter_map(|facet| facet.position.limit.as_ref()?.at);
    let ticks = shared.iter().filter_map(|facet| facet.position.ticks.as_ref()).flatten().copied();
    let values = points.map(|point| point.at).chain(limits).chain(ticks);
    Span::new(&facet.position, values.map(at))
}
