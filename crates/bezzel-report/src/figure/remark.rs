//! Sentences for captions about the runs of a figure.

use bezzel_experiment::{Row, Termination};
use bezzel_statistics::Value;

use crate::chart::{Chart, FacetBody, LegendEntry, LegendSign, Point, Series, SignKind};
use crate::dataset::Dataset;
use crate::look::unused_look;
use crate::number::count;
use crate::row_statistics::cell::Counts;
use crate::run_ends;

pub(super) use crate::run_conditions::proofs_note;

/// A sentence about the runs without an answer, with a wrong one or with an unchecked one. Empty if there are none.
pub(super) fn ends_note(rows: &[&Row]) -> String {
    let counts = Counts::of(rows);
    let mut sentences = Vec::new();
    let unanswered = counts.timed_out + counts.out_of_memory + counts.failed;
    if unanswered > 0 {
        let shared = match counts.disturbed {
            0 => String::new(),
            _ if counts.disturbed == counts.wall_limit => " on a shared core".to_owned(),
            some => format!(", {some} of them on a shared core"),
        };
        let ends = run_ends::limit_counts(&counts).map(|(end, number)| {
            let shared = if end == Termination::WallLimit { &*shared } else { "" };
            (number, format!("{}{shared}", run_ends::end_words(end)))
        });
        let failed = (counts.failed, "by a fault or without an answer".to_owned());
        let ends = ends.into_iter().chain([failed]).filter(|(number, _)| *number > 0);
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
            "Hollow marks: {} {} unchecked.",
            count(counts.unchecked, "answer"),
            if counts.unchecked == 1 { "is" } else { "are" }
        ));
    }
    let left_out = [
        (counts.wrong, "wrong answer", ""),
        (counts.host_error, "run", " killed from outside"),
        (counts.skipped, "run", " whose solver or engine is not installed"),
    ];
    let left_out = left_out.iter().filter(|(number, _, _)| *number > 0);
    let left_out: Vec<_> =
        left_out.map(|(number, what, which)| count(*number, what) + which).collect();
    if !left_out.is_empty() {
        sentences.push(format!("Left out: {}.", left_out.join(", ")));
    }
    sentences.join(" ")
}

/// Joins the sentences that are not empty.
pub fn paragraph(sentences: &[&str]) -> String {
    let sentences: Vec<_> =
        sentences.iter().copied().filter(|sentence| !sentence.is_empty()).collect();
    sentences.join(" ")
}

/// The chart with the encodings and the marks that occur in it. Bars are explained as quartiles over `spread`. None if
/// nothing is drawn.
pub(super) fn with_legends(mut chart: Chart, dataset: &Dataset<'_>, spread: &str) -> Option<Chart> {
    let styles = chart.points().filter_map(|(_, series, _)| series.style).collect();
    chart.legend = dataset.legend(&styles);
    with_signs(chart, spread)
}

/// The chart with the signs of the marks that occur in it behind its own signs. Bars are explained as quartiles over
/// `spread`. None if nothing is drawn.
pub(super) fn with_signs(mut chart: Chart, spread: &str) -> Option<Chart> {
    chart.signs.extend(signs(&chart, spread));
    (!chart.is_empty()).then_some(chart)
}

/// Adds a published series to a panel of series, with an entry in the legend and a look of its own.
pub fn add_published(
    chart: &mut Chart,
    facet: usize,
    label: &str,
    points: impl IntoIterator<Item = Point>,
) {
    let style = unused_look(chart.legend.iter().map(|entry| entry.style));
    if let Some(FacetBody::Series(series)) =
        chart.facets.get_mut(facet).map(|facet| &mut facet.body)
    {
        series.push(Series::new(style, label, points.into_iter().collect()));
        chart.legend.push(LegendEntry { style, label: label.to_owned() });
    }
}

/// The signs of the marks that occur in a chart, bars explained as quartiles over `spread`.
fn signs(chart: &Chart, spread: &str) -> Vec<LegendSign> {
    let any = |is: fn(&Point) -> bool| chart.points().any(|(_, _, point)| is(point));
    let known = [
        (
            chart.points().any(|(_, series, point)| series.band && point.low.is_some()),
            SignKind::Band,
            format!("quartiles over {spread}"),
        ),
        (
            chart.points().any(|(_, series, point)| point.low.is_some() && !series.band),
            SignKind::Bar,
            format!("quartiles over {spread}"),
        ),
        (any(|point| point.mark.is_hollow()), SignKind::Hollow, "unchecked".to_owned()),
        (
            any(|point| point.value == Value::OverLimit || point.at == f64::INFINITY),
            SignKind::OverLimit,
            "over the limit".to_owned(),
        ),
    ];
    occurring(known)
}

/// The signs that occur.
pub(super) fn occurring(
    known: impl IntoIterator<Item = (bool, SignKind, String)>,
) -> Vec<LegendSign> {
    let known = known.into_iter().filter(|(occurs, _, _)| *occurs);
    known.map(|(_, sign, label)| LegendSign { sign, label }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Analysis;
    use bezzel_encode::Registry;
    use bezzel_experiment::ExperimentRecord;
    use bezzel_solve::ProofFormat;

    use crate::tests::sample::{
        at_wall_limit, killed, out_of_memory, skipped, solved, timed_out, unchecked, wrong,
    };

    #[test]
    fn captions_say_whose_times_are_with_a_proof() {
        let mut proved = solved(1.0);
        proved.job.proof = Some(ProofFormat::Lrat);
        let rows = vec![proved, solved(1.0)];
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        let registry = Registry::new();
        let dataset = Analysis::new(&record, &registry);
        let proofs_of = |rows: &[&Row]| proofs_note(&dataset, rows);
        assert_eq!(
            proofs_of(&dataset.rows(|_| true)),
            "The times of BatSat include proof writing."
        );
        assert_eq!(proofs_of(&dataset.rows(|row| row.job.proof.is_none())), "");
    }

    #[test]
    fn captions_count_what_is_not_a_verified_answer() {
        let rows = [timed_out(), timed_out(), out_of_memory(), unchecked(1.0), wrong(1.0)];
        assert_eq!(
            ends_note(&rows.iter().collect::<Vec<_>>()),
            "Of 5 runs, 3 ended without an answer (2 at the CPU limit, 1 at the memory limit). \
             Hollow marks: 1 answer is unchecked. Left out: 1 wrong answer."
        );
        assert_eq!(ends_note(&[&solved(1.0)]), "");
        assert_eq!(
            ends_note(&[&at_wall_limit(1.6), &timed_out()]),
            "Of 2 runs, 2 ended without an answer (1 at the CPU limit, 1 at the wall limit on a shared core)."
        );
        assert_eq!(
            ends_note(&[&killed(), &killed(), &skipped()]),
            "Left out: 2 runs killed from outside, 1 run whose solver or engine is not installed."
        );
    }
}
