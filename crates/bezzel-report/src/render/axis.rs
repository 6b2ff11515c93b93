//! Axes: grid, ticks, labels, limits.

use super::canvas::{Anchor, Canvas, Pen, TextStyle};
use super::font::{Weight, width};
use super::layout;
use super::layout::{AXIS_TITLE, FramedFacet, LARGE, Rect, SMALL, TICKS, plain, shortened};
use super::scale::{Tick, ticks};
use super::style::{FAINT, GREY, INK, PALE, WHITE};
use crate::chart::{Axis, AxisName, Facet, FacetBody, Scale};

/// The space for one label: below an axis, and beside it.
const SPACE: (f64, f64) = (46.0, 24.0);
/// The lengths of large and small ticks.
const LENGTH: (f64, f64) = (5.0, 3.0);
/// The space between a tick's end and its label.
const GAP: f64 = 4.0;
/// The largest width of a line of a name beside an axis, and beside the cells of a heat map.
const WIDEST: (f64, f64) = (205.0, 235.0);
/// The largest share of the width of a figure for names.
const NAMES: f64 = 0.38;
/// The largest excess of a title's length over its axis.
const BEYOND: f64 = 8.0;
/// The largest number of lines of a name below an axis.
const LINES: usize = 6;
/// The smallest size of a name below an axis.
const SMALLEST: f64 = SMALL - 3.0;
/// The size of upright names below an axis, and the lengths at which they are broken.
const UPRIGHT: f64 = SMALL - 2.0;
const LENGTHS: [f64; 2] = [120.0, 180.0];

/// The space for a line of a name beside this panel in a figure of this width.
pub(super) fn name_space(facet: &Facet, width: f64) -> f64 {
    let widest = if matches!(facet.body, FacetBody::Heat(_)) { WIDEST.1 } else { WIDEST.0 };
    widest.min(NAMES * width)
}

fn left_ticks(framed: &FramedFacet<'_>, height: f64) -> Vec<Tick> {
    let (axis, span) = framed.left();
    let mut ticks = ticks(axis, span, (height / SPACE.1) as usize);
    let Scale::Names(names) = &axis.scale else { return ticks };
    let is_heat = matches!(framed.facet.body, FacetBody::Heat(_));
    let mut above = "";
    for (tick, name) in ticks.iter_mut().zip(names) {
        // Of names beside cells that extend the same name above them, only the extension is written.
        let extension = name.label.strip_prefix(above).and_then(|rest| rest.strip_prefix(" ("));
        match extension.and_then(|rest| rest.strip_suffix(')')).filter(|_| is_heat) {
            _ if name.is_heading => tick.label = None,
            Some(extension) => tick.label = Some(format!("… {extension}")),
            None => above = &name.label,
        }
    }
    ticks
}

/// Writes the headings of names beside a panel across the panel, on white.
pub(super) fn headings(canvas: &mut Canvas<'_>, framed: &FramedFacet<'_>, rect: Rect) {
    let (axis, span) = framed.left();
    let Scale::Names(names) = &axis.scale else { return };
    let left = rect.left - left_width(framed, rect.height);
    for (row, name) in names.iter().enumerate().filter(|(_, name)| name.is_heading) {
        let text = shortened(&name.label, rect.right() - left, SMALL, Weight::Regular);
        let y = rect.top + span.place(row as f64) * rect.height;
        let (top, height) = (y - 0.6 * SMALL, 1.2 * SMALL);
        let behind = Rect { left, top, width: label_width(&text) + GAP, height };
        canvas.fill(&behind.corners(), WHITE);
        canvas.text(&text, (left, y + 0.32 * SMALL), plain(SMALL));
    }
}

fn label_width(label: &str) -> f64 {
    width(label, SMALL, Weight::Regular)
}

/// A label beside an axis in one line, or in two if it is long and can be broken. A line that is still too wide is cut.
fn wrapped(label: &str, space: f64) -> Vec<String> {
    let cut = |line: &str| shortened(line, space, SMALL, Weight::Regular);
    if label_width(label) <= space {
        return vec![label.to_owned()];
    }
    // A change is broken before its second level.
    if let Some((from, to)) = label.split_once(" → ") {
        return vec![cut(&format!("{from} →")), cut(to)];
    }
    // The last possible blank is preferred, so that the first line is full, and then the last possible joint of a word.
    let last = |is_joint: fn(char) -> bool| {
        let joints = label.char_indices().filter(|(index, letter)| *index > 0 && is_joint(*letter));
        joints.map(|(index, _)| index).take_while(|&at| label_width(&label[..at]) <= space).last()
    };
    match last(|letter| letter == ' ').or_else(|| last(|letter| matches!(letter, '+' | ':'))) {
        Some(index) => vec![label[..index].to_owned(), cut(label[index..].trim())],
        None => vec![cut(label)],
    }
}

/// One side of a panel: its ticks, and the label of each large one, line by line. A side has no labels if the next
/// panel has the same, and a label is left out if it does not fit.
struct AxisTicks {
    ticks: Vec<Tick>,
    labels: Vec<Vec<String>>,
    /// The size of the labels, in pixels.
    size: f64,
    /// True if the labels run upwards.
    upright: bool,
}

/// The names below an axis, line by line.
struct NamesBelow {
    lines: Vec<Vec<String>>,
    size: f64,
    upright: bool,
}

impl NamesBelow {
    /// The height of the names.
    fn height(&self) -> f64 {
        let widths =
            self.lines.iter().flatten().map(|line| width(line, self.size, Weight::Regular));
        if self.upright {
            return LENGTH.0 + 2.0 * GAP + widths.fold(0.0, f64::max);
        }
        let lines = self.lines.iter().map(Vec::len).max();
        TICKS + self.size * lines.unwrap_or(1).saturating_sub(1) as f64
    }
}

/// The axis to the left of a panel.
fn beside(framed: &FramedFacet<'_>, rect: Rect) -> AxisTicks {
    let ticks = left_ticks(framed, rect.height);
    let labels = ticks.iter().filter_map(|tick| tick.label.as_deref());
    let labels = labels.map(|label| wrapped(label, framed.name_space));
    let labels = if framed.left_labels { labels.collect() } else { Vec::new() };
    AxisTicks { ticks, labels, size: SMALL, upright: false }
}

/// The axis below a panel.
fn below(framed: &FramedFacet<'_>, rect: Rect) -> AxisTicks {
    let (axis, span) = framed.bottom();
    let ticks = ticks(axis, span, (rect.width / SPACE.0) as usize);
    if !framed.bottom_labels {
        return AxisTicks { ticks, labels: Vec::new(), size: SMALL, upright: false };
    }
    if let Some(NamesBelow { lines: labels, size, upright }) = names_below(framed, rect.width) {
        return AxisTicks { ticks, labels, size, upright };
    }
    let ends = |label: &str, place: f64| {
        let (x, half) = (place * rect.width, label_width(label) / 2.0);
        (x - half, x + half + GAP)
    };
    let named = ticks.iter().filter_map(|tick| Some((tick.label.as_deref()?, tick.place)));
    let named: Vec<(&str, f64)> = named.collect();
    // If two labels are too close, the later one is left out. The first and the last label stay.
    let last = named.len().saturating_sub(1);
    let mut taken: Vec<(f64, f64)> = Vec::new();
    let mut labels = vec![Vec::new(); named.len()];
    for turn in [0, last].into_iter().chain(1..last).filter(|&turn| turn <= last) {
        let Some(&(label, place)) = named.get(turn) else { continue };
        let (from, to) = ends(label, place);
        // A label may extend a little beyond the panel.
        let inside = to - GAP <= rect.width + BEYOND;
        let free = taken.iter().all(|&(left, right)| to <= left || right <= from);
        if labels[turn].is_empty() && inside && free {
            taken.push((from, to));
            labels[turn].push(label.to_owned());
        }
    }
    AxisTicks { ticks, labels, size: SMALL, upright: false }
}

/// True if a name beside a panel needs two lines.
pub(super) fn needs_two_lines(names: &[AxisName], space: f64) -> bool {
    let mut names = names.iter().filter(|name| !name.is_heading);
    names.any(|name| wrapped(&name.label, space).len() > 1)
}

/// The lines of a name below an axis, broken at its blanks and hyphens, each within the space. A word that is a little
/// longer takes some of the gap to its neighbour. None if a word is longer.
fn stacked(label: &str, space: f64, size: f64) -> Option<Vec<String>> {
    let label_width = |text: &str| width(text, size, Weight::Regular);
    let mut lines: Vec<String> = Vec::new();
    for word in label.split_inclusive([' ', '-']) {
        match lines.last_mut() {
            Some(line) if label_width((line.clone() + word).trim_end()) <= space => {
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    if lines.len() > LINES {
        let rest = lines.split_off(LINES - 1).concat();
        lines.push(rest);
    }
    // A line break replaces a blank or comma at the end of a line.
    let lines = lines.iter().map(|line| line.trim_end_matches([' ', ',']).to_owned());
    let lines: Vec<String> = lines.collect();
    lines.iter().all(|line| label_width(line) <= space + GAP / 2.0).then_some(lines)
}

/// The number of names beside the cells of a heat map above which the names below it are above it, too.
const TALL: usize = 12;
/// The space between these names and the panel.
const ABOVE: f64 = 6.0;

/// True for a heat map so high that a reader of its first rows does not see the names below it.
fn is_tall(framed: &FramedFacet<'_>) -> bool {
    let is_heat = matches!(framed.facet.body, FacetBody::Heat(_));
    matches!(&framed.left().0.scale, Scale::Names(names) if is_heat && names.len() > TALL)
}

/// The height of the names above a panel with this width.
pub(super) fn names_above_height(framed: &FramedFacet<'_>, width: f64) -> f64 {
    let Some(names) = names_below(framed, width).filter(|_| is_tall(framed)) else { return 0.0 };
    let lines = names.lines.iter().map(Vec::len).max().unwrap_or(0);
    if names.upright { names.height() } else { ABOVE + names.size * lines as f64 }
}

/// Writes the names above a high heat map.
fn names_above(canvas: &mut Canvas<'_>, framed: &FramedFacet<'_>, rect: Rect) {
    let Some(NamesBelow { lines, size, upright }) =
        names_below(framed, rect.width).filter(|_| is_tall(framed))
    else {
        return;
    };
    let (axis, span) = framed.bottom();
    for (tick, lines) in ticks(axis, span, lines.len()).iter().zip(&lines) {
        let x = rect.left + tick.place * rect.width;
        for (turn, line) in lines.iter().enumerate() {
            let after = (lines.len() - 1 - turn) as f64;
            if upright {
                let aside = size * ((lines.len() - 1) as f64 / 2.0 - after + 0.32);
                let kind = TextStyle { upright: true, ..plain(size) };
                canvas.text(line, (x + aside, rect.top - GAP), kind);
            } else {
                let kind = TextStyle { anchor: Anchor::Middle, ..plain(size) };
                canvas.text(line, (x, rect.top - ABOVE - size * after), kind);
            }
        }
    }
}

/// The names below a panel with this width: of the largest size at which all words fit, or else upright. None if its
/// axis there is not of names.
fn names_below(framed: &FramedFacet<'_>, width: f64) -> Option<NamesBelow> {
    let Scale::Names(names) = &framed.bottom().0.scale else { return None };
    let space = width / names.len().max(1) as f64 - GAP;
    let at = |size: f64| {
        let lines = names.iter().map(|name| stacked(&name.label, space, size));
        Some(NamesBelow { lines: lines.collect::<Option<Vec<_>>>()?, size, upright: false })
    };
    [SMALL, SMALL - 1.0, SMALL - 2.0, SMALLEST]
        .into_iter()
        .find_map(at)
        .or_else(|| Some(upright_names(names, space)))
}

/// Upright names, each in as many lines as fit the space, and in one line if it is too long.
fn upright_names(names: &[AxisName], space: f64) -> NamesBelow {
    let max = ((space / UPRIGHT) as usize).max(1);
    let broken = |name: &AxisName| {
        let broken =
            LENGTHS.map(|long| layout::wrapped(&name.label, long, UPRIGHT, Weight::Regular));
        let fitting = broken.into_iter().find(|lines| lines.len() <= max);
        fitting.unwrap_or_else(|| vec![name.label.clone()])
    };
    NamesBelow { lines: names.iter().map(broken).collect(), size: UPRIGHT, upright: true }
}

/// The height of the labels below a panel with this width.
pub(super) fn ticks_height(framed: &FramedFacet<'_>, width: f64) -> f64 {
    names_below(framed, width).map_or(TICKS, |names| names.height())
}

/// Shades every second row of a panel with names, counted from a heading.
fn bands(canvas: &mut Canvas<'_>, framed: &FramedFacet<'_>, rect: Rect) {
    let Scale::Names(names) = &framed.left().0.scale else { return };
    let height = rect.height / names.len().max(1) as f64;
    let mut is_shaded = false;
    for (row, name) in names.iter().enumerate() {
        is_shaded = !is_shaded && !name.is_heading;
        if !is_shaded {
            continue;
        }
        let (top, bottom) = (rect.top + row as f64 * height, rect.top + (row + 1) as f64 * height);
        let (left, right) = (rect.left, rect.right());
        canvas.fill(&[(left, top), (right, top), (right, bottom), (left, bottom)], FAINT);
    }
}

/// The width of the labels and the title to the left of a panel with this height.
pub(super) fn left_width(framed: &FramedFacet<'_>, height: f64) -> f64 {
    let ticks = left_ticks(framed, height);
    let labels = ticks.iter().filter_map(|tick| tick.label.as_deref());
    let labels = labels.flat_map(|label| wrapped(label, framed.name_space));
    let labels = labels.map(|line| label_width(&line)).fold(0.0, f64::max);
    let (axis, _) = framed.left();
    let title = if axis.title().is_empty() { 0.0 } else { AXIS_TITLE };
    labels + LENGTH.0 + GAP + title
}

/// Draws the axes of a panel.
pub(super) fn draw(canvas: &mut Canvas<'_>, framed: &FramedFacet<'_>, rect: Rect) {
    let down = framed.facet.sideways;
    let place = |tick: &Tick| {
        if down {
            rect.top + tick.place * rect.height
        } else {
            rect.bottom() - tick.place * rect.height
        }
    };
    let (left, bottom) = (beside(framed, rect), below(framed, rect));

    let grid = Pen::new(PALE, 0.8);
    let rows = matches!(framed.left().0.scale, Scale::Names(_));
    bands(canvas, framed, rect);
    if !rows {
        for tick in left.ticks.iter().filter(|tick| tick.label.is_some()) {
            canvas.line(&[(rect.left, place(tick)), (rect.right(), place(tick))], grid);
        }
    }
    let columns = matches!(framed.bottom().0.scale, Scale::Names(_));
    for tick in bottom.ticks.iter().filter(|tick| tick.label.is_some() && !columns) {
        let x = rect.left + tick.place * rect.width;
        canvas.line(&[(x, rect.top), (x, rect.bottom())], grid);
    }
    limits(canvas, framed, rect);

    let edge = Pen::new(INK, 1.0);
    canvas.line(
        &[(rect.left, rect.top), (rect.left, rect.bottom()), (rect.right(), rect.bottom())],
        edge,
    );
    let mut labels = left.labels.iter();
    for tick in &left.ticks {
        let y = place(tick);
        let length = if tick.label.is_some() { LENGTH.0 } else { LENGTH.1 };
        if !rows {
            canvas.line(&[(rect.left - length, y), (rect.left, y)], edge);
        }
        if let Some(lines) = tick.label.as_ref().and_then(|_| labels.next()) {
            let first = y + 0.32 * left.size - (lines.len() - 1) as f64 * SMALL / 2.0;
            for (turn, line) in lines.iter().enumerate() {
                let position = (rect.left - LENGTH.0 - GAP, first + turn as f64 * SMALL);
                canvas.text(line, position, TextStyle { anchor: Anchor::End, ..plain(left.size) });
            }
        }
    }
    let mut labels = bottom.labels.iter();
    for tick in &bottom.ticks {
        let x = rect.left + tick.place * rect.width;
        let length = if tick.label.is_some() { LENGTH.0 } else { LENGTH.1 };
        if !columns {
            canvas.line(&[(x, rect.bottom()), (x, rect.bottom() + length)], edge);
        }
        let lines = tick.label.as_ref().and_then(|_| labels.next());
        let lines = lines.map(Vec::as_slice).unwrap_or_default();
        for (turn, line) in lines.iter().enumerate() {
            if bottom.upright {
                let middle = (lines.len() - 1) as f64 / 2.0;
                let aside = bottom.size * (turn as f64 - middle + 0.32);
                let position = (x + aside, rect.bottom() + LENGTH.0 + GAP);
                let kind = TextStyle { anchor: Anchor::End, upright: true, ..plain(bottom.size) };
                canvas.text(line, position, kind);
                continue;
            }
            let position = (x, rect.bottom() + TICKS - 5.0 + bottom.size * turn as f64);
            canvas.text(line, position, TextStyle { anchor: Anchor::Middle, ..plain(bottom.size) });
        }
    }
    names_above(canvas, framed, rect);
    titles(canvas, framed, rect);
}

/// The title of an axis with this length. If it is much longer, the title is without the words after `of`, or is cut.
fn title(axis: &Axis, length: f64) -> String {
    let title = axis.title();
    let fits = |title: &str| width(title, LARGE, Weight::Regular) <= length + BEYOND;
    let of = axis.label.split_once(" of ").filter(|_| !fits(&title));
    let short = of.map(|(label, _)| Axis { label: label.to_owned(), ..axis.clone() }.title());
    short
        .filter(|short| fits(short))
        .unwrap_or_else(|| shortened(&title, length + BEYOND, LARGE, Weight::Regular))
}

fn titles(canvas: &mut Canvas<'_>, framed: &FramedFacet<'_>, rect: Rect) {
    let middle = TextStyle { anchor: Anchor::Middle, ..plain(LARGE) };
    if framed.left_labels {
        let x = rect.left - left_width(framed, rect.height) + 13.0;
        let position = (x, rect.top + rect.height / 2.0);
        let title = title(framed.left().0, rect.height);
        canvas.text(&title, position, TextStyle { upright: true, ..middle });
    }
    if framed.bottom_title {
        let below = rect.bottom() + ticks_height(framed, rect.width);
        let position = (rect.left + rect.width / 2.0, below + AXIS_TITLE - 8.0);
        canvas.text(&title(framed.bottom().0, rect.width), position, middle);
    }
}

/// The middle of a limit's label in the line of the title, as near to the limit as the space permits.
fn above(label: &str, x: f64, rect: Rect) -> f64 {
    x.min(rect.right() - width(label, SMALL - 1.0, Weight::Regular) / 2.0)
}

/// The left end of a limit's label in the line of the title, if there is one.
pub(super) fn label_above(framed: &FramedFacet<'_>, rect: Rect) -> Option<f64> {
    let (axis, span) = framed.bottom();
    let label = &axis.limit.as_ref().filter(|_| framed.facet.sideways)?.label;
    let x = rect.left + span.border()? * rect.width;
    Some(above(label, x, rect) - width(label, SMALL - 1.0, Weight::Regular) / 2.0)
}

/// Draws the borders beyond which no value was measured, with their labels.
fn limits(canvas: &mut Canvas<'_>, framed: &FramedFacet<'_>, rect: Rect) {
    let pen = Pen { dash: &[4.0, 3.0], ..Pen::new(GREY, 1.0) };
    let grey = TextStyle { color: GREY, ..plain(SMALL - 1.0) };
    let label = |axis: &Axis| axis.limit.as_ref().map(|limit| limit.label.clone());
    let (axis, span) = framed.left();
    if let (Some(place), false) = (span.border(), framed.facet.sideways) {
        let y = rect.bottom() - place * rect.height;
        canvas.line(&[(rect.left, y), (rect.right(), y)], pen);
        if let Some(text) = label(axis) {
            canvas.text(&text, (rect.left + 5.0, y - 4.0), grey);
        }
    }
    let (axis, span) = framed.bottom();
    if let Some(place) = span.border() {
        let x = rect.left + place * rect.width;
        canvas.line(&[(x, rect.top), (x, rect.bottom())], pen);
        if let Some(text) = label(axis) {
            // The label avoids the marks: it is in the line of the title, or upright beside the line.
            if framed.facet.sideways {
                let position = (above(&text, x, rect), rect.top - 5.0);
                canvas.text(&text, position, TextStyle { anchor: Anchor::Middle, ..grey });
            } else {
                let position = (x + 13.0, rect.bottom() - 6.0);
                canvas.text(&text, position, TextStyle { upright: true, ..grey });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::scale::Span;
    use super::*;

    /// The names below an axis of 120 pixels, and their height.
    fn below(names: &[&str]) -> (NamesBelow, f64) {
        let names = names.iter().map(|name| AxisName::new(*name)).collect();
        let (rows, columns) = (Axis::names("", Vec::new()), Axis::names("", names));
        let facet = Facet::sideways("", rows, columns, Vec::new());
        let span = |axis: &Axis| Span::new(axis, std::iter::empty());
        let (position, value) = (span(&facet.position), span(&facet.value));
        let (left_labels, bottom_labels, name_space) = (true, true, WIDEST.0);
        let framed = FramedFacet {
            facet: &facet,
            position,
            value,
            left_labels,
            bottom_labels,
            bottom_title: true,
            name_space,
            end_space: None,
        };
        let height = ticks_height(&framed, 120.0);
        (names_below(&framed, 120.0).expect("an axis of names"), height)
    }

    #[test]
    fn names_with_a_word_wider_than_their_column_are_upright_and_whole() {
        let (names, low) = below(&["torus", "plane"]);
        assert!(!names.upright);
        assert_eq!(names.lines, [["torus"], ["plane"]]);
        let (names, high) = below(&["pigeonhole, unsat", "langford, sat", "a", "b", "c", "d"]);
        assert!(names.upright && high > low + 20.0, "{high} and {low}");
        assert_eq!(names.lines[..2], [["pigeonhole, unsat"], ["langford, sat"]]);
    }
}
