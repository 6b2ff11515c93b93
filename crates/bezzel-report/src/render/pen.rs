//! The kinds of lines and texts that a canvas draws.

use plotters::style::RGBColor;

use super::font::Weight;

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
