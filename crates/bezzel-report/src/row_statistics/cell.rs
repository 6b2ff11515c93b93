//! Cells: the runs that differ only in their shuffle, their seed and repetition.

use std::collections::HashMap;

use bezzel_experiment::{FormulaSize, Row, Termination, Verdict};
use bezzel_problem::Instance;
use bezzel_statistics::Value;
use bezzel_statistics::score::mean;
use indexmap::IndexSet;

/// The index of a cell: the n-th encoding, solver, numbering, instance and record of a report. Ordered by instance, then
/// solver, numbering and encoding, like reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellIndex {
    /// The number of the instance, counted from 0, as the others are.
    pub instance: usize,
    /// The number of the solver.
    pub solver: usize,
    /// The number of the numbering.
    pub numbering: usize,
    /// The number of the encoding.
    pub encoding: usize,
    /// The number of the record, if several are compared.
    pub record: usize,
}

/// The runs of one encoding on one instance, under one kind of numbering, in one solver. Seeds and
/// repetitions are the spread within.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell<'a> {
    /// The encoding's label. It has all its settings, until a [report](crate::dataset::Dataset) omits the common
    /// ones.
    pub encoding: String,
    /// The instance.
    pub instance: &'a Instance,
    /// The id of the numbering.
    pub numbering: String,
    /// The solver's label.
    pub solver: String,
    /// The same four by their numbers, in the order in which each first appears.
    pub index: CellIndex,
    /// The rows.
    pub rows: Vec<&'a Row>,
}

/// The numbers of runs by their ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All rows.
    pub rows: usize,
    /// Sound answers: found within the limits and not known to be wrong.
    pub solved: usize,
    /// Sound answers that were verified.
    pub verified: usize,
    /// Sound answers that were not verified.
    pub unchecked: usize,
    /// Answers of an imported table, which nothing here verified.
    pub imported: usize,
    /// Wrong answers.
    pub wrong: usize,
    /// Runs that a limit of CPU or wall time ended.
    pub timed_out: usize,
    /// Those of them that the limit of wall time ended.
    pub wall_limit: usize,
    /// Those of these that [shared their core](bezzel_experiment::Row::is_disturbed).
    pub disturbed: usize,
    /// Runs that the limit of memory ended, or that of nodes of a diagram.
    pub out_of_memory: usize,
    /// Those of them that the limit of nodes ended.
    pub node_limit: usize,
    /// Runs that a fault ended, and those that ended by themselves without an answer.
    pub failed: usize,
    /// Runs that another process killed. Their jobs have no result.
    pub host_error: usize,
    /// Jobs that were never run, since their solver or engine is not installed.
    pub skipped: usize,
}

impl Counts {
    /// Counts rows. Every row is in exactly one of solved, wrong, timed out, out of memory, failed,
    /// host error and skipped.
    pub fn of(rows: &[&Row]) -> Self {
        let mut counts = Self { rows: rows.len(), ..Self::default() };
        for row in rows {
            let count = if row.verdict == Verdict::Wrong {
                &mut counts.wrong
            } else if row.termination == Termination::HostError {
                &mut counts.host_error
            } else if row.termination == Termination::Skipped {
                &mut counts.skipped
            } else if row.solved() {
                *match row.verdict {
                    Verdict::Verified => &mut counts.verified,
                    Verdict::Imported => &mut counts.imported,
                    Verdict::Unchecked | Verdict::Wrong => &mut counts.unchecked,
                } += 1;
                &mut counts.solved
            } else if row.termination.is_timeout() {
                counts.wall_limit += usize::from(row.termination == Termination::WallLimit);
                counts.disturbed += usize::from(row.is_disturbed());
                &mut counts.timed_out
            } else if matches!(row.termination, Termination::MemoryLimit | Termination::NodeLimit) {
                counts.node_limit += usize::from(row.termination == Termination::NodeLimit);
                &mut counts.out_of_memory
            } else {
                &mut counts.failed
            };
            *count += 1;
        }
        counts
    }
}

/// True if the run of a row was permitted to come to its end: it was not killed from outside, and it began.
pub fn was_run(row: &Row) -> bool {
    !matches!(row.termination, Termination::HostError | Termination::Skipped)
}

/// True if the run of a row began.
pub fn has_begun(row: &Row) -> bool {
    row.termination != Termination::Skipped
}

/// True if a row gives information on the duration of its job: its answer is not wrong, and it was [run](was_run) to
/// its end.
pub fn is_counted(row: &Row) -> bool {
    was_run(row) && row.verdict != Verdict::Wrong
}

/// The value of `measure` for each row that [counts](is_counted()); over the limit if the run has no answer. A row without
/// the value is left out.
pub fn values(rows: &[&Row], measure: impl Fn(&Row) -> Option<f64>) -> Vec<Value> {
    rows.iter()
        .filter(|row| is_counted(row))
        .filter_map(|row| {
            if row.solved() { measure(row).map(Value::Measured) } else { Some(Value::OverLimit) }
        })
        .collect()
}

/// CPU seconds of solving.
pub fn times(rows: &[&Row]) -> Vec<Value> {
    values(rows, |row| row.solve_cpu_s)
}

/// Conflicts. Empty for a solver that does not report them.
pub fn conflicts(rows: &[&Row]) -> Vec<Value> {
    if rows.iter().all(|row| row.solver_stats.conflicts.is_none()) {
        return Vec::new();
    }
    values(rows, |row| row.solver_stats.conflicts.map(|conflicts| conflicts as f64))
}

impl Cell<'_> {
    /// The numbers of runs by their ends.
    pub fn counts(&self) -> Counts {
        Counts::of(&self.rows)
    }

    /// CPU seconds of solving.
    pub fn times(&self) -> Vec<Value> {
        times(&self.rows)
    }

    /// Conflicts.
    pub fn conflicts(&self) -> Vec<Value> {
        conflicts(&self.rows)
    }

    /// The size of the formula, which no numbering changes.
    pub fn formula(&self) -> Option<&FormulaSize> {
        let mut rows = self.rows.iter().filter(|row| row.verdict != Verdict::Wrong);
        rows.find_map(|row| row.formula.as_ref())
    }

    /// The value of `measure` for each answered run. Runs without an answer are left out.
    pub fn of_answered(&self, measure: impl Fn(&Row) -> Option<f64>) -> Vec<Value> {
        let answered = self.rows.iter().filter(|row| row.solved());
        answered.filter_map(|row| measure(row)).map(Value::Measured).collect()
    }

    /// The largest resident memory of all runs, in bytes.
    pub fn memory_peak_bytes(&self) -> Option<u64> {
        self.rows.iter().filter_map(|row| row.memory_peak_bytes).max()
    }
}

/// The cells of the rows, in the order in which they first appear. `solver` and `encoding` name those of a row, and
/// `record` is the number of its record.
pub fn cells<'a>(
    rows: impl IntoIterator<Item = &'a Row>,
    solver: impl Fn(&Row) -> String,
    encoding: impl Fn(&Row) -> String,
    record: impl Fn(&Row) -> usize,
) -> Vec<Cell<'a>> {
    let (mut encodings, mut solvers) = (IndexSet::new(), IndexSet::new());
    let (mut numberings, mut instances) = (IndexSet::new(), IndexSet::new());
    let mut cells: Vec<Cell<'a>> = Vec::new();
    let mut numbers = HashMap::new();
    for row in rows {
        let (encoding, instance) = (encoding(row), &row.job.instance);
        let (numbering, solver) = (row.job.numbering.id(), solver(row));
        let index = CellIndex {
            instance: instances.insert_full(instance).0,
            solver: solvers.insert_full(solver.clone()).0,
            numbering: numberings.insert_full(numbering.clone()).0,
            encoding: encodings.insert_full(encoding.clone()).0,
            record: record(row),
        };
        let number = *numbers.entry(index).or_insert_with(|| {
            cells.push(Cell { encoding, instance, numbering, solver, index, rows: Vec::new() });
            cells.len() - 1
        });
        cells[number].rows.push(row);
    }
    cells
}

// `PARk`: the penalised average time. A run without an answer counts as k times its CPU limit, under every limit that
// ended it. A run that did not get its CPU time has no share in it.

/// The mean solve time of rows, in CPU seconds, where a run without an answer counts as `factor` times its CPU limit: 2
/// for PAR2, 10 for PAR10. Rows with a wrong answer, of runs that were killed from outside, and of skipped jobs do not
/// count.
///
/// None if no row counts, or if one is [disturbed](Row::is_disturbed): the mean of the others would be that of the
/// easier ones.
pub fn penalised(rows: &[&Row], factor: f64) -> Option<f64> {
    if rows.iter().any(|row| is_counted(row) && row.is_disturbed()) {
        return None;
    }
    let times = rows.iter().filter(|row| is_counted(row)).filter_map(|row| {
        if row.solved() { row.solve_cpu_s } else { Some(factor * row.job.limits.cpu_s) }
    });
    mean(times)
}

/// PAR2, as a mean in CPU seconds. None if no row counts.
pub fn par2(rows: &[&Row]) -> Option<f64> {
    penalised(rows, 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bezzel_statistics::median;

    use crate::tests::sample::{
        at_wall_limit, killed, out_of_memory, shuffled, skipped, solved, solved as row, timed_out,
        unchecked, wrong,
    };

    #[test]
    fn every_row_is_counted_under_one_end() {
        let rows = [
            solved(1.0),
            solved(2.0),
            unchecked(1.0),
            wrong(0.1),
            timed_out(),
            out_of_memory(),
            at_wall_limit(1.6),
        ];
        let counts = Counts::of(&rows.iter().collect::<Vec<_>>());
        let expected = Counts {
            rows: 7,
            solved: 3,
            verified: 2,
            unchecked: 1,
            imported: 0,
            wrong: 1,
            timed_out: 2,
            wall_limit: 1,
            disturbed: 1,
            out_of_memory: 1,
            node_limit: 0,
            failed: 0,
            host_error: 0,
            skipped: 0,
        };
        assert_eq!(counts, expected);
    }

    #[test]
    fn rows_of_runs_that_were_killed_from_outside_or_skipped_settle_nothing() {
        let rows = [killed(), skipped(), solved(2.0)];
        let rows: Vec<_> = rows.iter().collect();
        let counts = Counts::of(&rows);
        assert_eq!((counts.host_error, counts.skipped), (1, 1));
        assert_eq!((counts.solved, counts.failed, counts.rows), (1, 0, 3));
        assert_eq!(times(&rows), [Value::Measured(2.0)]);
    }

    #[test]
    fn a_wrong_answer_enters_no_statistic() {
        let rows = [solved(3.0), wrong(0.1)];
        let rows: Vec<_> = rows.iter().collect();
        assert_eq!(times(&rows), [Value::Measured(3.0)]);
    }

    #[test]
    fn the_conflicts_of_a_run_without_an_answer_are_over_the_limit() {
        let mut rows = [solved(3.0), timed_out()];
        rows[0].solver_stats.conflicts = Some(12);
        rows[1].solver_stats.conflicts = Some(90_000);
        let rows: Vec<_> = rows.iter().collect();
        assert_eq!(conflicts(&rows), [Value::Measured(12.0), Value::OverLimit]);
    }

    #[test]
    fn a_solver_that_tells_no_conflicts_has_none_not_zero() {
        let rows = [solved(3.0), timed_out()];
        assert_eq!(conflicts(&rows.iter().collect::<Vec<_>>()), []);
    }

    #[test]
    fn shuffles_are_one_cell_and_numberings_are_two() {
        let rows = [solved(1.0), shuffled(1, 2.0), shuffled(2, 4.0)];
        let solver = |row: &Row| row.job.solver.clone();
        let cells = cells(&rows, solver, |row| row.job.encoding_label(), |_| 0);
        let seen: Vec<_> =
            cells.iter().map(|cell| (cell.numbering.as_str(), cell.rows.len())).collect();
        assert_eq!(seen, [("as-generated", 1), ("random", 2)]);
        assert_eq!(median(&cells[1].times()), Some(Value::Measured(3.0)));
    }

    #[test]
    fn a_time_out_counts_a_multiple_of_its_limit() {
        // Limits of 5 s: 1 + 2 + 10, and with 50 for PAR10.
        let rows = [row(1.0), row(2.0), timed_out()];
        let rows: Vec<_> = rows.iter().collect();
        assert!((par2(&rows).unwrap() - 13.0 / 3.0).abs() < 1e-12);
        assert!((penalised(&rows, 10.0).unwrap() - 53.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn whichever_limit_ended_a_run_it_counts_by_its_cpu_limit_unless_it_shared_its_core() {
        let rows = [row(1.0), out_of_memory()];
        assert_eq!(par2(&rows.iter().collect::<Vec<_>>()), Some(5.5));
        let alone = bezzel_experiment::Row { wall_s: 1.7, ..at_wall_limit(1.6) };
        let rows = [row(1.0), alone];
        assert_eq!(par2(&rows.iter().collect::<Vec<_>>()), Some(5.5));
        let rows = [row(1.0), at_wall_limit(1.6)];
        assert_eq!(par2(&rows.iter().collect::<Vec<_>>()), None);
    }

    #[test]
    fn wrong_killed_and_skipped_runs_do_not_count() {
        let rows = [row(1.0), wrong(0.001)];
        assert_eq!(par2(&rows.iter().collect::<Vec<_>>()), Some(1.0));
        let rows = [row(1.0), killed(), skipped()];
        assert_eq!(par2(&rows.iter().collect::<Vec<_>>()), Some(1.0));
        let rows = [wrong(0.001)];
        assert_eq!(par2(&rows.iter().collect::<Vec<_>>()), None);
    }
}
