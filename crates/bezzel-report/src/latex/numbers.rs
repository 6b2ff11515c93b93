//! The headline numbers of a report under keys, so that the text of a paper quotes them and is never out of date:
//! `\bezzel{experiment/table/row/column}`.

use std::collections::HashMap;
use std::fmt::Write;

use super::escape::{comment, escaped};
use crate::report::Report;
use crate::table::{Column, Item, Table};

/// The commands. An unknown key is an error of LaTeX, and so is a key of two numbers. `\detokenize` is there because
/// packages for languages make commands of colons and the like.
const COMMANDS: &str = r"\providecommand{\bezzelnumber}[3]{%
  \expandafter\gdef\csname bezzel/\detokenize{#1}\endcsname##1##2{##1{#2}##2{#3}}}
\providecommand{\bezzelfirst}[1]{#1}
\providecommand{\bezzelnone}[1]{}
\providecommand{\bezzellook}[3]{\ifcsname bezzel/\detokenize{#1}\endcsname
  \csname bezzel/\detokenize{#1}\endcsname#2#3\else\bezzelunknown{#1}\fi}
\providecommand{\bezzelunknown}[1]{\PackageError{bezzel}{No number \detokenize{#1}}{%
  No report that was read has exactly one number with this key; its numbers.tex lists its keys.}}
\providecommand{\bezzel}[1]{\bezzellook{#1}\bezzelfirst\bezzelnone}
\providecommand{\bezzelraw}[1]{\bezzellook{#1}\bezzelnone\bezzelfirst}
\providecommand{\bezzelrelation}[1]{\ifcsname bezzel/\detokenize{#1}/relation\endcsname
  \bezzel{#1/relation}\else\ifcsname bezzel/\detokenize{#1}\endcsname=\else\bezzelunknown{#1}\fi\fi}
";

/// A number: its key, rounded for people, and whole.
struct Number {
    key: String,
    read: String,
    raw: String,
}

/// The counts of a report and the numbers of its main table.
pub(crate) fn numbers(report: &Report<'_>) -> String {
    let name = &report.record.name;
    let counts = report.extent.iter();
    let mut all: Vec<Number> = counts
        .map(|&(what, number)| of_item(key(&[name, "all", what]), &Item::Count(number as u128)))
        .collect();
    if let Some(table) = &report.main {
        of_table(name, table, &mut all);
    }
    file(name, &all)
}

fn file(experiment: &str, all: &[Number]) -> String {
    let mut times: HashMap<&str, usize> = HashMap::new();
    for number in all {
        *times.entry(&number.key).or_default() += 1;
    }
    let mut text = comment(&format!("{experiment}: numbers for the text of a paper."));
    text.push_str(&comment("Made by bezzel report, which overwrites it: do not edit."));
    text.push_str(&comment(
        "\\input it in the preamble. \\bezzel{KEY} is the number as the tables have it, \\bezzelraw{KEY} \
         the whole one, without groups of digits and unrounded, for \\num and \\fpeval. \\bezzelrelation{KEY} is \
         the sign of a bound, or an equals sign.",
    ));
    text.push_str(COMMANDS);
    for Number { key, read, raw } in all {
        // A key of several numbers is left out; quoting it is an error.
        let line = if times[key.as_str()] > 1 {
            writeln!(text, "% not one number: {key}")
        } else {
            writeln!(text, "\\bezzelnumber{{{key}}}{{{read}}}{{{raw}}}")
        };
        line.expect("a string takes what is written");
    }
    text
}

/// The numbers of a table. The words at the beginning of a row identify the row, except those that are results.
fn of_table(experiment: &str, table: &Table, all: &mut Vec<Number>) {
    let words = table.columns.iter().take_while(|column| !column.numeric).count();
    for row in &table.rows {
        let (named, measured): (Vec<_>, Vec<_>) =
            (0..).zip(table.columns.iter().zip(row)).partition(
                |(at, (column, _)): &(usize, (&Column, &Item))| *at < words && !column.is_result,
            );
        let names: Vec<String> = named.iter().map(|(_, (_, item))| item.read()).collect();
        for (_, (column, item)) in measured {
            let mut parts = vec![experiment, &table.id];
            parts.extend(names.iter().map(String::as_str));
            parts.push(&column.name);
            match item {
                // A missing item is no number.
                Item::Missing => continue,
                Item::Bound { relation, .. } => {
                    let key = key(&[&parts[..], &["relation"]].concat());
                    let sign = escaped(relation);
                    all.push(Number { key, read: sign.clone(), raw: sign });
                }
                _ => {}
            }
            all.push(of_item(key(&parts), item));
        }
    }
}

fn of_item(key: String, item: &Item) -> Number {
    // LaTeX calculates with a hyphen alone.
    let raw = escaped(&item.whole().replace('\u{2212}', "-"));
    Number { key, read: escaped(&item.read()), raw }
}

/// A key, its parts with slashes between them. In a part, letters, digits and most signs of ids and
/// options stay, blanks and brackets go, and everything else is an underscore.
fn key(parts: &[&str]) -> String {
    let part = |part: &&str| -> String {
        let letters = part.chars().filter(|letter| !matches!(letter, ' ' | '{' | '}' | '"'));
        let kept = |letter: char| letter.is_ascii_alphanumeric() || "-+:.,=()".contains(letter);
        letters.map(|letter| if kept(letter) { letter } else { '_' }).collect()
    };
    parts.iter().map(part).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_ids_with_slashes() {
        assert_eq!(
            key(&["first-look", "cells", "commander:4", "torus 12", "clauses"]),
            "first-look/cells/commander:4/torus12/clauses"
        );
        assert_eq!(key(&["{rows: product, columns: pairwise}"]), "rows:product,columns:pairwise");
        assert_eq!(key(&["a/b%#\\é"]), "a_b____");
    }

    #[test]
    fn a_number_is_named_by_the_words_of_its_row_and_a_missing_one_has_no_words() {
        let columns = vec![
            Column::words("encoding", "Encoding"),
            Column::numbers("clauses", "Clauses"),
            Column::words("solutions", "Solutions"),
            Column::numbers("memory_peak_bytes", "Memory (MiB)"),
        ];
        let row = vec![
            Item::Encoding(0, "pairwise".into()),
            Item::Count(352_940),
            Item::Words("92".into()),
            Item::Missing,
        ];
        let (id, title) = ("cells".into(), "All cells".into());
        let table = Table { id, title, columns, rows: vec![row], notes: vec![] };
        let mut all = Vec::new();
        of_table("x", &table, &mut all);
        let numbers_read: Vec<_> =
            all.iter().map(|number| [&*number.key, &*number.read, &*number.raw]).collect();
        assert_eq!(
            numbers_read,
            [
                ["x/cells/pairwise/clauses", "352,940", "352940"],
                ["x/cells/pairwise/solutions", "92", "92"]
            ]
        );
    }

    #[test]
    fn a_key_has_no_result_and_a_bound_is_a_number_with_its_relation() {
        let columns = vec![
            Column::words("encoding", "Encoding"),
            Column::results("group", "Group"),
            Column::words("solver", "Solver"),
            Column::numbers("ratio", "Ratio"),
        ];
        let bound = Item::Bound { text: "≤ 1.02".into(), number: 1.0234, relation: "≤" };
        let row = ["product", "ab", "cadical"].map(|words| Item::Words(words.into()));
        let rows = vec![row.into_iter().chain([bound]).collect()];
        let (id, title) = ("ranking".into(), "Ranking".into());
        let mut all = Vec::new();
        of_table("x", &Table { id, title, columns, rows, notes: vec![] }, &mut all);
        let found: Vec<_> =
            all.iter().map(|number| [&*number.key, &*number.read, &*number.raw]).collect();
        assert_eq!(
            found,
            [
                ["x/ranking/product/cadical/group", "ab", "ab"],
                [
                    "x/ranking/product/cadical/ratio/relation",
                    "\\ensuremath{\\le}",
                    "\\ensuremath{\\le}"
                ],
                ["x/ranking/product/cadical/ratio", "\\ensuremath{\\le} 1.02", "1.0234"],
            ]
        );
    }

    #[test]
    fn a_raw_number_has_no_sign_that_latex_cannot_calculate_with() {
        let number = of_item("x/a/b".into(), &Item::Words("\u{2212}4".into()));
        assert_eq!((&*number.read, &*number.raw), ("\\ensuremath{-}4", "-4"));
    }

    #[test]
    fn a_key_of_two_numbers_is_that_of_none() {
        let number = |key: &str| of_item(key.into(), &Item::Count(7));
        let text = file("x", &["x/a/b", "x/a/c", "x/a/b"].map(number));
        assert!(text.contains("\n\\bezzelnumber{x/a/c}{7}{7}\n"), "{text}");
        assert_eq!(text.matches("\n% not one number: x/a/b\n").count(), 2);
    }
}
