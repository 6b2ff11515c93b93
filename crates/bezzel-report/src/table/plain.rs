//! A table as plain text in columns, for a terminal.

use std::collections::HashSet;
use std::fmt::Write;

use bezzel_experiment::quantity::time;
use bezzel_problem::layout::padded;
use bezzel_statistics::Value;

use super::{Column, Item, Table};
use crate::escape;
use crate::escape::plain;

/// The largest number of rows that are shown.
const MAX_ROWS: usize = 40;

/// The number of characters at which words in a cell are cut.
const WORDS: usize = 30;

/// The end of the heading of times.
const SECONDS: &str = "(s)";

/// The text between two columns.
const GAP: &str = "  ";

impl Table {
    /// The title, the columns and the first note, in lines of at most `width` characters.
    pub fn plain(&self, width: usize) -> String {
        format!("{}\n{}", plain(&self.title), self.plain_rows(width))
    }

    /// The same without the title. Headings are broken between words. Columns that do not fit beside each other are in
    /// further parts below, each with the first columns: as many as distinguish the rows, or one where these are wide.
    pub(crate) fn plain_rows(&self, width: usize) -> String {
        let shown = &self.rows[..self.rows.len().min(MAX_ROWS)];
        // Each time has its own unit.
        let cell = |(column, item): (&Column, &Item)| match item {
            _ if !column.head.ends_with(SECONDS) => short(column.shown(item)),
            Item::Value(Value::Measured(seconds)) => time(*seconds),
            Item::Bound { text, .. } => format!("{text} s"),
            _ => short(column.shown(item)),
        };
        let cells: Vec<Vec<String>> =
            shown.iter().map(|row| self.columns.iter().zip(row).map(cell).collect()).collect();
        let heads = self.columns.iter().map(|column| words(column.head.trim_end_matches(SECONDS)));
        let heads: Vec<Vec<String>> = heads.collect();
        let of_column = |at: usize| {
            let cells = cells.iter().map(|row| &row[at]).chain(&heads[at]);
            cells.map(|text| wide(text)).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(of_column).collect();
        let taken_by =
            |first: usize| widths.iter().take(first).map(|it| it + GAP.len()).sum::<usize>();
        let distinguishes = |first: &usize| {
            let keys: HashSet<_> = cells.iter().map(|row| &row[..*first]).collect();
            keys.len() == cells.len()
        };
        let keys =
            (1..widths.len()).find(distinguishes).filter(|&first| 3 * taken_by(first) <= 2 * width);
        let keys = keys.unwrap_or(1);
        let mut text = String::new();
        let mut next = keys;
        loop {
            // The first columns, and as many others as fit, at least one.
            let mut part: Vec<usize> = (0..keys).collect();
            let mut taken = taken_by(keys).saturating_sub(GAP.len());
            while next < widths.len()
                && (part.len() == keys || taken + GAP.len() + widths[next] <= width)
            {
                taken += GAP.len() + widths[next];
                part.push(next);
                next += 1;
            }
            self.part(&part, &widths, &heads, &cells, &mut text);
            if next >= widths.len() {
                break;
            }
            text.push('\n');
        }
        let more = self.rows.len() - shown.len();
        if more > 0 {
            writeln!(text, "… and {more} more rows in the report")
                .expect("a string takes all text");
        }
        if let Some(note) = self.notes.first() {
            text.push_str(&wrapped(&plain(note), width));
        }
        text
    }

    /// Some of the columns.
    fn part(
        &self,
        part: &[usize],
        widths: &[usize],
        heads: &[Vec<String>],
        cells: &[Vec<String>],
        text: &mut String,
    ) {
        let heads: Vec<Vec<String>> =
            part.iter().map(|&at| joined(&heads[at], widths[at])).collect();
        let high = heads.iter().map(Vec::len).max().unwrap_or(0);
        // Headings end on the line above the rows.
        let head = |line: usize| {
            let of = |head: &Vec<String>| {
                (line + head.len()).checked_sub(high).map_or(String::new(), |at| head[at].clone())
            };
            heads.iter().map(of).collect::<Vec<_>>()
        };
        let rows = cells.iter().map(|row| part.iter().map(|&at| row[at].clone()).collect());
        for line in (0..high).map(head).chain(rows) {
            let cells = part.iter().zip(&line);
            let cells = cells.map(|(&at, cell)| padded(cell, widths[at], self.columns[at].numeric));
            let shown = cells.collect::<Vec<_>>().join(GAP);
            text.push_str(shown.trim_end());
            text.push('\n');
        }
    }
}

/// The text of an item, cut in its middle if it is long: labels differ at their ends.
fn short(text: String) -> String {
    if wide(&text) <= WORDS {
        return text;
    }
    let (begin, end) = (WORDS / 2, wide(&text) - (WORDS - WORDS / 2 - 1));
    text.chars().take(begin).chain(['…']).chain(text.chars().skip(end)).collect()
}

fn words(text: &str) -> Vec<String> {
    plain(text).split_whitespace().map(str::to_owned).collect()
}

/// The number of columns that a text takes on a terminal.
fn wide(text: &str) -> usize {
    text.chars().count()
}

/// Words on lines of at most `width` characters, at least one word on each.
pub(crate) fn joined(words: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if wide(line) + 1 + wide(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.clone()),
        }
    }
    lines
}

pub(crate) fn wrapped(text: &str, width: usize) -> String {
    joined(&words(text), width).into_iter().map(|line| line + "\n").collect()
}

impl Table {
    /// The table in Markdown, its notes below.
    pub fn markdown(&self) -> String {
        let line = |items: Vec<String>| format!("| {} |\n", items.join(" | "));
        let mut text =
            line(self.columns.iter().map(|column| escape::markdown(&column.head)).collect());
        let rule = |column: &Column| if column.numeric { "---:" } else { "---" }.to_owned();
        text.push_str(&line(self.columns.iter().map(rule).collect()));
        for row in &self.rows {
            let items = self.columns.iter().zip(row);
            let items = items.map(|(column, item)| escape::markdown(&column.shown(item)));
            text.push_str(&line(items.collect()));
        }
        text.push('\n');
        for note in &self.notes {
            text.push_str(&["- ", &escape::markdown(note), "\n"].concat());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(columns: usize, rows: usize) -> Table {
        let mut heads = vec![Column::words("encoding", "Encoding")];
        heads.extend(
            (1..columns).map(|at| Column::numbers(format!("c{at}"), format!("Clauses, N = {at}"))),
        );
        let row = |number: usize| {
            let mut row = vec![Item::Encoding(number, format!("encoding-{number}"))];
            row.extend((1..columns).map(|at| Item::Count((number * 1000 + at) as u128)));
            row
        };
        Table {
            id: "t".into(),
            title: "Encodings".into(),
            columns: heads,
            rows: (0..rows).map(row).collect(),
            notes: vec!["A note that is longer than a line of a narrow terminal would be.".into()],
        }
    }

    #[test]
    fn columns_stand_under_their_headings() {
        let table = table(3, 2);
        let expected = "\
Encodings
            Clauses,  Clauses,
Encoding       N = 1     N = 2
encoding-0         1         2
encoding-1     1,001     1,002
A note that is longer than a line of a narrow terminal would be.
";
        assert_eq!(table.plain(80), expected);
    }

    #[test]
    fn times_have_the_unit_of_their_size() {
        let mut table = table(3, 1);
        table.columns[1] = Column::numbers("par2", "PAR2 (s)");
        table.columns[2] = Column::numbers("median", "Median (s)");
        let numbers = [35e-6, 1.5].map(|seconds| Item::Value(Value::Measured(seconds)));
        table.rows[0].splice(1.., numbers);
        let expected = "Encoding     PAR2  Median\nencoding-0  35 µs  1.50 s\n";
        assert!(table.plain_rows(80).starts_with(expected), "{}", table.plain_rows(80));
    }

    #[test]
    fn no_line_is_wider_than_it_may_be_and_nothing_is_left_out() {
        for columns in 1..20 {
            for width in [30, 80, 100] {
                let table = table(columns, 3);
                let text = table.plain(width);
                assert!(text.lines().all(|line| wide(line) <= width), "{columns}, {width}: {text}");
                for item in table.rows.iter().flatten() {
                    let shown = item.read();
                    assert!(text.split_whitespace().any(|word| word == shown), "{shown}: {text}");
                }
            }
        }
    }

    #[test]
    fn parts_repeat_the_columns_that_distinguish_the_rows() {
        let mut table = table(9, 2);
        table.rows[1][0] = table.rows[0][0].clone();
        let text = table.plain_rows(40);
        assert_eq!(text.matches("\nencoding-0         1 ").count(), 4, "{text}");
    }

    #[test]
    fn long_words_are_cut_and_long_tables_say_what_is_missing() {
        let mut table = table(2, 50);
        table.rows[0][0] = Item::Encoding(0, "{command: \"python3 very-long-name.py\"}".into());
        let text = table.plain(80);
        assert!(text.contains("{command: \"pyth…long-name.py\"}"), "{text}");
        assert!(text.contains("… and 10 more rows in the report\n"), "{text}");
    }
}
