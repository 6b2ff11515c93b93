//! The full table of engines: a row for every engine, instance and task.

use bezzel_experiment::{Row, Verdict};

use super::columns::Columns;
use super::{Item, Table};
use crate::counter_runs::CounterCell;
use crate::dataset::Dataset;
use crate::row_statistics::cell::{Counts, values};
use bezzel_statistics::{Value, median};

/// Makes the table.
pub fn table(dataset: &Dataset<'_>) -> Table {
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

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_experiment::{ExperimentRecord, NO_ENCODING};

    use super::*;
    use crate::tests::sample::{counted, of_size, timed_out};

    #[test]
    fn a_count_until_a_limit_is_reported_as_incomplete() {
        let mut late = of_size(9, counted("blocking", "pairwise", 5.0));
        late.termination = timed_out().termination;
        let all = late.all.as_mut().unwrap();
        (all.count, all.whole) = (7_u32.into(), false);
        let rows = vec![counted("backtrack", NO_ENCODING, 0.25), late];
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        let table = table(&Dataset::new(&record, &Registry::new()));
        let read: Vec<Vec<String>> = table
            .rows
            .iter()
            .map(|row| [0, 1, 2, 3, 5, 7, 10].map(|at| row[at].read()).to_vec())
            .collect();
        assert_eq!(
            read,
            [
                ["count", "langford 8", "backtrack", "the instance", "1", "92", "0.250"],
                ["count", "langford 9", "blocking", "pairwise", "0", "7+", "no answer"],
            ]
        );
    }
}
