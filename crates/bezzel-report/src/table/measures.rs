//! Tables with a row for each job, run or formula, and a column for each measure.

use std::collections::HashSet;

use bezzel_experiment::measure::PropagationShare;
use bezzel_experiment::{DiagramSize, FormulaSize, Propagation, Row, Task, Verdict};
use bezzel_problem::{Instance, KnownNodes};
use bezzel_solve::Answer;
use bezzel_statistics::{Value, median};
use indexmap::IndexSet;

use super::columns::Columns;
use super::{Item, Table, TableIds, TableKind};
use crate::counter_runs::CounterCell;
use crate::dataset::Dataset;
use crate::number::distinct;
use crate::row_statistics::cell::{Counts, values};
use crate::run_ends::end_words;

/// Decision diagrams: their nodes compared with known numbers, and the peak.
pub(super) const DIAGRAMS: TableKind = TableKind::new(
    "diagrams",
    &[TableIds::new("diagrams", "nodes of decision diagrams, and states")],
    |of| diagrams(of).into_iter().collect(),
);

/// Optima: the best value of each objective, and the time until it was found and shown to be the best.
pub(super) const OPTIMA: TableKind = TableKind::new(
    "optima",
    &[TableIds::new("optima", "best values of objectives, and the times to them")],
    |of| optima(of).into_iter().collect(),
);

/// The full table of measurements without a solver: a row for each job. None if there are none.
pub(super) fn measurements(dataset: &Dataset<'_>) -> Option<Table> {
    // Wrong results have no number.
    fn sound<T>(row: &Row, value: Option<T>) -> Option<T> {
        value.filter(|_| row.verdict != Verdict::Wrong)
    }
    let size =
        |row: &Row, part: fn(&FormulaSize) -> u64| sound(row, row.formula.as_ref().map(part));
    let share = |row: &Row, part: fn(&PropagationShare) -> u32| {
        let share = PropagationShare::of(&row.job.instance, propagation(row)?);
        sound(row, share).map(|share| u64::from(part(&share)))
    };
    Columns::of(dataset.rows(|row| row.job.task.backend().is_none()))
        .words("task", "Task", |row| row.job.task.to_string())
        .words("instance", "Instance", |row| Item::instance(dataset, &row.job.instance))
        .words("family", "Family", |row| dataset.family(&row.job.instance))
        .words("encoding", "Encoding", |row| Item::labelled(dataset, &dataset.encoding(row)))
        .results("termination", "End", |row| end_words(row.termination))
        .results("verdict", "Verdict", |row| row.verdict.id())
        .numbers("variables", "Variables", |row| size(row, |formula| formula.variables))
        .numbers("clauses", "Clauses", |row| size(row, |formula| formula.clauses))
        .numbers("literals", "Literals", |row| size(row, |formula| formula.literals))
        .numbers("operations", "Operations", |row| {
            let sections = sound(row, row.circuit.as_ref())?;
            Some(sections.iter().map(|section| section.built).sum::<u64>())
        })
        .numbers("generate_cpu_s", "Generation (s)", |row| sound(row, row.generate_cpu_s))
        .results("conflict", "Conflict", |row| propagation(row).map(|of| yes_or_no(of.conflict)))
        .results("solvable", "Satisfiable", |row| {
            propagation(row)?.truth.as_ref().map(|truth| yes_or_no(truth.solvable))
        })
        .numbers("implied", "Implied values", |row| share(row, PropagationShare::implied))
        .numbers("found", "Found", |row| share(row, PropagationShare::found))
        .numbers("implied_beyond", "Not attacked", |row| share(row, PropagationShare::beyond))
        .numbers("found_beyond", "Found of these", |row| share(row, PropagationShare::beyond_found))
        .numbers("propagate_cpu_s", "Propagation (s)", |row| {
            sound(row, propagation(row).map(|of| of.propagate_cpu_s))
        })
        .some_table("measurements", "All measurements", || {
            let lines = "A line for each job. Wrong results have no number.".to_owned();
            [lines].into_iter().chain(dataset.common_settings()).collect()
        })
}

fn propagation(row: &Row) -> Option<&Propagation> {
    row.propagation.as_ref().filter(|_| row.job.task == Task::Propagate)
}

fn yes_or_no(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

/// The full table of engines: a row for every engine, instance and task.
pub(super) fn engine_cells(dataset: &Dataset<'_>) -> Table {
    fn part(cell: &CounterCell<'_>, of: fn(&Row) -> Option<f64>) -> Option<Value> {
        median(&values(&cell.rows, of))
    }
    let arm = |cell: &CounterCell<'_>| &dataset.counter_runs.arms[cell.arm];
    let size = |cell: &CounterCell<'_>| {
        let size = cell.solved().and_then(|row| row.all.as_ref()?.diagram);
        size.unwrap_or_default()
    };
    let about = "A row has the runs of one engine on one instance for one task. Its runs differ only in their \
         shuffle, seed and repetition. Times are medians of CPU seconds. Finding is from the last \
         clause, if clauses are read, to the end of the search. Checking tests each solution by the \
         rules, and is not part of finding. The number of solutions is that of a finished run, or else \
         the number found until a limit, with a + behind it.";
    Columns::of(&dataset.counter_runs.cells)
        .words("task", "Task", |cell| cell.task.id())
        .words("instance", "Instance", |cell| Item::instance(dataset, cell.instance))
        .words("engine", "Engine", |cell| Item::Encoding(cell.arm, arm(cell).engine.clone()))
        .words("reads", "Reads", |cell| arm(cell).reads())
        .numbers("runs", "Runs", |cell| cell.rows.len())
        .numbers("ended", "Ended", |cell| Counts::of(&cell.rows).solved)
        .numbers("verified", "Verified", |cell| Counts::of(&cell.rows).verified)
        .numbers("solutions", "Solutions", |cell| solutions(cell))
        .numbers("generate_cpu_median_s", "Generation (s)", |it| part(it, |row| row.generate_cpu_s))
        .numbers("load_cpu_median_s", "Loading (s)", |it| part(it, |row| row.load_cpu_s))
        .numbers("find_cpu_median_s", "Finding (s)", |it| part(it, |row| row.solve_cpu_s))
        .numbers("check_cpu_median_s", "Checking (s)", |it| part(it, |row| row.check_cpu_s))
        .numbers("process_cpu_median_s", "Process (s)", |it| part(it, |row| Some(row.cpu_s)))
        .numbers("memory_peak_bytes", "Memory (MiB)", |it| it.memory_peak_bytes().map(Item::Bytes))
        .numbers("nodes", "Nodes", |cell| size(cell).nodes)
        .numbers("peak_nodes", "Peak nodes", |cell| size(cell).peak_nodes)
        .numbers("peak_states", "Peak states", |cell| size(cell).peak_states)
        .table("engines", "All runs of engines", vec![about.to_owned()])
}

/// The number of solutions, or of those found until a limit.
fn solutions(cell: &CounterCell<'_>) -> Option<String> {
    if let Some(row) = cell.solved() {
        return Some(row.all.as_ref()?.count.to_string());
    }
    let found = cell.rows.iter().filter(|row| row.verdict != Verdict::Wrong);
    let found = found.filter_map(|row| row.all.as_ref()).max_by_key(|all| all.count.clone())?;
    (found.count.0.bits() > 0).then(|| format!("{}+", found.count))
}

/// The table of diagrams. None if no engine made a diagram or reported its states.
fn diagrams(dataset: &Dataset<'_>) -> Option<Table> {
    let counter_runs = &dataset.counter_runs;
    let instances: IndexSet<&Instance> =
        counter_runs.cells.iter().map(|cell| cell.instance).collect();
    let mut known_already = HashSet::new();
    let mut measured: Vec<(usize, &Row, DiagramSize)> = Vec::new();
    for cell in &counter_runs.cells {
        let size = cell.solved().and_then(|row| Some((row, row.all.as_ref()?.diagram?)));
        // The diagram is the same for every task.
        if let Some((row, size)) = size
            && known_already.insert((cell.arm, cell.instance))
        {
            measured.push((cell.arm, row, size));
        }
    }
    // Instance by instance, in the order of the engines.
    measured.sort_by_key(|(arm, row, _)| (instances.get_index_of(&row.job.instance), *arm));
    let sources = distinct(measured.iter().filter_map(|(_, row, _)| Some(known(row)?.source)));
    Columns::of(measured)
        .words("instance", "Instance", |(_, row, _)| Item::instance(dataset, &row.job.instance))
        .words("engine", "Engine", |&(arm, ..)| Item::Encoding(arm, counter_runs.arms[arm].engine.clone()))
        .words("encoding", "Reads", |&(arm, ..)| counter_runs.arms[arm].reads())
        .numbers("nodes", "Nodes", |(.., size)| size.nodes)
        .numbers("nodes_known", "Nodes, known", |(_, row, _)| known(row).map(|known| known.nodes))
        .numbers("peak_nodes", "Peak nodes", |(.., size)| size.peak_nodes)
        .numbers("peak_states", "Peak states", |(.., size)| size.peak_states)
        .some_table("diagrams", "Decision diagrams, and counts over states", || {
            let of_nodes =
                "Nodes of the finished diagram, without terminals. The peak is the largest number of \
                 nodes kept during construction. The peak of OxiDD (bdd, bcdd, zbdd) includes dead nodes \
                 that were not yet collected. The other engines make only the nodes of the finished \
                 diagram, and also keep states. An engine that counts over states makes no nodes.";
            let known = sources.iter().map(|source| format!("Known: {source}"));
            std::iter::once(of_nodes.into()).chain(known).collect()
        })
}

/// The known number of nodes of the diagram of a row.
fn known(row: &Row) -> Option<KnownNodes> {
    row.job.instance.reported().known_nodes(&row.job.solver, &row.job.encoding)
}

/// The table of optima. None if no optimum was asked for.
fn optima(dataset: &Dataset<'_>) -> Option<Table> {
    let rows: Vec<&Row> = dataset.rows(|row| row.job.task == Task::Optimise).into_iter().collect();
    let last = |row: &&Row| row.values.as_ref().and_then(|values| values.last()).cloned();
    Columns::of(rows)
        .words("instance", "Instance", |row| Item::instance(dataset, &row.job.instance))
        .words("encoding", "Encoding", |row| dataset.encoding(row))
        .words("solver", "Solver", |row| dataset.solver(row))
        .results("value", "Best value", |row| last(row).map_or("–".to_owned(), |last| last.value))
        .results("end", "End", |row| match (row.status, row.solved()) {
            (Answer::Sat, true) => "optimum",
            (Answer::Unsat, true) => "unsatisfiable",
            _ => "not shown to be the best",
        })
        .numbers("values", "Values", |row| row.values.as_ref().map(|values| Item::Count(values.len() as u128)))
        .numbers("to_value_s", "To the value (s)", |row| last(row).map(|last| last.solve_cpu_s))
        .numbers("to_end_s", "To the end (s)", |row| row.solve_cpu_s)
        .results("verdict", "Verdict", |row| row.verdict.id())
        .some_table("optima", "Optima", || {
            let about = "Each solution adds the constraint that the objective is better, by the encoding of the row. \
                         Times are CPU time of the search with the encoding of bounds. An optimum is verified if its \
                         solution keeps the constraints and a second method shows that no value is better.";
            [about.to_owned()].into_iter().chain(dataset.common_settings()).collect()
        })
}

#[cfg(test)]
mod tests;
