//! A figure in the page: its drawing with a circle for every mark, its caption, its files.
//!
//! It is an invisible circle with the mark's text as its title. Browsers show titles by themselves. The page's
//! script takes these circles and shows the text of the nearest one to mouse, finger and keyboard. The attribute
//! `data-rows` has the indices of the rows that the mark stands for.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use bezzel_experiment::{Key, Row};
use maud::{Markup, PreEscaped, html};
use serde_json::json;

use crate::chart::LegendEntry;
use crate::escape::{plain, xml};
use crate::render::{MarkLabel, UNITS, with_looks};
use crate::report::Figure;
use crate::row_columns::digits;

/// The radius of a circle in the pixels of the figure, for browsers without the script.
const RADIUS: f64 = 6.0;
/// The number of marks above which a figure shows the text of only one mark in every two by two pixels.
const MANY: usize = 4_000;

/// The figure and the links to its files.
pub(super) fn body(figure: &Figure, indices: &RowIndices<'_>) -> Markup {
    let (title, caption) = (plain(&figure.chart.title), plain(&figure.chart.caption));
    let (svg, thinned) = with_spots(figure, indices);
    let words = if figure.picture.mark_labels.is_empty() {
        ""
    } else {
        ". Arrow keys show the values of marks"
    };
    let legend: Vec<(usize, String)> = figure
        .chart
        .legend
        .iter()
        .map(|LegendEntry { style, label }| (*style, plain(label)))
        .collect();
    html! {
        figure {
            div.card tabindex="0" role="group" aria-label={ (title) (words) } data-legend=(json!(legend).to_string()) {
                (PreEscaped(svg))
            }
            figcaption {
                (caption)
                @if thinned { " Where marks cover each other, only one shows its values. The CSV has all." }
            }
        }
        p.files {
            @for (label, name) in figure.files() { a href=(name) { (label) } }
        }
    }
}

/// The drawing with its circles, and true if some were left out.
fn with_spots(figure: &Figure, indices: &RowIndices<'_>) -> (String, bool) {
    let svg = with_looks(figure.picture.grouped.trim_end());
    // The two most frequent colours, in their short form.
    let svg = svg.replace("\"#222222\"", "\"#222\"").replace("\"#ffffff\"", "\"#fff\"");
    let all = &figure.picture.mark_labels;
    let kept = thin(all);
    let Some(body) = svg.strip_suffix("</svg>").filter(|_| !kept.is_empty()) else {
        return (svg, false);
    };
    let mut text = String::with_capacity(body.len() + 120 * kept.len());
    text.push_str(body);
    text.push_str("<g class=\"spots\" fill=\"none\" pointer-events=\"all\">");
    for mark_label in &kept {
        add_spot(&mut text, mark_label, indices);
    }
    text.push_str("</g></svg>");
    (text, kept.len() < all.len())
}

/// Writes the circle of a mark.
fn add_spot(text: &mut String, mark_label: &MarkLabel, indices: &RowIndices<'_>) {
    let of = |name: &str, number: Option<usize>| {
        number.map_or_else(String::new, |number| format!(" data-{name}=\"{number}\""))
    };
    let (look, panel) = (of("s", mark_label.look), of("p", mark_label.panel));
    let rows = indices.digits(&mark_label.keys);
    let rows = rows.map_or_else(String::new, |rows| format!(" data-rows=\"{rows}\""));
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "<circle cx=\"{}\" cy=\"{}\" r=\"{:.0}\"{look}{panel}{rows}><title>{}</title></circle>",
        mark_label.x,
        mark_label.y,
        RADIUS * UNITS,
        xml(&mark_label.text)
    );
}

/// All of them if there are few. Otherwise the last, which is on top, in every two by two pixels.
fn thin(mark_labels: &[MarkLabel]) -> Vec<&MarkLabel> {
    if mark_labels.len() <= MANY {
        return mark_labels.iter().collect();
    }
    let mut taken = HashSet::new();
    let square = (2.0 * UNITS) as i32;
    let place =
        |mark_label: &MarkLabel| (mark_label.x.div_euclid(square), mark_label.y.div_euclid(square));
    let mut kept: Vec<&MarkLabel> =
        mark_labels.iter().rev().filter(|mark_label| taken.insert(place(mark_label))).collect();
    kept.reverse();
    kept
}

/// The indices of the rows of each key, in the order of the script's rows.
pub(super) struct RowIndices<'r> {
    of_key: HashMap<&'r Key, Vec<usize>>,
    /// The number of all rows.
    rows: usize,
}

impl<'r> RowIndices<'r> {
    /// Maps the keys of the rows of a record.
    pub(super) fn new(rows: &'r [Row]) -> Self {
        let mut of_key: HashMap<&Key, Vec<usize>> = HashMap::new();
        for (index, row) in rows.iter().enumerate() {
            of_key.entry(&row.key).or_default().push(index);
        }
        Self { of_key, rows: rows.len() }
    }

    /// The indices of all rows with one of these keys, increasing and each once, written like the columns of the
    /// script's rows. None if no row has one of the keys.
    pub(super) fn digits(&self, keys: &[Key]) -> Option<String> {
        let known = keys.iter().filter_map(|key| self.of_key.get(key));
        let mut indices: Vec<usize> = known.flatten().copied().collect();
        indices.sort_unstable();
        indices.dedup();
        Some(digits(&indices, self.rows.max(2))).filter(|digits| !digits.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use bezzel_experiment::{Key, Row};

    use super::*;
    use crate::tests::sample::solved;

    fn mark_label(x: i32, y: i32) -> MarkLabel {
        let text = format!("{x}, {y}");
        MarkLabel { x, y, look: None, panel: None, text, keys: Vec::new() }
    }

    #[test]
    fn a_mark_names_the_rows_that_it_stands_for() {
        let keyed = |key: &str| Row { key: Key(key.into()), ..solved(1.0) };
        // Two rows have one key, as in a record of two experiments.
        let rows = ["a", "b", "a", "c"].map(keyed);
        let spot = |rows: &[Row], keys: &[&str]| {
            let keys = keys.iter().map(|&key| Key(key.into())).collect();
            let mark_label = MarkLabel { look: Some(7), keys, ..mark_label(1, 2) };
            let mut text = String::new();
            add_spot(&mut text, &mark_label, &RowIndices::new(rows));
            let text = text.strip_prefix("<circle cx=\"1\" cy=\"2\" r=\"120\"").unwrap();
            text.strip_suffix("><title>1, 2</title></circle>").unwrap().to_owned()
        };
        assert_eq!(spot(&rows, &["c"]), " data-s=\"7\" data-rows=\"3\"");
        assert_eq!(spot(&rows, &["c", "a"]), " data-s=\"7\" data-rows=\"023\"");
        assert_eq!(spot(&rows, &["a", "a", "d"]), " data-s=\"7\" data-rows=\"02\"");
        assert_eq!(spot(&rows, &[]), " data-s=\"7\"");
        assert_eq!(spot(&rows, &["d"]), " data-s=\"7\"");
        assert_eq!(spot(&rows[..1], &["a"]), " data-s=\"7\" data-rows=\"0\"", "one row");
        // All numbers have the digits of the last.
        let many: Vec<Row> = (0..37).map(|number| keyed(&number.to_string())).collect();
        assert_eq!(spot(&many, &["36", "9"]), " data-s=\"7\" data-rows=\"0910\"");
    }

    #[test]
    fn of_many_marks_on_each_other_one_is_kept_and_of_few_all() {
        let few = vec![mark_label(1, 1); 10];
        assert_eq!(thin(&few).len(), 10);
        // A hundred columns of two pixels, a hundred marks in each.
        let fine = UNITS as i32;
        let many: Vec<MarkLabel> =
            (0..10_000).map(|n| mark_label(2 * fine * (n % 100), 0)).collect();
        let kept = thin(&many);
        assert_eq!(kept.len(), 100);
        assert_eq!(kept[7], &many[9_907]);
    }
}
