//! A table for a paper, in booktabs' style, rounded as in Markdown.

use super::escape::{comment, escaped};
use crate::table::plain::joined;
use crate::table::{Column, Item, Table};

/// The largest number of rows on one page. A longer table is broken over pages.
const PAGE: usize = 30;
/// The approximate number of letters of a line of a paper in each size of type.
const SIZES: [(&str, usize); 4] =
    [("\\normalsize", 66), ("\\small", 74), ("\\footnotesize", 83), ("\\scriptsize", 95)];
/// The largest legible width. A wider table is broken into parts.
const WIDEST: usize = 115;
/// The least length of a line of a heading before it is broken.
const HEAD: usize = 9;

/// The command that prints the notes, unless the paper defines it.
const NOTES: &str = "\
% Prints the notes; \\newcommand{\\bezzelnotes}[1]{} beforehand leaves them out.
\\providecommand{\\bezzelnotes}[1]{\\par\\smallskip\\noindent
  \\begin{minipage}{\\linewidth}\\footnotesize\\raggedright #1\\end{minipage}}
";

/// The table of an experiment's report as floats with caption, label and notes. The conditions, which a report states
/// once, are further notes, since a paper takes a table alone. A table that is longer than a page is a `longtable`; one
/// that is wider than a line has several parts.
pub(crate) fn table(experiment: &str, table: &Table, conditions: &[String]) -> String {
    let label = label(experiment, &table.id);
    let long = table.rows.len() > PAGE;
    let packages = if long { "booktabs,longtable" } else { "booktabs,graphicx" };
    let mut text = comment(&format!("{experiment}: {}", table.title));
    text.push_str(&comment("Made by bezzel report, which overwrites it: do not edit."));
    text.push_str(&comment(&format!(
        "\\usepackage{{{packages}}}; \\input it; \\ref{{{label}}} refers to it."
    )));
    text.push_str(NOTES);
    let parts = parts(table);
    let notes = table.notes.iter().chain(conditions);
    let notes: Vec<String> = notes.map(|note| escaped(note)).collect();
    let notes = format!("\\bezzelnotes{{{}}}\n", notes.join("\\par\n"));
    for (turn, part) in parts.iter().enumerate() {
        let title = escaped(&table.title);
        let caption = match (turn, parts.len()) {
            (_, 1) => format!("\\caption{{{title}.}}\\label{{{label}}}"),
            (0, max) => format!("\\caption{{{title}, part 1 of {max}.}}\\label{{{label}}}"),
            (_, max) => format!("\\caption{{{title}, part {} of {max}.}}", turn + 1),
        };
        let notes = if turn + 1 == parts.len() { notes.as_str() } else { "" };
        let body = TabularLines::new(table, part);
        text.push_str(&if long { body.long(&caption, notes) } else { body.float(&caption, notes) });
    }
    text
}

/// The approximate width of the items of a column in letters.
fn letters(table: &Table, place: usize) -> usize {
    let items = table.rows.iter().filter_map(|row| row.get(place));
    items.map(|item| item.read().chars().count()).max().unwrap_or(0)
}

/// The width of the column with its heading and the space beside it.
fn breadth(table: &Table, place: usize) -> usize {
    let items = letters(table, place);
    let lines = broken(&table.columns[place].head, items.max(HEAD));
    let head = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    items.max(head) + 2
}

/// The columns of each part. Every part has the words at the beginning of the rows, which identify a row.
fn parts(table: &Table) -> Vec<Vec<usize>> {
    let words = table.columns.iter().take_while(|column| !column.numeric).count();
    let keys: usize = (0..words).map(|place| breadth(table, place)).sum();
    let mut parts: Vec<Vec<usize>> = vec![(0..words).collect()];
    let mut taken = keys;
    for place in words..table.columns.len() {
        let wide = breadth(table, place);
        if taken > keys && taken + wide > WIDEST {
            parts.push((0..words).collect());
            taken = keys;
        }
        taken += wide;
        parts.last_mut().expect("there is one").push(place);
    }
    parts
}

/// The lines of a part.
struct TabularLines {
    kinds: String,
    heads: String,
    rows: String,
    size: &'static str,
}

impl TabularLines {
    fn new(table: &Table, part: &[usize]) -> Self {
        let columns: Vec<(usize, &Column)> = part
            .iter()
            .map(|&place| (letters(table, place).max(HEAD), &table.columns[place]))
            .collect();
        let rows = table.rows.iter().map(|row| line(part.iter().map(|&place| cell(&row[place]))));
        let letters: usize = part.iter().map(|&place| breadth(table, place)).sum();
        let size = SIZES.iter().find(|(_, max)| letters <= *max);
        Self {
            kinds: columns
                .iter()
                .map(|(_, column)| if column.numeric { 'r' } else { 'l' })
                .collect(),
            heads: line(columns.iter().map(|(wide, column)| head(column, *wide))),
            rows: rows.collect(),
            size: size.map_or("\\tiny", |(size, _)| size),
        }
    }

    fn float(&self, caption: &str, notes: &str) -> String {
        let Self { kinds, heads, rows, .. } = self;
        format!(
            "\\begin{{table}}\n\\centering\n{caption}\n\\sbox0{{%\n\\begin{{tabular}}{{{kinds}}}\n\
             \\toprule\n{heads}\\midrule\n{rows}\\bottomrule\n\\end{{tabular}}}}%\n\
             % As wide as the line at most.\n\
             \\ifdim\\wd0>\\linewidth\\resizebox{{\\linewidth}}{{!}}{{\\usebox0}}\\else\\usebox0\\fi\n\
             {notes}\\end{{table}}\n"
        )
    }

    fn long(&self, caption: &str, notes: &str) -> String {
        let Self { kinds, heads, rows, size } = self;
        format!(
            "\\begingroup{size}\\setlength{{\\tabcolsep}}{{3pt}}\n\
             \\begin{{longtable}}{{{kinds}}}\n{caption}\\\\\n\\toprule\n{heads}\\midrule\n\
             \\endfirsthead\n\\toprule\n{heads}\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n\
             {rows}\\end{{longtable}}\n\\endgroup\n{notes}"
        )
    }
}

/// The label of an object in a report, in letters, digits and hyphens.
pub(super) fn label(experiment: &str, id: &str) -> String {
    format!("tab:{}", crate::escape::id(&[experiment, id]))
}

fn line(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(" & ") + " \\\\\n"
}

fn cell(item: &Item) -> String {
    let text = escaped(&item.read());
    match item {
        Item::Encoding(..) => format!("\\texttt{{{text}}}"),
        // Brackets at the beginning of a line would be an option of the line before.
        _ if text.starts_with('[') => format!("{{}}{text}"),
        _ => text,
    }
}

/// The lines of a heading, each of about `wide` letters.
fn broken(head: &str, wide: usize) -> Vec<String> {
    joined(&head.split_whitespace().map(str::to_owned).collect::<Vec<_>>(), wide)
}

/// A heading, broken into lines of about `wide` letters.
fn head(column: &Column, wide: usize) -> String {
    let lines = broken(&column.head, wide);
    let lines: Vec<String> = lines.iter().map(|line| escaped(line)).collect();
    match &lines[..] {
        [] => String::new(),
        [line] => format!("{{{line}}}"),
        several => {
            let side = if column.numeric { 'r' } else { 'l' };
            format!(
                "\\begin{{tabular}}[b]{{@{{}}{side}@{{}}}}{}\\end{{tabular}}",
                several.join("\\\\")
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table_of_size(columns: usize, rows: usize) -> Table {
        let numbers =
            (0..columns).map(|turn| Column::numbers(format!("c{turn}"), "Median of it (s)"));
        let row = || {
            let numbers = (0..columns).map(|number| Item::Count(number as u128 * 1000));
            std::iter::once(Item::Encoding(0, "a_b:4".into())).chain(numbers).collect()
        };
        Table {
            id: "cells".into(),
            title: "100% of it".into(),
            columns: std::iter::once(Column::words("encoding", "Encoding"))
                .chain(numbers)
                .collect(),
            rows: (0..rows).map(|_| row()).collect(),
            notes: vec!["A & B".into()],
        }
    }

    #[test]
    fn a_table_is_a_float_with_its_caption_its_label_and_its_notes() {
        let text = table("first-look", &table_of_size(2, 1), &["Limits: 5 s.".into()]);
        for part in [
            "\\caption{100\\% of it.}\\label{tab:first-look-cells}",
            "\\begin{tabular}{lrr}",
            "\\begin{tabular}[b]{@{}r@{}}Median of\\\\it (s)\\end{tabular} \\\\",
            "\n\\texttt{a\\_b:4} & 0 & 1,000 \\\\\n",
            "\\bezzelnotes{A \\& B\\par\nLimits: 5 s.}\n\\end{table}",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn a_table_longer_than_a_page_goes_over_pages_and_a_wide_one_has_parts() {
        let text = table("x", &table_of_size(12, PAGE + 1), &[]);
        assert_eq!(text.matches("\\begin{longtable}").count(), 2, "{text}");
        assert_eq!(text.matches("\\label{tab:x-cells}").count(), 1);
        assert!(text.contains("part 2 of 2") && !text.contains("\\begin{table}"));
        // Every part names its rows, and no number is lost.
        assert_eq!(text.matches("\n\\texttt{a\\_b:4} & ").count(), 2 * (PAGE + 1));
        assert_eq!(text.matches(" & 11,000 ").count(), PAGE + 1);
        assert_eq!(text.matches("\\bezzelnotes{A").count(), 1);
    }
}
