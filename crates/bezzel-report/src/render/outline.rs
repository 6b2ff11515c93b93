//! The conversion of an SVG with text to pictures without fonts.

use usvg::{Indent, Options, Tree, WriteOptions};

use super::Picture;
use super::canvas::{Drawn, FINE};
use super::compact::compact;
use super::font::{FAMILY, database};
use super::group::without_groups;
use super::layout::DPI;
use crate::chart::Chart;
use crate::error::ReportError;

/// Turns text into outlines.
pub(super) fn picture(
    svg: &str,
    chart: &Chart,
    (mark_labels, least_type): Drawn,
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
    let least_type_pt = least_type / DPI * 72.0;
    Ok(Picture { svg, grouped, mark_labels, least_type_pt })
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
