use bezzel_experiment::NO_ENCODING;
use bezzel_solve::ProofFormat;

use super::*;
use crate::tests::analysed;
use crate::tests::sample::{
    self, change_kind, counted, of_size, seeded, shuffled, solved, timed_out, wrong,
};

fn process_of(rows: Vec<Row>) -> Option<Table> {
    analysed(rows, |of| process(of))
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
    let table = process_of(rows).unwrap();
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
    assert_eq!(process_of(vec![solved(1.0), shuffled(1, 1.0)]), None);
    let mut other_kind = solved(1.0);
    change_kind(&mut other_kind);
    assert!(process_of(vec![other_kind.clone()]).is_some());
    assert_eq!(process_of(vec![solved(1.0), other_kind]), None);
    assert_eq!(process_of(vec![]), None);
}

fn engines_of(rows: Vec<Row>) -> Vec<Table> {
    analysed(rows, |of| engines(of))
}

#[test]
fn an_engine_has_a_line_and_an_instance_a_column_with_limits_as_elsewhere() {
    let mut late = of_size(9, counted("blocking", "pairwise", 5.0));
    late.termination = timed_out().termination;
    let tables = engines_of(vec![
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
    let tables = engines_of(vec![counted(command, "pairwise", 2.0)]);
    let read: Vec<_> = tables[0].rows[0].iter().map(Item::read).collect();
    assert_eq!(read, [command, "pairwise", "2.00"]);
}

fn proved(encoding: &str, size: u32, conflicts: u64, mib: u64, check_cpu_s: f64) -> Row {
    let mut row = sample::proved(encoding, size, mib, check_cpu_s);
    row.solver_stats.conflicts = Some(conflicts);
    row
}

fn proofs_of(rows: Vec<Row>) -> Vec<Table> {
    analysed(rows, |of| proofs(of))
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
    let tables = proofs_of(rows);
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
    let tables = proofs_of(rows);
    assert_eq!(medians(&tables[0]), ["no answer", "300"]);
    assert_eq!(medians(&tables[1]), ["no answer", "8.00"]);
}

#[test]
fn an_instance_of_which_one_encoding_has_a_proof_compares_nothing() {
    assert_eq!(proofs_of(vec![proved("a", 8, 1, 1, 1.0), solved(1.0)]), []);
    assert_eq!(proofs_of(vec![solved(1.0)]), []);
    let many = (4..40).flat_map(|size| ["a", "b"].map(|name| proved(name, size, 1, 1, 1.0)));
    assert_eq!(proofs_of(many.collect()), []);
}
