//! All solutions: the time and the memory of each engine on every instance.

use std::collections::{BTreeSet, HashMap, HashSet};

use bezzel_experiment::quantity::grouped;
use bezzel_experiment::{Row, Task};
use bezzel_problem::Instance;

use super::columns::Columns;
use super::{Item, Table, TableIds, TableKind};
use crate::counter_runs::CounterCell;
use crate::dataset::Dataset;
use crate::distinct::distinct;
use crate::escape;
use crate::kind_answers::has_form;
use bezzel_statistics::Value;

/// The kind of table.
pub(super) const KIND: TableKind = TableKind {
    id: "engines",
    tables: &[
        TableIds::new("TASK-INSTANCES-cpu-median", "CPU time of each engine on every instance"),
        TableIds::new("TASK-INSTANCES-memory-peak", "memory of each engine on every instance"),
    ],
    is_of_sources: false,
    make: |of| tables(of),
};

/// A table of times and one of memory for every task and kind of instance.
fn tables(dataset: &Dataset<'_>) -> Vec<Table> {
    let counter_runs = &dataset.counter_runs;
    let mut tables = Vec::new();
    for &task in &counter_runs.tasks {
        let of_task = || counter_runs.cells.iter().filter(move |cell| cell.task == task);
        for instance_kind in distinct(of_task().map(|cell| dataset.group(cell.instance))) {
            let cells =
                of_task().filter(|cell| dataset.group(cell.instance) == instance_kind).collect();
            let task_cells = TaskCells { dataset, task, instance_kind: &instance_kind, cells };
            let mut times = task_cells.table(
                "CPU time",
                "cpu_median",
                "s",
                "Median CPU seconds of finding the solutions, with generating and loading the formula if \
                 one is read. The start of the process and the check of the solutions are not included. \
                 A run without an answer counts as longer than all others.",
                |cell| cell.cpu_s().into(),
            );
            // The numbers of solutions come first.
            times.notes.insert(0, task_cells.solutions());
            let memory = task_cells.table(
                "memory",
                "memory_peak",
                "MiB",
                "The largest resident memory of the whole process over all finished runs.",
                |cell| match (cell.memory_peak_bytes(), cell.cpu_s()) {
                    (Some(bytes), _) => Item::Bytes(bytes),
                    (None, Some(Value::OverLimit)) => Value::OverLimit.into(),
                    (None, _) => Item::Missing,
                },
            );
            tables.extend([times, memory]);
        }
    }
    tables
}

/// The cells of a task on the instances of a kind: the subject of a table.
struct TaskCells<'m, 'a> {
    dataset: &'m Dataset<'a>,
    task: Task,
    instance_kind: &'m str,
    cells: Vec<&'m CounterCell<'a>>,
}

impl TaskCells<'_, '_> {
    /// The number of solutions of each instance, in a sentence.
    fn solutions(&self) -> String {
        if self.task == Task::Models {
            // The numbers are those of a formula, not of the instance.
            return "The table of models has their numbers.".into();
        }
        let mut known = HashSet::new();
        let mut found: Vec<(&Instance, String)> = Vec::new();
        for cell in &self.cells {
            // A limited number of solutions is not all of them.
            let is_all = |row: &&Row| row.job.max_solutions.is_none();
            let solved = cell.solved().filter(is_all).and_then(|row| row.all.as_ref());
            if let Some(count) = solved.map(|all| &all.count)
                && known.insert(cell.instance)
            {
                found.push((cell.instance, count.to_string()));
            }
        }
        if found.is_empty() {
            return "No run found all solutions.".into();
        }
        found.sort_by_key(|(instance, _)| (instance.size(), *instance));
        let grouped = |digits: &str| digits.parse().map_or(digits.to_owned(), grouped);
        let parts = found.iter().map(|(instance, count)| {
            let name = if has_form(instance) {
                self.dataset.size_name.of(instance.size())
            } else {
                self.dataset.name(instance)
            };
            format!("{} for {name}", grouped(count))
        });
        format!("Found: {}.", parts.collect::<Vec<_>>().join(", "))
    }

    fn table(
        &self,
        what: &str,
        name: &str,
        unit: &str,
        about: &str,
        item: impl Fn(&CounterCell<'_>) -> Item,
    ) -> Table {
        let arms = &self.dataset.counter_runs.arms;
        let of_arms = arms.iter().enumerate().map(|(place, arm)| {
            let of_arm = self.cells.iter().filter(|cell| cell.arm == place);
            let of_arm: HashMap<&Instance, _> = of_arm.map(|cell| (cell.instance, cell)).collect();
            (place, arm, of_arm)
        });
        let mut columns = Columns::of(of_arms.filter(|(.., of_arm)| !of_arm.is_empty()))
            .words("engine", "Engine", |(place, arm, _)| Item::Encoding(*place, arm.engine.clone()))
            .words("encoding", "Reads", |(_, arm, _)| arm.reads());
        let instances = self.cells.iter().map(|cell| (cell.instance.size(), cell.instance));
        let mut sizes = Vec::new();
        for (size, instance) in instances.collect::<BTreeSet<_>>() {
            sizes.push(size);
            let (suffix, head) = match sizes.iter().filter(|known| **known == size).count() {
                1 => (String::new(), String::new()),
                again => (format!("_{again}"), format!(" ({again})")),
            };
            columns = columns.numbers(
                format!("{name}_{size}{suffix}_{unit}"),
                format!("{}{head} ({unit})", self.dataset.size_name.of(size)),
                |(.., of_arm)| of_arm.get(instance).map(|cell| item(cell)),
            );
        }
        columns.table(
            escape::id(&[self.task.id(), self.instance_kind, name]),
            format!("{}: {what}, {}", self.task.id(), self.instance_kind),
            vec![about.to_owned()],
        )
    }
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_experiment::{ExperimentRecord, NO_ENCODING};

    use super::*;
    use crate::tests::sample::{counted, of_size, timed_out};

    fn tables_of(rows: Vec<Row>) -> Vec<Table> {
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        tables(&Dataset::new(&record, &Registry::new()))
    }

    #[test]
    fn an_engine_has_a_line_and_an_instance_a_column_with_limits_as_elsewhere() {
        let mut late = of_size(9, counted("blocking", "pairwise", 5.0));
        late.termination = timed_out().termination;
        let tables = tables_of(vec![
            counted("blocking", "pairwise", 2.0),
            late,
            of_size(9, counted("backtrack", NO_ENCODING, 0.25)),
        ]);
        let titles: Vec<_> = tables.iter().map(|table| table.title.as_str()).collect();
        assert_eq!(titles, ["count: CPU time, langford", "count: memory, langford"]);
        let read: Vec<Vec<String>> =
            tables[0].rows.iter().map(|row| row.iter().map(Item::read).collect()).collect();
        assert_eq!(
            read,
            [
                ["blocking", "pairwise", "2.00", "no answer"],
                ["backtrack", "the instance", "–", "0.250"]
            ]
        );
        assert_eq!(tables[0].columns[3].name, "cpu_median_9_s");
        assert_eq!(tables[0].notes[0], "Found: 92 for langford 8, 92 for langford 9.");
        let memory: Vec<String> = tables[1].rows[0].iter().map(Item::read).collect();
        assert_eq!(memory, ["blocking", "pairwise", "–", "no answer"], "of runs that ended alone");
    }

    #[test]
    fn a_program_with_commas_in_its_command_line_reads_what_it_reads() {
        let command = "{counter: \"count {cnf}\", version: \"count -v\"}";
        let tables = tables_of(vec![counted(command, "pairwise", 2.0)]);
        let read: Vec<_> = tables[0].rows[0].iter().map(Item::read).collect();
        assert_eq!(read, [command, "pairwise", "2.00"]);
    }

    #[test]
    fn without_engines_there_is_no_table() {
        assert!(tables_of(vec![]).is_empty());
    }
}
