//! The texts beside the rows of a panel, one for each series.

use super::canvas::Canvas;
use super::facet::PointPositions;
use super::font::{self, Weight};
use super::group::Group;
use super::layout::{FramedFacet, Rect, SMALL, plain};
use crate::chart::{Chart, Facet};

/// The distance from the right edge of a panel to the text.
pub(super) const BESIDE: f64 = 8.0;

/// The width of the texts beside a panel's rows.
pub(super) fn width(facet: &Facet) -> f64 {
    let texts = facet.series().iter().filter_map(|series| series.end.as_deref());
    let texts: Vec<&str> = texts.collect();
    let title = facet.end_title.as_deref().filter(|_| !texts.is_empty());
    let all = texts.iter().copied().chain(title);
    all.map(|text| BESIDE + font::width(text, SMALL, Weight::Regular)).fold(0.0, f64::max)
}

/// Draws the texts beside rows, each in its own row.
pub(super) fn draw(canvas: &mut Canvas<'_>, framed: &FramedFacet<'_>, rect: Rect, chart: &Chart) {
    let positions = PointPositions::new(framed, rect, chart);
    for series in framed.facet.series() {
        if let (Some(text), Some(last)) = (&series.end, series.points.last()) {
            // The text is in the middle of the row, even if the mark is shifted.
            let (_, y) = positions.at(last.at.round(), last.value, series.style);
            canvas.within(series.style.map(Group::Series), |canvas| {
                canvas.text(text, (rect.right() + BESIDE, y + 0.32 * SMALL), plain(SMALL));
            });
        }
    }
}
