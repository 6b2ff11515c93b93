//! The records, the changes between them, and the values that must be equal: answers and sizes.

use bezzel_experiment::quantity::grouped;

use super::super::{RecordComparison, RecordSummary, Sizes};
use super::{MAX_ENTRIES, TextPart, more};
use crate::number::{count, significant};
use crate::table::columns::Columns;

pub(super) fn records(comparison: &RecordComparison) -> Vec<String> {
    let RecordComparison { a, b, matched, .. } = comparison;
    let mut lines = Vec::new();
    for (letter, RecordSummary { name, rows, superseded, damaged, .. }) in [("A", a), ("B", b)] {
        let mut parts = vec![format!("{letter} is {name}: {}", count(*rows, "row"))];
        if *superseded > 0 {
            let number = grouped(*superseded as u128);
            parts.push(format!("{number} that later ones of the same record take the place of"));
        }
        if *damaged > 0 {
            parts.push(format!("{} left out", count(*damaged, "damaged line")));
        }
        lines.push(parts.join(", and "));
    }
    lines.push(format!("{} in both", count(*matched, "job")));
    for (letter, side) in [("A", a), ("B", b)] {
        if side.alone > 0 {
            let shown = side.alone_of.iter().take(MAX_ENTRIES);
            let shown: Vec<String> =
                shown.map(|(by, number)| format!("{by} ({})", grouped(*number as u128))).collect();
            let rest = more(side.alone_of.len(), MAX_ENTRIES)
                .map_or(String::new(), |more| format!("; {more}"));
            let alone = count(side.alone, "job");
            lines.push(format!("{alone} only in {letter}: {}{rest}", shown.join("; ")));
        }
    }
    lines
}

pub(super) fn changed(comparison: &RecordComparison) -> Vec<TextPart> {
    let mut parts = Vec::new();
    let mut lines = Vec::new();
    if comparison.changes.is_empty() {
        lines.push(
            "the same machine, builds, versions, revisions and limits, as far as known".to_owned(),
        );
    } else {
        let words = |values: &[String]| match values {
            [] => "unknown".to_owned(),
            values => values.join("; "),
        };
        let table = Columns::of(&comparison.changes)
            .words("what", "what", |change| change.what.clone())
            .words("A", "A", |change| words(&change.a))
            .words("B", "B", |change| words(&change.b))
            .table("changes", "What changed", Vec::new());
        parts.push(TextPart::Table(table));
    }
    if let Some(clock) = comparison.clock {
        lines.push(format!(
            "the fixed formula that measures the machine took {} times as long in B ({} and {})",
            significant(clock.ratio, 3),
            count(clock.readings_a, "reading"),
            clock.readings_b
        ));
    }
    let config = &comparison.config;
    if config.a.is_empty() && config.b.is_empty() {
        lines.push("the configs say the same".to_owned());
    } else {
        lines.push("the configs differ:".to_owned());
        for (sign, of) in [("A", &config.a), ("B", &config.b)] {
            lines.extend(of.iter().take(MAX_ENTRIES).map(|line| format!("only {sign}: {line}")));
            lines.extend(more(of.len(), MAX_ENTRIES));
        }
    }
    parts.push(TextPart::Lines(lines));
    parts
}

pub(super) fn answers(comparison: &RecordComparison) -> Vec<String> {
    let answers = &comparison.answers;
    let parts = [
        (answers.same, "answered alike"),
        (answers.contradicting, "CONTRADICTING"),
        (answers.only_a, "answered in A only"),
        (answers.only_b, "answered in B only"),
        (answers.neither, "answered in neither"),
    ];
    let parts = parts.iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> =
        parts.map(|(number, what)| format!("{} {what}", grouped(*number as u128))).collect();
    let mut lines = vec![if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }];
    for (what, differing) in [("ended", &answers.ends), ("judged", &answers.verdicts)] {
        for (a, b, number) in differing {
            lines.push(format!("{} {what}: {a} in A, {b} in B", count(*number, "job")));
        }
    }
    lines
}

pub(super) fn sizes(all: &[Sizes]) -> Vec<TextPart> {
    let table = Columns::of(all)
        .words("encoding", "encoding", |sizes| sizes.encoding.clone())
        .numbers("formulas", "formulas", |sizes| sizes.formulas)
        .numbers("resized", "of another size", |sizes| sizes.resized.len())
        .numbers("clauses", "their clauses, B / A", |sizes| ratios_of_clauses(sizes))
        .numbers("digests", "clause streams", |sizes| sizes.digests)
        .numbers("other_digests", "others", |sizes| sizes.other_digests)
        .table("sizes", "Sizes", Vec::new());
    let resized = all.iter().flat_map(|sizes| {
        sizes.resized.iter().map(move |resized| {
            let describe = |[variables, clauses, literals]: [u64; 3]| {
                format!("{variables} variables, {clauses} clauses, {literals} literals")
            };
            let (a, b) = (describe(resized.a), describe(resized.b));
            format!("{} on {}: {a} in A; {b} in B", sizes.encoding, resized.board)
        })
    });
    let mut lines: Vec<String> = resized.collect();
    let rest = more(lines.len(), MAX_ENTRIES);
    lines.truncate(MAX_ENTRIES);
    lines.extend(rest);
    vec![TextPart::Table(table), TextPart::Lines(lines)]
}

/// The least and the largest ratio of numbers of clauses among the formulas of another size.
fn ratios_of_clauses(sizes: &Sizes) -> Option<String> {
    let ratios = sizes.resized.iter().filter(|resized| resized.a[1] > 0);
    let ratios = ratios.map(|resized| resized.b[1] as f64 / resized.a[1] as f64);
    let (low, high) = ratios.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), ratio| {
        (low.min(ratio), high.max(ratio))
    });
    let [low, high] = [low, high].map(|ratio| significant(ratio, 3));
    let read = if low == high { low } else { format!("{low} to {high}") };
    (!sizes.resized.is_empty()).then_some(read)
}
