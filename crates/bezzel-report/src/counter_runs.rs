//! The rows of engines, which find all solutions, put in order.

use std::collections::BTreeMap;

use bezzel_experiment::{BackendKind, NO_ENCODING, Row, Task};
use bezzel_problem::Instance;
use indexmap::IndexSet;

use crate::chart::LegendEntry;
use crate::label::Labels;
use crate::row_statistics::cell::values;
use bezzel_statistics::{Value, median};

/// The rows of engines in order: arms, tasks and instances in that of their first rows, which is the plan's.
#[derive(Default)]
pub struct CounterRuns<'a> {
    /// The arms.
    pub arms: Vec<CounterArm>,
    /// The tasks.
    pub tasks: Vec<Task>,
    /// The runs: by task, then arm, then instance.
    pub cells: Vec<CounterCell<'a>>,
}

/// An engine with its input.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CounterArm {
    /// The label of the engine.
    pub engine: String,
    /// The label of the encoding, if it reads one.
    pub encoding: Option<String>,
    /// The id of the numbering, if it is not as generated.
    pub numbering: Option<String>,
}

impl CounterArm {
    fn of(row: &Row, labels: &Labels) -> Self {
        let numbering = row.job.numbering.id();
        let generated = bezzel_encode::Numbering::AS_GENERATED.id();
        Self {
            engine: labels.solver(row),
            encoding: (row.job.encoding != NO_ENCODING).then(|| labels.encoding(&row.job)),
            numbering: (numbering != generated).then_some(numbering),
        }
    }

    /// The engine, its input, and the numbering of the input.
    pub fn label(&self) -> String {
        [&[self.engine.as_str()], &self.of_formula()[..]].concat().join(", ")
    }

    /// The input, and its numbering.
    pub(crate) fn reads(&self) -> String {
        match &self.of_formula()[..] {
            [] => "the instance".to_owned(),
            words => words.join(", "),
        }
    }

    fn of_formula(&self) -> Vec<&str> {
        [&self.encoding, &self.numbering].into_iter().flatten().map(String::as_str).collect()
    }
}

/// The runs of one arm on one instance for one task. They differ only in their shuffle, seed and repetition.
pub struct CounterCell<'a> {
    /// The task.
    pub task: Task,
    /// The place of the arm.
    pub arm: usize,
    /// The instance.
    pub instance: &'a Instance,
    /// The rows.
    pub rows: Vec<&'a Row>,
}

/// The input from which solutions are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CounterInput {
    /// The clauses of an encoding.
    Clauses,
    /// The circuit of an encoding, or its clauses one after the other like a circuit.
    Circuit,
    /// The instance alone.
    Instance,
}

impl CounterInput {
    /// The words in a title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Clauses => "from clauses",
            Self::Circuit => "from a circuit",
            Self::Instance => "from the instance",
        }
    }
}

impl<'a> CounterRuns<'a> {
    /// Puts the rows of engines among all rows of a record in order.
    pub(crate) fn new(rows: &'a [Row], labels: &Labels) -> Self {
        let (mut arms, mut tasks, mut instances) =
            (IndexSet::new(), IndexSet::new(), IndexSet::new());
        // The order is by the numbers of task, arm and instance.
        let mut cells: BTreeMap<(usize, usize, usize), CounterCell<'a>> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.job.task.backend() == Some(BackendKind::Engine)) {
            let (task, instance) = (row.job.task, &row.job.instance);
            let arm = arms.insert_full(CounterArm::of(row, labels)).0;
            let place = (tasks.insert_full(task).0, arm, instances.insert_full(instance).0);
            let cell = || CounterCell { task, arm, instance, rows: Vec::new() };
            cells.entry(place).or_insert_with(cell).rows.push(row);
        }
        let cells = cells.into_values().map(CounterCell::under_largest_limit).collect();
        Self { arms: arms.into_iter().collect(), tasks: tasks.into_iter().collect(), cells }
    }

    /// An arm as an entry of a legend.
    pub fn entry(&self, arm: usize) -> LegendEntry {
        LegendEntry { style: arm, label: self.arms[arm].label() }
    }
}

impl CounterCell<'_> {
    /// Leaves out runs with a smaller CPU limit than others of the cell: a run that was given up and then repeated with
    /// more time is no second one beside its repetition.
    fn under_largest_limit(mut self) -> Self {
        let most = self.rows.iter().map(|row| row.job.limits.cpu_s).fold(0.0, f64::max);
        self.rows.retain(|row| row.job.limits.cpu_s >= most);
        self
    }

    /// The median CPU time of reading and finding, in seconds. It includes making and loading a formula if there is
    /// one, but not checking solutions by the rules.
    pub fn cpu_s(&self) -> Option<Value> {
        median(&values(&self.rows, cpu_s))
    }

    /// The input of the engine. An engine that reads clauses has measured its formula.
    pub fn source(&self) -> CounterInput {
        match self.rows.first() {
            Some(row) if row.job.encoding == NO_ENCODING => CounterInput::Instance,
            _ if self.rows.iter().any(|row| row.formula.is_some()) => CounterInput::Clauses,
            _ => CounterInput::Circuit,
        }
    }

    /// The largest resident memory of the finished runs that are not wrong, in bytes.
    pub fn memory_peak_bytes(&self) -> Option<u64> {
        let solved = self.rows.iter().filter(|row| row.solved());
        solved.filter_map(|row| row.memory_peak_bytes).max()
    }

    /// The first finished run that is not wrong, if there is one.
    pub fn solved(&self) -> Option<&Row> {
        self.rows.iter().copied().find(|row| row.solved())
    }
}

/// The CPU seconds of making, loading and finding.
pub fn cpu_s(row: &Row) -> Option<f64> {
    let parts = [row.generate_cpu_s, row.load_cpu_s];
    row.solve_cpu_s.map(|solve_cpu_s| solve_cpu_s + parts.into_iter().flatten().sum::<f64>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample::{counted, of_size, solved, timed_out};

    #[test]
    fn rows_of_engines_are_distinguished_by_their_input_and_pooled_where_they_repeat() {
        let mut other = counted("zbdd", "bryant-circuit", 3.0);
        other.job.repeat = 2;
        let rows = vec![
            solved(9.0),
            counted("zbdd", "bryant-circuit", 1.0),
            counted("backtrack", NO_ENCODING, 0.5),
            other,
            of_size(9, counted("backtrack", NO_ENCODING, 0.7)),
        ];
        let counter_runs = CounterRuns::new(&rows, &Labels::new(&rows));
        let labels: Vec<_> = counter_runs.arms.iter().map(CounterArm::label).collect();
        assert_eq!(labels, ["zbdd, bryant-circuit", "backtrack"]);
        let reads = counter_runs.arms.iter().map(CounterArm::reads);
        let reads: Vec<_> = reads.collect();
        assert_eq!(reads, ["bryant-circuit", "the instance"]);
        let found_cells: Vec<_> = counter_runs
            .cells
            .iter()
            .map(|cell| (cell.arm, cell.instance.size(), cell.rows.len(), cell.cpu_s().unwrap()))
            .collect();
        let measured = Value::Measured;
        let expected =
            [(0, 8, 2, measured(2.0)), (1, 8, 1, measured(0.5)), (1, 9, 1, measured(0.7))];
        assert_eq!(found_cells, expected);
    }

    #[test]
    fn a_run_at_its_limit_is_over_it_whatever_it_had_found_till_then() {
        let mut row = counted("blocking", "pairwise", 5.0);
        row.termination = timed_out().termination;
        let rows = vec![row];
        let counter_runs = CounterRuns::new(&rows, &Labels::new(&rows));
        assert_eq!(counter_runs.cells[0].cpu_s(), Some(Value::OverLimit));
        assert!(counter_runs.cells[0].solved().is_none());
    }
    #[test]
    fn a_run_that_was_given_up_has_no_place_beside_its_repetition_with_more_time() {
        let mut short = counted("blocking", "pairwise", 5.0);
        short.termination = timed_out().termination;
        let mut long = counted("blocking", "pairwise", 170.0);
        long.job.limits.cpu_s = 60.0 * short.job.limits.cpu_s;
        for rows in [vec![short.clone(), long.clone()], vec![long, short]] {
            let counter_runs = CounterRuns::new(&rows, &Labels::new(&rows));
            assert_eq!(counter_runs.cells[0].cpu_s(), Some(Value::Measured(170.0)));
        }
    }
}
