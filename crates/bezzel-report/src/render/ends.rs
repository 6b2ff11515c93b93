//! The texts at the ends of lines: beside their last points, without overlaps.

use super::canvas::Canvas;
use super::facet::PointPositions;
use super::font::{self, Weight};
use super::group::Group;
use super::layout::{FramedFacet, Rect, SMALL, plain};
use super::marker::{self, Fill, RADIUS};
use super::pen::{Pen, PixelPosition};
use super::style::{GREY, color, marker as marker_of};
use crate::chart::{Chart, Facet};

/// The distances from the panel's right edge to the markers and to the text.
const MARKERS: f64 = 20.0;
const TEXT: f64 = 29.0;
/// The distance from the right edge of a panel with rows to the text.
const BESIDE: f64 = 8.0;
/// The height of a line of text.
const LINE: f64 = 15.5;

/// The end of a line.
struct End {
    style: Option<usize>,
    text: String,
    tip: PixelPosition,
}

/// The distance from the panel's right edge to the text.
pub(super) fn indent(facet: &Facet) -> f64 {
    if facet.sideways { BESIDE } else { TEXT }
}

/// The width of the texts at the ends of a panel's lines.
pub(super) fn width(facet: &Facet) -> f64 {
    let texts = facet.series().iter().filter_map(|series| series.end.as_deref());
    let texts: Vec<&str> = texts.collect();
    let title = facet.end_title.as_deref().filter(|_| !texts.is_empty());
    let all = texts.iter().copied().chain(title);
    let indent = indent(facet);
    all.map(|text| indent + font::width(text, SMALL, Weight::Regular)).fold(0.0, f64::max)
}

/// The height of the texts at the ends of a panel's lines.
pub(super) fn height(facet: &Facet) -> f64 {
    LINE * facet.series().iter().filter(|series| series.end.is_some()).count() as f64 + 4.0
}

/// Draws the texts at the ends of lines.
pub(super) fn draw(canvas: &mut Canvas<'_>, framed: &FramedFacet<'_>, rect: Rect, chart: &Chart) {
    let positions = PointPositions::new(framed, rect, chart);
    if framed.facet.sideways {
        beside(canvas, framed, rect, &positions);
        return;
    }
    let mut ends: Vec<End> = Vec::new();
    for series in framed.facet.series() {
        let (Some(text), Some(last)) = (&series.end, series.points.last()) else { continue };
        let tip = positions.of(series, last);
        ends.push(End { style: series.style, text: text.clone(), tip });
    }
    ends.sort_by(|one, two| one.tip.1.total_cmp(&two.tip.1));
    let wanted: Vec<f64> = ends.iter().map(|end| end.tip.1).collect();
    let heights = spread(&wanted, LINE, rect.top + 2.0, rect.bottom() - 2.0);
    for (end, y) in ends.iter().zip(heights) {
        let leader = Pen::new(GREY, 0.6);
        let x = rect.right() + MARKERS;
        canvas.within(end.style.map(Group::Series), |canvas| {
            canvas.line(&[end.tip, (rect.right() + 6.0, y), (x - RADIUS - 1.0, y)], leader);
            let (shape, tone) = (marker_of(end.style), color(end.style));
            marker::draw(canvas, (x, y), shape, RADIUS, tone, Fill::Full);
            canvas.text(&end.text, (rect.right() + TEXT, y + 0.32 * SMALL), plain(SMALL));
        });
    }
}

/// Draws the texts beside rows, each in its own row.
fn beside(
    canvas: &mut Canvas<'_>,
    framed: &FramedFacet<'_>,
    rect: Rect,
    positions: &PointPositions<'_>,
) {
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

/// Heights near the wanted ones, which rise. They are at least `step` apart, and within the bounds if there is enough
/// space.
fn spread(wanted: &[f64], step: f64, low: f64, high: f64) -> Vec<f64> {
    // Blocks of neighbours that touch, each with its number of members and the sum of the wanted heights of its first
    // member.
    let mut blocks: Vec<(usize, f64)> = Vec::new();
    let top = |&(count, sum): &(usize, f64)| {
        let max = high - step * (count - 1) as f64;
        (sum / count as f64).min(max).max(low)
    };
    for &height in wanted {
        blocks.push((1, height));
        while let [.., above, below] = blocks[..] {
            if top(&above) + step * above.0 as f64 <= top(&below) {
                break;
            }
            let sum = above.1 + below.1 - (below.0 * above.0) as f64 * step;
            blocks.truncate(blocks.len() - 2);
            blocks.push((above.0 + below.0, sum));
        }
    }
    blocks
        .iter()
        .flat_map(|block| (0..block.0).map(move |turn| top(block) + step * turn as f64))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_would_touch_make_room_for_each_other() {
        assert_eq!(spread(&[10.0, 50.0], 10.0, 0.0, 100.0), [10.0, 50.0]);
        assert_eq!(spread(&[50.0, 50.0], 10.0, 0.0, 100.0), [45.0, 55.0]);
        assert_eq!(spread(&[20.0, 24.0, 70.0], 10.0, 0.0, 100.0), [17.0, 27.0, 70.0]);
    }

    #[test]
    fn labels_stay_within_the_bounds() {
        assert_eq!(spread(&[0.0, 0.0], 10.0, 0.0, 100.0), [0.0, 10.0]);
        assert_eq!(spread(&[99.0, 100.0], 10.0, 0.0, 100.0), [90.0, 100.0]);
        assert_eq!(spread(&[], 10.0, 0.0, 100.0), Vec::<f64>::new());
    }

    #[test]
    fn no_two_labels_are_ever_closer_than_the_step() {
        let wanted = [1.0, 1.5, 2.0, 9.0, 9.1, 30.0, 31.0, 32.0, 33.0, 99.0];
        let heights = spread(&wanted, 9.0, 0.0, 100.0);
        assert!(heights.windows(2).all(|pair| pair[1] - pair[0] >= 9.0 - 1e-9), "{heights:?}");
        assert!(heights.iter().all(|height| (0.0..=100.0).contains(height)), "{heights:?}");
    }
}
