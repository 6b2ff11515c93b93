//! Drawing: from a [`Chart`] to SVG, PNG and PDF. Nothing else names plotters.
//!
//! plotters draws primitives and text into an SVG; scales, facets and legends are ours, because
//! facets with common axes and legends outside the plot are. The text is then turned into
//! outlines, so that the SVG looks the same where the font is not installed, and PNG and PDF are
//! made from that SVG. The same chart gives the same bytes.

use crate::chart::Chart;
use crate::error::ReportError;

mod axis;
mod canvas;
mod compact;
mod ends;
mod font;
mod frame;
mod heat;
mod legend;
mod marker;
mod outline;
mod panel;
mod scale;
mod spot;
mod style;
mod thin;
mod ticks;

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
