//! The full table of measurements without a solver: a row for each job.

use bezzel_experiment::measure::PropagationShare;
use bezzel_experiment::{FormulaSize, Propagation, Row, Task, Verdict};

use super::columns::Columns;
use super::{Item, Table};
use crate::dataset::Dataset;
use crate::limits::end_words;

/// Makes the table. None if there are no such measurements.
pub fn table(dataset: &Dataset<'_>) -> Option<Table> {
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
        .results("verdict", "Verdict", |row| row.verdict.word())
        .numbers("variables", "Variables", |row| size(row, |formula| formula.variables))
        .numbers("clauses", "Clauses", |row| size(row, |formula| formula.clauses))
        .numbers("literals", "Literals", |row| size(row, |formula| formula.literals))
        .numbers("operations", "Operations", |row| {
            let sections = sound(row, row.circuit.as_ref())?;
            Some(sections.iter().map(|section| section.built).sum::<u64>())
        })
        .numbers("generate_cpu_s", "Generation (s)", |row| sound(row, row.generate_cpu_s))
        .words("conflict", "Conflict", |row| propagation(row).map(|of| yes_or_no(of.conflict)))
        .words("solvable", "Satisfiable", |row| {
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

#[cfg(test)]
mod tests {
    use bezzel_encode::{Constraints, Registry};
    use bezzel_experiment::ExperimentRecord;

    use super::*;
    use crate::tests::sample::{measured, propagated, sized, solved};

    #[test]
    fn every_measurement_is_a_line_and_a_wrong_one_has_no_numbers() {
        let truth = "xQxx/xxxQ/Qxxx/xxQx";
        let mut wrong = sized("pairwise", 8, measured(64, 745, 1584));
        wrong.verdict = Verdict::Wrong;
        let rows = vec![
            sized("pairwise", 8, measured(64, 744, 1584)),
            propagated("pairwise", Some("xQxx/xxx./.x.x/.x.."), Some(truth)),
            wrong,
            solved(1.0),
        ];
        let planned = rows.len();
        let record = ExperimentRecord { planned, rows, ..ExperimentRecord::default() };
        let csv = table(&Dataset::new(&record, &Registry::new())).unwrap().csv();
        let lines: Vec<&str> = csv.lines().skip(1).collect();
        assert_eq!(lines.len(), 3);
        assert!(
            lines[0]
                .starts_with("size,langford 8,langford,pairwise,finished,verified,64,744,1584,"),
            "{csv}"
        );
        assert!(lines[1].contains(",no,yes,15,9,9,3,"), "{csv}");
        assert!(lines[2].ends_with("finished,wrong,,,,,,,,,,,,"), "{csv}");
    }

    #[test]
    fn settings_of_all_encodings_are_stated_below_and_in_no_line() {
        let mut row = sized("pairwise", 8, measured(64, 736, 1520));
        row.job.settings.constraints = Some(Constraints::NoColumnAlo);
        let record = ExperimentRecord { rows: vec![row], ..ExperimentRecord::default() };
        let table = table(&Dataset::new(&record, &Registry::new())).unwrap();
        assert_eq!(table.rows[0][3].read(), "pairwise");
        assert!(
            table.notes[1].starts_with("All encodings state the set no-column-alo: "),
            "{table:?}"
        );
    }
}
