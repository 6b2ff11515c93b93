//! The author's answer and hypothesis: claims that are evaluated, and texts with the numbers of the report in place of
//! placeholders. Rows that lack a number, or do not confirm a claim, end in no error: the text says so.
//!
//! A placeholder is `{table | word | … | column}`: the id of a table, texts of items that one row alone has, and the
//! heading or the name of a column. It represents the item in this row and column as the table shows it. A table with
//! one row needs no words.

use std::cell::RefCell;

use bezzel_encode::Registry;
use bezzel_experiment::quantity::grouped;
use bezzel_experiment::{
    AnswerPart, Claim, ConfigError, ExperimentRecord, Hypothesis, HypothesisTime, Passage,
    ReportAnswer, ReportSpec, split_placeholder,
};
use bezzel_problem::UnknownId;

use crate::analysis::Analysis;
use crate::claims::{self, ClaimIntervals, EvaluatedClaim, Quoted};
use crate::instance_words::SizeName;
use crate::label::with_solver_names;
use crate::number::{distinct, join_last};
use crate::table::columns::is_decided;
use crate::table::plain::wrapped;
use crate::table::{Column, Item, Table, TableIds, ids};

/// The largest number of names that are listed if no name is near.
const LISTED: usize = 24;
/// The largest number of words that are listed because one row alone has them.
const OWN_WORDS: usize = 6;

/// The note below a table with ratios in parentheses.
const OPEN: &str = "Parentheses: nothing is decided at the level of the table that has the ratio.";
/// The word in the place of a number that the rows do not have.
const NOT_MEASURED: &str = "(not measured)";
/// The heading of an answer.
const HEADING: &str = "Answer";

/// An author's answer with its numbers and its evaluated claims.
#[derive(Clone, Debug, PartialEq)]
pub struct AuthorAnswer {
    /// The sentences: texts, and claims with the text before them.
    pub lines: Vec<String>,
    /// Its table.
    pub table: Option<Table>,
    /// The sentences of claims and the names of numbers that these rows do not confirm. The lines have them, too.
    pub unconfirmed: Vec<String>,
    /// The level of the intervals on which its claims rest; none without such a claim.
    pub level: Option<String>,
}

impl AuthorAnswer {
    /// The heading, the text and the table, in lines of at most `width` characters.
    pub fn plain(&self, width: usize) -> String {
        let table = self.table.as_ref().map(|table| table.plain_rows(width));
        let lines = self.lines.iter().map(|line| wrapped(line, width));
        format!("{HEADING}\n{}{}", lines.collect::<String>(), table.unwrap_or_default())
    }

    /// All sentences in one paragraph.
    pub fn text(&self) -> String {
        self.lines.join(" ")
    }
}

/// A hypothesis with its outcome in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatedHypothesis {
    pub(crate) text: String,
    /// The outcome, and the time of writing where it is after the evidence.
    pub(crate) outcome: String,
    /// The sentence of each claim.
    pub(crate) claims: Vec<String>,
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

/// Refuses the first name in claims and in the primary comparison that no job of a plan has. `record` has the names of the
/// plan.
///
/// # Errors
///
/// The name, with the nearest known one.
pub fn check_names(
    spec: &ReportSpec,
    record: &ExperimentRecord,
    registry: &Registry,
) -> Result<(), ConfigError> {
    let mut claims = claims(spec).flatten().peekable();
    if claims.peek().is_none() && spec.primary.baseline.is_none() {
        return Ok(());
    }
    let analysis = Analysis::new(record, registry);
    let baseline =
        spec.primary.baseline.as_ref().and_then(|name| {
            claims::unknown_encoding(name, &analysis).map(|unknown| (name, unknown))
        });
    match baseline.or_else(|| claims.find_map(|claim| claims::unknown(claim, &analysis))) {
        None => Ok(()),
        Some((name, UnknownId { kind, id, near, known })) => {
            let help = match (near, &known[..]) {
                (Some(near), _) => format!("; did you mean `{near}`?"),
                (None, []) => String::new(),
                (None, known) => format!("; it has {}", known.join(", ")),
            };
            let kind = kind.trim_start_matches("the ");
            Err(spec.error(name, name, format!("the config plans no {kind} `{id}`{help}")))
        }
    }
}

/// The groups of claims: those of the hypothesis, then those of the answer.
fn claims(spec: &ReportSpec) -> impl Iterator<Item = &[Claim]> {
    let parts = spec.answer.iter().flat_map(|answer| &answer.parts);
    of_hypothesis(spec).chain(parts.filter_map(claims_of))
}

/// The parts of an author that take their numbers from the rows.
pub(crate) struct Author<'r> {
    spec: &'r ReportSpec,
    tables: &'r [&'r Table],
    size_name: SizeName,
    /// The claims of the hypothesis, then those of the answer.
    evaluated: Vec<EvaluatedClaim>,
    /// The placeholders without a number.
    missing: RefCell<Vec<String>>,
}

impl<'r> Author<'r> {
    /// The parts of `spec`, with numbers from `tables` and claims on `analysis`.
    pub(crate) fn new(
        spec: &'r ReportSpec,
        analysis: &'r Analysis<'r>,
        tables: &'r [&'r Table],
    ) -> Self {
        let groups: Vec<&[Claim]> = claims(spec).collect();
        let quoted = |text: &Passage| quoted(text, tables);
        let evaluated = claims::evaluate(&groups, &spec.primary, analysis, &quoted);
        let size_name = analysis.size_name;
        Self { spec, tables, size_name, evaluated, missing: RefCell::default() }
    }

    /// The answer.
    ///
    /// # Errors
    ///
    /// A placeholder of another form.
    pub(crate) fn answer(&self) -> Result<Option<AuthorAnswer>, ConfigError> {
        let Some(ReportAnswer { parts, note, columns, rows }) = &self.spec.answer else {
            return Ok(None);
        };
        let of_claims = &self.evaluated[of_hypothesis(self.spec).count()..];
        let mut evaluated = of_claims.iter();
        let (mut lines, mut unconfirmed) = (Vec::<String>::new(), Vec::new());
        for part in parts {
            match part {
                AnswerPart::Text(text) => lines.push(self.filled(text)?),
                AnswerPart::Claims(_) | AnswerPart::Word(..) => {
                    let of = evaluated.next().expect("all claims are evaluated");
                    let EvaluatedClaim { holds, mut sentence, .. } = of.clone();
                    match part {
                        _ if !holds => unconfirmed.push(sentence.clone()),
                        AnswerPart::Word(word, _) => sentence = format!("{word}: {sentence}"),
                        _ => {}
                    }
                    match lines.last_mut().filter(|text| text.ends_with([',', ':'])) {
                        Some(text) => text.extend([" ", &sentence]),
                        None => lines.push(capitalised(sentence)),
                    }
                }
            }
        }
        // The item of a cell, and true if it takes a number from a table. A text that consists of one placeholder
        // becomes the item itself, so that files for programs contain a number.
        let mut has_open = false;
        let mut cell = |text: &Passage| -> Result<(Item, bool), ConfigError> {
            let items = self.items(text)?;
            if let [Piece { column: Some(_), item, is_open: true }] = &items[..] {
                has_open = true;
                return Ok((Item::Words(format!("({})", item.read())), true));
            }
            let has_number = items.iter().any(|of| of.column.is_some_and(|column| column.numeric));
            let item = match &items[..] {
                [Piece { column: Some(_), item, .. }] => item.clone(),
                items => Item::Words(joined(items)),
            };
            Ok((item, has_number))
        };
        let mut row = |row: &Vec<Passage>| row.iter().map(&mut cell).collect();
        let mut cells = rows.iter().map(&mut row).collect::<Result<Vec<Vec<(Item, bool)>>, _>>()?;
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
            // The first column names the rows. Another column is one of numbers if it takes a number from a table,
            // even if some of its items are words.
            let numeric = at > 0 && cells.iter().any(|row| row[at].1);
            Column { numeric, ..Column::words(&ids::id(&[head]), head) }
        });
        let columns: Vec<_> = columns.collect();
        let rows = cells.into_iter().map(|row| row.into_iter().map(|(item, _)| item).collect());
        let rows: Vec<Vec<Item>> = rows.collect();
        let (id, title) = ("answer".to_owned(), HEADING.to_owned());
        let mut notes = note.iter().map(|note| self.filled(note)).collect::<Result<Vec<_>, _>>()?;
        if has_open {
            notes.push(OPEN.to_owned());
        }
        let texts = lines.iter().chain(columns.iter().map(|column| &column.head));
        let defined = self.size_name.defined(texts.map(String::as_str));
        join_last(if rows.is_empty() { &mut lines } else { &mut notes }, defined);
        let table = Table { id, title, columns, rows, notes };
        unconfirmed.append(&mut self.missing.take());
        Ok(Some(AuthorAnswer {
            lines,
            table: Some(table).filter(|table| !table.rows.is_empty()),
            unconfirmed,
            level: level(ClaimIntervals::join(of_claims.iter().map(|of| of.intervals))),
        }))
    }

    /// The hypothesis. Its outcome follows from its claims.
    ///
    /// # Errors
    ///
    /// A placeholder of another form.
    pub(crate) fn hypothesis(&self) -> Result<Option<StatedHypothesis>, ConfigError> {
        let Some(Hypothesis { text, written, because, .. }) = &self.spec.hypothesis else {
            return Ok(None);
        };
        let evaluated = &self.evaluated[..of_hypothesis(self.spec).count()];
        let held = evaluated.iter().filter(|of| of.holds).count();
        let mut sentences = vec![match evaluated.len() {
            0 => "No outcome is computed: the hypothesis has no claims.".to_owned(),
            1 if held == 1 => "The hypothesis held: its one claim holds.".to_owned(),
            all if held == all => format!("The hypothesis held: all of its {all} claims hold."),
            all if held > 0 => {
                let verb = if held == 1 { "holds" } else { "hold" };
                format!("The hypothesis held in part: {held} of its {all} claims {verb}.")
            }
            _ if evaluated.iter().any(|of| of.is_refuted) => "The hypothesis did not hold.".into(),
            _ => "The evidence does not decide the hypothesis.".to_owned(),
        }];
        if let Some(because) = because {
            sentences.push(self.filled(because)?);
        }
        if *written == HypothesisTime::After {
            sentences.push("The hypothesis was written after the evidence.".to_owned());
        }
        let claims = evaluated.iter().map(|of| of.sentence.clone()).collect();
        Ok(Some(StatedHypothesis { text: text.clone(), outcome: sentences.join(" "), claims }))
    }

    /// The parts of a text as items. That of a placeholder has its column. One without a number is remembered.
    fn items(&self, text: &Passage) -> Result<Vec<Piece<'r>>, ConfigError> {
        let words = |words: &str| {
            let item = Item::Words(words.to_owned());
            Piece { column: None, item, is_open: false }
        };
        let item = |piece: TextPiece<'_>| match piece {
            TextPiece::Words(text) => words(text),
            TextPiece::Placeholder(inner) => source(inner, self.tables).unwrap_or_else(|reason| {
                self.missing.borrow_mut().push(format!("`{{{inner}}}`: {reason}"));
                words(NOT_MEASURED)
            }),
        };
        Ok(pieces(self.spec, text)?.into_iter().map(item).collect())
    }

    /// The text with an item in place of each placeholder.
    fn filled(&self, text: &Passage) -> Result<String, ConfigError> {
        self.items(text).map(|items| joined(&items))
    }
}

/// The level of the intervals of claims in words.
fn level(ClaimIntervals { simultaneous, some_lack }: ClaimIntervals) -> Option<String> {
    let few = "too few instances for an interval";
    let Some((least, most)) = simultaneous else {
        return some_lack.then(|| format!("claims with {few}"));
    };
    let [low, high] = [least, most].map(|number| grouped(number as u128));
    let number = if least == most { high } else { format!("{low} to {high}") };
    let together = if most > 1 {
        format!(", in each claim simultaneous for {number} comparisons")
    } else {
        String::new()
    };
    let lack = if some_lack { format!("; some claims have {few}") } else { String::new() };
    Some(format!("95 % intervals{together}{lack}"))
}

/// The claims of a part of an answer.
fn claims_of(part: &AnswerPart) -> Option<&[Claim]> {
    match part {
        AnswerPart::Claims(claims) | AnswerPart::Word(_, claims) => Some(claims),
        AnswerPart::Text(_) => None,
    }
}

/// The groups of claims of the hypothesis.
fn of_hypothesis(spec: &ReportSpec) -> impl Iterator<Item = &[Claim]> {
    spec.hypothesis.iter().flat_map(|hypothesis| hypothesis.claims.iter().map(Vec::as_slice))
}

/// The number of a claim: that of a placeholder, with the words of its row, or a typed one.
fn quoted(text: &Passage, tables: &[&Table]) -> Result<Quoted, String> {
    let (text, words, number) = match split_placeholder(text) {
        Some(("", inner, "")) => {
            let Piece { item, .. } = source(inner, tables)
                .map_err(|reason| format!("`{{{inner}}}` has no number: {reason}"))?;
            (item.read(), words_of(inner, tables)?, item.whole())
        }
        _ => (text.to_string(), Vec::new(), text.replace(',', "")),
    };
    let value = number.parse().map_err(|_| format!("`{text}` is no number"))?;
    Ok(Quoted { text, words, value })
}

/// The words of a placeholder in a sentence: a side is `N = 8`, a solver has its name, and a number that only selects the
/// row is left out. A side in the heading of the column is one of them. Without any, the heading is.
fn words_of(placeholder: &str, tables: &[&Table]) -> Result<Vec<String>, String> {
    let (id, words, column) = split(placeholder)?;
    let table = tables.iter().find(|table| table.id == id);
    let table = table.ok_or_else(|| format!("unknown table `{id}`"))?;
    let row = row_of(table, &words)?;
    let head = &table.columns[column_of(table, column)?].head;
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let read = |word: &&str| {
        let at = row.iter().position(|item| item.read() == **word)?;
        match &row[at] {
            Item::Instance { name, .. } if is_number(name) => Some(format!("N = {word}")),
            _ if table.columns[at].head == "N" => Some(format!("N = {word}")),
            Item::Words(_) | Item::Encoding(..) | Item::Instance { .. } => {
                Some(with_solver_names(word))
            }
            _ => None,
        }
    };
    let mut read: Vec<String> = words.iter().filter_map(read).collect();
    if read.is_empty() {
        return Ok(vec![head.clone()]);
    }
    if let Some((_, side)) = head.split_once("N = ") {
        let side = side.split(|letter: char| !letter.is_ascii_digit()).next().unwrap_or(side);
        read.push(format!("N = {side}"));
    }
    Ok(distinct(read))
}

/// The sentence of a claim at the beginning of a sentence. The name of an arm stays as it is.
fn capitalised(sentence: String) -> String {
    let words = ["the ", "no ", "for ", "all ", "none ", "yes: ", "no: "];
    let word = words.iter().find_map(|word| {
        let rest = sentence.strip_prefix(word)?;
        Some([&word[..1].to_uppercase(), &word[1..], rest].concat())
    });
    word.unwrap_or(sentence)
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

/// The text of these parts.
fn joined(items: &[Piece<'_>]) -> String {
    items.iter().map(|piece| piece.item.read()).collect()
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

/// A part of a text as an item.
struct Piece<'t> {
    /// The column of a placeholder; none for words.
    column: Option<&'t Column>,
    item: Item,
    /// True for a ratio whose verdict is that nothing is decided. The table of an answer shows it in parentheses.
    is_open: bool,
}

/// The item of a placeholder, or the reason why there is none.
fn source<'t>(placeholder: &str, tables: &[&'t Table]) -> Result<Piece<'t>, String> {
    let (id, words, column) = split(placeholder)?;
    let table = tables.iter().copied().find(|table| table.id == id).ok_or_else(|| {
        let all = || tables.iter().map(|table| table.id.clone());
        let group: Vec<String> = all()
            .filter(|it| it.strip_prefix(id).is_some_and(|end| end.starts_with('-')))
            .collect();
        match &group[..] {
            [] => unknown("table", id, all().collect()),
            ids => format!("`{id}` stands for several tables: name one of {}", ids.join(", ")),
        }
    })?;
    let index = column_of(table, column)?;
    let row = row_of(table, &words)?;
    let named = |name: &str| table.columns.iter().position(|column| column.name == name);
    let verdict = named("verdict").filter(|_| named("ratio") == Some(index));
    let verdict = verdict.and_then(|at| row.get(at)).map(Item::read);
    let is_open =
        verdict.is_some_and(|verdict| verdict != Item::Missing.read() && !is_decided(&verdict));
    match row.get(index) {
        None | Some(Item::Missing) => Err("nothing was measured there".into()),
        Some(item) => {
            Ok(Piece { column: Some(&table.columns[index]), item: item.clone(), is_open })
        }
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
