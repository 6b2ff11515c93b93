//! A comparison in words and tables, for a terminal and in Markdown.

use bezzel_experiment::quantity::grouped;

use self::facts::{answers, changed, records, sizes};
use self::ratios::{arms, measures};
use super::RecordComparison;
use crate::escape::{markdown as escaped, plain};
use crate::number::count;
use crate::table::plain::padded;
use crate::table::{Item, Table};

mod facts;
mod ratios;

/// The largest number of entries of a kind that are named. JSON contains all of them.
const MAX_ENTRIES: usize = 20;

/// A part of the text.
enum TextPart {
    Lines(Vec<String>),
    Table(Table),
}

/// Lines for a terminal.
pub(super) fn text(comparison: &RecordComparison) -> String {
    let mut text = String::new();
    for (title, parts) in sections(comparison) {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&[title.as_str(), "\n"].concat());
        for part in parts {
            match part {
                TextPart::Lines(lines) => lines.iter().for_each(|line| indented(line, &mut text)),
                TextPart::Table(table) => aligned(&table, &mut text),
            }
        }
    }
    text
}

/// Markdown.
pub(super) fn markdown(comparison: &RecordComparison) -> String {
    let RecordComparison { a, b, .. } = comparison;
    let mut text = format!("# {} and {}\n", escaped(&a.name), escaped(&b.name));
    for (title, parts) in sections(comparison) {
        text.push_str(&["\n## ", &escaped(&title), "\n\n"].concat());
        for part in parts {
            match part {
                TextPart::Lines(lines) => lines
                    .iter()
                    .for_each(|line| text.push_str(&["- ", &escaped(line), "\n"].concat())),
                TextPart::Table(table) => {
                    text.push_str(&[table.markdown().trim_end(), "\n\n"].concat());
                }
            }
        }
    }
    text
}

/// A line of a section.
fn indented(line: &str, text: &mut String) {
    text.push_str(&["  ", &plain(line), "\n"].concat());
}

/// A table with its columns aligned, numbers to the right.
fn aligned(table: &Table, text: &mut String) {
    let heads: Vec<String> = table.columns.iter().map(|column| column.head.clone()).collect();
    let rows = table.rows.iter().map(|row| row.iter().map(Item::read).collect());
    let lines: Vec<Vec<String>> = std::iter::once(heads).chain(rows).collect();
    let wide = |text: &String| text.chars().count();
    let widths: Vec<usize> = (0..table.columns.len())
        .map(|column| lines.iter().map(|line| wide(&line[column])).max().unwrap_or(0))
        .collect();
    for line in lines {
        let cells = line.iter().zip(&table.columns).zip(&widths);
        let cells = cells.map(|((cell, column), &width)| padded(cell, column, width));
        let line = cells.collect::<Vec<_>>().join("  ");
        indented(line.trim_end(), text);
    }
    table.notes.iter().for_each(|note| indented(note, text));
}

fn sections(comparison: &RecordComparison) -> Vec<(String, Vec<TextPart>)> {
    let mut sections = vec![("The records".to_owned(), vec![TextPart::Lines(records(comparison))])];
    sections.push(("Changes".to_owned(), changed(comparison)));
    sections.push(("Answers".to_owned(), vec![TextPart::Lines(answers(comparison))]));
    if !comparison.sizes.is_empty() {
        sections.push(("Sizes of formulas".to_owned(), sizes(&comparison.sizes)));
    }
    if comparison.matched > 0 {
        let table = arms(comparison);
        let title = "Solver statistics and time, B / A".to_owned();
        sections.push((title, vec![TextPart::Table(table)]));
    }
    if !comparison.faults.is_empty() {
        let shown = comparison.faults.iter().take(MAX_ENTRIES).map(|fault| fault.what.clone());
        let mut lines: Vec<String> = shown.collect();
        lines.extend(more(comparison.faults.len(), MAX_ENTRIES));
        sections.push(("Differences that must not occur".to_owned(), vec![TextPart::Lines(lines)]));
    }
    sections.push(("Summary".to_owned(), vec![TextPart::Lines(vec![short(comparison)])]));
    sections
}

fn more(number: usize, max: usize) -> Option<String> {
    let more = number.checked_sub(max).filter(|&more| more > 0)?;
    Some(format!("… and {} more", grouped(more as u128)))
}

fn short(comparison: &RecordComparison) -> String {
    let measures = measures(comparison, "A's");
    match comparison.faults.len() {
        _ if comparison.matched == 0 => "they have no job in common".to_owned(),
        0 => format!("nothing contradicts: {measures}"),
        1 => format!("1 FAULT: {measures}"),
        faults => format!("{} FAULTS: {measures}", grouped(faults as u128)),
    }
}

/// One line that states if B reproduces A.
pub(super) fn conclusion(comparison: &RecordComparison) -> String {
    let mut problems = Vec::new();
    let contradicting = comparison.answers.contradicting;
    if contradicting > 0 {
        problems.push(format!("{contradicting} answers contradict the record's"));
    } else if !comparison.is_sound() {
        problems.push(match comparison.faults.len() {
            1 => "1 difference that must not occur".to_owned(),
            faults => format!("{faults} differences that must not occur"),
        });
    }
    if comparison.answers.only_a > 0 {
        problems.push(format!("{} without an answer", count(comparison.answers.only_a, "job")));
    }
    let measures = measures(comparison, "the record's");
    match &problems[..] {
        _ if comparison.matched == 0 => "nothing was reproduced: no job was run again".to_owned(),
        [] => format!("reproduced: {measures}"),
        problems => format!("NOT reproduced: {}; {measures}", problems.join(", ")),
    }
}
