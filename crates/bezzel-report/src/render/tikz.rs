//! `TikZ`'s own lines, areas and text, in the pixels of the picture: the output of a canvas for a paper.

use std::collections::BTreeSet;
use std::fmt::Write;

use plotters::style::RGBColor;

use super::font::Weight;
use super::layout::SMALL;
use super::pen::{Anchor, Pen, PixelPosition, TextStyle};
use super::style::WHITE;
use crate::tex::escaped;

/// Points of TeX for each pixel. A picture is 6.2 inches wide, as in PDF.
pub(super) const POINTS: f64 = 72.27 / 110.0;

/// A drawing's source while it is written.
#[derive(Debug, Default)]
pub(super) struct TikzSource {
    text: String,
    /// The colours in use.
    colors: BTreeSet<[u8; 3]>,
}

/// A length of `pixels` pixels in TeX's points.
pub(super) fn points(pixels: f64) -> String {
    format!("{}pt", short(pixels * POINTS))
}

/// A number with two decimals at most.
pub(super) fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

fn position((x, y): PixelPosition) -> String {
    format!("({},{})", short(x), short(y))
}

fn path(positions: &[PixelPosition]) -> String {
    positions.iter().map(|&at| position(at)).collect::<Vec<_>>().join("--")
}

/// A dash pattern of these lengths in pixels. Empty for a line without gaps.
pub(super) fn dashes(dash: &[f64]) -> String {
    let parts = dash.iter().enumerate().map(|(turn, &length)| {
        format!("{} {}", if turn % 2 == 0 { "on" } else { "off" }, points(length))
    });
    match parts.collect::<Vec<_>>().join(" ") {
        parts if parts.is_empty() => parts,
        parts => format!(",dash pattern={parts}"),
    }
}

impl TikzSource {
    /// The name of a colour. The colour is added to the definitions.
    pub(super) fn color(&mut self, RGBColor(red, green, blue): RGBColor) -> String {
        if RGBColor(red, green, blue) == WHITE {
            return "white".into();
        }
        self.colors.insert([red, green, blue]);
        format!("bezzel{red:02X}{green:02X}{blue:02X}")
    }

    /// Adds lines without changes.
    pub(super) fn add(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    pub(super) fn line(&mut self, positions: &[PixelPosition], pen: Pen) {
        let (color, width) = (self.color(pen.color), points(pen.width));
        let dash = dashes(pen.dash);
        self.add(&format!("\\draw[{color},line width={width}{dash}] {};", path(positions)));
    }

    pub(super) fn fill(&mut self, positions: &[PixelPosition], color: RGBColor) {
        let color = self.color(color);
        self.add(&format!("\\fill[{color}] {}--cycle;", path(positions)));
    }

    pub(super) fn disc(&mut self, at: PixelPosition, radius: f64, color: RGBColor) {
        let color = self.color(color);
        self.add(&format!("\\fill[{color}] {} circle[radius={}];", position(at), points(radius)));
    }

    pub(super) fn text(&mut self, text: &str, at: PixelPosition, kind: TextStyle) {
        if text.is_empty() {
            return;
        }
        let anchor = match kind.anchor {
            Anchor::Start => "base west",
            Anchor::Middle => "base",
            Anchor::End => "base east",
        };
        let color = self.color(kind.color);
        let turn = if kind.upright { ",rotate=90" } else { "" };
        let size = font(kind);
        self.add(&format!(
            "\\node[{color},anchor={anchor},inner sep=0pt,font={size}{turn}] at {} {{{}}};",
            position(at),
            escaped(text)
        ));
    }

    /// The source, its colours defined first.
    pub(super) fn finish(self) -> String {
        let mut text = String::new();
        for [red, green, blue] in &self.colors {
            let hex = format!("{red:02X}{green:02X}{blue:02X}");
            writeln!(text, "\\definecolor{{bezzel{hex}}}{{HTML}}{{{hex}}}")
                .expect("a string takes what is written");
        }
        text + &self.text
    }
}

/// The font nearest to a type: relative sizes, so that a figure suits the paper around it. Bold type is wider in
/// LaTeX's own fonts than in ours, and is therefore a size smaller.
fn font(kind: TextStyle) -> &'static str {
    match (kind.weight, kind.size) {
        (Weight::Bold, _) => "\\footnotesize\\bfseries",
        (Weight::Regular, size) if size <= SMALL - 1.5 => "\\scriptsize",
        (Weight::Regular, size) if size <= SMALL => "\\footnotesize",
        (Weight::Regular, _) => "\\small",
    }
}
