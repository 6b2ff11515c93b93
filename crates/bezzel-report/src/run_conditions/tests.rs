use std::time::Duration;

use bezzel_encode::Registry;
use bezzel_experiment::calibration::CalibrationJob;
use bezzel_experiment::{Environment, ExperimentRecord, Row, Termination};
use bezzel_solve::Answer;

use super::*;
use crate::caveats::{CaveatPlace, caveats};
use crate::tests::analysed;
use crate::tests::sample::{of_size, seeded, shuffled, skipped, solved, unchecked};

fn note(rows: Vec<Row>) -> String {
    analysed(rows, |of| replicates(of))
}

fn on_instances(instances: [u32; 4]) -> String {
    let mut rows = vec![solved(1.0), shuffled(1, 1.0), shuffled(2, 1.0), shuffled(1, 1.0)];
    for (row, size) in rows.iter_mut().zip(instances) {
        *row = of_size(size, row.clone());
    }
    note(rows)
}

#[test]
fn shuffles_are_counted_by_their_seeds_and_instance_by_instance_where_they_differ() {
    let alike = "Runs of a cell: as-generated, 1 run; random, 2 shuffles. A numbering is";
    assert!(on_instances([8, 8, 8, 8]).starts_with(alike));
    let differing = "Runs of a cell: as-generated, 1 run; random, 2 shuffles on langford 8 and 1 shuffle on \
         langford 9. A";
    assert!(on_instances([8, 8, 8, 9]).starts_with(differing));
}

#[test]
fn seeds_are_counted_as_seeds_and_solver_by_solver_where_they_differ() {
    let mut rows = vec![seeded(1, 1.0), seeded(2, 1.0)];
    assert!(note(rows.clone()).starts_with("Runs of a cell: as-generated, 2 seeds. A"));
    rows.push(solved(1.0));
    rows[2].job.solver = "cadical".into();
    let differing = "Runs of a cell: as-generated, 2 seeds in BatSat, 1 run in CaDiCaL. A";
    assert!(note(rows).starts_with(differing));
}

#[test]
fn isolation_is_reported_of_the_runs_that_began() {
    let isolation_of = |rows| analysed(rows, |of| isolation(of));
    let within = |isolation| Row { isolation, ..solved(1.0) };
    let rlimits = isolation_of(vec![within(Isolation::Rlimits)]).unwrap();
    let group = isolation_of(vec![within(Isolation::CgroupV2)]).unwrap();
    assert_ne!(rlimits, group);
    let both = isolation_of(vec![within(Isolation::Rlimits), within(Isolation::CgroupV2)]).unwrap();
    assert!(both.len() > rlimits.len().max(group.len()), "{both}");
    let absent = Row { isolation: Isolation::Rlimits, ..skipped() };
    assert_eq!(isolation_of(vec![absent.clone(), within(Isolation::CgroupV2)]), Some(group));
    assert_eq!(isolation_of(vec![absent]), None);
}

#[test]
fn limits_are_reported_in_the_units_of_configs() {
    let mut row = solved(1.0);
    row.job.limits.memory_bytes = 2 << 30;
    let note = analysed(vec![row], |of| limits(of));
    assert!(note.ends_with("10 s of wall time and 2 GiB of memory."), "{note}");
    let mut row = solved(1.0);
    row.job.limits.nodes = Some(5_000_000);
    let note = analysed(vec![row], |of| limits(of));
    assert!(note.ends_with("of memory and 5,000,000 nodes of a diagram."), "{note}");
}

fn record(rows: Vec<Row>, parallel: u32) -> ExperimentRecord {
    let environments = vec![Environment { parallel, ..Environment::default() }];
    ExperimentRecord { rows, environments, ..ExperimentRecord::default() }
}

#[test]
fn skipped_runs_are_not_in_the_conditions() {
    let mut absent = skipped();
    absent.job.proof = Some(ProofFormat::Drat);
    let only = record(vec![absent.clone()], 1);
    assert_eq!((sentence(&only, cores), sentence(&only, proofs)), (None, None));
    let mixed = record(vec![absent, on(Some(1))], 1);
    assert_eq!(sentence(&mixed, cores).unwrap(), "Jobs: one at a time, bound to core 1.");
    assert_eq!(sentence(&mixed, proofs).unwrap(), "Proofs: none were written.");
}

fn of_readings(dataset: &Dataset<'_>) -> Option<String> {
    noise_of_machine(&noise(&dataset.record.readings))
}

fn sentence(record: &ExperimentRecord, note: fn(&Dataset<'_>) -> Option<String>) -> Option<String> {
    note(&Dataset::new(record, &Registry::new()))
}

fn on(core: Option<usize>) -> Row {
    Row { core, ..solved(1.0) }
}

#[test]
fn cores_and_runs_at_a_time_are_reported() {
    let cores_of = |rows, parallel| sentence(&record(rows, parallel), cores).unwrap();
    assert_eq!(cores_of(vec![on(None)], 1), "Jobs: one at a time, not bound to a core.");
    assert_eq!(cores_of(vec![on(Some(1))], 1), "Jobs: one at a time, bound to core 1.");
    assert_eq!(
        cores_of(vec![on(Some(3)), on(Some(0))], 2),
        "Jobs: up to 2 at a time, each bound to one of the cores 0, 3."
    );
    assert_eq!(
        cores_of(vec![on(Some(3)), on(None)], 2),
        "Jobs: up to 2 at a time, some of them bound to core 3."
    );
    let nothing = ExperimentRecord { rows: vec![on(None)], ..ExperimentRecord::default() };
    assert_eq!(sentence(&nothing, cores), None);
}

#[test]
fn solvers_whose_times_include_proofs_are_reported() {
    let mut proved = solved(1.0);
    proved.job.solver = "cadical".into();
    let unproved = proved.clone();
    proved.job.proof = Some(ProofFormat::Lrat);
    let proofs_of = |rows| sentence(&record(rows, 1), proofs).unwrap();
    assert_eq!(proofs_of(vec![solved(1.0)]), "Proofs: none were written.");
    assert_eq!(
        proofs_of(vec![proved.clone()]),
        "Proofs: CaDiCaL writes LRAT proofs, and its times include the writing."
    );
    assert_eq!(
        proofs_of(vec![proved, solved(1.0), unproved]),
        "Proofs: CaDiCaL writes LRAT proofs, and its times include the writing; BatSat, CaDiCaL (proofs \
         off) write none."
    );
}

#[test]
fn the_noise_of_every_session_is_in_the_environment() {
    let fixed = CalibrationJob::new(&crate::tests::sample::catalog(), Duration::ZERO).unwrap();
    let reading = |session, solve_cpu_s| Row {
        status: Answer::Unsat,
        solve_cpu_s: Some(solve_cpu_s),
        session,
        ..Row::blank(fixed.planned.clone(), Termination::Finished)
    };
    let mut record = record(vec![solved(1.0)], 1);
    assert_eq!(sentence(&record, of_readings), None);
    record.readings = [0.10, 0.10, 0.10, 0.12, 0.12].map(|time| reading(0, time)).to_vec();
    let noise_note = sentence(&record, of_readings).unwrap();
    let expected =
        "Noise of the machine: 20.0 % (5 readings, median 100.0 ms), above 10.0 %. Noise is";
    assert!(noise_note.starts_with(expected), "{noise_note}");
    let of_sessions =
        |record: &ExperimentRecord| noise_of_sessions(&Dataset::new(record, &Registry::new()));
    assert_eq!(of_sessions(&record), None);
    record.readings.push(reading(1, 0.1));
    let listed = "session 0, 20.0 % (5 readings, median 100.0 ms), above 10.0 %; \
                  session 1, not known (1 reading of at least 5)";
    assert_eq!(of_sessions(&record), Some(("noise".to_owned(), listed.to_owned())));
    let expected = "Noise of the machine: 20.0 % in 1 session; there are too few readings in \
                    1 session; it is above 10.0 % in 1 session. Noise is";
    let noise_note = sentence(&record, of_readings).unwrap();
    assert!(noise_note.starts_with(expected), "{noise_note}");
}

#[test]
fn the_noise_of_several_sessions_is_reported_in_a_sentence() {
    let fixed = CalibrationJob::new(&crate::tests::sample::catalog(), Duration::ZERO).unwrap();
    let mut record = record(vec![solved(1.0)], 1);
    for session in 0..4 {
        // Half of them are not noisy at all.
        let late = if session % 2 == 0 { 0.12 } else { 0.10 };
        let times = [0.10, 0.10, 0.10, late, late];
        record.readings.extend(times.map(|time| Row {
            status: Answer::Unsat,
            solve_cpu_s: Some(time),
            session,
            ..Row::blank(fixed.planned.clone(), Termination::Finished)
        }));
    }
    assert_eq!(
        sentence(&record, of_readings).unwrap(),
        format!(
            "Noise of the machine: from 0.0 % to 20.0 % in 4 sessions, with a median of \
             10.0 %; it is above 10.0 % in 2 sessions. {NOISE}"
        )
    );
}

#[test]
fn unchecked_answers_are_counted() {
    let note = |rows: Vec<Row>| {
        let record = record(rows, 1);
        let all = caveats(&Dataset::new(&record, &Registry::new()), CaveatPlace::Conditions);
        all.into_iter().find(|sentence| sentence.contains("unchecked"))
    };
    let one = note(vec![unchecked(1.0), solved(1.0)]);
    assert_eq!(one.unwrap(), "1 answer is unchecked; medians include it.");
    assert_eq!(note(vec![solved(1.0)]), None);
}

#[test]
fn the_fields_of_environments_are_shown_with_units_and_with_sessions_where_they_differ() {
    let session = |memory_bytes: u64, parallel| Environment {
        memory_bytes: Some(memory_bytes),
        started_unix_s: memory_bytes,
        parallel,
        ..Environment::default()
    };
    let environments =
        vec![session(8_000_000_000, 1), session(0, 1), session(60, 1), session(120, 2)];
    let record = ExperimentRecord { environments, ..ExperimentRecord::default() };
    let registry = Registry::new();
    let fields = environment(&Dataset::new(&record, &registry));
    let value = |name: &str| {
        let field = fields.iter().find(|field| field.0 == name);
        field.unwrap_or_else(|| panic!("no {name} in {fields:?}")).1.as_str()
    };
    assert_eq!(value("kernel"), "not known");
    assert_eq!(value("parallel"), "1 (sessions 0, 1, 2); 2 (session 3)");
    assert_eq!(value("memory"), "4 values, from 7.5 GiB (session 0) to 120 bytes (session 3)");
}

#[test]
fn sessions_of_a_value_are_counted_where_they_are_many() {
    let session =
        |number| Environment { parallel: u32::from(number > 0) + 1, ..Environment::default() };
    let of_parallel = |sessions: usize| {
        let environments = (0..sessions).map(session).collect();
        let record = ExperimentRecord { environments, ..ExperimentRecord::default() };
        let registry = Registry::new();
        let fields = environment(&Dataset::new(&record, &registry));
        fields.into_iter().find(|(name, _)| name == "parallel").unwrap().1
    };
    assert_eq!(
        of_parallel(MAX_SESSIONS + 1),
        "1 (session 0); 2 (sessions 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)"
    );
    assert_eq!(of_parallel(MAX_SESSIONS + 2), "1 (session 0); 2 (13 sessions)");
}
