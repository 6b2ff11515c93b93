//! Whole runs: the CPU time of the whole process on every instance, for a record about it.

use std::collections::{BTreeMap, BTreeSet};

use bezzel_experiment::Row;

use super::columns::Columns;
use super::{Item, Table, TableIds, TableKind};
use crate::dataset::Dataset;
use crate::row_statistics::cell::values;
use bezzel_statistics::median;

/// The kind of table.
pub(super) const KIND: TableKind = TableKind {
    id: "process",
    tables: &[TableIds::new("process", "CPU time of whole processes")],
    is_of_sources: false,
    make: |of| table(of).into_iter().collect(),
};

/// Makes the table. None if there are several numberings or several kinds of instances: the record is then about
/// another question, and the table of all cells has these times too.
fn table(dataset: &Dataset<'_>) -> Option<Table> {
    let ([numbering], [instance_kind]) = (&dataset.numberings[..], &dataset.instance_kinds[..])
    else {
        return None;
    };
    let sizes: BTreeSet<u32> = dataset.instances.iter().map(|instance| instance.size()).collect();
    // Several instances of a size without a form may have several answers.
    if !dataset.has_forms && sizes.len() < dataset.instances.len() {
        return None;
    }
    let solvers = 0..dataset.solvers.len();
    let each = (0..dataset.encodings.len())
        .flat_map(|encoding| solvers.clone().map(move |solver| (encoding, solver)));
    let runs = each.map(|(encoding, solver)| {
        // Several instances of one size are one number, like one point in the figures.
        let mut runs: BTreeMap<u32, Vec<&Row>> = BTreeMap::new();
        for cell in dataset.cells_of(encoding, solver, 0) {
            runs.entry(cell.instance.size()).or_default().extend(&cell.rows);
        }
        (encoding, solver, runs)
    });
    let mut columns = Columns::of(runs.filter(|(.., runs)| !runs.is_empty()))
        .words("encoding", "Encoding", |(encoding, ..)| Item::encoding(dataset, *encoding))
        .words("solver", "Solver", |(_, solver, _)| dataset.solvers[*solver].clone());
    for size in sizes {
        let (name, head) =
            (format!("cpu_median_{size}_s"), format!("{} (s)", dataset.size_name.of(size)));
        columns = columns.numbers(name, head, |(.., runs)| {
            median(&values(runs.get(&size)?, |row| Some(row.cpu_s)))
        });
    }
    let about = format!(
        "Median CPU seconds of the whole process, as the kernel accounts for it: its start, generation, \
         loading and solving. A run without an answer counts as longer than all others. Instances: \
         {instance_kind}. Numbering: {numbering}. The table of all cells has the parts."
    );
    let notes = vec![about];
    Some(columns.table(KIND.id, "Whole process, generation included", notes))
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_experiment::ExperimentRecord;

    use super::*;
    use crate::tests::sample::{change_kind, of_size, seeded, shuffled, solved, timed_out, wrong};

    fn table_of(rows: Vec<Row>) -> Option<Table> {
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        table(&Dataset::new(&record, &Registry::new()))
    }

    fn taking(cpu_s: f64, mut row: Row) -> Row {
        row.cpu_s = cpu_s;
        row
    }

    #[test]
    fn the_process_is_shown_on_every_instance_with_limits_as_elsewhere() {
        let mut other = of_size(9, taking(7.0, solved(1.0)));
        other.job.encoding = "other".into();
        let rows = vec![
            of_size(9, taking(4.0, seeded(1, 1.0))),
            of_size(8, taking(2.0, seeded(1, 1.0))),
            of_size(8, taking(3.0, seeded(2, 1.0))),
            of_size(8, taking(0.1, wrong(0.1))),
            of_size(10, taking(5.0, timed_out())),
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
        assert_eq!(table.columns.last().unwrap().head, "n = 10 (s)");
    }

    #[test]
    fn a_record_of_several_numberings_or_kinds_of_instances_asks_for_something_else() {
        assert_eq!(table_of(vec![solved(1.0), shuffled(1, 1.0)]), None);
        let mut other_kind = solved(1.0);
        change_kind(&mut other_kind);
        assert!(table_of(vec![other_kind.clone()]).is_some());
        assert_eq!(table_of(vec![solved(1.0), other_kind]), None);
        assert_eq!(table_of(vec![]), None);
    }
}
