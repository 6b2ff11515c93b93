//! Measures of the runs of engines: times, and nodes of diagrams.

use std::collections::BTreeMap;

use bezzel_experiment::{Row, Task};
use indexmap::IndexMap;

use super::super::instance::with_cpu_limit;
use super::{LineFigure, LinePanel, LineSample};
use crate::analysis::Analysis;
use crate::chart::Axis;
use crate::counter_runs::{CounterCell, CounterInput, cpu_s};
use crate::dataset::Dataset;
use crate::number::distinct;
use crate::row_statistics::cell::values;

/// The engine of a label without its variants. The best series of each engine comes before the second of any.
pub fn engine_group(label: &str) -> &str {
    label.split([':', '+', ',']).next().unwrap_or(label)
}

/// The figure of times of engines; `group` returns the group of a label.
pub(super) fn times_of_engines<'a>(
    dataset: &Analysis<'a>,
    group: fn(&str) -> &str,
) -> LineFigure<'a> {
    let measure = EngineMeasure {
        title: "",
        axis: with_cpu_limit(dataset, Axis::log("CPU time of finding all", Some("s"))),
        of: cpu_s,
        of_all: true,
    };
    LineFigure {
        heading: "Median CPU time of finding or counting all solutions".into(),
        about: "Lower is better. Medians of the CPU time of generating and loading the formula and of finding the \
                solutions. The time of checking solutions is not included. A run without an answer counts as longer \
                than all others and is over the limit. The CPU limit holds for the whole process."
            .into(),
        group,
        ..of_engines(dataset, &dataset.counter_runs.tasks, &[measure])
    }
}

pub(super) fn all_nodes<'a>(dataset: &Analysis<'a>) -> Option<LineFigure<'a>> {
    let nodes = |of: fn(&Row) -> Option<f64>, title| EngineMeasure {
        title,
        axis: Axis::log("Nodes", None).with_limit(None, "unfinished"),
        of,
        of_all: false,
    };
    let measures = [
        nodes(|row| Some(row.all.as_ref()?.diagram?.nodes? as f64), "finished"),
        nodes(|row| Some(row.all.as_ref()?.diagram?.peak_nodes? as f64), "peak"),
    ];
    // The diagram is the same for every task.
    let mut rows = dataset.record.rows.iter();
    let first = rows.find(|row| row.all.as_ref().is_some_and(|all| all.diagram.is_some()))?;
    Some(LineFigure {
        heading: "Median number of nodes".into(),
        about: "Lower is better. Left: the nodes of the finished diagram. Right: the peak, the largest number of nodes \
                kept during construction. Terminals are not counted."
            .into(),
        ..of_engines(dataset, &[first.job.task], &measures)
    })
}

/// A measure of the rows of engines.
struct EngineMeasure {
    title: &'static str,
    axis: Axis,
    of: fn(&Row) -> Option<f64>,
    /// True if every run has the measure, so that a run without an end is over the limit.
    of_all: bool,
}

/// A panel for every task, kind of instance, input and measure, without texts. Each circuit has a panel, since its
/// diagrams have many orders. All clauses share a panel.
fn of_engines<'a>(
    dataset: &Dataset<'a>,
    tasks: &[Task],
    measures: &[EngineMeasure],
) -> LineFigure<'a> {
    let runs = &dataset.counter_runs;
    let origin = |cell: &CounterCell<'_>| match (cell.source(), &runs.arms[cell.arm].encoding) {
        (CounterInput::Circuit, Some(encoding)) => format!("from {encoding}"),
        (source, _) => source.title().to_owned(),
    };
    let mut panels = Vec::new();
    for &task in tasks {
        let mut groups: IndexMap<_, Vec<&CounterCell<'a>>> = IndexMap::new();
        for cell in runs.cells.iter().filter(|cell| cell.task == task) {
            let group = (dataset.group(cell.instance), cell.source(), origin(cell));
            groups.entry(group).or_default().push(cell);
        }
        // Of each kind of instance clauses come first and the instance last.
        let kinds = distinct(groups.keys().map(|(kind, ..)| kind.clone()));
        let place = |kind: &String| kinds.iter().position(|known| known == kind);
        groups.sort_by_key(|(kind, source, _), _| (place(kind), *source));
        for ((kind, _, from), here) in &groups {
            for measure in measures {
                // A diagram is the same for every task.
                let task = if measure.of_all { task.id() } else { "" };
                let words = [task, kind, from, measure.title];
                let words: Vec<_> = words.into_iter().filter(|word| !word.is_empty()).collect();
                // An engine without the measure is not over its limit.
                let has = |cell: &CounterCell<'_>| {
                    cell.rows.iter().any(|row| row.solved() && (measure.of)(row).is_some())
                };
                let has =
                    |arm| measure.of_all || runs.cells.iter().any(|it| it.arm == arm && has(it));
                let mut samples: BTreeMap<(usize, u32), Vec<&'a Row>> = BTreeMap::new();
                for cell in here.iter().filter(|cell| has(cell.arm)) {
                    let rows = samples.entry((cell.arm, cell.instance.size())).or_default();
                    rows.extend(cell.rows.iter().copied());
                }
                let samples = samples.into_iter().map(|((arm, at), rows)| {
                    let values = values(&rows, measure.of);
                    LineSample::measured(arm, at, rows, values)
                });
                let instances = here.iter().map(|cell| cell.instance);
                let panel = super::panel(instances, measure.axis.clone(), samples.collect());
                panels.push(LinePanel { title: words.join(", "), ..panel });
            }
        }
    }
    let arms = (0..runs.arms.len()).map(|arm| runs.entry(arm)).collect();
    let spread = "instances, repetitions and shuffles";
    LineFigure {
        arms,
        spread,
        group: engine_group,
        own_looks: true,
        ..super::of_encodings(dataset, panels)
    }
}
