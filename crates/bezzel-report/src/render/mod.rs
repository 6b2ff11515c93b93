//! Drawing: from a [`Chart`] to SVG, PNG and PDF. Nothing else names plotters.
//!
//! plotters draws primitives and text into an SVG; scales, facets and legends are ours, because
//! facets with common axes and legends outside the plot are. The text is then turned into
//! outlines, so that the SVG looks the same where the font is not installed, and PNG and PDF are
//! made from that SVG. The same chart gives the same bytes.

use crate::chart::Chart;
use crate::error::ReportError;

mod axis;
mod board;
mod canvas;
mod compact;
mod drawing;
mod ends;
mod font;
mod frame;
mod heat;
mod layout;
mod legend;
mod marker;
mod outline;
mod panel;
mod pen;
mod pgf;
mod scale;
mod spot;
mod style;
mod thin;
mod ticks;
mod tikz;

pub(crate) use canvas::FINE as UNITS;
pub use spot::Spot;
pub use style::hex_of;

/// A chart, drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// As SVG whose text is outlines.
    pub svg: String,
    /// As PNG, two pixels for each of the SVG's.
    pub png: Vec<u8>,
    /// As PDF, as wide as the text of a page.
    pub pdf: Vec<u8>,
    /// As source for a paper: a `tikzpicture`, its axes and marks in `PGFPlots`.
    pub tex: String,
    /// The marks that are drawn, each with what it says in words; in the order in which they are
    /// drawn, so of two at one place the later is on top.
    pub spots: Vec<Spot>,
}

/// Draws a chart.
///
/// # Errors
///
/// When the drawing libraries refuse what they are given, which would be a fault of this crate.
pub fn draw(chart: &Chart) -> Result<Picture, ReportError> {
    let (svg, spots) = frame::draw(chart)?;
    outline::picture(&svg, chart, spots)
}

/// The height of the picture of a chart divided by its width.
pub(crate) fn proportion(chart: &Chart) -> f64 {
    frame::proportion(chart)
}

/// True if a drawing is read in a panel of a figure with `columns` columns.
pub(crate) fn has_room(of: &bezzel_problem::Drawing, columns: usize) -> bool {
    drawing::is_legible(of, frame::room(columns))
}

/// The picture of a figure as PNG of so many pixels' width; of a high one the upper part, so many
/// pixels of it.
pub(crate) fn thumbnail(
    picture: &Picture,
    figure: &str,
    size: (u32, u32),
) -> Result<Vec<u8>, ReportError> {
    outline::small(picture, figure, size)
}

/// The markers' outlines as paths of SVG, each in a square from −1.5 to 1.5: what tables show beside
/// an encoding's name.
pub(crate) fn markers() -> impl Iterator<Item = String> {
    (0..style::MARKERS).map(marker::path)
}

/// Which of the [`markers`] an encoding has.
pub(crate) fn marker_of(style: usize) -> usize {
    style::marker(Some(style))
}
