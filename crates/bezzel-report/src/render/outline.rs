//! The conversion of an SVG with text to pictures without fonts.

use std::fmt::Write as _;

use usvg::{Indent, Options, Tree, WriteOptions};

use super::Picture;
use super::canvas::{Drawn, FINE};
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

/// The SVG with all its path data made relative. The outliner writes absolute coordinates of the commands M, L, Q, C
/// and Z, each spelled out, as whole numbers separated by blanks. Other path data is unchanged.
pub(super) fn compact(svg: &str) -> String {
    const DATA: &str = " d=\"";
    let mut text = String::with_capacity(svg.len() / 2);
    let mut rest = svg;
    while let Some(start) = rest.find(DATA) {
        let (before, data) = rest.split_at(start + DATA.len());
        let end = data.find('"').unwrap_or(data.len());
        text.push_str(before);
        match relative(&data[..end]) {
            Some(short) => text.push_str(&short),
            None => text.push_str(&data[..end]),
        }
        rest = &data[end..];
    }
    text.push_str(rest);
    // An attribute with its default value is redundant.
    text.replace(" stroke=\"none\"", "")
}

fn relative(data: &str) -> Option<String> {
    let mut text = String::with_capacity(data.len() / 2);
    let mut last = (0i64, 0i64);
    let mut first = last;
    let mut written = None;
    let mut words = data.split_ascii_whitespace();
    while let Some(command) = words.next() {
        let pairs = match command {
            "M" | "L" => 1,
            "Q" => 2,
            "C" => 3,
            "Z" => 0,
            _ => return None,
        };
        // A command that repeats the one before is redundant, except for these two.
        if written != Some(command) || matches!(command, "M" | "Z") {
            text.push_str(&command.to_ascii_lowercase());
        }
        written = Some(command);
        let mut end = last;
        for _ in 0..pairs {
            end = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
            for number in [end.0 - last.0, end.1 - last.1] {
                // A sign separates numbers like a blank.
                if number >= 0 && text.ends_with(|letter: char| letter.is_ascii_digit()) {
                    text.push(' ');
                }
                write!(text, "{number}").ok()?;
            }
        }
        last = end;
        match command {
            "M" => first = end,
            "Z" => last = first,
            _ => {}
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_relative_to_the_last_point() {
        let path = "M 10 20 L 15 20 L 15 12 Z M 1 2 C 3 4 5 6 -7 8 Q 0 0 -7 8";
        assert_eq!(relative(path).as_deref(), Some("m10 20l5 0 0-8zm-9-18c2 2 4 4-8 6q7-8 0 0"));
    }

    #[test]
    fn a_path_with_an_unknown_command_stays_unchanged() {
        let svg =
            "<path d=\"M 1 2 A 3 4\"/><path fill=\"#fff\" stroke=\"none\" d=\"M 5 5 L 6 7\"/>";
        let short = "<path d=\"M 1 2 A 3 4\"/><path fill=\"#fff\" d=\"m5 5l1 2\"/>";
        assert_eq!(compact(svg), short);
    }
}
