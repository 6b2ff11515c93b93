//! The sentences on tasks that solve nothing with a solver of formulas: sizes, propagation, engines and optima.

use std::collections::BTreeMap;

use bezzel_experiment::{Row, Task};
use bezzel_problem::Instance;
use bezzel_statistics::Value;

use crate::analysis::Analysis;
use crate::counter_runs::CounterCell;
use crate::dataset::{Dataset, instance_label};
use crate::instance_words::listed;
use crate::number::{count, distinct, significant};
use crate::row_statistics::replicates::Strength;
use bezzel_experiment::quantity::grouped;

/// The largest number of encodings with equal values that a sentence names.
const MAX_NAMES: usize = 3;

/// The sentences, one for each task.
pub(crate) fn sentences(analysis: &Analysis<'_>) -> Vec<String> {
    let dataset: &Dataset<'_> = analysis;
    let of_engines = dataset.counter_runs.tasks.iter().filter_map(|&task| engines(dataset, task));
    let others = [sizes(dataset), propagation(dataset), optima(dataset)].into_iter().flatten();
    others.chain(of_engines).collect()
}

/// The labels with the least value and those with the largest, as `a and b` or `5 of 8 encodings`, each with the value.
fn extremes<V: Copy + PartialOrd>(values: &[(String, V)]) -> Option<[(String, V); 2]> {
    let (mut least, mut largest) = (values.first()?.1, values.first()?.1);
    for (_, value) in values {
        if *value < least {
            least = *value;
        }
        if *value > largest {
            largest = *value;
        }
    }
    Some([least, largest].map(|end| {
        let alike = values.iter().filter(|(_, value)| *value == end);
        let labels: Vec<&str> = alike.map(|(label, _)| label.as_str()).collect();
        let label = if labels.len() > MAX_NAMES {
            format!("{} of {} encodings", labels.len(), values.len())
        } else {
            listed(&labels)
        };
        (label, end)
    }))
}

/// The fewest and the most clauses on the largest instance whose formulas were measured without a solver.
fn sizes(dataset: &Dataset<'_>) -> Option<String> {
    let of_instance = |instance: &Instance| -> Vec<(String, u64)> {
        let cells = dataset.formulas.iter().filter(|cell| cell.instance == instance);
        cells.filter_map(|cell| Some((cell.encoding.clone(), cell.formula()?.clauses))).collect()
    };
    let instances = distinct(dataset.formulas.iter().map(|cell| cell.instance));
    let (instance, clauses) = instances
        .into_iter()
        .map(|instance| (instance, of_instance(instance)))
        .filter(|(_, clauses)| !clauses.is_empty())
        .rev()
        .max_by_key(|(instance, clauses)| (clauses.len() > 1, instance.size(), clauses.len()))?;
    let [(smallest, least), (largest, most)] = extremes(&clauses)?;
    let clauses_of = |number: u64| format!("{} clauses", grouped(number.into()));
    if clauses.len() == 1 {
        let on = instance_label(dataset, instance);
        return Some(format!(
            "On the largest instance ({on}), {smallest} has {}.",
            clauses_of(least)
        ));
    }
    Some(format!(
        "On the largest instance ({}), the formulas of {} encodings have from {} clauses ({smallest}) to {} \
         ({largest}).",
        instance_label(dataset, instance),
        clauses.len(),
        grouped(least.into()),
        grouped(most.into())
    ))
}

/// The largest and the smallest share of implied values that unit propagation finds.
fn propagation(dataset: &Dataset<'_>) -> Option<String> {
    let mut of_encodings: BTreeMap<usize, (String, Vec<&Row>)> = BTreeMap::new();
    for row in dataset.rows(|row| row.job.task == Task::Propagate) {
        let label = dataset.encoding(row);
        let (_, rows) =
            of_encodings.entry(dataset.style(&label)).or_insert_with(|| (label, Vec::new()));
        rows.push(row);
    }
    let shares = of_encodings.into_values().filter_map(|(label, rows)| {
        let strength = Strength::of(&rows);
        Some((label, strength.found_percent()?.measured()?, strength.instances))
    });
    let shares: Vec<(String, f64, usize)> = shares.collect();
    let instances = shares.iter().map(|(.., instances)| *instances).max()?;
    let shares: Vec<(String, f64)> =
        shares.into_iter().map(|(label, share, _)| (label, share)).collect();
    let [(weakest, least), (strongest, most)] = extremes(&shares)?;
    let percent = |share: f64| format!("{} %", significant(share, 3));
    let on = count(instances, "satisfiable instance");
    Some(if least.total_cmp(&most).is_eq() {
        format!(
            "On {on}, unit propagation finds {} of the implied values with {weakest}.",
            percent(least)
        )
    } else {
        format!(
            "On {on}, unit propagation finds from {} of the implied values ({weakest}) to {} ({strongest}).",
            percent(least),
            percent(most)
        )
    })
}

/// The least measured time of an engine at the largest instance that one of them finished.
fn engines(dataset: &Dataset<'_>, task: Task) -> Option<String> {
    let runs = &dataset.counter_runs;
    let cells = || runs.cells.iter().filter(|cell| cell.task == task);
    let measured = |cell: &CounterCell<'_>| cell.cpu_s().and_then(Value::measured);
    let finished = cells().filter(|cell| measured(cell).is_some());
    let instance = finished.map(|cell| cell.instance).max_by_key(|instance| instance.size())?;
    let here = cells().filter(|cell| cell.instance == instance);
    let times = here.filter_map(|cell| Some((measured(cell)?, cell.arm)));
    let (time, arm) = times.min_by(|one, two| one.0.total_cmp(&two.0))?;
    let aim = match task {
        Task::Count => "count all solutions",
        Task::Models => "count the models",
        _ => "find all solutions",
    };
    Some(format!(
        "To {aim} of {}, {} has the least measured CPU time ({} s).",
        instance_label(dataset, instance),
        runs.arms[arm].label(),
        significant(time, 3)
    ))
}

/// The number of optima that were shown.
fn optima(dataset: &Dataset<'_>) -> Option<String> {
    let rows = dataset.rows(|row| row.job.task == Task::Optimise);
    let shown = rows.iter().filter(|row| row.solved()).count();
    let all = count(rows.len(), "run");
    (!rows.is_empty()).then(|| format!("The optimum was shown in {shown} of {all}."))
}
