//! Who found all solutions of what: the rows of engines, put in order.

use std::collections::BTreeMap;

use bezzel_lab::{BackendKind, NO_ENCODING, Row, Task};
use bezzel_problem::Instance;
use indexmap::IndexSet;

use crate::chart::Entry;
use crate::label::Labels;
use crate::statistics::cell::values;
use crate::statistics::{Value, median};

/// The rows of engines in order: arms, tasks and boards in that of their first rows, which is the
/// plan's.
#[derive(Default)]
pub struct Lineup<'a> {
    /// Who was tried.
    pub arms: Vec<Arm>,
    /// What was asked of them.
    pub tasks: Vec<Task>,
    /// What was run: by task, then arm, then board.
    pub trials: Vec<Trial<'a>>,
}

/// An engine with what it reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arm {
    /// The label of the engine.
    pub engine: String,
    /// The label of the encoding, if it reads one.
    pub encoding: Option<String>,
    /// The id of the numbering, if it is another than as generated.
    pub numbering: Option<String>,
}

impl Arm {
    fn of(row: &Row, labels: &Labels) -> Self {
        let numbering = row.job.numbering.id();
        let generated = bezzel_encode::Numbering::AS_GENERATED.id();
        Self {
            engine: labels.of(row),
            encoding: (row.job.encoding != NO_ENCODING).then(|| labels.encoding(&row.job)),
            numbering: (numbering != generated).then_some(numbering),
        }
    }

    /// The engine, what it reads, and how that is numbered.
    pub fn label(&self) -> String {
        [&[self.engine.as_str()], &self.of_formula()[..]].concat().join(", ")
    }

    /// What it reads, and how that is numbered.
    pub fn reads(&self) -> String {
        match &self.of_formula()[..] {
            [] => "the board".into(),
            words => words.join(", "),
        }
    }

    fn of_formula(&self) -> Vec<&str> {
        [&self.encoding, &self.numbering].into_iter().flatten().map(String::as_str).collect()
    }
}

/// What was run of one arm on one board for one task: runs that differ in their shuffle, seed and
/// repetition only.
pub struct Trial<'a> {
    /// What was asked.
    pub task: Task,
    /// The place of the arm.
    pub arm: usize,
    /// The board.
    pub instance: &'a Instance,
    /// The rows.
    pub rows: Vec<&'a Row>,
}

/// From what solutions are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// From the clauses of an encoding.
    Clauses,
    /// From the circuit of an encoding, or from its clauses one after the other as if they were one.
    Circuit,
    /// From the board alone.
    Board,
}

impl Source {
    /// As a title has it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Clauses => "from clauses",
            Self::Circuit => "from a circuit",
            Self::Board => "from the board",
        }
    }
}

impl<'a> Lineup<'a> {
    /// Puts the rows of engines in order, of all rows of a record.
    pub(crate) fn new(rows: &'a [Row], labels: &Labels) -> Self {
        let (mut arms, mut tasks, mut boards) = (IndexSet::new(), IndexSet::new(), IndexSet::new());
        // By the numbers of task, arm and board, which is their order.
        let mut trials: BTreeMap<(usize, usize, usize), Trial<'a>> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.job.task.backend() == Some(BackendKind::Engine)) {
            let (task, board) = (row.job.task, &row.job.instance);
            let arm = arms.insert_full(Arm::of(row, labels)).0;
            let place = (tasks.insert_full(task).0, arm, boards.insert_full(board).0);
            let trial = || Trial { task, arm, instance: board, rows: Vec::new() };
            trials.entry(place).or_insert_with(trial).rows.push(row);
        }
        let trials = trials.into_values().collect();
        Self { arms: arms.into_iter().collect(), tasks: tasks.into_iter().collect(), trials }
    }

    /// An arm as an entry of a legend.
    pub fn entry(&self, arm: usize) -> Entry {
        Entry { style: arm, label: self.arms[arm].label() }
    }
}

impl Trial<'_> {
    /// The median CPU time of reading and finding, in seconds: of making and loading a formula too,
    /// where one is read, and not of holding solutions against the rules.
    pub fn cpu_s(&self) -> Option<Value> {
        median(&values(&self.rows, cpu_s))
    }

    /// What it was found from. Who reads clauses has measured its formula.
    pub fn source(&self) -> Source {
        match self.rows.first() {
            Some(row) if row.job.encoding == NO_ENCODING => Source::Board,
            _ if self.rows.iter().any(|row| row.formula.is_some()) => Source::Clauses,
            _ => Source::Circuit,
        }
    }

    /// The largest resident memory of any of the runs that came to their end and are not wrong, in
    /// bytes.
    pub fn memory_peak_bytes(&self) -> Option<u64> {
        let solved = self.rows.iter().filter(|row| row.solved());
        solved.filter_map(|row| row.memory_peak_bytes).max()
    }

    /// The first of the runs that came to its end and is not wrong, if one did.
    pub fn solved(&self) -> Option<&Row> {
        self.rows.iter().copied().find(|row| row.solved())
    }
}

/// CPU seconds of making, loading and finding.
pub fn cpu_s(row: &Row) -> Option<f64> {
    let parts = [row.generate_cpu_s, row.load_cpu_s];
    row.solve_cpu_s.map(|solve_cpu_s| solve_cpu_s + parts.into_iter().flatten().sum::<f64>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample::{counted, on_side, solved, timed_out};

    #[test]
    fn rows_of_engines_are_told_apart_by_what_they_read_and_pooled_where_they_repeat() {
        let mut other = counted("zbdd", "bryant-circuit", 3.0);
        other.job.repeat = 2;
        let rows = vec![
            solved(9.0),
            counted("zbdd", "bryant-circuit", 1.0),
            counted("backtrack", NO_ENCODING, 0.5),
            other,
            on_side(9, counted("backtrack", NO_ENCODING, 0.7)),
        ];
        let lineup = Lineup::new(&rows, &Labels::new(&rows));
        let labels: Vec<_> = lineup.arms.iter().map(Arm::label).collect();
        assert_eq!(labels, ["zbdd, bryant-circuit", "backtrack"]);
        let reads: Vec<_> = lineup.arms.iter().map(Arm::reads).collect();
        assert_eq!(reads, ["bryant-circuit", "the board"]);
        let told: Vec<_> = lineup
            .trials
            .iter()
            .map(|trial| {
                (trial.arm, trial.instance.size(), trial.rows.len(), trial.cpu_s().unwrap())
            })
            .collect();
        let measured = Value::Measured;
        let expected =
            [(0, 8, 2, measured(2.0)), (1, 8, 1, measured(0.5)), (1, 9, 1, measured(0.7))];
        assert_eq!(told, expected);
    }

    #[test]
    fn a_run_at_its_limit_is_over_it_whatever_it_had_found_till_then() {
        let mut row = counted("blocking", "pairwise", 5.0);
        row.stop = timed_out().stop;
        let rows = vec![row];
        let lineup = Lineup::new(&rows, &Labels::new(&rows));
        assert_eq!(lineup.trials[0].cpu_s(), Some(Value::OverLimit));
        assert!(lineup.trials[0].solved().is_none());
    }
}
