//! Sentences for captions: what became of the runs that a figure is made from.

use bezzel_lab::Row;

use crate::number::count;
use crate::statistics::cell::Counts;

/// Says what became of the runs that have no answer, a wrong one or an unchecked one; empty if
/// there are none of these.
pub(super) fn ends(rows: &[&Row]) -> String {
    let counts = Counts::of(rows);
    let mut sentences = Vec::new();
    let unanswered = counts.timed_out + counts.out_of_memory + counts.failed;
    if unanswered > 0 {
        let ends = [
            (counts.timed_out, "at a limit of time"),
            (counts.out_of_memory, "at the limit of memory"),
            (counts.failed, "by a fault or without an answer"),
        ];
        let ends = ends.iter().filter(|(number, _)| *number > 0);
        let ends: Vec<_> = ends.map(|(number, end)| format!("{number} {end}")).collect();
        sentences.push(format!(
            "Of {}, {} ended without an answer ({}).",
            count(counts.rows, "run"),
            unanswered,
            ends.join(", ")
        ));
    }
    if counts.unchecked > 0 {
        sentences.push(format!(
            "Hollow: {} among the runs of the mark {} unchecked.",
            count(counts.unchecked, "answer"),
            if counts.unchecked == 1 { "is" } else { "are" }
        ));
    }
    if counts.wrong > 0 {
        sentences.push(format!("Left out: {}.", count(counts.wrong, "wrong answer")));
    }
    sentences.join(" ")
}

/// Joins the sentences that are not empty.
pub(super) fn paragraph(sentences: &[&str]) -> String {
    let sentences: Vec<_> =
        sentences.iter().copied().filter(|sentence| !sentence.is_empty()).collect();
    sentences.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{out_of_memory, solved, timed_out, unchecked, wrong};

    #[test]
    fn captions_count_what_is_not_a_verified_answer() {
        let rows = [timed_out(), timed_out(), out_of_memory(), unchecked(1.0), wrong(1.0)];
        assert_eq!(
            ends(&rows.iter().collect::<Vec<_>>()),
            "Of 5 runs, 3 ended without an answer (2 at a limit of time, 1 at the limit of memory). \
             Hollow: 1 answer among the runs of the mark is unchecked. Left out: 1 wrong answer."
        );
        assert_eq!(ends(&[&solved(1.0)]), "");
    }
}
