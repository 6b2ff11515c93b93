//! `all-times` and `all-nodes`: the CPU time and the nodes of finding all solutions, against the size of
//! the instance.

use std::collections::BTreeSet;

use bezzel_experiment::{Row, Task};
use indexmap::IndexMap;

use super::FigureKind;
use super::instance::with_cpu_limit;
use super::legend::with_signs;
use super::remark::{ends_note, paragraph};
use super::series_choice;
use super::summary::{joined, summary};
use crate::analysis::Analysis;
use crate::chart::{Axis, Chart, Facet, Series};
use crate::counter_runs::{CounterCell, CounterInput, cpu_s};
use crate::dataset::Dataset;
use crate::distinct::distinct;
use crate::instance_words::SizeName;
use crate::row_statistics::cell::values;

/// The figure of times.
pub const TIMES: FigureKind = FigureKind {
    id: "all-times",
    title: "All solutions: CPU time against the size of the instance",
    shows: "median CPU time of each engine for finding or counting all solutions",
    draw: |dataset| times(dataset, engine_group),
};

/// The engine of a label without its variants. The best series of each engine comes before the second of any.
pub fn engine_group(label: &str) -> &str {
    label.split([':', '+', ',']).next().unwrap_or(label)
}

/// The figure [`TIMES`]. If there are too many series, the best one of each group comes before the second of any group;
/// `group` returns the group of a label.
pub fn times(dataset: &Analysis<'_>, group: fn(&str) -> &str) -> Option<Chart> {
    chart(
        dataset,
        &TIMES,
        group,
        &dataset.counter_runs.tasks,
        &[CounterMeasure {
            title: "",
            axis: with_cpu_limit(dataset, Axis::log("CPU time of finding all", Some("s"))),
            of: cpu_s,
            of_all: true,
        }],
        "Median CPU time of finding or counting all solutions",
        "Medians of the CPU time of generating and loading the formula and of finding the solutions. \
             The time of checking solutions is not included. A run without an answer counts as longer \
             than all others and is over the limit. The CPU limit holds for the whole process.",
    )
}

pub(super) const NODES: FigureKind = FigureKind {
    id: "all-nodes",
    title: "Decision diagrams: nodes against the size of the instance",
    shows: "nodes of the finished diagram, and the peak number of nodes during construction",
    draw: |dataset| {
        let size = |row: &Row| row.all.as_ref()?.diagram;
        let nodes = |of: fn(&Row) -> Option<f64>, title, label| CounterMeasure {
            title,
            axis: Axis::log(label, None).with_limit(None, "unfinished"),
            of,
            of_all: false,
        };
        let measures = [
            nodes(|row| Some(row.all.as_ref()?.diagram?.nodes? as f64), "finished", "Nodes"),
            nodes(|row| Some(row.all.as_ref()?.diagram?.peak_nodes? as f64), "peak", "Nodes"),
        ];
        // The diagram is the same for every task.
        let first = dataset.record.rows.iter().find(|row| size(row).is_some())?;
        chart(
            dataset,
            &NODES,
            engine_group,
            &[first.job.task],
            &measures,
            "Median number of nodes",
            "Left: the nodes of the finished diagram. Right: the peak, the largest number of nodes kept \
             during construction. Terminals are not counted.",
        )
    },
};

/// The measure of a panel.
struct CounterMeasure {
    title: &'static str,
    axis: Axis,
    of: fn(&Row) -> Option<f64>,
    /// True if every run has the measure, so that a run without an end is over the limit.
    of_all: bool,
}

/// A panel for every task, kind of instance, source and measure.
fn chart(
    dataset: &Dataset<'_>,
    kind: &FigureKind,
    group: fn(&str) -> &str,
    tasks: &[Task],
    measures: &[CounterMeasure],
    heading: &str,
    about: &str,
) -> Option<Chart> {
    let counter_runs = &dataset.counter_runs;
    let mut facets = Vec::new();
    let mut shown: Vec<&Row> = Vec::new();
    for &task in tasks {
        let mut groups: IndexMap<(String, InputTitle), Vec<&CounterCell<'_>>> = IndexMap::new();
        for cell in counter_runs.cells.iter().filter(|cell| cell.task == task) {
            let group = (dataset.group(cell.instance), origin(dataset, cell));
            groups.entry(group).or_default().push(cell);
        }
        // Of each kind of instance clauses come first and the instance last.
        let kinds = distinct(groups.keys().map(|(kind, _)| kind.clone()));
        let place = |kind: &String| kinds.iter().position(|known| known == kind);
        groups.sort_by_key(|(kind, (source, _)), _| (place(kind), *source));
        for ((instance_kind, (_, from)), here) in &groups {
            let before = facets.len();
            // A single size makes no line. Tables contain it.
            let sizes = distinct(here.iter().map(|cell| cell.instance.size()));
            for measure in measures.iter().filter(|_| sizes.len() > 1) {
                // A diagram is the same for every task.
                let task = if measure.of_all { task.id() } else { "" };
                let words = [task, instance_kind, from, measure.title];
                let words: Vec<_> = words.into_iter().filter(|word| !word.is_empty()).collect();
                let facet = facet(dataset, here, measure, words.join(", "));
                if !facet.series().is_empty() {
                    facets.push(facet);
                }
            }
            if facets.len() > before {
                shown.extend(here.iter().flat_map(|cell| cell.rows.iter().copied()));
            }
        }
    }
    // One engine alone makes no comparison.
    let labels = facets.iter().flat_map(|facet: &Facet| facet.series());
    if distinct(labels.map(|series| series.label.as_str())).len() < 2 {
        return None;
    }
    let left_out_series = series_choice::keep_best(&mut facets, group);
    let caption = paragraph(&[about, &left_out_series, &ends_note(&shown)]);
    let mut chart = kind.chart(heading, caption, facets.len().clamp(1, 2), facets);
    let styles: BTreeSet<usize> =
        chart.points().filter_map(|(_, series, _)| series.style).collect();
    chart.legend = styles.into_iter().map(|arm| counter_runs.entry(arm)).collect();
    let spread = "instances, repetitions and shuffles";
    with_signs(chart, spread)
}

/// The input of an engine, and its words in a title. Each circuit has a panel, since its diagrams have many orders. All
/// clauses share a panel.
type InputTitle = (CounterInput, String);

fn origin(dataset: &Dataset<'_>, cell: &CounterCell<'_>) -> InputTitle {
    let source = cell.source();
    let title = match (source, &dataset.counter_runs.arms[cell.arm].encoding) {
        (CounterInput::Circuit, Some(encoding)) => format!("from {encoding}"),
        _ => source.title().to_owned(),
    };
    (source, title)
}

fn facet(
    dataset: &Dataset<'_>,
    here: &[&CounterCell<'_>],
    measure: &CounterMeasure,
    title: String,
) -> Facet {
    let sizes: BTreeSet<u32> = here.iter().map(|cell| cell.instance.size()).collect();
    let arms = 0..dataset.counter_runs.arms.len();
    let series = arms.filter_map(|arm| series(dataset, here, measure, arm, &sizes)).collect();
    let instances = here.iter().map(|cell| cell.instance);
    let position = Axis::log(SizeName::new(instances).title(), None)
        .with_ticks(sizes.into_iter().map(f64::from).collect());
    Facet { apart: true, ..Facet::new(title, position, measure.axis.clone(), series) }
}

fn series(
    dataset: &Dataset<'_>,
    here: &[&CounterCell<'_>],
    measure: &CounterMeasure,
    arm: usize,
    sizes: &BTreeSet<u32>,
) -> Option<Series> {
    let of_arm: Vec<_> = here.iter().filter(|cell| cell.arm == arm).collect();
    // An engine without the measure is not over its limit.
    let has = |cell: &&CounterCell<'_>| {
        cell.rows.iter().any(|row| row.solved() && (measure.of)(row).is_some())
    };
    if !measure.of_all && !dataset.counter_runs.cells.iter().any(|it| it.arm == arm && has(&it)) {
        return None;
    }
    let points = joined(sizes.iter().map(|&size| {
        let cells = of_arm.iter().filter(|cell| cell.instance.size() == size);
        let rows: Vec<&Row> = cells.flat_map(|cell| cell.rows.iter().copied()).collect();
        summary(size.into(), &rows, &values(&rows, measure.of))
    }));
    let label = dataset.counter_runs.entry(arm).label;
    (!points.is_empty()).then(|| Series::new(arm, label, points))
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_experiment::{DiagramSize, ExperimentRecord, NO_ENCODING};
    use bezzel_statistics::Value;

    use super::*;
    use crate::analysis::Analysis;
    use crate::tests::sample::{counted, measured, of_size, solved, timed_out};

    fn drawn(kind: &FigureKind, rows: Vec<Row>) -> Option<Chart> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        (kind.draw)(&Analysis::new(&record, &Registry::new()))
    }

    #[test]
    fn engines_are_lines_and_limits_are_no_times() {
        let with_formula = |mut row: Row| {
            row.formula = measured(64, 744, 1584).formula;
            row
        };
        let mut late = with_formula(of_size(9, counted("blocking", "pairwise", 5.0)));
        late.termination = timed_out().termination;
        let rows = vec![
            with_formula(counted("blocking", "pairwise", 2.0)),
            late,
            counted("backtrack", NO_ENCODING, 0.125),
            of_size(9, counted("backtrack", NO_ENCODING, 0.25)),
            solved(7.0),
        ];
        let chart = drawn(&TIMES, rows).unwrap();
        let labels: Vec<_> = chart.legend.iter().map(|entry| entry.label.as_str()).collect();
        assert_eq!(labels, ["blocking, pairwise", "backtrack"]);
        let titles: Vec<_> = chart.facets.iter().map(|facet| facet.title.as_str()).collect();
        assert_eq!(titles, ["from clauses", "from the instance"]);
        assert!(
            chart.heading.ends_with("or counting all solutions, count, langford"),
            "{}",
            chart.heading
        );
        let series = chart.facets.iter().flat_map(Facet::series);
        let values: Vec<Vec<_>> = series
            .map(|series| series.points.iter().map(|point| (point.at, point.value)).collect())
            .collect();
        let expected = [
            vec![(8.0, Value::Measured(2.0)), (9.0, Value::OverLimit)],
            vec![(8.0, Value::Measured(0.125)), (9.0, Value::Measured(0.25))],
        ];
        assert_eq!(values, expected);
    }

    #[test]
    fn nodes_are_drawn_of_those_who_have_some() {
        let mut diagram = counted("zbdd", "bryant-circuit", 1.0);
        let size = DiagramSize { nodes: Some(373), peak_nodes: Some(900), peak_states: None };
        diagram.all.as_mut().unwrap().diagram = Some(size);
        let larger = of_size(9, diagram.clone());
        let solver = counted("blocking", "pairwise", 1.0);
        let other = [diagram.clone(), larger.clone()].map(|mut row| {
            row.job.solver = "bdd".into();
            row
        });
        let rows = [&[solver, diagram.clone(), larger.clone()], &other[..]].concat();
        let chart = drawn(&NODES, rows).unwrap();
        assert_eq!(chart.facets.len(), 2);
        assert!(chart.facets.iter().all(|facet| facet.series().len() == 2));
        assert_eq!(chart.facets[1].series()[0].points[0].value, Value::Measured(900.0));
        let mut late = diagram.clone();
        (late.termination, late.all) = (timed_out().termination, None);
        let caption =
            drawn(&NODES, [&[diagram.clone(), larger, late], &other[..]].concat()).unwrap().caption;
        assert!(caption.contains("Of 5 runs, 1 ended without an answer"), "{caption}");
        assert_eq!(drawn(&NODES, vec![diagram]), None, "one size makes no line");
        assert_eq!(drawn(&NODES, vec![counted("blocking", "pairwise", 1.0)]), None);
    }

    #[test]
    fn an_arm_that_never_finished_is_over_the_limit_everywhere() {
        let late = |size| {
            let mut row = of_size(size, counted("backtrack", NO_ENCODING, 5.0));
            (row.termination, row.all) = (timed_out().termination, None);
            row
        };
        let other = |size| {
            let mut row = late(size);
            row.job.solver = "propagator".into();
            row
        };
        let rows = vec![late(8), late(9), other(8), other(9)];
        let chart = drawn(&TIMES, rows.clone()).unwrap();
        let points = chart.facets[0].series()[0].points.iter();
        assert!(points.clone().all(|point| point.value == Value::OverLimit));
        assert_eq!(points.count(), 2);
        assert_eq!(drawn(&TIMES, rows[..2].to_vec()), None, "one engine is compared with nothing");
    }

    #[test]
    fn a_record_of_solvers_alone_has_none_of_these_figures() {
        for kind in [TIMES, NODES] {
            assert_eq!(drawn(&kind, vec![solved(1.0)]), None);
        }
    }
}
