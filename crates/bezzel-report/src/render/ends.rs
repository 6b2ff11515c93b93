//! The texts beside the rows of a panel, one for each series.

use super::canvas::Canvas;
use super::facet::PointPositions;
use super::font::{self, Weight};
use super::group::Group;
use super::layout::{FramedFacet, Rect, SMALL, plain, shortened};
use crate::solver_names::with_solver_names;

/// The distance from the right edge of a panel to the text.
pub(super) const BESIDE: f64 = 8.0;
/// The largest width in a narrow figure, as a share of the space for names.
const SHARE: f64 = 0.75;

/// The text beside a row, cut in a narrow figure.
fn shown(framed: &FramedFacet<'_>, text: &str) -> String {
    let text = with_solver_names(text);
    let space = SHARE * framed.name_space;
    if framed.is_narrow { shortened(&text, space, SMALL, Weight::Regular) } else { text }
}

/// The width of the texts beside a panel's rows.
pub(super) fn width(framed: &FramedFacet<'_>) -> f64 {
    let texts = framed.facet.series().iter().filter_map(|series| series.end.as_deref());
    let texts: Vec<String> = texts.map(|text| shown(framed, text)).collect();
    let title = framed.facet.end_title.as_ref().filter(|_| !texts.is_empty());
    let all = texts.iter().chain(title);
    all.map(|text| BESIDE + font::width(text, SMALL, Weight::Regular)).fold(0.0, f64::max)
}

/// Draws the texts beside rows, each in its own row.
pub(super) fn draw(canvas: &mut Canvas<'_>, framed: &FramedFacet<'_>, rect: Rect) {
    let positions = PointPositions::new(framed, rect);
    for series in framed.facet.series() {
        if let (Some(text), Some(last)) = (&series.end, series.points.last()) {
            // The text is in the middle of the row, even if the mark is shifted.
            let (_, y) = positions.at(last.at.round(), last.value, series.style);
            canvas.within(series.style.map(Group::Series), |canvas| {
                let position = (rect.right() + BESIDE, y + 0.32 * SMALL);
                canvas.text(&shown(framed, text), position, plain(SMALL));
            });
        }
    }
}
