//! `cactus`: the number of runs that are answered within a time.

use std::collections::BTreeSet;

use bezzel_experiment::Row;
use bezzel_solve::Answer;
use indexmap::IndexMap;

use super::instance::{
    answers, fair_numbering, numbering_note, numbering_suffix, time_axis, title,
};
use super::remark::{ends_note, paragraph, proofs_note, with_legends};
use super::{FigureKind, series_choice};
use crate::analysis::Analysis;
use crate::chart::{Axis, Chart, Facet, LegendEntry, LegendSign, Mark, Point, Series, SignKind};
use crate::dataset::Dataset;
use crate::row_statistics::Cell;
use crate::row_statistics::cell::was_run;
use crate::row_statistics::replicates::{CactusStep, series};
use bezzel_statistics::Value;

pub(super) const KIND: FigureKind = FigureKind {
    id: "cactus",
    title: "Cactus plot: runs answered over time",
    shows: "CPU times of the answered runs in increasing order, with separate panels for satisfiable and \
            unsatisfiable instances",
    draw,
};

/// The least number of runs of a line. The table shows fewer runs better.
const POINTS: usize = 10;

fn draw(dataset: &Analysis<'_>) -> Option<Chart> {
    let (groups, numbering) = (answers(dataset), fair_numbering(dataset));
    if dataset.encodings.len() < 2 {
        return None;
    }
    let mut facets: Vec<_> = (0..dataset.solvers.len())
        .flat_map(|solver| groups.iter().map(move |group| (solver, *group)))
        .map(|(solver, group)| {
            let here = |cell: &&Cell<'_>| {
                cell.index.solver == solver
                    && cell.index.numbering == numbering
                    && dataset.answer(cell.instance) == group
            };
            let cells: Vec<_> = dataset.cells.iter().filter(here).collect();
            facet(dataset, &dataset.solvers[solver], group, &cells)
        })
        .collect();
    facets.retain(|facet| !facet.is_empty());
    let lines = facets.iter().flat_map(Facet::series).filter(|series| series.style.is_some());
    if lines.map(|series| series.points.len()).max().unwrap_or(0) < POINTS {
        return None;
    }
    let left_out_series = series_choice::keep_best(&mut facets, series_choice::own_group);
    let rows = dataset.firsts(|row| row.job.numbering.id() == dataset.numberings[numbering]);
    let caption = paragraph(&[
        "Lower and further right is better. A point at (k, t) means that k runs of the encoding were answered, each within a CPU time of \
             solving of t. Times are those of single runs and are not added up. The CPU limit holds for \
             the whole process, including generating and loading the formula. A panel has the runs of \
             one solver on all instances with the same answer, of all shuffles and seeds. The grey line is the virtual best \
             encoding: of each instance, shuffle and seed the shortest time of all encodings, also of those that are \
             not drawn. The legend is in the order in which lines end.",
        &numbering_note(dataset),
        &left_out_series,
        &proofs_note(dataset, &rows),
        &ends_note(&rows),
    ]);
    let columns = groups.len().clamp(1, 2);
    let about = format!("Runs answered within a CPU time of solving{}", numbering_suffix(dataset));
    let chart = KIND.chart(&about, caption, columns, facets);
    // Every run is a point of its own, so there are no bars.
    let mut chart = with_legends(chart, dataset, "runs")?;
    let ends = |entry: &LegendEntry| {
        let lines = chart.facets.iter().flat_map(Facet::series);
        let lines = lines.filter(|series| series.style == Some(entry.style));
        let ends = lines.filter_map(|series| series.points.last());
        // The line that ends at most runs comes first. Of equal ones, it is the lowest.
        let runs: f64 = ends.clone().map(|point| point.at).sum();
        let times: f64 = ends.filter_map(|point| point.value.measured()).sum();
        (runs, times)
    };
    let mut legend = chart.legend.clone();
    legend.sort_by(|one, two| {
        let (one, two) = (ends(one), ends(two));
        two.0.total_cmp(&one.0).then(one.1.total_cmp(&two.1))
    });
    let best = LegendSign { sign: SignKind::Line, label: VIRTUAL_BEST.into() };
    chart.legend = legend;
    if chart.points().any(|(_, series, _)| series.style.is_none()) {
        chart.signs.insert(0, best);
    }
    Some(chart)
}

/// The label of the line of the virtual best encoding.
const VIRTUAL_BEST: &str = "virtual best";

/// The virtual best encoding: of each instance, shuffle and seed the run with the shortest time.
fn virtual_best<'r>(cells: &[&Cell<'r>]) -> Vec<&'r Row> {
    let mut best: IndexMap<_, &'r Row> = IndexMap::new();
    let rows = cells.iter().flat_map(|cell| cell.rows.iter().copied());
    for row in rows.filter(|row| row.solved() && row.solve_cpu_s.is_some()) {
        let job = &row.job;
        let run = (&job.instance, job.numbering, format!("{:?}", job.options), job.repeat);
        let known = best.entry(run).or_insert(row);
        if row.solve_cpu_s < known.solve_cpu_s {
            *known = row;
        }
    }
    best.into_values().collect()
}

fn facet(dataset: &Dataset<'_>, solver: &str, group: Option<Answer>, cells: &[&Cell<'_>]) -> Facet {
    let mut totals = BTreeSet::new();
    let mut all = Vec::new();
    for style in 0..dataset.encodings.len() {
        let of_encoding = cells.iter().filter(|cell| cell.index.encoding == style);
        let of_encoding: Vec<&Row> =
            of_encoding.flat_map(|cell| cell.rows.iter().copied()).collect();
        let run = of_encoding.iter().filter(|row| was_run(row)).count();
        if run > 0 {
            totals.insert(run);
        }
        let steps = series(&of_encoding);
        if !steps.is_empty() {
            let points = points(&steps, style);
            all.push(dataset.series(style, points));
        }
    }
    if all.len() > 1 {
        let steps = series(&virtual_best(cells));
        let points = steps.iter().map(|step| Point {
            mark: Mark::None,
            keys: vec![step.key.clone()],
            ..Point::new(step.solved as f64, Value::Measured(step.cpu_s))
        });
        let line = Series::new(0, VIRTUAL_BEST, points.collect());
        // It is drawn first, below all others.
        all.insert(0, Series { style: None, ..line });
    }
    let instances_here: BTreeSet<_> = cells.iter().map(|cell| cell.index.instance).collect();
    let position = Axis::count("Runs answered");
    // The end of a line if all runs of an encoding were answered.
    let position = match totals.last() {
        Some(&total) => position.with_limit(Some(total as f64), format!("all {total}")),
        None => position,
    };
    let title = title(solver, instances_here.len(), group);
    Facet::new(title, position, time_axis(dataset), all)
}

fn points(steps: &[CactusStep<'_>], style: usize) -> Vec<Point> {
    let points = steps.iter().enumerate().map(|(index, step)| Point {
        mark: along(index, steps.len(), style, !step.verified),
        keys: vec![step.key.clone()],
        ..Point::new(step.solved as f64, Value::Measured(step.cpu_s))
    });
    points.collect()
}

/// The approximate number of markers of a line.
const MARKERS: usize = 4;

/// The mark of one of the points of a line: unchecked points, the last point and a few along the line have a marker.
fn along(index: usize, points: usize, style: usize, unchecked: bool) -> Mark {
    let every = points.div_ceil(MARKERS).max(1);
    // Each encoding marks other points, so that markers of close lines do not cover.
    let marked = index + 1 == points || (index + style * 2) % every == every / 2;
    match (unchecked, marked) {
        (true, _) => Mark::Hollow,
        (false, true) => Mark::Filled,
        (false, false) => Mark::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::analysed;
    use crate::tests::sample::{of_size, solved, timed_out, unchecked, wrong};
    use bezzel_experiment::Key;

    fn drawn(rows: Vec<Row>) -> Option<Chart> {
        analysed(rows, draw)
    }

    /// Rows of two encodings on `instances` satisfiable instances.
    fn rows(instances: u32) -> Vec<Row> {
        let both = |size| {
            ["pairwise", "other"].map(|encoding| {
                let mut row = of_size(size, solved(f64::from(size)));
                row.job.encoding = encoding.into();
                row
            })
        };
        (8..8 + instances).flat_map(both).collect()
    }

    #[test]
    fn instances_with_and_without_a_solution_are_kept_apart_and_wrong_answers_are_not_answered() {
        let mut rows = rows(10);
        rows.push(of_size(8, wrong(0.1)));
        rows.push(of_size(3, unchecked(2.0)));
        rows.push(of_size(40, timed_out()));
        let chart = drawn(rows).unwrap();
        let facets: Vec<_> = chart
            .facets
            .iter()
            .map(|facet| {
                let of_encodings = facet.series().iter().filter(|series| series.style.is_some());
                let points: usize = of_encodings.map(|series| series.points.len()).sum();
                (facet.title.as_str(), points)
            })
            .collect();
        let expected = [("10 satisfiable instances", 20), ("1 unsatisfiable instance", 1)];
        assert_eq!(facets, expected);
        assert_eq!(chart.facets[1].series()[0].points[0].mark, Mark::Hollow);
        // A run with a wrong answer is still among the runs that could have been answered.
        let limit = chart.facets[0].position.limit.as_ref().unwrap();
        assert_eq!((limit.at, limit.label.as_str()), (Some(11.0), "all 11"));
    }

    #[test]
    fn few_runs_or_one_encoding_are_no_cactus() {
        assert_eq!(drawn(rows(9)), None);
        assert_eq!(drawn(rows(12).into_iter().step_by(2).collect()), None);
    }

    #[test]
    fn a_few_points_of_a_long_line_are_marked_and_always_the_last() {
        let key = Key("00".into());
        let steps: Vec<_> = (1..=44)
            .map(|solved| CactusStep { solved, cpu_s: solved as f64, verified: true, key: &key })
            .collect();
        for style in 0..12 {
            let points = points(&steps, style);
            let marked = points.iter().filter(|point| point.mark == Mark::Filled).count();
            assert!((MARKERS..=MARKERS + 1).contains(&marked), "{marked} for style {style}");
            assert_eq!(points.last().map(|point| point.mark), Some(Mark::Filled));
        }
    }
}
