//! The canvas: lines, areas and text, in the pixels of the picture, drawn by plotters.
//!
//! plotters' SVG backend takes only whole numbers, so everything is drawn twenty times as large as it is shown.

use bezzel_experiment::Key;
use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontTransform, IntoTextStyle, RGBColor, ShapeStyle};

use super::font::{Weight, plotters_font};
use super::group::{END, Group};
use crate::error::ReportError;
use crate::escape::plain;

/// Units of plotters, and of the SVG, for each pixel.
pub(crate) const FINE: f64 = 20.0;

/// A canvas.
pub(super) struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
    /// The first error, kept until the end.
    fault: Option<String>,
    /// The texts of marks.
    mark_labels: Vec<super::MarkLabel>,
    /// The look of the series that is drawn.
    look: Option<usize>,
    /// The number of the panel that is drawn, if there are several.
    panel: Option<usize>,
    /// The smallest size of type.
    least_type: f64,
}

/// The texts of marks, and the smallest size of type in pixels.
pub(super) type Drawn = (Vec<super::MarkLabel>, f64);

fn fine((x, y): PixelPosition) -> (i32, i32) {
    ((x * FINE).round() as i32, (y * FINE).round() as i32)
}

impl<'a> Canvas<'a> {
    /// A white canvas with this size in pixels, drawn into `text`.
    pub(super) fn new(text: &'a mut String, width: f64, height: f64) -> Self {
        let (wide, high) = fine((width, height));
        let area = SVGBackend::with_string(text, (wide as u32, high as u32)).into_drawing_area();
        let fault = area.fill(&plotters::style::WHITE).err().map(|fault| fault.to_string());
        let (mark_labels, least_type) = (Vec::new(), f64::INFINITY);
        Self { area, fault, mark_labels, look: None, panel: None, least_type }
    }

    /// Draws a line through the positions.
    pub(super) fn line(&mut self, positions: &[PixelPosition], pen: Pen) {
        let width = (pen.width * FINE).round() as u32;
        let style = ShapeStyle { color: pen.color.to_rgba(), filled: false, stroke_width: width };
        for part in dashes(positions, pen.dash) {
            let path: Vec<_> = part.into_iter().map(fine).collect();
            keep(&mut self.fault, self.area.draw(&PathElement::new(path, style)));
        }
    }

    /// Fills the area between the positions.
    pub(super) fn fill(&mut self, positions: &[PixelPosition], color: RGBColor) {
        let path: Vec<_> = positions.iter().copied().map(fine).collect();
        keep(&mut self.fault, self.area.draw(&Polygon::new(path, color.filled())));
    }

    /// Fills a disc.
    pub(super) fn disc(&mut self, position: PixelPosition, radius: f64, color: RGBColor) {
        let disc = Circle::new(fine(position), (radius * FINE).round() as i32, color.filled());
        keep(&mut self.fault, self.area.draw(&disc));
    }

    /// Writes a text whose baseline begins, is halved or ends at the spot.
    pub(super) fn text(&mut self, text: &str, position: PixelPosition, kind: TextStyle) {
        let text = plain(text);
        if !text.trim().is_empty() {
            self.least_type = self.least_type.min(kind.size);
        }
        let horizontal = match kind.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        // The backend puts the baseline of text with this anchor half an x-height, which is a quarter of an em, above
        // its spot. The spot is moved down by as much.
        let lift = kind.size / 4.0;
        let (x, y) = position;
        let (position, transform) = if kind.upright {
            ((x + lift, y), FontTransform::Rotate270)
        } else {
            ((x, y + lift), FontTransform::None)
        };
        let style = plotters_font(kind.size * FINE, kind.weight)
            .transform(transform)
            .color(&kind.color)
            .pos(Pos::new(horizontal, VPos::Bottom));
        let style = style.into_text_style(&self.area);
        keep(&mut self.fault, self.area.draw(&Text::new(text, fine(position), style)));
    }

    /// Draws a part of the picture as a group; without an encoding it is in no group.
    pub(super) fn within(&mut self, group: Option<Group>, draw: impl FnOnce(&mut Self)) {
        let Some(group) = group else { return draw(self) };
        let before = (self.look, self.panel);
        match group {
            Group::Series(look) => self.look = Some(look),
            Group::Panel(place) => self.panel = Some(place),
            Group::Key(_) => {}
        }
        self.bound(group.radius());
        draw(self);
        self.bound(END);
        (self.look, self.panel) = before;
    }

    /// Draws the disc at an end of a group.
    fn bound(&mut self, radius: i32) {
        let disc = Circle::new((0, 0), radius, plotters::style::WHITE.filled());
        keep(&mut self.fault, self.area.draw(&disc));
    }

    /// Records the text of the mark at a spot, and the keys of its rows.
    pub(super) fn add_mark_label(&mut self, position: PixelPosition, text: String, keys: &[Key]) {
        let (x, y) = fine(position);
        let Self { look, panel, .. } = *self;
        let keys = keys.to_vec();
        self.mark_labels.push(super::MarkLabel { x, y, look, panel, text, keys });
    }

    /// Ends the drawing.
    pub(super) fn finish(mut self, figure: &str) -> Result<Drawn, ReportError> {
        keep(&mut self.fault, self.area.present());
        match self.fault {
            None => Ok((self.mark_labels, self.least_type)),
            Some(reason) => Err(ReportError::Draw { figure: figure.to_owned(), reason }),
        }
    }
}

fn keep<E: std::fmt::Display>(fault: &mut Option<String>, outcome: Result<(), E>) {
    *fault = fault.take().or_else(|| outcome.err().map(|fault| fault.to_string()));
}

/// Cuts a line through the positions into its dashes.
fn dashes(positions: &[PixelPosition], dash: &[f64]) -> Vec<Vec<PixelPosition>> {
    if dash.is_empty() || dash.iter().sum::<f64>() <= 0.0 {
        return vec![positions.to_vec()];
    }
    let mut parts = Vec::new();
    let mut lengths = dash.iter().copied().cycle().enumerate();
    let (mut turn, mut left) = lengths.next().expect("a cycle goes on");
    let mut part: Vec<PixelPosition> = positions.first().copied().into_iter().collect();
    for pair in positions.windows(2) {
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

/// A position, in pixels to the right and down from the upper left corner.
pub(super) type PixelPosition = (f64, f64);

/// The side of its spot on which a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// The look of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TextStyle {
    pub(super) size: f64,
    pub(super) weight: Weight,
    pub(super) color: RGBColor,
    pub(super) anchor: Anchor,
    /// True if the text runs upwards.
    pub(super) upright: bool,
}

/// The look of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pen {
    pub(super) color: RGBColor,
    pub(super) width: f64,
    /// Lengths of dashes and gaps in turn; none for a line without gaps.
    pub(super) dash: &'static [f64],
}

impl Pen {
    pub(super) const fn new(color: RGBColor, width: f64) -> Self {
        Self { color, width, dash: &[] }
    }
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
        assert_eq!(dashes(&[], &[3.0, 2.0]), Vec::<Vec<PixelPosition>>::new());
    }
}
