//! The marks of a panel in `PGFPlots`: lines, bars and markers at their values.

use std::fmt::Write;

use indexmap::IndexMap;

use super::super::facet::{PointPositions, WASH};
use super::super::layout::FramedFacet;
use super::super::marker::{self, RADIUS};
use super::super::style::{MARKERS, color, dash, marker as marker_of};
use super::super::tikz::{TikzSource, dashes, points, short};
use crate::chart::{Chart, Mark, Point, Series, pieces};
use crate::statistics::Value;

/// A number for `PGFPlots`: with seven digits at most, since TeX has no more.
pub(super) fn number(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 1e7 {
        return format!("{number}");
    }
    let text = format!("{number:.6e}");
    let Some((digits, power)) = text.split_once('e') else { return text };
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    if power == "0" { digits.into() } else { format!("{digits}e{power}") }
}

/// Declares the markers, which are those of the other pictures.
pub(super) fn shapes(chart: &Chart) -> String {
    let mut used: Vec<usize> = Vec::new();
    for (_, series, point) in chart.points() {
        match point.mark {
            Mark::Filled | Mark::Hollow => used.push(marker_of(series.style)),
            Mark::Shape(shape) | Mark::HollowShape(shape) => used.push(shape % MARKERS),
            _ => {}
        }
    }
    used.sort_unstable();
    used.dedup();
    let mut text = String::new();
    // Marker 0 is a disc, which PGFPlots has.
    for shape in used.into_iter().filter(|&shape| shape > 0) {
        let corners =
            marker::outline(shape).into_iter().enumerate().map(|(turn, (right, down))| {
                let step = if turn == 0 { "moveto" } else { "lineto" };
                let part = |share: f64| format!("{}\\pgfplotmarksize", short(share));
                format!("\\pgfpath{step}{{\\pgfpoint{{{}}}{{{}}}}}", part(right), part(-down))
            });
        let corners: String = corners.collect();
        writeln!(
            text,
            "\\pgfdeclareplotmark{{bezzel{shape}}}{{{corners}\\pgfpathclose\\pgfusepathqfillstroke}}"
        )
        .expect("a string takes what is written");
    }
    text
}

/// The marks of a panel.
pub(super) fn draw(
    source: &mut TikzSource,
    positions: &PointPositions<'_>,
    all: &[Series],
) -> String {
    let mut plots = Plots { source, positions, text: String::new() };
    for series in all.iter().filter(|series| series.band) {
        plots.band(series);
    }
    for series in all {
        plots.lines(series);
    }
    for series in all {
        for point in &series.points {
            if !series.band {
                plots.bar(series, point);
            }
        }
    }
    for series in all {
        plots.marks(series);
    }
    plots.text
}

struct Plots<'p, 'a> {
    source: &'p mut TikzSource,
    positions: &'p PointPositions<'a>,
    text: String,
}

impl Plots<'_, '_> {
    fn add(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn framed(&self) -> &FramedFacet<'_> {
        self.positions.framed
    }

    /// A point of the panel in the numbers of its axes.
    fn at(&self, at: f64, value: Value) -> String {
        let value = match value {
            Value::Measured(value) if value > 0.0 => value,
            // Zeros of a log axis and values over the limit have strips of their own.
            other => self.framed().value.number_at(self.framed().value.place_of(other)),
        };
        let position = &self.framed().position;
        let at = if at.is_finite() { at } else { position.number_at(position.place(at)) };
        let (at, value) = (number(at), number(value));
        if self.framed().facet.sideways {
            format!("({value},{at})")
        } else {
            format!("({at},{value})")
        }
    }

    fn point(&self, point: &Point) -> String {
        self.at(point.at, point.value)
    }

    /// The shift of the marks of a series.
    fn aside(&self, series: &Series) -> String {
        match self.positions.aside(series.style) {
            aside if aside.abs() < 0.01 => String::new(),
            aside => format!(",xshift={}", points(aside)),
        }
    }

    fn lines(&mut self, series: &Series) {
        let tone = self.source.color(color(series.style));
        let thick = points(if series.dense { 1.4 } else { 1.6 });
        let (dash, aside) = (dashes(dash(series.style)), self.aside(series));
        for run in pieces(&series.points).iter().filter(|run| run.len() > 1) {
            let coordinates = self.thinned(series, run);
            self.add(&format!(
                "\\addplot[{tone},line width={thick}{dash}{aside},mark=none] coordinates {{{coordinates}}};"
            ));
        }
    }

    /// The points without those that are drawn within half a pixel of the one before.
    fn thinned(&self, series: &Series, run: &[&Point]) -> String {
        let mut last: Option<(f64, f64)> = None;
        let mut coordinates = Vec::new();
        for (turn, point) in run.iter().enumerate() {
            let (x, y) = self.positions.of(series, point);
            let near = last.is_some_and(|(a, b)| (a - x).abs() < 0.5 && (b - y).abs() < 0.5);
            if !near || turn + 1 == run.len() {
                coordinates.push(self.point(point));
                last = Some((x, y));
            }
        }
        coordinates.join(" ")
    }

    /// Adds a light area from the lower to the upper ends of joined points.
    fn band(&mut self, series: &Series) {
        let tone = self.source.color(color(series.style));
        for run in pieces(series.points.iter().filter(|point| point.low.is_some())) {
            if let [alone] = run[..] {
                self.bar(series, alone);
                continue;
            }
            let low = run.iter().map(|point| self.at(point.at, point.low.unwrap_or(point.value)));
            let high = run.iter().map(|point| self.at(point.at, point.high.unwrap_or(point.value)));
            let around: Vec<_> = low.chain(high.rev()).collect();
            let around = around.join(" ");
            self.add(&format!(
                "\\addplot[draw=none,fill={tone},fill opacity={WASH},mark=none] coordinates {{{around}}} --cycle;"
            ));
        }
    }

    fn bar(&mut self, series: &Series, point: &Point) {
        let (Some(low), Some(high)) = (point.low, point.high) else { return };
        let tone = self.source.color(color(series.style));
        let (thick, size, aside) = (points(1.3), points(3.0), self.aside(series));
        let cap = if self.framed().facet.sideways { "|" } else { "-" };
        let ends = [low, high].map(|end| self.at(point.at, end));
        let capped: Vec<_> = [(low, point.open_low), (high, false)]
            .iter()
            .zip(&ends)
            .filter(|((end, is_open), _)| end.measured().is_some() && !is_open)
            .map(|(_, at)| at.clone())
            .collect();
        self.add(&format!(
            "\\addplot[{tone},line width={thick}{aside},mark=none] coordinates {{{} {}}};",
            ends[0], ends[1]
        ));
        if !capped.is_empty() {
            self.add(&format!(
                "\\addplot[only marks,{tone},mark={cap},mark size={size}{aside},mark options={{line \
                 width={thick},solid}}] coordinates {{{}}};",
                capped.join(" ")
            ));
        }
        if point.open_low {
            self.arrow(series, point.at, low, "latex-");
        }
        if high == Value::OverLimit {
            self.arrow(series, point.at, high, "-latex");
        }
    }

    /// Adds a line from the value in the direction in which values grow, with its tip at the start or at the end.
    fn arrow(&mut self, series: &Series, at: f64, value: Value, tip: &str) {
        let tone = self.source.color(color(series.style));
        let way = points(14.0);
        let way = if self.framed().facet.sideways {
            format!("({way},0pt)")
        } else {
            format!("(0pt,{way})")
        };
        let (thick, aside, from) = (points(1.4), self.aside(series), self.at(at, value));
        let from = from.trim_start_matches('(');
        self.add(&format!(
            "\\draw[{tone},line width={thick},{tip}{aside}] (axis cs:{from} -- ++{way};"
        ));
    }

    fn marks(&mut self, series: &Series) {
        // Marks of the same look, in the order in which each look first occurs.
        let mut looks: IndexMap<Mark, Vec<&Point>> = IndexMap::new();
        for point in series.points.iter().filter(|point| point.mark != Mark::None) {
            if point.value == Value::OverLimit {
                self.arrow(series, point.at, point.value, "-latex");
            }
            looks.entry(point.mark).or_default().push(point);
        }
        for (mark, alike) in looks {
            let coordinates = self.thinned(series, &alike);
            let (look, aside) = (self.look(series, mark), self.aside(series));
            self.add(&format!(
                "\\addplot[only marks{aside},{look}] coordinates {{{coordinates}}};"
            ));
        }
    }

    fn look(&mut self, series: &Series, mark: Mark) -> String {
        let tone = self.source.color(color(series.style));
        if mark == Mark::Tick {
            let stroke = if self.framed().facet.sideways { "|" } else { "-" };
            let (size, thick) = (points(6.5), points(2.2));
            return format!(
                "mark={stroke},mark size={size},mark options={{solid,draw={tone},line width={thick}}}"
            );
        }
        let own = marker_of(series.style);
        let (shape, radius) = match mark {
            Mark::Shape(shape) | Mark::HollowShape(shape) => (shape % MARKERS, RADIUS + 0.6),
            _ => (own, RADIUS),
        };
        let name = if shape == 0 { "*".to_owned() } else { format!("bezzel{shape}") };
        let (edge, inside, thick) =
            if mark.is_hollow() { (&*tone, "white", 1.5) } else { ("white", &*tone, 0.7) };
        format!(
            "mark={name},mark size={},mark options={{solid,draw={edge},fill={inside},line width={}}}",
            points(radius),
            points(thick)
        )
    }
}
