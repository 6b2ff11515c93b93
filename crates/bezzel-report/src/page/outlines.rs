//! The outlines of a page, each once for all its drawings.
//!
//! Text in a drawing consists of the outlines of its letters, which would be a third of the weight of a page. An
//! outline is a run of contours of a filled path. No other contour of the path overlaps it horizontally. Two outlines
//! are the same if they have the same commands, and if their points differ by no more than a rounding.

use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;

/// Two points of the same outline differ by at most this number of units. A unit is a twentieth of a pixel.
const TOLERANCE: i64 = 1;
/// A path shares its outlines if its data has at least this number of characters.
const LONG: usize = 150;
/// The end of a path's element.
const END: &str = "\"/>";

type Point = (i64, i64);

/// The outlines of a page.
#[derive(Default)]
pub(super) struct Outlines {
    /// The numbers and the points of the outlines with the same commands. Points are relative to the first.
    known: HashMap<String, Vec<(usize, Vec<Point>)>>,
    count: usize,
    definitions: String,
}

/// A contour of a path.
struct Contour {
    commands: String,
    points: Vec<Point>,
    /// The place of its data after its first point.
    data: Range<usize>,
}

/// Path data that is not yet read, as `render/compact.rs` writes it.
struct Unread<'a>(&'a str);

impl Outlines {
    /// The elements that define the outlines.
    pub(super) fn definitions(&self) -> &str {
        &self.definitions
    }

    /// The drawing with references to outlines. Lines of the same look that follow each other become one path.
    pub(super) fn share(&mut self, svg: &str) -> String {
        let mut text = String::with_capacity(svg.len());
        // The attributes of the last element, if it is a line.
        let mut last: Option<&str> = None;
        for part in svg.split_inclusive('>') {
            let path = path(part);
            let line = path.filter(|(attributes, _)| is_line(attributes));
            let continued = line.filter(|(attributes, _)| last == Some(*attributes));
            if let Some(data) = continued.and_then(|(_, data)| data.strip_prefix('m')) {
                text.truncate(text.len() - END.len());
                // The first point of a path is absolute.
                text.extend(["M", data, END]);
            } else {
                let references =
                    path.and_then(|(attributes, data)| self.references(attributes, data));
                text.push_str(references.as_deref().unwrap_or(part));
            }
            last = line.map(|(attributes, _)| attributes);
        }
        text
    }

    /// A group of references in place of a path; none if the path is a line, short, or not understood.
    fn references(&mut self, attributes: &str, data: &str) -> Option<String> {
        if data.len() < LONG || attributes.contains("stroke") || is_line(attributes) {
            return None;
        }
        let contours = contours(data)?;
        let mut text = format!("<g{attributes}>");
        for run in side_by_side(&contours) {
            let (x, y) = contours[run.start].points[0];
            let number = self.number(&contours[run], data);
            // Writing to a string cannot fail.
            let _ = write!(text, "<use href=\"#o{number}\" x=\"{x}\" y=\"{y}\"/>");
        }
        text.push_str("</g>");
        Some(text)
    }

    /// The number of an outline, which is defined if it is new.
    fn number(&mut self, outline: &[Contour], data: &str) -> usize {
        let (first, last) = (&outline[0], &outline[outline.len() - 1]);
        let commands: String = outline.iter().map(|contour| contour.commands.as_str()).collect();
        let (x, y) = first.points[0];
        let points = outline.iter().flat_map(|contour| &contour.points);
        let points: Vec<Point> = points.map(|point| (point.0 - x, point.1 - y)).collect();
        let alike = self.known.entry(commands).or_default();
        if let Some((number, _)) = alike.iter().find(|(_, known)| is_same(known, &points)) {
            return *number;
        }
        let number = self.count;
        self.count += 1;
        alike.push((number, points));
        let data = &data[first.data.start..last.data.end];
        // Writing to a string cannot fail.
        let _ = write!(self.definitions, "<path id=\"o{number}\" d=\"m0 0{data}{END}");
        number
    }
}

impl Unread<'_> {
    fn letter(&mut self) -> Option<char> {
        let letter = self.0.chars().next().filter(char::is_ascii_alphabetic)?;
        self.0 = &self.0[1..];
        Some(letter)
    }

    fn number(&mut self) -> Option<i64> {
        let text = self.0.trim_start_matches(' ');
        let digits = text.strip_prefix('-').unwrap_or(text);
        let rest = digits.trim_start_matches(|letter: char| letter.is_ascii_digit());
        self.0 = rest;
        text[..text.len() - rest.len()].parse().ok()
    }
}

/// The attributes and the data of a path's element; none for another part of a drawing.
fn path(part: &str) -> Option<(&str, &str)> {
    let (attributes, data) = part.strip_prefix("<path")?.strip_suffix(END)?.split_once(" d=\"")?;
    (!data.contains('"')).then_some((attributes, data))
}

/// True for a line without an area. Lines that are opaque look the same in one path.
fn is_line(attributes: &str) -> bool {
    attributes.contains("fill=\"none\"") && !attributes.contains("opacity")
}

/// The contours of path data with relative commands; none if it has other commands.
fn contours(data: &str) -> Option<Vec<Contour>> {
    let mut contours = Vec::new();
    let mut last: Point = (0, 0);
    let mut offset = 1;
    for piece in data.strip_prefix('m')?.split('m') {
        let mut unread = Unread(piece);
        last = (last.0 + unread.number()?, last.1 + unread.number()?);
        let end = offset + piece.len();
        let start = end - unread.0.len();
        offset = end + 1;
        let mut contour = Contour { commands: "m".into(), points: vec![last], data: start..end };
        let mut command = ' ';
        while !unread.0.is_empty() {
            command = unread.letter().unwrap_or(command);
            let pairs = match command {
                'l' => 1,
                'q' => 2,
                'c' => 3,
                'z' => 0,
                _ => return None,
            };
            contour.commands.push(command);
            let from = last;
            for _ in 0..pairs {
                last = (from.0 + unread.number()?, from.1 + unread.number()?);
                contour.points.push(last);
            }
            if command == 'z' {
                // A contour that is closed has no further commands.
                (last, command) = (contour.points[0], ' ');
            }
        }
        contours.push(contour);
    }
    Some(contours)
}

/// Runs of contours, in order. Contours of different runs do not overlap horizontally, so they can be filled one by
/// one.
fn side_by_side(contours: &[Contour]) -> Vec<Range<usize>> {
    // The first contour, the least and the largest coordinate of each run.
    let mut runs: Vec<(usize, i64, i64)> = Vec::new();
    for (at, contour) in contours.iter().enumerate() {
        let across = || contour.points.iter().map(|point| point.0);
        let (low, high) = (across().min().unwrap_or_default(), across().max().unwrap_or_default());
        let first = runs.iter().position(|run| run.1 <= high && low <= run.2);
        let overlapped = runs.split_off(first.unwrap_or(runs.len()));
        runs.push(overlapped.into_iter().fold((at, low, high), |run, other| {
            (run.0.min(other.0), run.1.min(other.1), run.2.max(other.2))
        }));
    }
    let ends = runs.iter().skip(1).map(|run| run.0).chain([contours.len()]);
    runs.iter().zip(ends).map(|(run, end)| run.0..end).collect()
}

/// True if points of outlines with the same commands differ by no more than a rounding.
fn is_same(one: &[Point], other: &[Point]) -> bool {
    let is_near = |one: i64, other: i64| (one - other).abs() <= TOLERANCE;
    one.iter().zip(other).all(|(one, other)| is_near(one.0, other.0) && is_near(one.1, other.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square with a hole.
    const RING: &str = "l40 0 0 40-40 0zm10 10l0 20 20 0 0-20z";

    #[test]
    fn an_outline_is_defined_once_with_its_holes_and_in_spite_of_roundings() {
        let mut outlines = Outlines::default();
        let rounded = "l40 0 1 40-41 0zm10 10l0 20 20 0 0-20z";
        let other = "l40 0 3 40-43 0zm10 10l0 20 20 0 0-20z";
        // A contour begins where the one before is closed.
        let data = format!("m5 6{RING}m50-10{rounded}m50-10{other}m50-10l20 0 0 20-20 0z");
        assert!(data.len() >= LONG);
        let svg = format!("<g><path fill=\"#222\" d=\"{data}\"/></g>");
        let shared = "<g><g fill=\"#222\"><use href=\"#o0\" x=\"5\" y=\"6\"/>\
                      <use href=\"#o0\" x=\"65\" y=\"6\"/><use href=\"#o1\" x=\"125\" y=\"6\"/>\
                      <use href=\"#o2\" x=\"185\" y=\"6\"/></g></g>";
        assert_eq!(outlines.share(&svg), shared);
        let definitions = format!(
            "<path id=\"o0\" d=\"m0 0{RING}\"/><path id=\"o1\" d=\"m0 0{other}\"/>\
             <path id=\"o2\" d=\"m0 0l20 0 0 20-20 0z\"/>"
        );
        assert_eq!(outlines.definitions(), definitions);
        // The next drawing of the page has the same outlines.
        assert_eq!(outlines.share(&svg), shared);
        assert_eq!(outlines.definitions(), definitions);
    }

    #[test]
    fn lines_of_the_same_look_become_one_path_and_other_parts_stay() {
        let line = |look: &str, data: &str| format!("<path fill=\"none\"{look} d=\"{data}\"/>");
        let (thin, thick) = (" stroke=\"#222\"", " stroke=\"#222\" stroke-width=\"4\"");
        let lines = [(thin, "m1 2l3 4"), (thin, "m5 6l1 0"), (thick, "m0 0l1 1")];
        let lines = lines.map(|(look, data)| line(look, data)).concat();
        let glass = line(" stroke-opacity=\"0.5\"", "m0 0l9 9").repeat(2);
        let curve = format!("<path d=\"m1 2{}\"/>", "a3 4".repeat(50));
        let svg =
            format!("<title>a</title>{lines}<g>{}</g>{glass}{curve}", line(thick, "m7 7l1 1"));
        let expected = [
            "<title>a</title>",
            &line(thin, "m1 2l3 4M5 6l1 0"),
            &line(thick, "m0 0l1 1"),
            "<g>",
            &line(thick, "m7 7l1 1"),
            "</g>",
            &glass,
            &curve,
        ]
        .concat();
        assert_eq!(Outlines::default().share(&svg), expected);
    }

    #[test]
    fn a_later_contour_joins_all_that_it_overlaps() {
        let data = "m0 0l9 0 0 9zm20 0l9 0 0 9zm20 0l9 0 0 9zm-15 0l9 0 0 9z";
        let runs = side_by_side(&contours(data).unwrap());
        assert_eq!(runs, [0..1, 1..4]);
    }
}

/// The pixels of drawings, by the crates of the feature `pdf`.
#[cfg(all(test, feature = "pdf"))]
mod pixel_tests {
    use bezzel_encode::Registry;
    use bezzel_experiment::ExperimentRecord;
    use resvg::tiny_skia::{Pixmap, Transform};
    use usvg::{Options, Tree};

    use super::*;
    use crate::analysis::Analysis;
    use crate::render::{draw, with_looks};
    use crate::tests::sample::{of_size, solved};

    fn pixels(svg: &str) -> Pixmap {
        let tree = Tree::from_str(svg, &Options::default()).unwrap();
        let size = tree.size();
        let mut pixels = Pixmap::new(size.width() as u32, size.height() as u32).unwrap();
        resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
        pixels
    }

    #[test]
    fn drawings_with_shared_outlines_have_the_pixels_of_the_files() {
        let row = |side: u32, encoding: &str| {
            let mut row = of_size(side, solved(f64::from(side)));
            row.job.encoding = encoding.into();
            row
        };
        let rows = (8..20).flat_map(|side| ["pairwise", "binary"].map(|id| row(side, id)));
        let record = ExperimentRecord { rows: rows.collect(), ..ExperimentRecord::default() };
        let registry = Registry::new();
        let analysis = Analysis::new(&record, &registry);
        let mut outlines = Outlines::default();
        let mut drawn = 0;
        for chart in crate::figure::ALL.iter().filter_map(|kind| (kind.draw)(&analysis)) {
            let picture = draw(&chart).unwrap();
            let shared = outlines.share(&with_looks(&picture.grouped));
            assert!(shared.len() < picture.svg.len(), "{}", chart.id);
            let defined = format!("</title><defs>{}</defs>", outlines.definitions());
            let one = pixels(&shared.replacen("</title>", &defined, 1));
            let other = pixels(&picture.svg);
            assert_eq!(one.data().len(), other.data().len());
            // A letter that is missing or filled differs by more than half of the range of a pixel.
            let differences = one.data().iter().zip(other.data()).map(|(a, b)| a.abs_diff(*b));
            assert!(differences.max() < Some(128), "{}", chart.id);
            drawn += 1;
        }
        assert!(drawn > 0);
    }
}
