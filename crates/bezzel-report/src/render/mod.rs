//! Drawing: from a [`Chart`] to SVG. No other module uses plotters.
//!
//! plotters draws primitives and text into an SVG. Scales, facets and legends are our own, since they require facets
//! with common axes and legends outside the plot. The text is then turned into outlines, so that the SVG looks the same
//! without the font. The same chart gives the same bytes.

use crate::chart::Chart;
use crate::error::ReportError;

mod axis;
mod canvas;
mod drawing;
mod facet;
mod font;
mod frame;
mod group;
mod heat;
mod layout;
mod legend;
mod mark_label;
mod marker;
mod outline;
#[cfg(feature = "pdf")]
mod paper;
mod scale;
mod style;

pub(crate) use canvas::FINE as UNITS;
pub(crate) use group::with_looks;
pub use mark_label::MarkLabel;
#[cfg(feature = "pdf")]
pub(crate) use paper::pdf_and_png;
pub use style::hex_of;

/// A chart, drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The SVG. Its text consists of outlines.
    pub svg: String,
    /// The same with a group for the parts of each series and for each entry of the legend.
    pub grouped: String,
    /// The drawn marks, each with its text, in the order of drawing. Of two at one position the later is on top.
    pub mark_labels: Vec<MarkLabel>,
    /// The smallest size of type at the size of print, in points.
    pub least_type_pt: f64,
}

/// Draws a chart.
///
/// # Errors
///
/// When the drawing libraries refuse their input, which would be a fault of this crate.
pub fn draw(chart: &Chart) -> Result<Picture, ReportError> {
    draw_at(chart, layout::PAGE)
}

/// Draws a chart with this width in pixels. The size of type is the same for all widths.
///
/// # Errors
///
/// Those of [`draw`].
pub fn draw_at(chart: &Chart, width: f64) -> Result<Picture, ReportError> {
    let narrow = frame::narrowed(chart, width);
    let chart = narrow.as_ref().unwrap_or(chart);
    let (svg, drawn) = frame::draw(chart, width)?;
    outline::picture(&svg, chart, drawn)
}

/// Pixels of a figure in a centimetre of paper.
pub(crate) const PIXELS_PER_CM: f64 = layout::DPI / 2.54;

/// The reason why this build makes neither PDF nor PNG.
#[cfg(not(feature = "pdf"))]
pub(crate) fn pdf_and_png(_: &str) -> Result<(Vec<u8>, Vec<u8>), String> {
    Err("this build is without the feature `pdf`".into())
}

/// The height of the picture of a chart divided by its width.
pub(crate) fn proportion(chart: &Chart) -> f64 {
    frame::proportion(chart)
}

/// True if a drawing is legible in a panel of a figure with `columns` columns.
pub(crate) fn has_space(of: &bezzel_problem::Drawing, columns: usize) -> bool {
    drawing::is_legible(of, frame::space(columns, layout::PAGE))
}

/// The outlines of the markers as paths of SVG, each in a square from −1.5 to 1.5. Tables show them beside the names of
/// encodings.
pub(crate) fn markers() -> impl Iterator<Item = String> {
    (0..style::MARKERS).map(marker::path)
}

/// The number of an encoding's marker among the [`markers`].
pub(crate) fn marker_of(style: usize) -> usize {
    style::marker(Some(style))
}
