//! The measures of figures: sizes of type, rectangles, and panels with their axes.

use super::canvas::{Anchor, PixelPosition, TextStyle};
use super::font::{Weight, width};
use super::scale::Span;
use super::style::INK;
use crate::chart::{Axis, Facet, FacetBody};

/// The width of a figure in pixels, if no other is wanted. It is the width of the text of a page of A4.
pub(super) const PAGE: f64 = 680.0;
/// Pixels of a figure in an inch of paper.
pub(super) const DPI: f64 = 110.0;
/// The smallest size of type: 7 points.
pub(super) const LEAST_TYPE: f64 = 7.0 / 72.0 * DPI;
/// The least width of a panel beside another one in a figure that is narrower than a page.
pub(super) const LEAST_PANEL: f64 = 240.0;
/// The least width of a panel beside names that has another panel beside it.
pub(super) const LEAST_BESIDE_NAMES: f64 = 140.0;
/// The size of ticks' labels and of the legend.
pub(super) const SMALL: f64 = 14.0;
/// The size of titles of panels and axes.
pub(super) const LARGE: f64 = 15.0;
/// The height of the line of an axis's title.
pub(super) const AXIS_TITLE: f64 = 22.0;
/// The height of the line of ticks' labels below a panel.
pub(super) const TICKS: f64 = 21.0;

/// A rectangle in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Rect {
    pub(super) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    pub(super) fn middle(&self) -> PixelPosition {
        (self.left + self.width / 2.0, self.top + self.height / 2.0)
    }

    /// The corners, from the upper left one to the right.
    pub(super) fn corners(&self) -> [PixelPosition; 4] {
        let (right, bottom) = (self.right(), self.bottom());
        [(self.left, self.top), (right, self.top), (right, bottom), (self.left, bottom)]
    }

    /// The line around it.
    pub(super) fn outline(&self) -> [PixelPosition; 5] {
        let [one, two, three, four] = self.corners();
        [one, two, three, four, one]
    }

    /// The rectangle without an edge of this width.
    pub(super) fn inset(&self, edge: f64) -> Self {
        Self {
            left: self.left + edge,
            top: self.top + edge,
            width: self.width - 2.0 * edge,
            height: self.height - 2.0 * edge,
        }
    }
}

/// Plain text of this size.
pub(super) fn plain(size: f64) -> TextStyle {
    TextStyle { size, weight: Weight::Regular, color: INK, anchor: Anchor::Start, upright: false }
}

/// A panel with all its data before drawing.
pub(super) struct FramedFacet<'a> {
    pub(super) facet: &'a Facet,
    pub(super) position: Span,
    pub(super) value: Span,
    /// True if the axis to the left is labelled. Otherwise the panel to the left has the same labels.
    pub(super) left_labels: bool,
    /// True if the axis below has numbers or names. Otherwise the panel below has the same.
    pub(super) bottom_labels: bool,
    /// True if the axis below has its title. Otherwise the panel below has the same.
    pub(super) bottom_title: bool,
    /// The largest width of a line of a name beside the panel.
    pub(super) name_space: f64,
    /// The largest width of the texts beside rows in a figure narrower than a page.
    pub(super) end_space: Option<f64>,
}

impl FramedFacet<'_> {
    /// The axis to the left and its span.
    pub(super) fn left(&self) -> (&Axis, &Span) {
        if self.facet.sideways {
            (&self.facet.position, &self.position)
        } else {
            (&self.facet.value, &self.value)
        }
    }

    /// The axis below and its span.
    pub(super) fn bottom(&self) -> (&Axis, &Span) {
        if self.facet.sideways {
            (&self.facet.value, &self.value)
        } else {
            (&self.facet.position, &self.position)
        }
    }

    /// True for a panel of marks in rows of names.
    pub(super) fn is_forest(&self) -> bool {
        self.facet.sideways && matches!(self.facet.body, FacetBody::Series(_))
    }

    /// True for all panels but instances.
    pub(super) fn has_axes(&self) -> bool {
        !matches!(self.facet.body, FacetBody::Drawing(_))
    }
}

/// The text, cut to the width with an ellipsis in its middle: names differ at their beginnings and, by their variants
/// and settings, at their ends.
pub(super) fn shortened(text: &str, space: f64, size: f64, weight: Weight) -> String {
    if width(text, size, weight) <= space {
        return text.to_owned();
    }
    let letters: Vec<char> = text.chars().collect();
    let cut = |kept: usize| -> String {
        let (head, tail) = (&letters[..kept.div_ceil(2)], &letters[letters.len() - kept / 2..]);
        head.iter().chain(['…'].iter()).chain(tail).collect()
    };
    // The more letters are kept, the wider is the text. A name of a record may have any length.
    let (mut fits, mut too_wide) = (0, letters.len());
    while fits + 1 < too_wide {
        let kept = usize::midpoint(fits, too_wide);
        if width(&cut(kept), size, weight) <= space { fits = kept } else { too_wide = kept }
    }
    let text = cut(fits);
    if width(&text, size, weight) <= space { text } else { String::new() }
}

/// The text in lines of this width, broken at its blanks. A wider word is broken within. An empty text has no lines.
pub(super) fn wrapped(text: &str, space: f64, size: f64, weight: Weight) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let fits = |line: &str| width(line, size, weight) <= space;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if let Some(last) = lines.last_mut() {
            let longer = format!("{last} {word}");
            if fits(&longer) {
                *last = longer;
                continue;
            }
        }
        let mut line = String::new();
        for letter in word.chars() {
            line.push(letter);
            if !fits(&line) && line.chars().count() > 1 {
                line.pop();
                lines.push(std::mem::replace(&mut line, letter.to_string()));
            }
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_broken_into_lines_and_loses_no_letter() {
        let text = "cadical, completion of partly filled instances, with a solution";
        let lines = wrapped(text, 150.0, SMALL, Weight::Bold);
        assert!(lines.len() > 2, "{lines:?}");
        assert_eq!(lines.join(" "), text);
        assert!(lines.iter().all(|line| width(line, SMALL, Weight::Bold) <= 150.0));
        let word = "w".repeat(60);
        assert_eq!(wrapped(&word, 100.0, SMALL, Weight::Bold).concat(), word);
        assert_eq!(wrapped("", 100.0, SMALL, Weight::Bold), Vec::<String>::new());
        assert_eq!(wrapped("ab", 0.0, SMALL, Weight::Bold), ["a", "b"]);
    }
}
