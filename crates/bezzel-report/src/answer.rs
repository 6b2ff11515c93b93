//! The author's answer and hypothesis with the numbers of the report in place of placeholders.
//!
//! A placeholder is `{table | word | … | column}`: the id of a table, texts of items that one row alone has, and the
//! heading or the name of a column. It represents the item in this row and column as the table shows it. A table with
//! one row needs no words.

use bezzel_experiment::{
    ConfigError, Hypothesis, HypothesisOutcome, HypothesisTime, Passage, ReportAnswer, ReportSpec,
    split_placeholder,
};
use bezzel_problem::UnknownId;

use crate::distinct::distinct;
use crate::table::plain::wrapped;
use crate::table::{Column, Item, Table, TableIds, ids};

/// The largest number of names that are listed if no name is near.
const LISTED: usize = 24;
/// The largest number of words that are listed because one row alone has them.
const OWN_WORDS: usize = 6;

/// The heading of an answer.
const HEADING: &str = "Answer";

/// An answer with its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct AuthorAnswer {
    /// The text.
    pub text: String,
    /// Its table.
    pub table: Option<Table>,
}

impl AuthorAnswer {
    /// The heading, the text and the table, in lines of at most `width` characters.
    pub fn plain(&self, width: usize) -> String {
        let table = self.table.as_ref().map(|table| table.plain_rows(width));
        let text = wrapped(&self.text, width);
        format!("{HEADING}\n{text}{}", table.unwrap_or_default())
    }
}

/// A hypothesis with its outcome in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatedHypothesis {
    pub(crate) text: String,
    /// The outcome, and the time of writing where it is after the evidence.
    pub(crate) outcome: String,
}

/// Checks the form of all placeholders, and the ids of their tables.
pub(crate) fn check(spec: &ReportSpec, known: &[TableIds]) -> Result<(), ConfigError> {
    let because = spec.hypothesis.iter().filter_map(|hypothesis| hypothesis.because.as_ref());
    for passage in because.chain(spec.answer.iter().flat_map(ReportAnswer::passages)) {
        for piece in pieces(spec, passage)? {
            let TextPiece::Placeholder(inner) = piece else { continue };
            let table = split(inner).and_then(|(table, ..)| {
                let is_known = ids::is_known(table, known).then_some(());
                is_known.ok_or_else(|| ids::unknown(table, std::iter::empty(), known).to_string())
            });
            table.map_err(|reason| refused(spec, passage, inner, &reason))?;
        }
    }
    Ok(())
}

/// The answer, with numbers from `tables`.
pub(crate) fn answer(
    spec: &ReportSpec,
    tables: &[&Table],
) -> Result<Option<AuthorAnswer>, ConfigError> {
    let Some(ReportAnswer { text, note, columns, rows }) = &spec.answer else { return Ok(None) };
    let filled = |text: &Passage| filled(text, spec, tables);
    // The item of a cell, and true if it takes a number from a table. A text that consists of one placeholder becomes
    // the item itself, so that files for programs contain a number.
    let cell = |text: &Passage| -> Result<(Item, bool), ConfigError> {
        let items = items(text, spec, tables)?;
        let has_number = items.iter().any(|(of, _)| of.is_some_and(|column| column.numeric));
        let item = match &items[..] {
            [(Some(_), item)] => item.clone(),
            items => Item::Words(joined(items)),
        };
        Ok((item, has_number))
    };
    let row = |row: &Vec<Passage>| row.iter().map(cell).collect();
    let mut cells = rows.iter().map(row).collect::<Result<Vec<Vec<(Item, bool)>>, _>>()?;
    let columns = columns.iter().enumerate().map(|(at, head)| {
        let is_words = |row: &Vec<(Item, bool)>| {
            matches!(row[at].0, Item::Words(_) | Item::Encoding(..) | Item::Instance { .. })
        };
        if cells.iter().any(is_words) {
            // A column with words contains words alone.
            for row in &mut cells {
                row[at].0 = Item::Words(row[at].0.read());
            }
        }
        // The first column names the rows. Another column is one of numbers if it takes a number from a table, even if
        // some of its items are words.
        let numeric = at > 0 && cells.iter().any(|row| row[at].1);
        Column { numeric, ..Column::words(&ids::id(&[head]), head) }
    });
    let columns: Vec<_> = columns.collect();
    let rows = cells.into_iter().map(|row| row.into_iter().map(|(item, _)| item).collect());
    let rows: Vec<Vec<Item>> = rows.collect();
    let (id, title) = ("answer".to_owned(), HEADING.to_owned());
    let notes = note.iter().map(filled).collect::<Result<_, _>>()?;
    let table = Table { id, title, columns, rows, notes };
    Ok(Some(AuthorAnswer {
        text: filled(text)?,
        table: Some(table).filter(|table| !table.rows.is_empty()),
    }))
}

/// The hypothesis, with numbers from `tables` in the reason of its outcome.
pub(crate) fn hypothesis(
    spec: &ReportSpec,
    tables: &[&Table],
) -> Result<Option<StatedHypothesis>, ConfigError> {
    let Some(Hypothesis { text, written, outcome, because }) = &spec.hypothesis else {
        return Ok(None);
    };
    let mut sentences = vec![match outcome {
        Some(HypothesisOutcome::Held) => "The hypothesis held.".to_owned(),
        Some(HypothesisOutcome::HeldInPart) => "The hypothesis held in part.".to_owned(),
        Some(HypothesisOutcome::Failed) => "The hypothesis did not hold.".to_owned(),
        Some(HypothesisOutcome::Undecided) => {
            "The evidence does not decide the hypothesis.".to_owned()
        }
        None => "The author has not stated the outcome.".to_owned(),
    }];
    if let Some(because) = because {
        sentences.push(filled(because, spec, tables)?);
    }
    if *written == HypothesisTime::After {
        sentences.push("The hypothesis was written after the evidence.".to_owned());
    }
    Ok(Some(StatedHypothesis { text: (**text).to_owned(), outcome: sentences.join(" ") }))
}

/// A part of a text.
enum TextPiece<'t> {
    Words(&'t str),
    /// The text between the braces.
    Placeholder(&'t str),
}

/// The parts of a text; none of them is empty words.
fn pieces<'t>(spec: &ReportSpec, text: &'t Passage) -> Result<Vec<TextPiece<'t>>, ConfigError> {
    let mut pieces = Vec::new();
    let mut rest: &str = text;
    while let Some((before, inner, after)) = split_placeholder(rest) {
        pieces.extend([TextPiece::Words(before), TextPiece::Placeholder(inner)]);
        rest = after;
    }
    if let Some(at) = rest.find('{') {
        let open = &rest[at..];
        let reason = format!("`{open}`: the placeholder has no end: close it by `}}`");
        return Err(spec.error(text, open, reason));
    }
    pieces.push(TextPiece::Words(rest));
    pieces.retain(|piece| !matches!(piece, TextPiece::Words("")));
    Ok(pieces)
}

/// The parts of a text as items. That of a placeholder has its column.
fn items<'t>(
    text: &Passage,
    spec: &ReportSpec,
    tables: &[&'t Table],
) -> Result<Vec<(Option<&'t Column>, Item)>, ConfigError> {
    let item = |piece: TextPiece<'_>| match piece {
        TextPiece::Words(words) => Ok((None, Item::Words(words.to_owned()))),
        TextPiece::Placeholder(inner) => match source(inner, tables) {
            Ok((column, item)) => Ok((Some(column), item.clone())),
            Err(reason) => Err(refused(spec, text, inner, &reason)),
        },
    };
    pieces(spec, text)?.into_iter().map(item).collect()
}

/// The text of these parts.
fn joined(items: &[(Option<&Column>, Item)]) -> String {
    items.iter().map(|(_, item)| item.read()).collect()
}

/// The text with an item in place of each placeholder.
fn filled(text: &Passage, spec: &ReportSpec, tables: &[&Table]) -> Result<String, ConfigError> {
    items(text, spec, tables).map(|items| joined(&items))
}

fn refused(spec: &ReportSpec, text: &Passage, placeholder: &str, reason: &str) -> ConfigError {
    let placeholder = format!("{{{placeholder}}}");
    spec.error(text, &placeholder, format!("`{placeholder}`: {reason}"))
}

/// The table, the words of the row and the column of a placeholder.
fn split(placeholder: &str) -> Result<(&str, Vec<&str>, &str), String> {
    let parts: Vec<&str> = placeholder.split('|').map(str::trim).collect();
    match &parts[..] {
        [table, words @ .., column] => Ok((table, words.to_vec(), column)),
        _ => Err("a placeholder is `{table | row | column}`".into()),
    }
}

/// The error for a name that does not exist, with the nearest name, or with all names if none is near.
pub(crate) fn unknown(kind: &'static str, given: &str, known: Vec<String>) -> String {
    let known = distinct(known);
    let unknown = UnknownId::new(kind, given, &known);
    if unknown.near.is_some() || !unknown.known.is_empty() {
        return unknown.to_string();
    }
    let more = known.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let listed = known.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
    format!("{unknown}; there are {listed}{more}")
}

/// The column and the item of a placeholder, or the reason why there is no item.
fn source<'t>(placeholder: &str, tables: &[&'t Table]) -> Result<(&'t Column, &'t Item), String> {
    let (id, words, column) = split(placeholder)?;
    let table = tables.iter().copied().find(|table| table.id == id).ok_or_else(|| {
        unknown("table", id, tables.iter().map(|table| table.id.clone()).collect())
    })?;
    let index = column_of(table, column)?;
    match row_of(table, &words)?.get(index) {
        None | Some(Item::Missing) => Err("nothing was measured there".into()),
        Some(item) => Ok((&table.columns[index], item)),
    }
}

/// The one row with all of these words.
fn row_of<'t>(table: &'t Table, words: &[&str]) -> Result<&'t Vec<Item>, String> {
    let rows = |words: &[&str]| -> Vec<&'t Vec<Item>> {
        let has = |row: &[Item], word: &str| row.iter().any(|item| item.read() == word);
        table.rows.iter().filter(|row| words.iter().all(|word| has(row, word))).collect()
    };
    let read = |rows: &[&Vec<Item>]| rows.iter().copied().flatten().map(Item::read).collect();
    let id = &table.id;
    match &rows(words)[..] {
        [row] => Ok(row),
        [] => {
            if let Some(word) = words.iter().find(|word| rows(&[word]).is_empty()) {
                return Err(unknown("item", word, read(&rows(&[]))));
            }
            let together = words.join(" and ");
            let others = (0..words.len()).rev().find_map(|at| {
                let others = [&words[..at], &words[at + 1..]].concat();
                let found = rows(&others);
                let items = unknown("item", words[at], read(&found));
                (!found.is_empty()).then(|| format!("; with {}: {items}", others.join(" and ")))
            });
            let others = others.unwrap_or_default();
            Err(format!("no row of `{id}` has {together} together{others}"))
        }
        several => {
            let own = several.iter().filter_map(|row| {
                let others: Vec<_> = several.iter().copied().filter(|other| other != row).collect();
                let others: Vec<String> = read(&others);
                let is_own = |item: &&Item| {
                    matches!(item, Item::Words(_) | Item::Encoding(..))
                        && !others.contains(&item.read())
                };
                row.iter().find(is_own).map(|item| format!("`{}`", item.read()))
            });
            let own: Vec<_> = own.take(OWN_WORDS).collect();
            let such =
                if own.is_empty() { String::new() } else { format!(", as {}", own.join(", ")) };
            let fit = several.len();
            Err(format!("{fit} rows of `{id}` fit: add a word that one of them alone has{such}"))
        }
    }
}

/// The index of the column with this name or heading.
fn column_of(table: &Table, given: &str) -> Result<usize, String> {
    let named = table.columns.iter().position(|column| column.name == given);
    let mut headed = (0..table.columns.len()).filter(|&index| table.columns[index].head == given);
    match (named, headed.next(), headed.next()) {
        (Some(index), ..) | (None, Some(index), None) => Ok(index),
        (None, Some(_), Some(_)) => {
            let names = table.columns.iter().filter(|column| column.head == given);
            let names: Vec<_> = names.map(|column| column.name.as_str()).collect();
            Err(format!(
                "several columns have the heading `{given}`: write one of {}",
                names.join(", ")
            ))
        }
        (None, None, _) => {
            let heads = table.columns.iter().map(|column| column.head.clone());
            let names = table.columns.iter().map(|column| column.name.clone());
            Err(unknown("column", given, heads.chain(names).collect()))
        }
    }
}

#[cfg(test)]
mod tests;
