//! Optima: the best value of each objective, and the time until it was found and shown to be the best.

use bezzel_experiment::{Row, Task};
use bezzel_solve::Answer;

use super::columns::Columns;
use super::{Item, Table, TableIds, TableKind};
use crate::dataset::Dataset;

/// The kind of table.
pub(super) const KIND: TableKind = TableKind {
    id: "optima",
    tables: &[TableIds::new("optima", "best values of objectives, and the times to them")],
    is_of_sources: false,
    make: |of| table(of).into_iter().collect(),
};

/// Makes the table. None if no optimum was asked for.
fn table(dataset: &Dataset<'_>) -> Option<Table> {
    let rows: Vec<&Row> = dataset.rows(|row| row.job.task == Task::Optimise).into_iter().collect();
    let last = |row: &&Row| row.values.as_ref().and_then(|values| values.last()).cloned();
    Columns::of(rows)
        .words("instance", "Instance", |row| Item::instance(dataset, &row.job.instance))
        .words("encoding", "Encoding", |row| dataset.encoding(row))
        .words("solver", "Solver", |row| dataset.solver(row))
        .words("value", "Best value", |row| last(row).map_or("–".to_owned(), |last| last.value))
        .words("end", "End", |row| match (row.status, row.solved()) {
            (Answer::Sat, true) => "optimum",
            (Answer::Unsat, true) => "unsatisfiable",
            _ => "not shown to be the best",
        })
        .numbers("values", "Values", |row| row.values.as_ref().map(|values| Item::Count(values.len() as u128)))
        .numbers("to_value_s", "To the value (s)", |row| last(row).map(|last| last.solve_cpu_s))
        .numbers("to_end_s", "To the end (s)", |row| row.solve_cpu_s)
        .words("verdict", "Verdict", |row| row.verdict.word())
        .some_table("optima", "Optima", || {
            let about = "Each solution adds the constraint that the objective is better, by the encoding of the row. \
                         Times are CPU time of the search with the encoding of bounds. An optimum is verified if its \
                         solution keeps the constraints and a second method shows that no value is better.";
            [about.to_owned()].into_iter().chain(dataset.common_settings()).collect()
        })
}
