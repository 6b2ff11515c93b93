//! The legend, below the panels.

use super::canvas::{Canvas, Pen};
use super::font::{Weight, width};
use super::group::Group;
use super::layout::{Rect, SMALL, plain, shortened, wrapped};
use super::marker::{self, Fill, RADIUS};
use super::style::{GREY, color, dash, marker as marker_of, tint, tone};
use super::{drawing, heat};
use crate::chart::{Chart, LegendEntry, LegendSign, SignKind};

/// The height of a line.
const LINE: f64 = 20.0;
/// The length of the line before a label, and the distance to the label.
const SAMPLE: (f64, f64) = (26.0, 33.0);
/// The space between entries.
const GAP: f64 = 16.0;
const LEFT: f64 = 12.0;
/// The space for a sign.
const SIGN: f64 = 18.0;

/// A legend with its layout.
pub(super) struct Legend<'a> {
    entries: &'a [LegendEntry],
    /// The left end of each column of entries, and the largest width of its labels.
    columns: Vec<(f64, f64)>,
    /// The number of entries in a column.
    lines: usize,
    /// The signs with their lines of text.
    signs: Vec<PlacedSign<'a>>,
}

/// A sign with its place: to the right, and the number of its first line.
struct PlacedSign<'a> {
    sign: &'a LegendSign,
    x: f64,
    line: usize,
    text: Vec<String>,
}

fn label_width(label: &str) -> f64 {
    width(label, SMALL, Weight::Regular)
}

/// Lays entries out in as many columns as fit, each as wide as its own labels.
fn columns(entries: &[LegendEntry], space: f64) -> (usize, Vec<(f64, f64)>) {
    let widths: Vec<f64> = entries.iter().map(|entry| label_width(&entry.label)).collect();
    let mut best = (entries.len(), vec![(0.0, space - SAMPLE.1)]);
    for lines in (1..=entries.len()).rev() {
        let mut x = 0.0;
        let mut columns = Vec::new();
        for column in widths.chunks(lines) {
            let wide = column.iter().copied().fold(0.0, f64::max);
            columns.push((x, wide));
            x += SAMPLE.1 + wide + GAP;
        }
        if x - GAP <= space {
            best = (lines, columns);
        }
    }
    best
}

impl<'a> Legend<'a> {
    pub(super) fn new(chart: &'a Chart, width: f64) -> Self {
        let space = width - 2.0 * LEFT;
        let mut signs: Vec<PlacedSign<'a>> = Vec::new();
        let (mut x, mut line) = (0.0, 0);
        for sign in &chart.signs {
            let text = wrapped(&sign.label, space - SIGN, SMALL, Weight::Regular);
            let wide = SIGN + text.iter().map(|line| label_width(line)).fold(0.0, f64::max);
            if x > 0.0 && x + wide > space {
                line += signs.last().map_or(0, |last| last.text.len());
                x = 0.0;
            }
            signs.push(PlacedSign { sign, x, line, text });
            x += wide + GAP;
        }
        let (lines, columns) = columns(&chart.legend, space);
        Self { entries: &chart.legend, columns, lines, signs }
    }

    pub(super) fn height(&self) -> f64 {
        let signs = self.signs.last().map_or(0, |last| last.line + last.text.len());
        LINE * (self.lines + signs) as f64
    }

    pub(super) fn draw(&self, canvas: &mut Canvas<'_>, top: f64) {
        // The entries run down the columns, in the order of the encodings.
        for (index, entry) in self.entries.iter().enumerate() {
            let (begin, space) = self.columns[index / self.lines];
            let x = LEFT + begin;
            let y = top + LINE * ((index % self.lines) as f64 + 0.5);
            let style = Some(entry.style);
            let pen = Pen { dash: dash(style), ..Pen::new(color(style), 1.6) };
            canvas.within(Some(Group::Key(entry.style)), |canvas| {
                canvas.line(&[(x, y), (x + SAMPLE.0, y)], pen);
                let middle = (x + SAMPLE.0 / 2.0, y);
                marker::draw(canvas, middle, marker_of(style), RADIUS, color(style), Fill::Full);
                let label = shortened(&entry.label, space + 0.5, SMALL, Weight::Regular);
                canvas.text(&label, (x + SAMPLE.1, y + 0.32 * SMALL), plain(SMALL));
            });
        }
        let top = top + LINE * self.lines as f64;
        for PlacedSign { sign, x, line, text } in &self.signs {
            let (x, y) = (LEFT + x, top + LINE * (*line as f64 + 0.5));
            draw_sign(canvas, sign.sign, x + SIGN / 2.0 - 3.0, y);
            for (turn, line) in text.iter().enumerate() {
                let y = y + 0.32 * SMALL + LINE * turn as f64;
                canvas.text(line, (x + SIGN, y), plain(SMALL));
            }
        }
    }
}

fn draw_sign(canvas: &mut Canvas<'_>, sign: SignKind, x: f64, y: f64) {
    match sign {
        SignKind::Hollow => marker::draw(canvas, (x, y), 0, RADIUS, GREY, Fill::Hollow),
        SignKind::Shape(shape) => {
            marker::draw(canvas, (x, y), shape, RADIUS + 0.6, GREY, Fill::Full);
        }
        SignKind::OverLimit => {
            marker::arrow(canvas, (x, y + 4.0), (0.0, -1.0), GREY);
            marker::draw(canvas, (x, y + 4.0), 0, RADIUS, GREY, Fill::Full);
        }
        SignKind::Band => {
            let (left, right) = (x - 8.0, x + 8.0);
            let corners = [(left, y + 2.0), (right, y - 6.0), (right, y + 1.0), (left, y + 6.0)];
            canvas.fill(&corners, tint(GREY, 3));
        }
        SignKind::Cell(of) => drawing::draw_in_legend(canvas, of, (x, y)),
        SignKind::OverCell | SignKind::MissingCell => {
            let cell = Rect { left: x - 8.0, top: y - 7.0, width: 16.0, height: 14.0 };
            match sign {
                SignKind::OverCell => heat::over(canvas, cell),
                _ => heat::missing(canvas, cell),
            }
        }
        SignKind::UncheckedCell => {
            let cell = Rect { left: x - 8.0, top: y - 7.0, width: 16.0, height: 14.0 };
            heat::shaded(canvas, cell, 0.35);
            heat::unchecked(canvas, cell);
        }
        SignKind::Line => canvas.line(&[(x - 9.0, y), (x + 9.0, y)], Pen::new(GREY, 1.6)),
        SignKind::Tone(of) => canvas.disc((x, y), RADIUS, tone(of)),
        SignKind::Guide => canvas.line(&[(x - 9.0, y), (x + 9.0, y)], Pen::new(GREY, 0.9)),
        SignKind::OpenEnd => {
            marker::arrow(canvas, (x - 7.0, y), (1.0, 0.0), GREY);
        }
        SignKind::Tick => canvas.line(&[(x, y - 6.5), (x, y + 6.5)], Pen::new(GREY, 2.2)),
        SignKind::Bar => {
            let pen = Pen::new(GREY, 1.3);
            canvas.line(&[(x, y - 6.0), (x, y + 6.0)], pen);
            for end in [y - 6.0, y + 6.0] {
                canvas.line(&[(x - 3.0, end), (x + 3.0, end)], pen);
            }
        }
    }
}
