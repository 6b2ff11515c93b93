//! Ids of tables, columns and figures: made from words, and those of all tables that a report can have, known without
//! evidence.
//!
//! A word in capitals in a pattern of ids represents one of the words of `PLACEHOLDERS`, or any words.

use bezzel_experiment::Task;
use bezzel_problem::UnknownId;
use bezzel_solve::Answer;

use super::TableIds;
use crate::comparison::Measure;

/// A word in capitals, the words that it represents, and true if other words are possible too.
struct IdPlaceholder {
    word: &'static str,
    words: fn() -> Vec<&'static str>,
    is_open: bool,
}

const PLACEHOLDERS: [IdPlaceholder; 5] = [
    IdPlaceholder {
        word: "MEASURE",
        words: || Measure::ALL.map(Measure::id).into(),
        is_open: false,
    },
    IdPlaceholder {
        word: "ANSWER",
        words: || [Answer::Sat, Answer::Unsat].map(Answer::id).into(),
        is_open: false,
    },
    IdPlaceholder { word: "TASK", words: || Task::ALL.map(Task::id).into(), is_open: false },
    IdPlaceholder { word: "NUMBERING", words: || vec!["random", "as-generated"], is_open: true },
    IdPlaceholder {
        word: "INSTANCES",
        words: || vec!["plane", "torus", "plane-partly-filled"],
        is_open: true,
    },
];

/// Words as an id: lower-case words with hyphens. The signs of a kind of instance become words, so
/// that kinds that differ in a sign differ in their ids.
pub(crate) fn id(words: &[&str]) -> String {
    let joined = words.join(" ").to_lowercase();
    let spelled = joined.replace('\u{2212}', "minus").replace('+', "plus").replace('×', "by");
    let parts = spelled.split(|letter: char| !letter.is_ascii_alphanumeric());
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

/// The meaning of the words in capitals, for a list of ids.
pub fn id_placeholders() -> String {
    let meaning = PLACEHOLDERS.iter().map(|IdPlaceholder { word, words, is_open }| {
        let words = words().join(", ");
        format!("{word}: {}{words}", if *is_open { "as in " } else { "" })
    });
    meaning.collect::<Vec<_>>().join("; ")
}

/// True for an id that a table with one of the `known` ids can have.
pub(crate) fn is_known(id: &str, known: &[TableIds]) -> bool {
    known.iter().any(|ids| ids.has(id))
}

/// The error for an id that no table can have. `others` are further possible ids.
pub(crate) fn unknown<'a>(
    id: &str,
    others: impl Iterator<Item = &'a str>,
    known: &[TableIds],
) -> UnknownId {
    UnknownId::new(
        "table",
        id,
        known.iter().flat_map(TableIds::examples).chain(others.map(str::to_owned)),
    )
}

impl TableIds {
    /// True for an id of this pattern.
    pub(crate) fn has(&self, id: &str) -> bool {
        let (pattern, id): (Vec<_>, Vec<_>) =
            (self.id.split('-').collect(), id.split('-').collect());
        fits(&pattern, &id)
    }

    /// Ids of this pattern: all, or those with frequent words.
    fn examples(&self) -> Vec<String> {
        self.id.split('-').fold(vec![String::new()], |begun, word| {
            let words =
                placeholder(word).map_or_else(|| vec![word], |placeholder| (placeholder.words)());
            let mut joined = Vec::new();
            for begun in &begun {
                let hyphen = if begun.is_empty() { "" } else { "-" };
                joined.extend(words.iter().map(|word| format!("{begun}{hyphen}{word}")));
            }
            joined
        })
    }
}

fn placeholder(word: &str) -> Option<&'static IdPlaceholder> {
    PLACEHOLDERS.iter().find(|placeholder| placeholder.word == word)
}

fn fits(pattern: &[&str], id: &[&str]) -> bool {
    let ([word, pattern @ ..], [first, rest @ ..]) = (pattern, id) else {
        return pattern.is_empty() && id.is_empty();
    };
    match placeholder(word) {
        None => word == first && fits(pattern, rest),
        Some(IdPlaceholder { is_open: false, words, .. }) => {
            words().contains(first) && fits(pattern, rest)
        }
        Some(_) => (0..=rest.len()).any(|more| fits(pattern, &rest[more..])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{ALL, FULL};

    fn known() -> Vec<TableIds> {
        ALL.iter().flat_map(|kind| kind.tables).chain(FULL).copied().collect()
    }

    #[test]
    fn ids_are_known_by_their_words() {
        for id in [
            "encodings",
            "ranking-time-random-sat",
            "ranking-conflicts-squares-by-lines-unsat",
            "count-plane-cpu-median",
            "enumerate-n-by-n-plus-2-partly-filled-memory-peak",
            "propagation-by-size",
            "cells",
        ] {
            assert!(is_known(id, &known()), "{id}");
        }
        for id in ["", "ranking", "ranking-times-random-sat", "ranking-time-sat", "cell", "cells-2"]
        {
            assert!(!is_known(id, &known()), "{id}");
        }
        let near = |id| unknown(id, ["ranking"].into_iter(), &known()).near;
        assert_eq!(near("rankin-time-random-sat").unwrap(), "ranking-time-random-sat");
        assert_eq!(near("rankng").unwrap(), "ranking");
    }

    #[test]
    fn ids_are_words_with_hyphens_and_differ_where_signs_do() {
        assert_eq!(
            id(&["count", "plane, partly filled", "cpu_median"]),
            "count-plane-partly-filled-cpu-median"
        );
        assert_eq!(id(&["N × (N − 1)"]), "n-by-n-minus-1");
        assert_eq!(id(&["N × (N + 1)"]), "n-by-n-plus-1");
    }

    #[test]
    fn every_example_of_an_id_has_its_pattern() {
        for ids in known() {
            let examples = ids.examples();
            assert!(!examples.is_empty() && examples.iter().all(|id| ids.has(id)), "{}", ids.id);
        }
    }
}
