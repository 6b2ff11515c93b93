use bezzel_encode::Registry;
use bezzel_lab::{ClusterTask, NO_ENCODING};

use super::*;
use crate::contest::{Arm, Measure, left_out_of_rankings, panel};
use crate::material::Material;
use crate::sample::{counted, on_side, shuffled, skipped, solved, unchecked, wrong};
use crate::statistics::Observation::Exact;

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

fn with_material<T>(record: &ExperimentRecord, look: impl Fn(Material<'_>) -> T) -> T {
    look(Material::new(record, &Registry::new()))
}

fn told(record: &ExperimentRecord) -> Option<String> {
    with_material(record, |material| warning(&material))
}

fn counted_pairs(record: &ExperimentRecord) -> (usize, usize, usize) {
    let Unlike { pairs, across, mixed } = with_material(record, |material| Unlike::of(&material));
    (pairs, across, mixed)
}

#[test]
fn neither_hosts_nor_kernels_nor_the_cores_of_a_task_make_a_kind() {
    let mut record = record(vec![of("a", 0, solved(1.0)), of("b", 1, solved(1.0))]);
    record.environments[1] = Environment {
        kernel: Some("6.2".into()),
        cores: Some(1),
        // What the kernel keeps for itself differs a little.
        memory_bytes: Some((64 << 30) - 100_000_000),
        ..session("A", "n2")
    };
    assert_eq!(Machines::new(&record).kinds(), [Kind::of(&record.environments[0])]);
    assert_eq!((told(&record), counted_pairs(&record)), (None, (0, 0, 0)));
    record.environments[1].memory_bytes = Some(128 << 30);
    assert_eq!(Machines::new(&record).kinds().len(), 2);
    assert_eq!(counted_pairs(&record), (1, 1, 0));
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
    assert_eq!(told(&record), None);
}

#[test]
fn unlike_machines_on_a_board_are_told_with_numbers() {
    let rows = vec![of("a", 0, solved(1.0)), of("b", 1, solved(1.0)), of("c", 0, solved(1.0))];
    let record = record(rows);
    assert_eq!(counted_pairs(&record), (3, 2, 0));
    let told = told(&record).unwrap();
    assert!(
        told.starts_with(
            "Times of unlike machines are compared (2 runs on A with 64 GiB; 1 run on B with 64 GiB): \
             of 3 pairs of cells on a board that differ in one thing, 2 are across kinds. With \
             --same-machines"
        ),
        "{told}"
    );
}

#[test]
fn machines_that_differ_from_board_to_board_are_milder() {
    let rows = [(8, 0), (9, 1)].map(|(side, session)| {
        ["a", "b"].map(|encoding| of(encoding, session, on_side(side, solved(1.0))))
    });
    let told = told(&record(rows.concat())).unwrap();
    assert!(told.starts_with("Times come from 2 kinds of machine"), "{told}");
    assert!(told.contains("their ratios are not affected"), "{told}");
}

#[test]
fn replicates_solvers_and_engines_are_compared_as_well() {
    let replicates = vec![of("a", 0, shuffled(1, 1.0)), of("a", 1, shuffled(2, 1.0))];
    assert_eq!(counted_pairs(&record(replicates.clone())), (0, 0, 1));
    let told = told(&record(replicates)).unwrap();
    assert!(told.contains("in 1 cell the runs themselves are of several kinds"), "{told}");
    let mut solvers = vec![of("a", 0, solved(1.0)), of("a", 1, solved(1.0))];
    solvers[1].job.solver = "cadical".into();
    assert_eq!(counted_pairs(&record(solvers)), (1, 1, 0));
    // What differs in two things is not compared.
    let different = vec![of("a", 0, solved(1.0)), of("b", 1, shuffled(1, 1.0))];
    assert_eq!(counted_pairs(&record(different)), (0, 0, 0));
    let engines = vec![
        of(NO_ENCODING, 0, counted("backtrack", NO_ENCODING, 1.0)),
        of("a", 1, counted("blocking", "a", 1.0)),
    ];
    assert_eq!(counted_pairs(&record(engines)), (1, 1, 0));
    let unproved = vec![of("a", 0, solved(1.0)), of("b", 1, unchecked(1.0))];
    assert_eq!(counted_pairs(&record(unproved)), (0, 0, 0));
}

/// Three encodings on a board: all on the second kind of machine, the first of them on the first, too.
fn mostly_on_the_second() -> ExperimentRecord {
    let mut rows = vec![
        of("a", 0, shuffled(1, 2.0)),
        of("a", 1, shuffled(2, 9.0)),
        of("b", 1, shuffled(1, 3.0)),
        of("c", 1, shuffled(1, 4.0)),
    ];
    for row in &mut rows {
        row.effort.conflicts = Some(5);
    }
    record(rows)
}

#[test]
fn on_the_same_machines_times_are_those_of_the_kind_of_most_cells() {
    let record = mostly_on_the_second();
    let arms = [0, 1, 2].map(|encoding| Arm { encoding, numbering: 0, solver: 0 });
    let replicates = |measure, same_machines| {
        with_material(&record, |material| {
            let material = material.on_same_machines(same_machines);
            let panel = panel(&material, &arms, measure, &[0]);
            (panel.replicates(0, 0).to_vec(), panel.replicates(1, 0).to_vec())
        })
    };
    let (all, other) = (vec![Exact(2.0), Exact(9.0)], vec![Exact(3.0)]);
    assert_eq!(replicates(Measure::Time, false), (all, other.clone()));
    assert_eq!(replicates(Measure::Time, true), (vec![Exact(9.0)], other));
    // Conflicts do not depend on the machine.
    let conflicts = (vec![Exact(5.0); 2], vec![Exact(5.0)]);
    assert_eq!(replicates(Measure::Conflicts, true), conflicts);
}

#[test]
fn what_is_left_out_for_the_same_machines_is_counted() {
    let record = mostly_on_the_second();
    let counted = |same_machines| {
        with_material(&record, |material| {
            let material = material.on_same_machines(same_machines);
            let of_standings = material.standings().iter().map(|standing| standing.left_out);
            (left_out_of_rankings(&material), of_standings.collect::<Vec<_>>())
        })
    };
    assert_eq!(counted(false), (0, vec![0, 0]));
    // By conflicts alone there are several runs of a cell left, and so a ranking.
    assert_eq!(counted(true), (1, vec![0]));
    let told = with_material(&record, |material| {
        let material = material.on_same_machines(true);
        (warning(&material).unwrap(), left_out(&material).unwrap())
    });
    assert!(told.0.contains("that of most cells; 1 run left out of rankings."), "{}", told.0);
    assert!(
        told.1.starts_with("Left out of rankings by time: 1 run, on another kind"),
        "{}",
        told.1
    );
}

#[test]
fn of_equally_many_cells_the_kind_of_most_runs_stays_then_the_first() {
    let chosen =
        |rows| with_material(&record(rows), |material| kept(&material.machines, &material.cells));
    let even = vec![of("a", 0, shuffled(1, 1.0)), of("b", 1, shuffled(1, 1.0))];
    assert_eq!(chosen(even.clone()), Some(0));
    let more = [even.clone(), vec![of("b", 1, shuffled(2, 1.0))]].concat();
    assert_eq!(chosen(more), Some(1));
    assert_eq!(chosen(even[..1].to_vec()), None);
}

#[test]
fn the_machines_of_a_cluster_are_told_by_kind() {
    let task = |number| {
        Some(ClusterTask {
            scheduler: "slurm".into(),
            job: 4711,
            task: Some(number),
            ..ClusterTask::default()
        })
    };
    let mut record = record((0..5).map(|place| of("a", place, shuffled(1, 1.0))).collect());
    let hosts = [("A", "n1"), ("B", "m1"), ("A", "n2"), ("A", "n1"), ("A", "n3")];
    record.environments = hosts.map(|(cpu, host)| session(cpu, host)).to_vec();
    for (number, session) in (0..).zip(&mut record.environments) {
        session.cluster = task(number);
    }
    assert_eq!(
        with_material(&record, |material| lines(&material)),
        [
            "3 machines of kind A with 64 GiB (n1, n2, n3): 4 sessions, 4 runs, Slurm job 4711",
            "1 machine of kind B with 64 GiB (m1): 1 session, 1 run, Slurm job 4711"
        ]
    );
}

#[test]
fn of_one_machine_its_sessions_tell_enough() {
    let mut record = record(vec![of("a", 0, solved(1.0)), of("b", 1, solved(1.0))]);
    record.environments[1] = session("A", "n1");
    assert!(with_material(&record, |material| lines(&material)).is_empty());
    record.environments[1].host = Some("n2".into());
    assert_eq!(
        with_material(&record, |material| lines(&material)),
        ["2 machines of kind A with 64 GiB (n1, n2): 2 sessions, 2 runs"]
    );
}
