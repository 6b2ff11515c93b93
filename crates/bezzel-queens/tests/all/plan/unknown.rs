//! Plans of records that name what this version does not know.

use std::sync::Arc;

use bezzel_solve::OptionValue;

use super::*;
use bezzel_experiment::model::row::Termination;
use bezzel_experiment::store::RecordedConfig;

use crate::config::recorded::session_of;

/// A config in the words of another version.
const OLD: &str = "\
name: old
problems: [{queens: {size: [4, 5]}}]
encodings: [\"pair*\", pairwise0, \"!bitwise0\"]
solvers: [cadical, {id: cadical, options: {factor0: 1}}, batsat0]
exclude: [{encoding: pairwise0, instance: 5}, {solver: minisat0}]
include: [{task: count, engines: [blocking, backtrack0]}]
limits: {cpu: 60 s, wall: 180 s}
";

/// The words of this version for the same number of jobs.
const HERE: &str = "\
name: old
problems: [{queens: {size: [4, 5]}}]
encodings: [pairwise, product]
solvers: [cadical, {id: cadical, options: {factor: 1}}, batsat]
exclude: {encoding: product, instance: 5}
include: [{task: count, encodings: pairwise, engines: [blocking, backtrack]}]
limits: {cpu: 60 s, wall: 180 s}
";

/// The rows of the old config, and the words that this version does not know.
fn rows() -> Vec<Row> {
    let catalog = bezzel_queens::experiment::catalog();
    let config = Config::parse(HERE, "a test", &catalog).unwrap();
    let jobs = Plan::new(&config, &catalog).unwrap().jobs.into_iter();
    let old = jobs.map(|PlannedJob { mut job, encoding_revision, solver_version, .. }| {
        for (name, old) in [(&mut job.encoding, "product"), (&mut job.solver, "batsat")] {
            if name == old {
                *name = if old == "product" { "pairwise0".into() } else { "batsat0".into() };
            }
        }
        if job.solver == "backtrack" {
            job.solver = "backtrack0".into();
        }
        if job.options.get("factor") == Some(&OptionValue::Integer(1)) {
            Arc::make_mut(&mut job.options).insert("factor0".into(), OptionValue::Integer(1));
        }
        PlannedJob::new(job, encoding_revision, solver_version)
    });
    old.map(|planned| Row::blank(planned, Termination::CpuLimit)).collect()
}

/// Reads the text of a config as that of a session, and restores its plan from these rows.
fn restored(text: &str, rows: &[Row]) -> Result<Plan, ConfigError> {
    let folder = tempfile::tempdir().unwrap();
    let recorded =
        RecordedConfig { config: serde_yaml::from_str(text).unwrap(), ..Default::default() };
    let session = session_of(recorded, &[], folder.path());
    let catalog = bezzel_queens::experiment::catalog();
    Plan::of_session(&session, folder.path(), &catalog, rows.iter()).map(|(_, plan)| plan)
}

#[test]
fn the_jobs_of_unknown_names_are_those_of_the_rows() {
    let rows = rows();
    let plan = restored(OLD, &rows).unwrap();
    let keys: HashSet<&Key> = rows.iter().map(|row| &row.key).collect();
    assert_eq!((rows.len(), plan.jobs.len()), (13, 13));
    assert_eq!(plan.keys(), keys);
    assert!(plan.names_unknown());
    // Without rows, the jobs of known names are planned: those of pairwise by CaDiCaL and by blocking.
    assert_eq!(restored(OLD, &[]).unwrap().jobs.len(), 4);
}

#[test]
fn another_row_of_the_same_job_is_no_second_job() {
    let mut rows = rows();
    let mut again = rows.iter().find(|row| row.job.solver == "batsat0").unwrap().clone();
    again.job.limits.cpu_s *= 2.0;
    again.key = again.job.key(again.encoding_revision, &again.solver_version);
    again.started_unix_s = 1.0;
    rows.push(again.clone());
    let plan = restored(OLD, &rows).unwrap();
    assert_eq!(plan.jobs.len(), 13);
    assert!(plan.keys().contains(&again.key));
}

#[test]
fn a_config_of_no_session_is_refused_with_the_near_match() {
    let catalog = bezzel_queens::experiment::catalog();
    for (old, near) in [
        ("encodings: pairwise0\nsolvers: cadical\n", "pairwise"),
        ("encodings: pairwise\nsolvers: batsat0\n", "batsat"),
        ("encodings: pairwise\nsolvers: {id: cadical, options: {factor0: 1}}\n", "factor"),
        ("encodings: pairwise\ntask: count\nengines: blocking0\n", "blocking"),
    ] {
        let config = format!("name: new\nproblems: {{queens: {{size: 4}}}}\n{old}");
        let error = Config::parse(&config, "a test", &catalog).unwrap_err().to_string();
        assert!(error.contains(&format!("did you mean `{near}`?")), "{error}");
        assert!(restored(&config, &[]).is_ok(), "{old}");
    }
}
