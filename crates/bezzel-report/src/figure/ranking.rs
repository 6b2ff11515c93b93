//! `ranking`: the ratio of every encoding to the first one with its interval, and the groups of ties.
//!
//! It shows the table of the ranking, and is drawn where some comparison has an interval. If a ranking has a ranked
//! pair, those without one are left out.

use bezzel_experiment::Row;

use super::FigureKind;
use super::forest::{ForestMark, ForestPanel, note, of_outcome, signs};
use super::instance::{fair_numbering, keys_of};
use super::remark::{paragraph, proofs_note};
use crate::analysis::Analysis;
use crate::chart::{Chart, Mark, Point};
use crate::comparison::{ANSWERS, EncodingRanking, Measure, encodings, instances_with_answer};
use crate::dataset::Dataset;
use crate::instance_words::{listed, side, with_answer};
use crate::label::with_solver_names;
use crate::number::{count, distinct};
use bezzel_statistics::Value;
use bezzel_statistics::ranking::{SOLVERS, instances_needed};

pub(super) const KIND: FigureKind = FigureKind {
    id: "ranking",
    title: "Ranking by solve time",
    shows: "the solve time of each encoding relative to the first, with its confidence interval and its \
            group of ties, for each solver",
    draw,
};

/// The number of panels above which only one numbering is shown.
const FACETS: usize = 12;

/// The rankings by time in which some comparison has an interval.
fn with_intervals<'a>(dataset: &'a Analysis<'_>) -> impl Iterator<Item = &'a EncodingRanking> {
    dataset.rankings().iter().filter(|encoding_ranking| {
        let mut comparisons = encoding_ranking.ranking.comparisons.iter();
        encoding_ranking.measure == Measure::Time
            && comparisons.any(|known| known.overall().interval.is_some())
    })
}

fn has_ranked_pair(encoding_ranking: &EncodingRanking) -> bool {
    !encoding_ranking.ranking.above.is_empty()
}

/// The instances or encodings that a record without an interval lacks.
pub(crate) fn lacks(dataset: &Dataset<'_>) -> Option<String> {
    let each = (0..dataset.numberings.len()).map(|numbering| encodings(dataset, numbering).len());
    let all = each.max().unwrap_or(0);
    if all < 2 {
        return Some("it compares at least 2 encodings".into());
    }
    let needed = instances_needed(all * (all - 1) / 2);
    let found = ANSWERS.map(|answer| (instances_with_answer(dataset, answer).len(), answer));
    found.iter().all(|(number, _)| *number < needed).then(|| {
        let found = found.map(|(number, answer)| format!("{number} {}", side(answer)));
        format!(
            "intervals for {all} encodings need {needed} instances with the same answer, and the record has {} ones",
            listed(&found)
        )
    })
}

fn draw(dataset: &Analysis<'_>) -> Option<Chart> {
    let mut rankings: Vec<&EncodingRanking> = with_intervals(dataset).collect();
    let is_decided = rankings.iter().copied().any(has_ranked_pair);
    if is_decided {
        rankings.retain(|encoding_ranking| has_ranked_pair(encoding_ranking));
    }
    if rankings
        .iter()
        .map(|encoding_ranking| encoding_ranking.comparison.solvers.len())
        .sum::<usize>()
        > FACETS
    {
        let fair = fair_numbering(dataset);
        let kept = rankings.iter().find(|encoding_ranking| encoding_ranking.numbering == fair);
        let kept = *kept.or(rankings.first())?;
        rankings.retain(|encoding_ranking| encoding_ranking.numbering == kept.numbering);
    }
    let several = dataset.numberings.len() > 1;
    let answers = distinct(rankings.iter().map(|encoding_ranking| encoding_ranking.answer));
    let (mut panels, mut alone) = (Vec::new(), Vec::new());
    for encoding_ranking in &rankings {
        let numbering = &dataset.numberings[encoding_ranking.numbering];
        for (solver, solver_design) in encoding_ranking.comparison.solvers.iter().enumerate() {
            let label = solver_design.label.clone();
            let title = if several { format!("{label}, {numbering}") } else { label };
            let answer = encoding_ranking.answer;
            let instances = if answers.len() > 1 { side(answer) } else { with_answer(answer) };
            let whole = format!("{title}, {}", with_answer(answer));
            let panel = panel(dataset, encoding_ranking, solver, format!("{title}, {instances}"));
            // The reference alone is no comparison.
            if panel.facet.series().len() > 1 {
                panels.push(panel);
            } else {
                alone.push(with_solver_names(&whole));
            }
        }
    }
    let outcomes: Vec<String> = rankings
        .iter()
        .map(|encoding_ranking| {
            let numbering = several.then(|| &*dataset.numberings[encoding_ranking.numbering]);
            outcome(encoding_ranking, numbering)
        })
        .collect();
    let caption = paragraph(&[
        &format!(
            "Further left is faster. Ratio of the median solve time to that of {}: the geometric mean over the instances of a family, \
             then over families. Encodings that share a letter are ties. One encoding is ranked above \
             another only if it is faster under every solver, and if there are at least {SOLVERS} \
             solver programs. {}",
            rankings.first().map_or("", |encoding_ranking| &encoding_ranking.comparison.arms[0]),
            if is_decided {
                "Rankings without a ranked pair are not drawn."
            } else {
                "No pair is ranked: the intervals show which differences remain possible."
            }
        ),
        &outcomes.join(" "),
        &match &alone[..] {
            [] => String::new(),
            alone => {
                format!(
                    "A panel is left out if all its ratios depend on the family or are unknown: {}.",
                    alone.join("; ")
                )
            }
        },
        &note(&panels),
        &proofs_note(dataset, &dataset.record.rows.iter().collect::<Vec<_>>()),
    ]);
    let about = "Ratios of CPU times of solving (geometric means over instances and families; a shared letter is a \
         tie over all solvers)";
    let mut chart = KIND.chart(
        about,
        caption,
        rankings.iter().map(|it| it.comparison.solvers.len()).max()?.clamp(1, 2),
        panels.into_iter().map(|panel| panel.facet).collect(),
    );
    chart.signs = signs(&chart, "all pairs under one solver");
    (!chart.is_empty()).then_some(chart)
}

/// The rows of a ranking under one of its solvers.
fn panel(
    dataset: &Dataset<'_>,
    encoding_ranking: &EncodingRanking,
    solver: usize,
    title: String,
) -> ForestPanel {
    let EncodingRanking { comparison, ranking, .. } = encoding_ranking;
    let marks = ranking.order.iter().map(|&arm| {
        let entry = dataset.entry(dataset.style(&comparison.arms[arm]));
        ForestMark {
            style: Some(entry.style),
            label: entry.label.clone(),
            group: String::new(),
            row: entry.into(),
            end: Some(ranking.letters[arm].clone()),
            point: point(dataset, encoding_ranking, solver, arm),
        }
    });
    let axis = format!("Ratio to {}", comparison.arms[0]);
    ForestPanel::new(title, &axis, Some("group"), &[], marks.collect())
}

fn point(
    dataset: &Dataset<'_>,
    encoding_ranking: &EncodingRanking,
    solver: usize,
    arm: usize,
) -> Option<Point> {
    let EncodingRanking { comparison, ranking, .. } = encoding_ranking;
    let design = &comparison.solvers[solver].design;
    let instances = 0..design.instances().len();
    let runs = instances.map(|index| design.replicates(arm, index).len()).sum();
    let keys = keys_of(&rows(dataset, encoding_ranking, solver, arm));
    let point = match ranking.comparison(solver, arm, 0) {
        Some(beside) => of_outcome(beside.overall(), Mark::Filled, runs)?,
        // The reference itself has no comparison.
        None if runs > 0 => Point { runs, ..Point::new(0.0, Value::Measured(1.0)) },
        None => return None,
    };
    Some(Point { keys, ..point })
}

/// The rows of `arm` under `solver`, with the numbering of the ranking, on instances with its answer. Rows that the
/// ranking leaves out are included.
fn rows<'a>(
    dataset: &Dataset<'a>,
    encoding_ranking: &EncodingRanking,
    solver: usize,
    arm: usize,
) -> Vec<&'a Row> {
    let EncodingRanking { comparison, numbering, answer, .. } = encoding_ranking;
    let encoding = dataset.style(&comparison.arms[arm]);
    let cells = dataset.cells_of(encoding, comparison.solvers[solver].number, *numbering);
    let cells = cells.filter(|cell| dataset.answer(cell.instance) == Some(*answer));
    cells.flat_map(|cell| cell.rows.iter().copied()).collect()
}

/// The outcome of a ranking in a sentence, under the name of its numbering if there are several.
fn outcome(encoding_ranking: &EncodingRanking, numbering: Option<&str>) -> String {
    let EncodingRanking { comparison, ranking, unchecked, answer, .. } = encoding_ranking;
    let ranked = format!("{} of {} ranked", ranking.above.len(), are(comparison.pairs(), "pair"));
    let ranked = match numbering {
        Some(numbering) => {
            format!("Numbering {}, {}: {ranked}.", numbering, with_answer(*answer))
        }
        None => format!("On {}: {ranked}.", with_answer(*answer)),
    };
    let left_out = match unchecked {
        0 => String::new(),
        cells => format!("Left out: {} with unchecked answers.", count(*cells, "cell")),
    };
    paragraph(&[&ranked, &left_out])
}

fn are(number: usize, what: &str) -> String {
    format!("{} {}", count(number, what), if number == 1 { "is" } else { "are" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::SignKind;
    use crate::tests::analysed;
    use crate::tests::sample::{of_size, shuffled, timed_out, unchecked};
    use bezzel_experiment::Key;

    fn drawn(rows: Vec<Row>) -> Option<Chart> {
        analysed(rows, draw)
    }

    /// Two encodings, the first three times as slow, on `instances` instances in two solvers.
    fn rows(instances: u32) -> Vec<Row> {
        let mut rows = Vec::new();
        for size in 8..8 + instances {
            for solver in ["batsat", "cadical"] {
                for (encoding, factor) in [("slow", 3.0), ("quick", 1.0)] {
                    let mut row = of_size(size, shuffled(1, 0.01 * factor * f64::from(size)));
                    row.job.encoding = encoding.into();
                    row.job.solver = solver.into();
                    row.key = Key(format!("{solver} {encoding} {size}"));
                    rows.push(row);
                }
            }
        }
        rows
    }

    #[test]
    fn the_first_row_is_the_quickest_and_ratios_are_to_the_first_encoding() {
        let chart = drawn(rows(12)).unwrap();
        let titles: Vec<_> = chart.facets.iter().map(|facet| facet.title.as_str()).collect();
        assert_eq!(titles, ["batsat", "cadical"]);
        assert!(chart.heading.ends_with(", satisfiable instances"), "{}", chart.heading);
        for facet in &chart.facets {
            let found: Vec<_> = facet
                .series()
                .iter()
                .map(|series| (series.label.as_str(), series.end.as_deref().unwrap()))
                .collect();
            assert_eq!(found, [("quick", "a"), ("slow", "b")]);
            let [first, second] = [0, 1].map(|row| &facet.series()[row].points[0]);
            assert_eq!((second.value, second.low), (Value::Measured(1.0), None));
            assert!((first.value.measured().unwrap() - 1.0 / 3.0).abs() < 1e-3);
            assert!(first.low.is_some() && first.high.is_some());
            let key = |size: u32| Key(format!("{} quick {size}", facet.title));
            assert_eq!(first.keys, (8..20).map(key).collect::<Vec<_>>());
        }
        assert!(chart.caption.contains("1 of 1 pair is ranked."), "{}", chart.caption);
    }

    #[test]
    fn a_limit_makes_a_bound_with_an_open_end_and_an_unchecked_cell_is_left_out() {
        let mut rows = rows(12);
        let late = Row { job: rows[0].job.clone(), ..timed_out() };
        let unproved = Row { job: rows[2].job.clone(), ..unchecked(1.0) };
        (rows[0], rows[2]) = (late, unproved);
        let chart = drawn(rows).unwrap();
        let point = chart.facets[0].series()[0].points[0].clone();
        assert!(point.mark == Mark::Tick && point.open_low);
        let signs: Vec<_> = chart.signs.iter().map(|sign| sign.sign).collect();
        assert_eq!(signs, [SignKind::Bar, SignKind::Tick, SignKind::OpenEnd]);
        let of_all_pairs = "simultaneous 95 % confidence intervals of all pairs under one solver";
        assert_eq!(chart.signs[0].label, of_all_pairs);
        assert!(chart.caption.contains("Left out: 1 cell with unchecked answers."));
        assert!(chart.caption.contains("An arrow is an open end of an interval"));
    }

    #[test]
    fn few_instances_or_one_encoding_rank_nothing() {
        assert_eq!(drawn(rows(5)), None);
        let lacking = |rows| analysed(rows, |dataset| lacks(dataset));
        let few = "intervals for 2 encodings need 6 instances with the same answer, and the record has 5 satisfiable and 0 unsatisfiable ones";
        assert_eq!(lacking(rows(5)).as_deref(), Some(few));
        assert_eq!(lacking(rows(6)), None);
        let alone = |row: &Row| row.job.encoding == "quick";
        assert_eq!(drawn(rows(12).into_iter().filter(alone).collect()), None);
        assert_eq!(drawn(Vec::new()), None);
    }
}
