//! Whole runs: the CPU time of the whole process on every board, for a record about it.

use std::collections::{BTreeMap, BTreeSet};

use bezzel_experiment::Row;

use super::columns::Columns;
use super::{Item, Table, TableIds, TableKind};
use crate::dataset::Dataset;
use crate::instance_terms::InstanceTerms;
use crate::row_statistics::cell::values;
use bezzel_statistics::median;

/// The kind of table.
pub(super) const KIND: TableKind = TableKind {
    id: "process",
    tables: &[TableIds::new("process", "CPU time of whole processes")],
    make: |of| table(of).into_iter().collect(),
};

/// Makes the table. None if there are several numberings or several kinds of boards: the record is then about another
/// question, and the table of all cells has these times too.
fn table(dataset: &Dataset<'_>) -> Option<Table> {
    let ([numbering], [instance_kind]) = (&dataset.numberings[..], &dataset.instance_kinds[..])
    else {
        return None;
    };
    let sides: BTreeSet<u32> = dataset.instances.iter().map(|board| board.size()).collect();
    // Several instances of a size, other than boards, may have several answers.
    if dataset.terms == InstanceTerms::Instances && sides.len() < dataset.instances.len() {
        return None;
    }
    let solvers = 0..dataset.solvers.len();
    let each = (0..dataset.encodings.len())
        .flat_map(|encoding| solvers.clone().map(move |solver| (encoding, solver)));
    let runs = each.map(|(encoding, solver)| {
        // Several boards of one side are one number, like one point in the figures.
        let mut runs: BTreeMap<u32, Vec<&Row>> = BTreeMap::new();
        for cell in dataset.cells_of(encoding, solver, 0) {
            runs.entry(cell.instance.size()).or_default().extend(&cell.rows);
        }
        (encoding, solver, runs)
    });
    let mut columns = Columns::of(runs.filter(|(.., runs)| !runs.is_empty()))
        .words("encoding", "Encoding", |(encoding, ..)| Item::encoding(dataset, *encoding))
        .words("solver", "Solver", |(_, solver, _)| dataset.solvers[*solver].clone());
    for side in sides {
        let (name, head) =
            (format!("cpu_median_{side}_s"), format!("{} (s)", dataset.terms.size(side)));
        columns = columns.numbers(name, head, |(.., runs)| {
            median(&values(runs.get(&side)?, |row| Some(row.cpu_s)))
        });
    }
    let about = format!(
        "Median CPU seconds of the whole process, as the kernel accounts for it: its start, generation, \
         loading and solving. A run without an answer counts as longer than all others. {:#}s: \
         {instance_kind}. Numbering: {numbering}. The table of all cells has the parts.",
        dataset.terms
    );
    let notes = vec![about];
    Some(columns.table(KIND.id, "Whole process, generation included", notes))
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_experiment::ExperimentRecord;
    use bezzel_queens::{Board, Geometry};

    use super::*;
    use crate::tests::sample::{on_side, seeded, shuffled, solved, timed_out, wrong};

    fn table_of(rows: Vec<Row>) -> Option<Table> {
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        table(&Dataset::new(&record, &Registry::new()))
    }

    fn taking(cpu_s: f64, mut row: Row) -> Row {
        row.cpu_s = cpu_s;
        row
    }

    #[test]
    fn the_process_is_shown_on_every_board_with_limits_as_elsewhere() {
        let mut other = on_side(9, taking(7.0, solved(1.0)));
        other.job.encoding = "other".into();
        let rows = vec![
            on_side(9, taking(4.0, seeded(1, 1.0))),
            on_side(8, taking(2.0, seeded(1, 1.0))),
            on_side(8, taking(3.0, seeded(2, 1.0))),
            on_side(8, taking(0.1, wrong(0.1))),
            on_side(10, taking(5.0, timed_out())),
            other,
        ];
        let table = table_of(rows).unwrap();
        let read: Vec<Vec<String>> =
            table.rows.iter().map(|row| row.iter().map(Item::read).collect()).collect();
        assert_eq!(
            read,
            [
                ["pairwise", "batsat", "2.50", "4.00", "no answer"],
                ["other", "batsat", "–", "7.00", "–"]
            ]
        );
        assert_eq!(table.columns.last().unwrap().head, "N = 10 (s)");
    }

    #[test]
    fn a_record_of_several_numberings_or_kinds_of_boards_asks_for_something_else() {
        assert_eq!(table_of(vec![solved(1.0), shuffled(1, 1.0)]), None);
        let mut torus = solved(1.0);
        torus.job.instance = Board::new(8).unwrap().with_geometry(Geometry::Torus).into();
        assert!(table_of(vec![torus.clone()]).is_some());
        assert_eq!(table_of(vec![solved(1.0), torus]), None);
        assert_eq!(table_of(vec![]), None);
    }
}
