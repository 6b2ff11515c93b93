//! A table for a paper, in booktabs' style, rounded as in Markdown. Classes of one column and of two set it.

use super::escape::{comment, escaped};
use crate::table::plain::joined;
use crate::table::{Column, Item, Table};

/// The largest number of rows of a float.
const PAGE: usize = 30;
/// The largest legible width in letters. A wider table is broken into parts.
const WIDEST: usize = 115;
/// The least length of a line of a heading before it is broken.
const HEAD: usize = 9;
/// The largest number of floats without a page break between them. LaTeX keeps only a few floats that have no page.
const WAITING: usize = 10;

/// The commands that print the notes, unless the paper defines them, and that make a float of a table in `\bezzelbox`. A
/// table that is much wider than a column spans both columns of a page, and one that is wider than its line is scaled
/// together with its notes. So notes are never larger than their table.
const COMMANDS: &str = r"% Prints the notes; \newcommand{\bezzelnotes}[1]{} beforehand leaves them out.
\providecommand{\bezzelnotes}[1]{\par\smallskip\noindent
  \begin{minipage}{\linewidth}\footnotesize\raggedright #1\end{minipage}}
\ifdefined\bezzelbox\else\newsavebox{\bezzelbox}\fi
\providecommand{\bezzelfloat}[2]{%
  \edef\bezzelkind{\ifdim\wd\bezzelbox>1.25\columnwidth table*\else table\fi}%
  \begin{\bezzelkind}\centering #1\par\smallskip
  \ifdim\wd\bezzelbox>\linewidth
    \resizebox{\linewidth}{!}{\begin{minipage}{\wd\bezzelbox}\usebox\bezzelbox #2\end{minipage}}%
  \else\usebox\bezzelbox #2\fi
  \end{\bezzelkind}}
";

/// The table of an experiment's report as floats with caption, label and notes. The conditions, which a report states
/// once, are further notes, since a paper takes a table alone. A table that is longer than a page or wider than a line
/// has several parts.
pub(crate) fn table(experiment: &str, table: &Table, conditions: &[String]) -> String {
    let label = label(experiment, &table.id);
    let mut text = comment(&format!("{experiment}: {}", table.title));
    text.push_str(&comment("Made by bezzel report, which overwrites it: do not edit."));
    text.push_str(&comment(&format!(
        "\\usepackage{{booktabs,graphicx}}; \\input it; \\ref{{{label}}} refers to it."
    )));
    text.push_str(COMMANDS);
    let notes = table.notes.iter().chain(conditions);
    let notes: Vec<String> = notes.map(|note| escaped(note)).collect();
    let notes = format!("\\bezzelnotes{{{}}}", notes.join("\\par\n"));
    let title = escaped(&table.title);
    // A table without rows has its heading.
    let pages: Vec<&[Vec<Item>]> = match &table.rows[..] {
        [] => vec![&[]],
        rows => rows.chunks(PAGE).collect(),
    };
    let widths: Vec<usize> = (0..table.columns.len()).map(|place| letters(table, place)).collect();
    let columns = columns_of_parts(table, &widths);
    let parts = columns.iter().flat_map(|columns| pages.iter().map(move |rows| (columns, *rows)));
    let last = columns.len() * pages.len();
    for (number, (columns, rows)) in (1..).zip(parts) {
        let part = if last == 1 { String::new() } else { format!(", part {number} of {last}") };
        let label = if number == 1 { format!("\\label{{{label}}}") } else { String::new() };
        let notes = if number == last { notes.as_str() } else { "" };
        text.push_str(&tabular(table, &widths, columns, rows));
        text.push_str(
            &["\\bezzelfloat{\\caption{", &title, &part, ".}", &label, "}{", notes, "}\n"].concat(),
        );
        if number % WAITING == 0 && number < last {
            text.push_str("\\clearpage\n");
        }
    }
    text
}

/// The columns and rows of a part, in a box.
fn tabular(table: &Table, widths: &[usize], columns: &[usize], rows: &[Vec<Item>]) -> String {
    let kinds = columns.iter().map(|&place| if table.columns[place].numeric { 'r' } else { 'l' });
    let heads = columns.iter().map(|&place| head(&table.columns[place], widths[place].max(HEAD)));
    let rows = rows
        .iter()
        .map(|row| line(columns.iter().map(|&place| cell(&table.columns[place], &row[place]))));
    format!(
        "\\sbox\\bezzelbox{{%\n\\begin{{tabular}}{{{}}}\n\\toprule\n{}\\midrule\n{}\\bottomrule\n\\end{{tabular}}}}%\n",
        kinds.collect::<String>(),
        line(heads),
        rows.collect::<String>()
    )
}

/// The approximate width of the items of a column in letters.
fn letters(table: &Table, place: usize) -> usize {
    let items = table.rows.iter().filter_map(|row| row.get(place));
    items.map(|item| item.read().chars().count()).max().unwrap_or(0)
}

/// The width of a column with items of this width, its heading, and the space beside it.
fn breadth(column: &Column, items: usize) -> usize {
    let lines = broken(&column.head, items.max(HEAD));
    let head = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    items.max(head) + 2
}

/// The columns of each part. Every part has the words at the beginning of the rows, which identify a row.
fn columns_of_parts(table: &Table, widths: &[usize]) -> Vec<Vec<usize>> {
    let breadth = |place: usize| breadth(&table.columns[place], widths[place]);
    let words = table.columns.iter().take_while(|column| !column.numeric).count();
    let keys: usize = (0..words).map(breadth).sum();
    let mut parts: Vec<Vec<usize>> = vec![(0..words).collect()];
    let mut taken = keys;
    for place in words..table.columns.len() {
        let wide = breadth(place);
        if taken > keys && taken + wide > WIDEST {
            parts.push((0..words).collect());
            taken = keys;
        }
        taken += wide;
        parts.last_mut().expect("there is one").push(place);
    }
    parts
}

/// The label of an object in a report, in letters, digits and hyphens.
pub(super) fn label(experiment: &str, id: &str) -> String {
    format!("tab:{}", crate::table::ids::id(&[experiment, id]))
}

fn line(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(" & ") + " \\\\\n"
}

fn cell(column: &Column, item: &Item) -> String {
    let text = escaped(&column.shown(item));
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
            "\\bezzelnotes{A \\& B\\par\nLimits: 5 s.}}\n",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn a_table_longer_than_a_page_or_wider_than_a_line_has_parts() {
        let text = table("x", &table_of_size(12, PAGE + 1), &[]);
        assert_eq!(text.matches("\n\\bezzelfloat{").count(), 4, "{text}");
        assert_eq!(text.matches("\\label{tab:x-cells}").count(), 1);
        assert!(text.contains("100\\% of it, part 2 of 4.}}{}\n"), "{text}");
        // Every part names its rows, and no number is lost.
        assert_eq!(text.matches("\n\\texttt{a\\_b:4} & ").count(), 2 * (PAGE + 1));
        assert_eq!(text.matches(" & 11,000 ").count(), PAGE + 1);
        assert_eq!(text.matches("{\\bezzelnotes{A").count(), 1);
        let text = table("x", &table_of_size(1, (WAITING + 1) * PAGE), &[]);
        assert_eq!(text.matches("\\clearpage").count(), 1);
        assert!(table("x", &table_of_size(1, 0), &[]).contains("\\midrule\n\\bottomrule"));
    }
}
