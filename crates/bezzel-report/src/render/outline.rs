//! The conversion of an SVG with text to pictures without fonts.

use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Indent, Options, Tree, WriteOptions};

use super::canvas::FINE;
use super::compact::compact;
use super::font::{FAMILY, database};
use super::group::without_groups;
use super::{MarkLabel, Picture, palette};
use crate::chart::Chart;
use crate::error::ReportError;

/// Pixels of the PNG for each pixel of the figure.
const SCALE: f32 = 2.0;
/// Pixels of the figure in an inch of the PDF. A figure is 6.2 inches wide, like the text.
const DPI: f32 = 110.0;

/// Turns text into outlines, and makes PNG and PDF of the result.
pub(super) fn picture(
    svg: &str,
    chart: &Chart,
    mark_labels: Vec<MarkLabel>,
) -> Result<Picture, ReportError> {
    let fault = |reason: String| ReportError::Draw { figure: chart.id.clone(), reason };
    let options =
        Options { fontdb: database(), font_family: FAMILY.to_owned(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| fault(error.to_string()))?;
    let outlined = compact(&tree.to_string(&WriteOptions {
        // Whole numbers are a twentieth of a pixel.
        coordinates_precision: 0,
        transforms_precision: 5,
        indent: Indent::None,
        attributes_indent: Indent::None,
        ..WriteOptions::default()
    }));
    let fine = tree.size();
    let (width, height) = (f64::from(fine.width()) / FINE, f64::from(fine.height()) / FINE);
    let body = inside(&outlined).ok_or_else(|| fault("the outlines are no SVG".into()))?;
    let grouped = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {} {}\" role=\"img\"><title>{}</title>{body}</svg>\n",
        fine.width(),
        fine.height(),
        escaped(&chart.title),
    );
    let svg = without_groups(&grouped);
    let tree = Tree::from_str(&svg, &options).map_err(|error| fault(error.to_string()))?;
    let png = pixels(&tree, SCALE).map_err(fault)?.encode_png();
    let png = png.map_err(|error| fault(error.to_string()))?;
    let page = svg2pdf::PageOptions { dpi: DPI };
    let pdf = svg2pdf::to_pdf(&tree, svg2pdf::ConversionOptions::default(), page)
        .map_err(|error| fault(error.to_string()))?;
    Ok(Picture { svg, grouped, png, pdf, mark_labels })
}

/// The text between the tags of the outermost element.
fn inside(svg: &str) -> Option<&str> {
    let start = svg.find("<svg")?;
    let start = start + svg[start..].find('>')? + 1;
    let end = svg.rfind("</svg>")?;
    svg.get(start..end)
}

/// Text for an element of XML.
fn escaped(text: &str) -> String {
    crate::escape::plain(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The whole picture as PNG that fits this width and height in pixels.
pub(super) fn small(
    picture: &Picture,
    figure: &str,
    (width, height): (u32, u32),
) -> Result<Vec<u8>, ReportError> {
    let fault = |reason: String| ReportError::Draw { figure: figure.to_owned(), reason };
    // Its text is outlines, so no font is needed.
    let tree = Tree::from_str(&picture.svg, &Options::default());
    let tree = tree.map_err(|error| fault(error.to_string()))?;
    let size = tree.size();
    let scale = (width as f32 / size.width()).min(height as f32 / size.height());
    let pixels = pixels(&tree, scale).map_err(fault)?;
    palette::png(&pixels).map_err(|error| fault(error.to_string()))
}

/// The picture on white, with `scale` pixels for each pixel of the figure.
fn pixels(tree: &Tree, scale: f32) -> Result<Pixmap, String> {
    let size = tree.size();
    let (width, height) = ((size.width() * scale).round(), (size.height() * scale).round());
    let mut pixels = Pixmap::new(width as u32, height as u32)
        .ok_or_else(|| format!("no picture of {width} × {height} pixels"))?;
    // The last row and column may be covered in part.
    pixels.fill(Color::WHITE);
    resvg::render(tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    Ok(pixels)
}
