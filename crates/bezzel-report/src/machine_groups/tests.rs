use bezzel_encode::Registry;
use bezzel_experiment::{ExperimentRecord, NO_ENCODING, Row};

use super::*;
use crate::analysis::Analysis;
use crate::comparison::Measure;
use crate::machines::Machines;
use crate::tests::sample::{counted, of_size, shuffled, skipped, solved, wrong};

/// A session on this host with this CPU and 64 GiB.
fn session(cpu: &str, host: &str) -> Environment {
    Environment {
        cpu_model: Some(cpu.into()),
        memory_bytes: Some(64 << 30),
        host: Some(host.into()),
        ..Environment::default()
    }
}

/// A record whose first two sessions were on unlike machines.
fn record(rows: Vec<Row>) -> ExperimentRecord {
    let environments = vec![session("A", "n1"), session("B", "n2")];
    ExperimentRecord { rows, environments, ..ExperimentRecord::default() }
}

fn of(encoding: &str, session: usize, mut row: Row) -> Row {
    row.job.encoding = encoding.into();
    Row { session, ..row }
}

fn with_dataset<T>(record: &ExperimentRecord, look: impl Fn(Analysis<'_>) -> T) -> T {
    look(Analysis::new(record, &Registry::new()))
}

fn warning_of(record: &ExperimentRecord) -> Option<String> {
    with_dataset(record, |dataset| warning(&dataset))
}

#[test]
fn neither_hosts_nor_kernels_nor_the_cores_of_a_task_make_a_kind() {
    let mut record = record(vec![of("a", 0, solved(1.0)), of("b", 1, solved(1.0))]);
    record.environments[1] = Environment {
        kernel: Some("6.2".into()),
        cores: Some(1),
        // The memory that the kernel keeps for itself differs a little.
        memory_bytes: Some((64 << 30) - 100_000_000),
        ..session("A", "n2")
    };
    assert_eq!(Machines::new(&record).kinds(), [MachineKind::of(&record.environments[0])]);
    assert_eq!(warning_of(&record), None);
    record.environments[1].memory_bytes = Some(128 << 30);
    assert_eq!(Machines::new(&record).kinds().len(), 2);
    assert!(warning_of(&record).is_some());
}

#[test]
fn sessions_that_measured_nothing_are_of_no_kind() {
    let rows = vec![of("a", 0, solved(1.0)), of("b", 1, wrong(1.0)), of("c", 1, skipped())];
    let record = record(rows);
    let machines = Machines::new(&record);
    assert_eq!(machines.kinds().len(), 1);
    assert_eq!(
        record.rows.iter().map(|row| machines.of(row)).collect::<Vec<_>>(),
        [Some(0), None, None]
    );
    assert_eq!(warning_of(&record), None);
}

/// Two encodings on twelve instances with two numberings each, by sessions.
fn ranked(session: impl Fn(usize) -> usize) -> ExperimentRecord {
    let mut rows = Vec::new();
    for size in 8..20 {
        for (encoding, factor) in [("quick", 1.0), ("slow", 3.0)] {
            let time = factor * f64::from(size);
            for row in [solved(time), shuffled(1, 2.0 * time)] {
                let mut row = of(encoding, session(rows.len()), of_size(size, row));
                row.solver_stats.conflicts = Some(100 * u64::from(size));
                rows.push(row);
            }
        }
    }
    record(rows)
}

/// The measures of rankings, and those of effects.
fn measures(record: &ExperimentRecord) -> (Vec<Measure>, Vec<Measure>) {
    with_dataset(record, |dataset| {
        let ranked = dataset.rankings().iter().map(|encoding_ranking| encoding_ranking.measure);
        let effects = Measure::ALL.into_iter().filter(|&of| !dataset.effects(of).is_empty());
        (distinct(ranked), effects.collect())
    })
}

#[test]
fn on_unlike_machines_there_are_rankings_and_effects_by_conflicts_alone() {
    let expected = (vec![Measure::Conflicts], vec![Measure::Conflicts]);
    // Half of each instance, half of the instances, one run.
    let sessions: [fn(usize) -> usize; 3] =
        [|row| row % 2, |row| usize::from(row < 24), |row| usize::from(row == 7)];
    for (session, runs) in sessions.into_iter().zip(["24 runs", "24 runs", "47 runs"]) {
        let record = ranked(session);
        assert_eq!(measures(&record), expected);
        let warning = warning_of(&record).unwrap();
        assert!(warning.starts_with("Times of 2 kinds of machine ("), "{warning}");
        assert!(warning.contains(&format!("{runs} on A with 64 GiB")), "{warning}");
        assert!(
            warning.contains("not comparable, so there is no ranking, pair or effect by time."),
            "{warning}"
        );
    }
}

#[test]
fn engines_on_another_kind_of_machine_leave_the_rankings_of_solvers() {
    let mut record = ranked(|_| 0);
    record.rows.push(of(NO_ENCODING, 1, counted("backtrack", NO_ENCODING, 1.0)));
    assert_eq!(measures(&record), (Measure::ALL.to_vec(), Measure::ALL.to_vec()));
    let expected = "Times of 2 kinds of machine (48 runs on A with 64 GiB; 1 run on B with 64 GiB) are not \
                    comparable.";
    assert_eq!(warning_of(&record).unwrap(), expected);
}

#[test]
fn the_machines_of_a_cluster_are_reported_by_kind() {
    let mut record = record((0..5).map(|place| of("a", place, shuffled(1, 1.0))).collect());
    let hosts = [("A", "n1"), ("B", "m1"), ("A", "n2"), ("A", "n1"), ("A", "n3")];
    record.environments = hosts.map(|(cpu, host)| session(cpu, host)).to_vec();
    assert_eq!(
        with_dataset(&record, |dataset| lines(&dataset)),
        [
            "3 machines of kind A with 64 GiB (n1, n2, n3): 4 sessions, 4 runs",
            "1 machine of kind B with 64 GiB (m1): 1 session, 1 run"
        ]
    );
}

#[test]
fn of_one_machine_its_sessions_tell_enough() {
    let mut record = record(vec![of("a", 0, solved(1.0)), of("b", 1, solved(1.0))]);
    record.environments[1] = session("A", "n1");
    assert!(with_dataset(&record, |dataset| lines(&dataset)).is_empty());
    record.environments[1].host = Some("n2".into());
    assert_eq!(
        with_dataset(&record, |dataset| lines(&dataset)),
        ["2 machines of kind A with 64 GiB (n1, n2): 2 sessions, 2 runs"]
    );
}
