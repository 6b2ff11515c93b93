//! Keys are permanent: committed rows have the keys of their jobs, and the configs of their sessions plan these.

use std::collections::HashSet;
use std::path::Path;

use bezzel_experiment::store::{Rows, is_experiment};
use bezzel_experiment::{ExperimentRecord, Key, Plan, Row, Termination};

use crate::committed::committed;

fn check_keys(step: usize, least: usize) {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments"));
    let catalog = bezzel_queens::experiment::catalog();
    let mut seen = 0;
    for name in committed("experiments").into_iter().step_by(step) {
        let folder = root.join(&name);
        if !is_experiment(&folder) {
            continue;
        }
        let (sessions, rows) = Rows::read(&folder).unwrap();
        assert_eq!(sessions.warnings(), [""; 0], "{name}");
        let has_own_key = |(key, row): (&Key, &Row)| {
            row.job.key(row.encoding_revision, &row.solver_version) == *key
        };
        assert!(rows.by_key.iter().all(has_own_key), "{name}: rows have the keys of their jobs");
        let record = ExperimentRecord::open(&folder, &catalog).unwrap();
        assert!(record.rows.len() <= record.planned, "{name}: a planned job has one row");
        let mut planned: HashSet<Key> = record.rows.iter().map(|row| row.key.clone()).collect();
        // The config of an earlier session may plan other jobs.
        for session in sessions.list.split_last().unwrap().1 {
            let rows = rows.by_key.values();
            let (_, plan) = Plan::of_session(session, &folder, &catalog, rows).unwrap();
            planned.extend(plan.jobs.into_iter().map(|job| job.key));
        }
        // The key of a job that was skipped lacks the version of the missing program.
        let ran = rows.by_key.values().filter(|row| row.termination != Termination::Skipped);
        let recorded: HashSet<Key> = ran.map(|row| row.key.clone()).collect();
        let left = recorded.difference(&planned).count();
        assert_eq!(left, 0, "{name}: rows that the config of no session plans");
        seen += recorded.len();
    }
    assert!(seen >= least, "{seen} rows");
}

#[test]
fn sessions_plan_the_keys_that_their_rows_have() {
    check_keys(10, 100);
}

#[test]
#[ignore = "second tier: all evidence"]
fn every_session_plans_the_keys_that_its_rows_have() {
    check_keys(1, 27_035);
}
