//! The parts of a picture that a page can show or hide: groups of the SVG.
//!
//! plotters draws no groups. A group is drawn between two discs that no picture has, with radii beyond every canvas; the
//! discs then become the tags of the group. The page has the groups, and files have pictures without them.

use std::fmt::Write;

/// A part of a picture, with the look of its encoding, or with the number of its panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// Lines, bars, marks and texts of a series, or a cell of a heat map.
    Series(usize),
    /// An entry of the legend.
    Key(usize),
    /// A panel of several, without its axes, which other panels may share.
    Panel(usize),
}

/// The radius of the disc at the end of a group.
pub(super) const END: i32 = 1_000_000;
/// The attributes of such a disc before its radius.
const DISC: &str = "<circle cx=\"0\" cy=\"0\" r=\"";
/// The tag of each kind of group before the number of its look or panel.
const TAGS: [&str; 3] = ["<g id=\"series-", "<g id=\"key-", "<g id=\"panel-"];

impl Group {
    /// The radius of the disc at its beginning.
    pub(super) fn radius(self) -> i32 {
        let (number, kind) = match self {
            Self::Series(look) => (look, 0),
            Self::Key(look) => (look, 1),
            Self::Panel(place) => (place, 2),
        };
        END + 1 + (TAGS.len() * number + kind) as i32
    }
}

/// The SVG with groups in place of the discs.
pub(super) fn with_groups(svg: &str) -> String {
    let mut text = String::with_capacity(svg.len());
    for (number, line) in svg.split_inclusive('\n').enumerate() {
        let radius = line.strip_prefix(DISC).and_then(|rest| rest.split('"').next());
        match radius.and_then(|radius| radius.parse::<i32>().ok()).map(|radius| radius - END) {
            Some(0) => text.push_str("</g>\n"),
            Some(begin) if begin > 0 => {
                let begin = begin as usize - 1;
                let (of, tag) = (begin / TAGS.len(), TAGS[begin % TAGS.len()]);
                // Ids of a document are unique. Writing to a string cannot fail.
                let _ = writeln!(text, "{tag}{of}-{number}\">");
            }
            _ => text.push_str(line),
        }
    }
    text
}

/// The SVG without the groups.
pub(super) fn without_groups(svg: &str) -> String {
    let mut text = String::with_capacity(svg.len());
    // True for every open group whose tags are left out.
    let mut open = Vec::new();
    let mut was_left_out = false;
    for part in svg.split_inclusive('>') {
        let (before, tag) = part.split_at(part.rfind('<').unwrap_or(part.len()));
        // A tag that is left out takes the end of its line along.
        let line_end = if was_left_out { before.strip_prefix('\n') } else { None };
        text.push_str(line_end.unwrap_or(before));
        let is_group = tag.starts_with("<g>") || tag.starts_with("<g ");
        let is_left_out = TAGS.iter().any(|start| tag.starts_with(start));
        if is_group && !tag.ends_with("/>") {
            open.push(is_left_out);
        }
        let is_left_out =
            if tag == "</g>" { open.pop().unwrap_or(false) } else { is_group && is_left_out };
        if !is_left_out {
            text.push_str(tag);
        }
        was_left_out = is_left_out;
    }
    text
}

/// The SVG with the look of each group as `data-s` or, in the legend, as `data-key`, and with the number of each panel as
/// `data-p`, in place of its id.
pub(crate) fn with_looks(svg: &str) -> String {
    let names = ["<g data-s=\"", "<g data-key=\"", "<g data-p=\""];
    TAGS.iter().zip(names).fold(svg.to_owned(), |svg, (tag, name)| {
        let mut parts = svg.split(tag);
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| {
            let (id, rest) = part.split_once('"').unwrap_or((part, ""));
            let look = id.split('-').next().unwrap_or_default();
            [text.as_str(), name, look, "\"", rest].concat()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disc(radius: i32) -> String {
        format!("{DISC}{radius}\" opacity=\"1\" fill=\"#FFFFFF\"/>\n")
    }

    #[test]
    fn discs_become_groups_which_can_be_removed_or_named() {
        let [series, key, panel] =
            [Group::Series(12), Group::Key(3), Group::Panel(1)].map(|group| disc(group.radius()));
        let path = "<path d=\"m0 0\"/>\n";
        let own = "<g>\n<path/>\n</g>\n";
        let svg =
            [&panel, &series, path, own, &disc(END), &disc(END), &key, path, &disc(END), &disc(5)]
                .concat();
        let grouped = with_groups(&svg);
        let expected = format!(
            "<g id=\"panel-1-0\">\n<g id=\"series-12-1\">\n{path}{own}</g>\n</g>\n<g id=\"key-3-8\">\n{path}</g>\n{}",
            disc(5)
        );
        assert_eq!(grouped, expected);
        assert_eq!(without_groups(&grouped), [path, own, path, &disc(5)].concat());
        let named = with_looks(&grouped);
        assert!(named.starts_with("<g data-p=\"1\">\n<g data-s=\"12\">\n<path"), "{named}");
        assert!(named.contains("<g data-key=\"3\">\n<path") && !named.contains(" id="), "{named}");
    }
}
