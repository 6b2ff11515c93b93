//! The content of a panel: lines, bars and marks.

use bezzel_statistics::Value;

use super::canvas::{Anchor, Canvas, Pen, PixelPosition, TextStyle};
use super::font::{Weight, width};
use super::group::Group;
use super::layout::{FramedFacet, LEAST_BESIDE_NAMES, Rect, SMALL, plain, shortened};
use super::marker::{ARROW, Fill, RADIUS};
use super::style::{GREY, PALE, color_of, dash, marker as marker_of, tint};
use super::{drawing, heat, mark_label, marker};
use crate::chart::{FacetBody, GuideLine, Mark, Point, Series, pieces};
use crate::label::with_solver_names;

/// The largest distance between neighbouring marks of one position, in pixels.
const APART: f64 = 6.0;
/// The share of the width of a panel by which a mark may be displaced.
const SHARE: f64 = 0.015;

/// The positions of the points of a panel on the canvas.
pub(super) struct PointPositions<'a> {
    framed: &'a FramedFacet<'a>,
    rect: Rect,
    /// The distance between marks of neighbouring encodings.
    apart: f64,
    /// The styles of the panel, in the order of its series.
    styles: Vec<usize>,
}

impl<'a> PointPositions<'a> {
    pub(super) fn new(framed: &'a FramedFacet<'a>, rect: Rect) -> Self {
        let styles: Vec<usize> =
            framed.facet.series().iter().filter_map(|series| series.style).collect();
        let steps = styles.len().saturating_sub(1).max(1) as f64;
        let apart = (2.0 * SHARE * rect.width / steps).min(APART);
        Self { framed, rect, apart: if framed.facet.apart { apart } else { 0.0 }, styles }
    }

    /// The shift of marks of this style to the right, in pixels.
    fn aside(&self, style: Option<usize>) -> f64 {
        let middle = (self.styles.len() as f64 - 1.0) / 2.0;
        let turn = self.styles.iter().position(|&known| Some(known) == style);
        turn.map_or(0.0, |turn| (turn as f64 - middle) * self.apart)
    }

    /// The position of a mark, which may be displaced.
    pub(super) fn at(&self, at: f64, value: Value, style: Option<usize>) -> PixelPosition {
        let aside = if self.framed.facet.sideways { 0.0 } else { self.aside(style) };
        let (x, y) = self.true_at(at, value);
        (x + aside, y)
    }

    /// The position of a value, which lines go through.
    fn true_at(&self, at: f64, value: Value) -> PixelPosition {
        self.position((self.framed.position.place(at), self.framed.value.place_of(value)))
    }

    /// The spot at shares of both axes.
    fn position(&self, (along, up): PixelPosition) -> PixelPosition {
        let Rect { left, top, width, height } = self.rect;
        if self.framed.facet.sideways {
            (left + up * width, top + along * height)
        } else {
            (left + along * width, self.rect.bottom() - up * height)
        }
    }

    pub(super) fn of(&self, series: &Series, point: &Point) -> PixelPosition {
        self.at(point.at, point.value, series.style)
    }

    /// A stroke across the direction in which values grow, with a spot in its middle.
    fn across(&self, (x, y): PixelPosition, half: f64) -> [PixelPosition; 2] {
        let (right, down) = self.growing();
        let (aside, along) = (half * down.abs(), half * right.abs());
        [(x - aside, y - along), (x + aside, y + along)]
    }

    /// The direction in which values grow.
    fn growing(&self) -> PixelPosition {
        if self.framed.facet.sideways { (1.0, 0.0) } else { (0.0, -1.0) }
    }
}

/// Draws the series of a panel.
pub(super) fn draw(canvas: &mut Canvas<'_>, framed: &FramedFacet<'_>, rect: Rect) {
    let positions = PointPositions::new(framed, rect);
    let all = framed.facet.series();
    match &framed.facet.body {
        FacetBody::Drawing(of) => return drawing::draw(canvas, rect, of),
        _ if framed.facet.is_empty() => {
            let kind = TextStyle { color: GREY, anchor: Anchor::Middle, ..plain(SMALL) };
            return canvas.text("nothing measured", rect.middle(), kind);
        }
        FacetBody::Heat(heat) => return heat::draw(canvas, framed, rect, heat),
        FacetBody::Series(_) => {}
    }
    guides(canvas, framed, rect);
    corners(canvas, framed, rect);
    let group = |series: &Series| series.style.map(Group::Series);
    for series in all.iter().filter(|series| series.band) {
        canvas.within(group(series), |canvas| band(canvas, &positions, series));
    }
    for series in all {
        canvas.within(group(series), |canvas| lines(canvas, &positions, series));
    }
    for series in all.iter().filter(|series| !series.band) {
        canvas.within(group(series), |canvas| {
            series.points.iter().for_each(|point| bar(canvas, &positions, series, point));
        });
    }
    for series in all {
        canvas.within(group(series), |canvas| {
            series.points.iter().for_each(|point| mark(canvas, &positions, series, point));
        });
    }
}

fn lines(canvas: &mut Canvas<'_>, positions: &PointPositions<'_>, series: &Series) {
    let pen = Pen { dash: dash(series.style), ..Pen::new(color_of(series), 1.5) };
    for piece in pieces(&series.points) {
        let line = piece.iter().map(|point| positions.true_at(point.at, point.value));
        let line: Vec<PixelPosition> = line.collect();
        if line.len() > 1 {
            canvas.line(&line, pen);
        }
    }
}

/// Draws the reference lines, each with its label at its end within the panel unless marks are at that position.
fn guides(canvas: &mut Canvas<'_>, framed: &FramedFacet<'_>, rect: Rect) {
    let (low, high) = framed.position.range();
    let positions = PointPositions::new(framed, rect);
    let all = framed.facet.series().iter();
    let marks: Vec<PixelPosition> = all
        .flat_map(|series| series.points.iter().map(|point| positions.of(series, point)))
        .collect();
    for guide in &framed.facet.guides {
        let pen = match (guide.main, guide.line) {
            (true, _) => Pen::new(GREY, 1.2),
            // A pale line is invisible among the pale lines of the grid.
            (false, GuideLine::Value(_)) => Pen::new(GREY, 0.6),
            (false, GuideLine::Ratio(_)) => Pen::new(PALE, 1.2),
        };
        let (from, to) = match guide.line {
            GuideLine::Ratio(ratio) => ((low, low * ratio), (high, high * ratio)),
            GuideLine::Value(value) => ((low, value), (high, value)),
        };
        let place =
            |(at, value): (f64, f64)| (framed.position.place(at), framed.value.place(value));
        let across = matches!(guide.line, GuideLine::Value(_));
        // A value has a line across the whole panel, a ratio only where both axes have numbers.
        let ends = if across {
            let (_, value) = place(from);
            Some(((0.0, value), (1.0, value)))
        } else {
            let max = (framed.position.place(high), framed.value.place(framed.value.range().1));
            clipped(place(from), place(to), max)
        };
        let Some((from, to)) = ends else { continue };
        canvas.line(&[positions.position(from), positions.position(to)], pen);
        if let Some(label) = &guide.label {
            let size = SMALL - 2.0;
            let kind = TextStyle { color: GREY, ..plain(size) };
            let wide = width(label, size, Weight::Regular);
            let is_steep = to.0 + 1e-9 < 1.0 && to.1 >= to.0;
            let (x, y) = positions.position(to);
            // The label is below a line that ends at the right edge, and before a line that ends at the top.
            let beside =
                if is_steep { (x - 6.0 - wide, y + 10.0) } else { (x - 2.0 - wide, y + 15.0) };
            let free = |(x, y): PixelPosition| {
                marks.iter().all(|&(across, down)| {
                    let aside = (x - RADIUS - 2.0..x + wide + RADIUS + 2.0).contains(&across);
                    !(aside && (y - size - RADIUS..y + RADIUS + 2.0).contains(&down))
                })
            };
            if free(beside) {
                canvas.text(label, beside, kind);
            }
        }
    }
}

/// Writes the texts into the corners, below the line of a limit and before it.
fn corners(canvas: &mut Canvas<'_>, framed: &FramedFacet<'_>, rect: Rect) {
    let Some([upper, lower]) = &framed.facet.corners else { return };
    let grey = TextStyle { color: GREY, ..plain(SMALL - 1.0) };
    let [top, right] = [&framed.value, &framed.position].map(|span| span.border().unwrap_or(1.0));
    let space = 0.6 * rect.width;
    let cut = |text: &str| shortened(text, space, SMALL - 1.0, Weight::Regular);
    let y = rect.bottom() - top * rect.height;
    canvas.text(&cut(upper), (rect.left + 6.0, y + 14.0), grey);
    let position = (rect.left + right * rect.width - 6.0, rect.bottom() - 8.0);
    canvas.text(&cut(lower), position, TextStyle { anchor: Anchor::End, ..grey });
}

/// The part of a rising line that is between 0 and `max` in both directions. None if there is none.
fn clipped(
    from: PixelPosition,
    to: PixelPosition,
    max: PixelPosition,
) -> Option<(PixelPosition, PixelPosition)> {
    let slope = (to.1 - from.1) / (to.0 - from.0);
    if !slope.is_finite() || slope <= 0.0 {
        return None;
    }
    let up = |x: f64| from.1 + slope * (x - from.0);
    let along = |y: f64| from.0 + (y - from.1) / slope;
    let start = if up(0.0) >= 0.0 { (0.0, up(0.0)) } else { (along(0.0), 0.0) };
    let end = if up(max.0) <= max.1 { (max.0, up(max.0)) } else { (along(max.1), max.1) };
    (start.0 < end.0).then_some((start, end))
}

/// Draws the bars of joined points as one light band.
fn band(canvas: &mut Canvas<'_>, positions: &PointPositions<'_>, series: &Series) {
    let tone = color_of(series);
    let ends = |point: &Point| {
        let at = |value: Value| positions.at(point.at, value, series.style);
        Some((at(point.low?), at(point.high?)))
    };
    for piece in pieces(series.points.iter().filter(|point| ends(point).is_some())) {
        let piece: Vec<(PixelPosition, PixelPosition)> =
            piece.into_iter().filter_map(ends).collect();
        if let [(low, high)] = piece[..] {
            canvas.line(&[low, high], Pen::new(tone, 1.3));
            continue;
        }
        let lows = piece.iter().map(|ends| ends.0);
        let highs = piece.iter().rev().map(|ends| ends.1);
        let edge: Vec<PixelPosition> = lows.chain(highs).collect();
        // Bands are opaque, with an edge where they overlap. The order of transparent areas in a PDF would vary.
        canvas.fill(&edge, tint(tone, 2));
        for edge in edge.chunks(piece.len()) {
            canvas.line(edge, Pen::new(tint(tone, 6), 0.8));
        }
    }
}

fn bar(canvas: &mut Canvas<'_>, positions: &PointPositions<'_>, series: &Series, point: &Point) {
    let (Some(low), Some(high)) = (point.low, point.high) else { return };
    let tone = color_of(series);
    let from = positions.at(point.at, low, series.style);
    let to = positions.at(point.at, high, series.style);
    canvas.line(&[from, to], Pen::new(tone, 1.3));
    let growing = positions.growing();
    for (position, end, is_open) in [(from, low, point.open_low), (to, high, false)] {
        match end {
            // The arrow ends at the edge of the panel.
            _ if is_open => {
                let (right, down) = growing;
                let start = (position.0 + ARROW * right, position.1 + ARROW * down);
                marker::arrow(canvas, start, (-right, -down), tone);
            }
            Value::Measured(_) => {
                canvas.line(&positions.across(position, 3.0), Pen::new(tone, 1.3));
            }
            Value::OverLimit => marker::arrow(canvas, position, growing, tone),
        }
    }
}

fn mark(canvas: &mut Canvas<'_>, positions: &PointPositions<'_>, series: &Series, point: &Point) {
    let tone = color_of(series);
    let position = positions.of(series, point);
    let own = marker_of(series.style);
    if point.mark != Mark::None {
        let text = mark_label::of_point(positions.framed.facet, series, point);
        canvas.add_mark_label(position, text, &point.keys);
        if point.value == Value::OverLimit {
            marker::arrow(canvas, position, positions.growing(), tone);
        }
    }
    match point.mark {
        Mark::Filled => marker::draw(canvas, position, own, RADIUS, tone, Fill::Full),
        Mark::Hollow => marker::draw(canvas, position, own, RADIUS, tone, Fill::Hollow),
        Mark::Shape(shape) => {
            marker::draw(canvas, position, shape, RADIUS + 0.6, tone, Fill::Full);
        }
        Mark::HollowShape(shape) => {
            marker::draw(canvas, position, shape, RADIUS + 0.6, tone, Fill::Hollow);
        }
        Mark::Tick => canvas.line(&positions.across(position, 6.5), Pen::new(tone, 2.2)),
        Mark::None => {}
    }
}

/// The least distance from the right edge of a panel, and from the tip of an arrow, to the texts beside its rows.
const BESIDE: (f64, f64) = (8.0, 3.0);

/// The distance from the right edge of a panel to the texts beside its rows, which arrows do not touch.
pub(super) fn beside(framed: &FramedFacet<'_>) -> f64 {
    let inside = framed.value.over.map(|over| (1.0 - over) * LEAST_BESIDE_NAMES);
    inside.map_or(0.0, |inside| ARROW - inside + BESIDE.1).max(BESIDE.0)
}

/// The text beside a row, cut in a narrow figure.
fn shown(framed: &FramedFacet<'_>, text: &str) -> String {
    let text = with_solver_names(text);
    match framed.end_space {
        Some(space) => shortened(&text, space, SMALL, Weight::Regular),
        None => text,
    }
}

/// The width of the texts beside a panel's rows.
pub(super) fn ends_width(framed: &FramedFacet<'_>) -> f64 {
    let texts = framed.facet.series().iter().filter_map(|series| series.end.as_deref());
    let texts: Vec<String> = texts.map(|text| shown(framed, text)).collect();
    let title = framed.facet.end_title.as_ref().filter(|_| !texts.is_empty());
    let all = texts.iter().chain(title);
    all.map(|text| beside(framed) + width(text, SMALL, Weight::Regular)).fold(0.0, f64::max)
}

/// Draws the texts beside rows, each in its own row.
pub(super) fn draw_ends(canvas: &mut Canvas<'_>, framed: &FramedFacet<'_>, rect: Rect) {
    let positions = PointPositions::new(framed, rect);
    for series in framed.facet.series() {
        if let (Some(text), Some(last)) = (&series.end, series.points.last()) {
            // The text is in the middle of the row, even if the mark is shifted.
            let (_, y) = positions.at(last.at.round(), last.value, series.style);
            canvas.within(series.style.map(Group::Series), |canvas| {
                let position = (rect.right() + beside(framed), y + 0.32 * SMALL);
                canvas.text(&shown(framed, text), position, plain(SMALL));
            });
        }
    }
}
