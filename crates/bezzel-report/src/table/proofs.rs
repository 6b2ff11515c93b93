//! The cost of showing that there is no solution: conflicts, the proof, and checking it, for every encoding on every
//! instance.

use bezzel_experiment::Row;
use bezzel_experiment::row::ProofRecord;

use super::columns::Columns;
use super::{Item, Table, TableIds, TableKind};
use crate::dataset::Dataset;
use crate::row_statistics::cell::values;
use crate::row_statistics::{Cell, CellIndex};
use bezzel_statistics::median;

/// The largest number of instances. A column for each of more instances is illegible, and the table of all cells has
/// them.
const INSTANCES: usize = 12;

/// A measure of a run with a proof.
struct ProofMeasureColumn {
    id: &'static str,
    title: &'static str,
    of: fn(&Row, &ProofRecord) -> Option<f64>,
    is_bytes: bool,
    note: &'static str,
}

const ALL: [ProofMeasureColumn; 3] = [
    ProofMeasureColumn {
        id: "proofs-conflicts",
        title: "Conflicts of runs with a proof",
        of: |row, _| Some(row.solver_stats.conflicts? as f64),
        is_bytes: false,
        note: "Medians over the runs that write a proof. A run without an answer counts as over the \
               limit.",
    },
    ProofMeasureColumn {
        id: "proofs-size",
        title: "Size of proofs (MiB)",
        of: |_, proof| Some(proof.bytes? as f64),
        is_bytes: true,
        note: "Median sizes of the solver's proof files: binary steps, each with the clauses that imply \
               it.",
    },
    ProofMeasureColumn {
        id: "proofs-checking",
        title: "Checking of proofs (s)",
        of: |_, proof| proof.check_cpu_s,
        is_bytes: false,
        note: "Median CPU seconds of the process that generates the formula again and checks the proof. \
               They are not included in the times of the run.",
    },
];

/// The kind of table.
pub(super) const KIND: TableKind = TableKind {
    id: "proofs",
    tables: &[
        TableIds::new("proofs-conflicts", "conflicts of runs with a proof"),
        TableIds::new("proofs-size", "sizes of proofs"),
        TableIds::new("proofs-checking", "times of checking proofs"),
    ],
    is_of_sources: false,
    make: |of| tables(of),
};

/// Makes the tables. Empty if no instance has proofs of two encodings, or if there are too many instances.
fn tables(dataset: &Dataset<'_>) -> Vec<Table> {
    let proved = |cell: &&Cell<'_>| cell.rows.iter().any(|row| row.proof.is_some());
    let cells: Vec<&Cell<'_>> = dataset.cells.iter().filter(proved).collect();
    let mut instances: Vec<usize> = cells.iter().map(|cell| cell.index.instance).collect();
    instances.sort_unstable();
    instances.dedup();
    let beside = |instance: usize| {
        let mut here = cells.iter().filter(|cell| cell.index.instance == instance);
        let first = here.next().map(|cell| cell.index.encoding);
        here.any(|cell| Some(cell.index.encoding) != first)
    };
    instances.retain(|&instance| beside(instance));
    if instances.is_empty() || instances.len() > INSTANCES {
        return Vec::new();
    }
    ALL.iter().map(|measured| table(dataset, &instances, measured)).collect()
}

fn table(dataset: &Dataset<'_>, instances: &[usize], measured: &ProofMeasureColumn) -> Table {
    let mut arms = Vec::new();
    for encoding in 0..dataset.encodings.len() {
        for solver in 0..dataset.solvers.len() {
            for numbering in 0..dataset.numberings.len() {
                let item = |&instance: &usize| -> Item {
                    let index = CellIndex { instance, solver, numbering, encoding, record: 0 };
                    dataset.cell(index).map(|cell| item(cell, measured)).into()
                };
                arms.push((encoding, solver, numbering, instances.iter().map(item).collect()));
            }
        }
    }
    arms.retain(|(.., items): &(_, _, _, Vec<Item>)| items.iter().any(|it| *it != Item::Missing));
    let mut columns = Columns::of(arms)
        .words("encoding", "Encoding", |(encoding, ..)| Item::encoding(dataset, *encoding))
        .words("solver", "Solver", |(_, solver, ..)| dataset.solvers[*solver].clone())
        .words("numbering", "Numbering", |(.., of, _)| dataset.numberings[*of].clone());
    for (place, &instance) in instances.iter().enumerate() {
        let instance = dataset.instances[instance].to_string();
        let name = format!("median_{instance}");
        columns = columns.numbers(name, instance, |(.., items)| items[place].clone());
    }
    columns.table(measured.id, measured.title, vec![measured.note.into()])
}

fn item(cell: &Cell<'_>, measured: &ProofMeasureColumn) -> Item {
    // A solver without a request for a proof would never have one.
    let writes = |row: &&&Row| row.proof.is_some() || row.job.proof.is_some();
    let rows: Vec<&Row> = cell.rows.iter().filter(writes).copied().collect();
    let found = median(&values(&rows, |row| (measured.of)(row, row.proof.as_ref()?)));
    found.map(if measured.is_bytes { Item::of_bytes } else { Item::Value }).into()
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_experiment::ExperimentRecord;
    use bezzel_solve::ProofFormat;

    use super::*;
    use crate::tests::sample::{self, of_size, solved, timed_out};

    fn proved(encoding: &str, size: u32, conflicts: u64, mib: u64, check_cpu_s: f64) -> Row {
        let mut row = sample::proved(encoding, size, mib, check_cpu_s);
        row.solver_stats.conflicts = Some(conflicts);
        row
    }

    fn tables_of(rows: Vec<Row>) -> Vec<Table> {
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        tables(&Dataset::new(&record, &Registry::new()))
    }

    fn read(table: &Table) -> Vec<Vec<String>> {
        table.rows.iter().map(|row| row.iter().map(Item::read).collect()).collect()
    }

    #[test]
    fn conflicts_size_and_checking_stand_in_a_table_each_by_encoding_and_instance() {
        let rows = vec![
            proved("a", 8, 10, 1, 0.5),
            proved("a", 8, 30, 3, 1.5),
            proved("b", 8, 100, 8, 4.0),
            proved("a", 9, 1_000, 5, 2.0),
            of_size(9, timed_out()),
            proved("b", 9, 7, 1, 0.25),
        ];
        let tables = tables_of(rows);
        let ids: Vec<&str> = tables.iter().map(|table| table.id.as_str()).collect();
        assert_eq!(ids, ["proofs-conflicts", "proofs-size", "proofs-checking"]);
        let texts = |table: &Table| -> Vec<Vec<String>> {
            read(table).into_iter().map(|row| [&row[..1], &row[3..]].concat()).collect()
        };
        assert_eq!(texts(&tables[0]), [["a", "20.0", "1,000"], ["b", "100", "7.00"]]);
        assert_eq!(texts(&tables[1]), [["a", "2.00", "5.00"], ["b", "8.00", "1.00"]]);
        assert_eq!(texts(&tables[2]), [["a", "1.00", "2.00"], ["b", "4.00", "0.250"]]);
        assert_eq!(tables[0].columns[3].head, "langford 8");
    }

    #[test]
    fn a_run_at_its_limit_is_over_it_and_one_without_a_proof_is_left_out() {
        let at_limit = |encoding: &str| {
            let mut row = timed_out();
            row.job.encoding = encoding.into();
            row.job.proof = Some(ProofFormat::Lrat);
            row
        };
        let without = Row { proof: None, ..proved("b", 8, 9_000, 1, 1.0) };
        let rows = vec![
            // Two of three, and one of three.
            proved("a", 8, 10, 1, 0.5),
            at_limit("a"),
            at_limit("a"),
            proved("b", 8, 100, 8, 4.0),
            proved("b", 8, 300, 8, 4.0),
            at_limit("b"),
            without,
        ];
        let medians = |table: &Table| -> Vec<String> {
            read(table).into_iter().map(|row| row[3].clone()).collect()
        };
        let tables = tables_of(rows);
        assert_eq!(medians(&tables[0]), ["no answer", "300"]);
        assert_eq!(medians(&tables[1]), ["no answer", "8.00"]);
    }

    #[test]
    fn an_instance_of_which_one_encoding_has_a_proof_compares_nothing() {
        assert_eq!(tables_of(vec![proved("a", 8, 1, 1, 1.0), solved(1.0)]), []);
        assert_eq!(tables_of(vec![solved(1.0)]), []);
        let many = (4..40).flat_map(|size| ["a", "b"].map(|name| proved(name, size, 1, 1, 1.0)));
        assert_eq!(tables_of(many.collect()), []);
    }
}
