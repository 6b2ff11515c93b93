//! The inside of a panel: lines, bars and marks.

use plotters::style::RGBColor;

use super::board;
use super::canvas::{Anchor, Canvas, Pen, Spot, Type};
use super::font::{Weight, width};
use super::frame::{Framed, Rect, SMALL, plain};
use super::heat;
use super::marker::{self, Fill, RADIUS};
use super::spot;
use super::style::{GREY, INK, color, dash, marker as marker_of, tint};
use super::thin::{self, Drawn};
use crate::chart::{Body, Chart, Mark, Point, Series};
use crate::statistics::Value;

/// The farthest that neighbouring marks of one position are set apart, in pixels.
const APART: f64 = 6.0;
/// The share of the room between two positions that marks may take.
const SHARE: f64 = 0.42;
/// The thickness of a block, as a share of the room for its name.
pub(super) const BLOCK: f64 = 0.62;

/// Where the points of a panel are on the canvas.
pub(super) struct Places<'a> {
    pub(super) framed: &'a Framed<'a>,
    rect: Rect,
    /// How far marks of neighbouring encodings are set apart.
    apart: f64,
    /// The styles of the legend, in order.
    styles: Vec<usize>,
}

impl<'a> Places<'a> {
    pub(super) fn new(framed: &'a Framed<'a>, rect: Rect, chart: &Chart) -> Self {
        let styles: Vec<usize> = chart.legend.iter().map(|entry| entry.style).collect();
        let mut places = Self { framed, rect, apart: 0.0, styles };
        if let (true, Some(ticks)) = (framed.panel.apart, &framed.panel.position.ticks) {
            let mut xs: Vec<f64> =
                ticks.iter().map(|&at| framed.position.place(at) * rect.width).collect();
            xs.sort_by(f64::total_cmp);
            let gaps = xs.windows(2).map(|pair| pair[1] - pair[0]);
            let gap = gaps.fold(rect.width, f64::min);
            places.apart = (SHARE * gap / places.styles.len().max(1) as f64).min(APART);
        }
        places
    }

    /// How far to the right marks of this style are set, in pixels.
    pub(super) fn aside(&self, style: Option<usize>) -> f64 {
        let middle = (self.styles.len() as f64 - 1.0) / 2.0;
        let turn = self.styles.iter().position(|&known| Some(known) == style);
        turn.map_or(0.0, |turn| (turn as f64 - middle) * self.apart)
    }

    pub(super) fn at(&self, at: f64, value: Value, style: Option<usize>) -> Spot {
        let along = self.framed.position.place(at);
        let up = self.framed.value.place_of(value);
        if self.framed.panel.sideways {
            return (
                self.rect.left + up * self.rect.width,
                self.rect.top + along * self.rect.height,
            );
        }
        (
            self.rect.left + along * self.rect.width + self.aside(style),
            self.rect.bottom() - up * self.rect.height,
        )
    }

    pub(super) fn of(&self, series: &Series, point: &Point) -> Spot {
        self.at(point.at, point.value, series.style)
    }

    /// The direction in which values grow.
    fn growing(&self) -> Spot {
        if self.framed.panel.sideways { (1.0, 0.0) } else { (0.0, -1.0) }
    }
}

/// Draws the series of a panel.
pub(super) fn draw(canvas: &mut Canvas<'_>, framed: &Framed<'_>, rect: Rect, chart: &Chart) {
    let places = Places::new(framed, rect, chart);
    let all = framed.panel.series();
    match &framed.panel.body {
        Body::Board(diagram) => return board::draw(canvas, rect, diagram),
        _ if framed.panel.is_empty() => {
            let spot = (rect.left + rect.width / 2.0, rect.top + rect.height / 2.0);
            let kind = Type { color: GREY, anchor: Anchor::Middle, ..plain(SMALL) };
            return canvas.text("nothing measured", spot, kind);
        }
        Body::Heat(heat) => return heat::draw(canvas, framed, rect, heat),
        Body::Series(_) => {}
    }
    for series in all {
        lines(canvas, &places, series);
    }
    for series in all {
        for point in &series.points {
            match point.mark {
                Mark::Block(parts) => block(canvas, &places, series, point, parts),
                _ => bar(canvas, &places, series, point),
            }
        }
    }
    // Dots first, so that the marks that stand for many are not covered by them.
    for small in [true, false] {
        for series in all {
            let mut drawn = Drawn::default();
            for point in &series.points {
                let (spot, over) = (places.of(series, point), point.value == Value::OverLimit);
                if point.mark.is_dot() == small
                    && drawn.is_new(point.mark, over, spot, series.points.len())
                {
                    mark(canvas, &places, series, point);
                }
            }
        }
    }
}

fn lines(canvas: &mut Canvas<'_>, places: &Places<'_>, series: &Series) {
    let width = if series.dense { 1.4 } else { 1.6 };
    let pen = Pen { dash: dash(series.style), ..Pen::new(color(series.style), width) };
    let mut line: Vec<Spot> = Vec::new();
    for point in &series.points {
        if !point.joined {
            canvas_line(canvas, &line, pen);
            line.clear();
        }
        line.push(places.of(series, point));
    }
    canvas_line(canvas, &line, pen);
}

fn canvas_line(canvas: &mut Canvas<'_>, line: &[Spot], pen: Pen) {
    if line.len() > 1 {
        canvas.line(&thin::line(line), pen);
    }
}

fn bar(canvas: &mut Canvas<'_>, places: &Places<'_>, series: &Series, point: &Point) {
    let (Some(low), Some(high)) = (point.low, point.high) else { return };
    let tone = color(series.style);
    let from = places.at(point.at, low, series.style);
    let to = places.at(point.at, high, series.style);
    canvas.line(&[from, to], Pen::new(tone, 1.3));
    let (right, down) = places.growing();
    let caps = [(from, low), (to, high)];
    for ((x, y), end) in caps {
        match end {
            Value::Measured(_) => {
                let (aside, along) = (3.0 * down.abs(), 3.0 * right.abs());
                canvas.line(&[(x - aside, y - along), (x + aside, y + along)], Pen::new(tone, 1.3));
            }
            Value::OverLimit => marker::arrow(canvas, (x, y), (right, down), tone),
        }
    }
}

fn mark(canvas: &mut Canvas<'_>, places: &Places<'_>, series: &Series, point: &Point) {
    let tone = color(series.style);
    let spot = places.of(series, point);
    let own = marker_of(series.style);
    let small = point.mark.is_dot() || point.mark == Mark::None;
    if point.mark != Mark::None {
        let middle = match point.mark {
            Mark::Block(_) => {
                let low = point.low.unwrap_or(Value::Measured(0.0));
                let (left, _) = places.at(point.at, low, series.style);
                (f64::midpoint(left, spot.0), spot.1)
            }
            _ => spot,
        };
        canvas.tell(middle, spot::of_point(places.framed.panel, series, point));
    }
    if point.value == Value::OverLimit && !small {
        marker::arrow(canvas, spot, places.growing(), tone);
    }
    match point.mark {
        Mark::Filled => marker::draw(canvas, spot, own, RADIUS, tone, Fill::Full),
        Mark::Hollow => marker::draw(canvas, spot, own, RADIUS, tone, Fill::Hollow),
        Mark::Dot => marker::dot(canvas, spot, tint(tone, 5), Fill::Full),
        Mark::HollowDot => marker::dot(canvas, spot, tint(tone, 5), Fill::Hollow),
        Mark::Shape(shape) => {
            marker::draw(canvas, spot, shape, RADIUS + 0.6, tone, Fill::Full);
        }
        Mark::HollowShape(shape) => {
            marker::draw(canvas, spot, shape, RADIUS + 0.6, tone, Fill::Hollow);
        }
        Mark::Block(_) | Mark::Box | Mark::HollowBox | Mark::None => {}
    }
}

/// A block from the point's lower end to its value, with the series' name if there is room.
fn block(canvas: &mut Canvas<'_>, places: &Places<'_>, series: &Series, point: &Point, parts: u8) {
    let tone: RGBColor = tint(color(series.style), parts);
    let (left, y) = places.at(point.at, point.low.unwrap_or(Value::Measured(0.0)), series.style);
    let (right, _) = places.of(series, point);
    let room = places.framed.position.place(1.0) - places.framed.position.place(0.0);
    let half = BLOCK * room * places.rect.height / 2.0;
    let (top, bottom) = (y - half, y + half);
    canvas.fill(&[(left, top), (right, top), (right, bottom), (left, bottom)], tone);
    let size = SMALL - 1.0;
    if width(&series.label, size, Weight::Regular) + 6.0 <= right - left {
        let spot = (f64::midpoint(left, right), y + 0.32 * size);
        let kind = Type { color: INK, anchor: Anchor::Middle, ..plain(size) };
        canvas.text(&series.label, spot, kind);
    }
}
