//! The canvas: lines, areas and text, in the pixels of the picture, drawn by plotters.
//!
//! plotters' SVG backend knows whole numbers only, so everything is drawn twenty times as large as
//! it is shown.

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontTransform, IntoTextStyle, RGBColor, ShapeStyle};

use super::font::plotters_font;
use super::pen::{Anchor, Pen, Spot, Type};
use super::tikz::Source;
use crate::error::ReportError;
use crate::escape::plain;

/// Units of plotters, and of the SVG, for each pixel.
pub(crate) const FINE: f64 = 20.0;

/// Where drawing goes.
pub(super) struct Canvas<'a> {
    target: Target<'a>,
    /// The first thing that went wrong, kept until the end.
    fault: Option<String>,
    /// What marks say.
    told: Vec<super::Spot>,
}

/// What a canvas draws into.
enum Target<'a> {
    /// An SVG, by plotters.
    Svg(DrawingArea<SVGBackend<'a>, Shift>),
    /// The source of a figure in a paper.
    Source(Source),
}

fn fine((x, y): Spot) -> (i32, i32) {
    ((x * FINE).round() as i32, (y * FINE).round() as i32)
}

impl<'a> Canvas<'a> {
    /// A white canvas of so many pixels, drawn into `text`.
    pub(super) fn new(text: &'a mut String, width: f64, height: f64) -> Self {
        let (wide, high) = fine((width, height));
        let area = SVGBackend::with_string(text, (wide as u32, high as u32)).into_drawing_area();
        let fault = area.fill(&plotters::style::WHITE).err().map(|fault| fault.to_string());
        Self { target: Target::Svg(area), fault, told: Vec::new() }
    }

    /// A canvas for the source of a figure in a paper.
    pub(super) fn of_source() -> Self {
        Self { target: Target::Source(Source::default()), fault: None, told: Vec::new() }
    }

    /// The source, if that is drawn into.
    pub(super) fn source(&mut self) -> Option<&mut Source> {
        match &mut self.target {
            Target::Source(source) => Some(source),
            Target::Svg(_) => None,
        }
    }

    /// Draws a line through the spots.
    pub(super) fn line(&mut self, spots: &[Spot], pen: Pen) {
        let area = match &mut self.target {
            Target::Source(source) => return source.line(spots, pen),
            Target::Svg(area) => area,
        };
        let width = (pen.width * FINE).round() as u32;
        let style = ShapeStyle { color: pen.color.to_rgba(), filled: false, stroke_width: width };
        for part in dashes(spots, pen.dash) {
            let path: Vec<_> = part.into_iter().map(fine).collect();
            keep(&mut self.fault, area.draw(&PathElement::new(path, style)));
        }
    }

    /// Fills the area between the spots.
    pub(super) fn fill(&mut self, spots: &[Spot], color: RGBColor) {
        match &mut self.target {
            Target::Source(source) => source.fill(spots, color),
            Target::Svg(area) => {
                let path: Vec<_> = spots.iter().copied().map(fine).collect();
                keep(&mut self.fault, area.draw(&Polygon::new(path, color.filled())));
            }
        }
    }

    /// Fills a disc.
    pub(super) fn disc(&mut self, spot: Spot, radius: f64, color: RGBColor) {
        match &mut self.target {
            Target::Source(source) => source.disc(spot, radius, color),
            Target::Svg(area) => {
                let radius = (radius * FINE).round() as i32;
                let disc = Circle::new(fine(spot), radius, color.filled());
                keep(&mut self.fault, area.draw(&disc));
            }
        }
    }

    /// Writes a text whose baseline begins, is halved or ends at the spot.
    pub(super) fn text(&mut self, text: &str, spot: Spot, kind: Type) {
        let area = match &mut self.target {
            Target::Source(source) => return source.text(text, spot, kind),
            Target::Svg(area) => area,
        };
        let text = &plain(text);
        let horizontal = match kind.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        // The backend puts the baseline of text of this anchor half an x-height, which is a
        // quarter of an em, above its spot: put the spot as much below.
        let lift = kind.size / 4.0;
        let (x, y) = spot;
        let (spot, transform) = if kind.upright {
            ((x + lift, y), FontTransform::Rotate270)
        } else {
            ((x, y + lift), FontTransform::None)
        };
        let style = plotters_font(kind.size * FINE, kind.weight)
            .transform(transform)
            .color(&kind.color)
            .pos(Pos::new(horizontal, VPos::Bottom));
        let style = style.into_text_style(area);
        let text = Text::new(text.to_owned(), fine(spot), style);
        keep(&mut self.fault, area.draw(&text));
    }

    /// Notes what the mark at a spot says.
    pub(super) fn tell(&mut self, spot: Spot, text: String) {
        let (x, y) = fine(spot);
        self.told.push(super::Spot { x, y, text });
    }

    /// Ends the drawing, and hands out what its marks say.
    pub(super) fn finish(mut self, figure: &str) -> Result<Vec<super::Spot>, ReportError> {
        if let Target::Svg(area) = &mut self.target {
            keep(&mut self.fault, area.present());
        }
        match self.fault {
            None => Ok(self.told),
            Some(reason) => Err(ReportError::Draw { figure: figure.to_owned(), reason }),
        }
    }

    /// Ends the drawing of a source, and hands it out.
    pub(super) fn into_source(self) -> String {
        match self.target {
            Target::Source(source) => source.finish(),
            Target::Svg(_) => String::new(),
        }
    }
}

fn keep<E: std::fmt::Display>(fault: &mut Option<String>, outcome: Result<(), E>) {
    *fault = fault.take().or_else(|| outcome.err().map(|fault| fault.to_string()));
}

/// Cuts a line through the spots into its dashes.
fn dashes(spots: &[Spot], dash: &[f64]) -> Vec<Vec<Spot>> {
    if dash.is_empty() || dash.iter().sum::<f64>() <= 0.0 {
        return vec![spots.to_vec()];
    }
    let mut parts = Vec::new();
    let mut lengths = dash.iter().copied().cycle().enumerate();
    let (mut turn, mut left) = lengths.next().expect("a cycle goes on");
    let mut part: Vec<Spot> = spots.first().copied().into_iter().collect();
    for pair in spots.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        loop {
            let way = (to.0 - from.0).hypot(to.1 - from.1);
            if way <= left {
                left -= way;
                if turn % 2 == 0 {
                    part.push(to);
                }
                break;
            }
            let share = left / way;
            from = (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1));
            if turn % 2 == 0 {
                part.push(from);
                parts.push(std::mem::take(&mut part));
            } else {
                part = vec![from];
            }
            (turn, left) = lengths.next().expect("a cycle goes on");
        }
    }
    if part.len() > 1 {
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_and_gaps_take_turns_around_corners() {
        let corner = [(0.0, 0.0), (4.0, 0.0), (4.0, 6.0)];
        let parts = dashes(&corner, &[3.0, 2.0]);
        let expected = vec![vec![(0.0, 0.0), (3.0, 0.0)], vec![(4.0, 1.0), (4.0, 4.0)]];
        assert_eq!(parts, expected);
        assert_eq!(dashes(&corner, &[]), [corner.to_vec()]);
        assert_eq!(dashes(&[], &[3.0, 2.0]), Vec::<Vec<Spot>>::new());
    }
}
