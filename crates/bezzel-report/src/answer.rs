//! The author's answer and hypothesis with the numbers of the report in place of placeholders.
//!
//! A placeholder is `{table | word | … | column}`: the id of a table, texts of items that one row alone has, and the
//! heading or the name of a column. It stands for the item in this row and column as the table shows it. A table
//! with one row needs no words.

use bezzel_encode::UnknownId;
use bezzel_lab::{Hypothesis, HypothesisOutcome, ReportAnswer, ReportSpec, Written};

use crate::error::ReportError;
use crate::escape::{id, plain};
use crate::table::plain::wrapped;
use crate::table::{Column, Item, Table};

/// An answer with its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The text.
    pub text: String,
    /// Its table.
    pub table: Option<Table>,
}

impl Answer {
    /// The answer in lines of at most `width` characters.
    pub fn plain(&self, width: usize) -> String {
        let table = self.table.as_ref().map(|table| table.plain(width));
        [wrapped(&self.text, width), table.unwrap_or_default()].concat()
    }
}

/// A hypothesis with its outcome in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatedHypothesis {
    pub(crate) text: String,
    /// The outcome, and the time of writing where it is after the evidence.
    pub(crate) outcome: String,
}

/// The answer, with numbers from `tables`.
pub(crate) fn answer(spec: &ReportSpec, tables: &[&Table]) -> Result<Option<Answer>, ReportError> {
    let Some(ReportAnswer { text, note, columns, rows }) = &spec.answer else { return Ok(None) };
    let filled = |text: &String| filled(text, spec, tables);
    // A text that is a placeholder alone becomes the item itself, so that files for programs have a number.
    let cell = |text: &String| match text.strip_prefix('{').and_then(|text| text.strip_suffix('}'))
    {
        Some(inner) if !inner.contains('{') => {
            item(inner, tables).map_err(|reason| refused(spec, inner, &reason))
        }
        _ => filled(text).map(Item::Words),
    };
    let row = |row: &Vec<String>| row.iter().map(cell).collect();
    let mut rows = rows.iter().map(row).collect::<Result<Vec<Vec<Item>>, _>>()?;
    let columns = columns.iter().enumerate().map(|(at, head)| {
        let is_words = |row: &Vec<Item>| {
            matches!(row[at], Item::Words(_) | Item::Encoding(..) | Item::Board { .. })
        };
        let numeric = !rows.iter().any(is_words);
        if !numeric {
            // A column with words has words alone, so that all its cells have one alignment.
            for row in &mut rows {
                row[at] = Item::Words(row[at].read());
            }
        }
        Column { name: id(&[head]), head: head.clone(), numeric }
    });
    let columns: Vec<_> = columns.collect();
    let (id, title) = ("answer".to_owned(), "Answer".to_owned());
    let notes = note.iter().map(filled).collect::<Result<_, _>>()?;
    let table = Table { id, title, columns, rows, notes };
    Ok(Some(Answer {
        text: filled(text)?,
        table: Some(table).filter(|table| !table.rows.is_empty()),
    }))
}

/// The hypothesis, with numbers from `tables` in the reason of its outcome.
pub(crate) fn hypothesis(
    spec: &ReportSpec,
    tables: &[&Table],
) -> Result<Option<StatedHypothesis>, ReportError> {
    let Some(Hypothesis { text, written, outcome, because }) = &spec.hypothesis else {
        return Ok(None);
    };
    let mut said = vec![match outcome {
        Some(HypothesisOutcome::Held) => "The hypothesis held.".to_owned(),
        Some(HypothesisOutcome::HeldInPart) => "The hypothesis held in part.".to_owned(),
        Some(HypothesisOutcome::Failed) => "The hypothesis did not hold.".to_owned(),
        Some(HypothesisOutcome::Undecided) => {
            "The evidence does not decide the hypothesis.".to_owned()
        }
        None => "The author has not stated the outcome.".to_owned(),
    }];
    if let Some(because) = because {
        said.push(filled(because, spec, tables)?);
    }
    if *written == Written::After {
        said.push("The hypothesis was written after the evidence.".to_owned());
    }
    Ok(Some(StatedHypothesis { text: plain(text), outcome: said.join(" ") }))
}

/// The text with an item in place of each placeholder.
fn filled(text: &str, spec: &ReportSpec, tables: &[&Table]) -> Result<String, ReportError> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((inner, after)) = after.split_once('}') else {
            return Err(refused(spec, after, "the placeholder has no end: close it by `}`"));
        };
        let item = item(inner, tables).map_err(|reason| refused(spec, inner, &reason))?;
        filled.extend([before, &item.read()]);
        rest = after;
    }
    filled.push_str(rest);
    Ok(plain(&filled))
}

fn refused(spec: &ReportSpec, placeholder: &str, reason: &str) -> ReportError {
    ReportError::Stated {
        path: spec.path.clone(),
        reason: format!("`{{{placeholder}}}`: {reason}"),
    }
}

/// The item of a placeholder, or the reason why there is none.
fn item(placeholder: &str, tables: &[&Table]) -> Result<Item, String> {
    let parts: Vec<&str> = placeholder.split('|').map(str::trim).collect();
    let [id, words @ .., column] = &parts[..] else {
        return Err("a placeholder is `{table | row | column}`".into());
    };
    let table = tables.iter().find(|table| table.id == *id);
    let table = table.ok_or_else(|| {
        UnknownId::new("table", id, tables.iter().map(|table| table.id.as_str())).to_string()
    })?;
    let index = column_of(table, column)?;
    let has = |row: &[Item], word: &str| row.iter().any(|item| item.read() == word);
    let mut rows = table.rows.iter().filter(|row| words.iter().all(|word| has(row, word)));
    let (first, others) = (rows.next(), rows.count());
    let row = first.ok_or_else(|| {
        let alone = words.iter().find(|word| !table.rows.iter().any(|row| has(row, word)));
        match alone {
            Some(word) => {
                let items = table.rows.iter().flatten().map(Item::read);
                UnknownId::new("item", word, items.collect::<Vec<_>>()).to_string()
            }
            None => format!("no row of `{id}` has {} together", words.join(" and ")),
        }
    })?;
    if others > 0 {
        return Err(format!(
            "{} rows of `{id}` fit: add a word that one of them alone has",
            others + 1
        ));
    }
    match &row[index] {
        Item::Missing => Err("nothing was measured there".into()),
        item => Ok(item.clone()),
    }
}

/// The index of the column with this name or heading.
fn column_of(table: &Table, given: &str) -> Result<usize, String> {
    let named = table.columns.iter().position(|column| column.name == given);
    let mut headed =
        (0..table.columns.len()).filter(|&index| plain(&table.columns[index].head) == given);
    match (named, headed.next(), headed.next()) {
        (Some(index), ..) | (None, Some(index), None) => Ok(index),
        (None, Some(_), Some(_)) => {
            let names = table.columns.iter().filter(|column| plain(&column.head) == given);
            let names: Vec<_> = names.map(|column| column.name.as_str()).collect();
            Err(format!(
                "several columns have the heading `{given}`: write one of {}",
                names.join(", ")
            ))
        }
        (None, None, _) => {
            let heads = table.columns.iter().map(|column| plain(&column.head));
            let names = table.columns.iter().map(|column| column.name.clone());
            Err(UnknownId::new("column", given, heads.chain(names).collect::<Vec<_>>()).to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Value;

    fn table() -> Table {
        let measured = |number| Item::Value(Value::Measured(number));
        let row = |id: &str, solver: &str, ratio| {
            vec![Item::Encoding(0, id.into()), Item::Words(solver.into()), ratio]
        };
        Table {
            id: "ranking".into(),
            title: "Ranking".into(),
            columns: vec![
                Column::words("encoding", "Encoding"),
                Column::words("solver", "Solver"),
                Column::numbers("ratio", "Ratio"),
            ],
            rows: vec![
                row("binary", "cadical", measured(5.678_9)),
                row("binary", "batsat", Item::Missing),
                row("product", "cadical", measured(1.0)),
            ],
            notes: vec![],
        }
    }

    fn answered(text: &str) -> Result<String, String> {
        let stated = ReportAnswer { text: text.into(), ..ReportAnswer::default() };
        let spec =
            ReportSpec { path: "r.yaml".into(), answer: Some(stated), ..ReportSpec::default() };
        let answer = answer(&spec, &[&table()]).map_err(|error| error.to_string())?;
        Ok(answer.expect("it was given").text)
    }

    #[test]
    fn placeholders_become_items_as_the_table_shows_them() {
        assert_eq!(
            answered("{ranking|binary|cadical|Ratio} and {ranking | product | ratio}.").unwrap(),
            "5.68 and 1.00."
        );
        assert_eq!(answered("no number").unwrap(), "no number");
    }

    #[test]
    fn a_placeholder_alone_is_a_number_in_the_table_of_an_answer() {
        let row = |id: &str| vec![id.to_owned(), format!("{{ranking | {id} | cadical | ratio}}")];
        let stated = ReportAnswer {
            text: "a".into(),
            columns: vec!["Encoding".into(), "Ratio".into()],
            rows: vec![row("binary"), row("product")],
            note: Some("In CaDiCaL, {ranking | product | cadical | ratio} for product.".into()),
        };
        let spec = ReportSpec { answer: Some(stated), ..ReportSpec::default() };
        let answer = answer(&spec, &[&table()]).unwrap().unwrap();
        let table = answer.table.unwrap();
        assert_eq!(table.notes, ["In CaDiCaL, 1.00 for product."]);
        assert_eq!(table.csv(), "encoding,ratio\nbinary,5.6789\nproduct,1\n");
    }

    #[test]
    fn placeholders_that_name_nothing_are_refused_with_what_is_near() {
        for (text, expected) in [
            (
                "{rankin | binary | Ratio}",
                "r.yaml: `{rankin | binary | Ratio}`: unknown table `rankin`; did you mean `ranking`?",
            ),
            ("{ranking | binry | Ratio}", "unknown item `binry`; did you mean `binary`?"),
            ("{ranking | binary | Rato}", "unknown column `Rato`; did you mean `ratio`?"),
            ("{ranking | binary | Ratio}", "2 rows of `ranking` fit"),
            (
                "{ranking | product | batsat | Ratio}",
                "no row of `ranking` has product and batsat together",
            ),
            ("{ranking | binary | batsat | Ratio}", "nothing was measured there"),
            ("{ranking", "has no end"),
            ("{ranking}", "a placeholder is"),
        ] {
            let refused = answered(text).unwrap_err();
            assert!(refused.contains(expected), "{refused}");
        }
    }
}
