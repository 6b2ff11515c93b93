//! The legends of a chart, which follow from its content.

use crate::chart::{Chart, FacetBody, LegendEntry, LegendSign, Point, Series, SignKind};
use crate::dataset::Dataset;
use crate::look::unused_look;
use bezzel_statistics::Value;

/// The chart with the encodings and the marks that occur in it. Bars are explained as quartiles over `spread`. None if
/// nothing is drawn.
pub(super) fn with_legends(mut chart: Chart, dataset: &Dataset<'_>, spread: &str) -> Option<Chart> {
    let styles = chart.points().filter_map(|(_, series, _)| series.style).collect();
    chart.legend = dataset.legend(&styles);
    with_signs(chart, spread)
}

/// The chart with the signs of the marks that occur in it behind its own signs. Bars are explained as quartiles over
/// `spread`. None if nothing is drawn.
pub(super) fn with_signs(mut chart: Chart, spread: &str) -> Option<Chart> {
    chart.signs.extend(signs(&chart, spread));
    (!chart.is_empty()).then_some(chart)
}

/// Adds a published series to a panel of series, with an entry in the legend and a look of its own.
pub fn add_published(
    chart: &mut Chart,
    facet: usize,
    label: &str,
    points: impl IntoIterator<Item = Point>,
) {
    let style = unused_look(chart.legend.iter().map(|entry| entry.style));
    if let Some(FacetBody::Series(series)) =
        chart.facets.get_mut(facet).map(|facet| &mut facet.body)
    {
        series.push(Series::new(style, label, points.into_iter().collect()));
        chart.legend.push(LegendEntry { style, label: label.to_owned() });
    }
}

/// The signs of the marks that occur in a chart, bars explained as quartiles over `spread`.
fn signs(chart: &Chart, spread: &str) -> Vec<LegendSign> {
    let any = |is: fn(&Point) -> bool| chart.points().any(|(_, _, point)| is(point));
    let known = [
        (
            chart.points().any(|(_, series, point)| series.band && point.low.is_some()),
            SignKind::Band,
            format!("quartiles over {spread}"),
        ),
        (
            chart.points().any(|(_, series, point)| point.low.is_some() && !series.band),
            SignKind::Bar,
            format!("quartiles over {spread}"),
        ),
        (any(|point| point.mark.is_hollow()), SignKind::Hollow, "unchecked".to_owned()),
        (
            any(|point| point.value == Value::OverLimit || point.at == f64::INFINITY),
            SignKind::OverLimit,
            "over the limit".to_owned(),
        ),
    ];
    occurring(known)
}

/// The signs that occur.
pub(super) fn occurring(
    known: impl IntoIterator<Item = (bool, SignKind, String)>,
) -> Vec<LegendSign> {
    let known = known.into_iter().filter(|(occurs, _, _)| *occurs);
    known.map(|(_, sign, label)| LegendSign { sign, label }).collect()
}
