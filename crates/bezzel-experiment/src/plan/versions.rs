//! The versions of solvers and engines, which are part of every key.
//!
//! When a run is planned, a program is started to print its version. When the plan of a record is restored, no
//! program is started, since it may not be installed. The rows contain the version that was run last, and the jobs
//! that were skipped without the program.

use std::collections::{HashMap, HashSet};

use crate::backend::catalog::Catalog;
use crate::backend::command::{self, CommandBackend, NOT_INSTALLED};
use crate::config::{Arm, Config, ConfigError};
use crate::model::job::{BackendKind, Job, Key};
use crate::model::measure::MEASUREMENT;
use crate::model::row::{Row, Termination, latest};

/// The source of the versions of solvers and engines.
#[derive(Default)]
pub(super) struct Versions<'r> {
    /// The versions in the rows of a record, if the plan of a record is restored.
    recorded: Option<RecordedVersions<'r>>,
}

struct RecordedVersions<'r> {
    /// The row that began last, for each program. The key is true for a solver.
    latest: HashMap<(bool, &'r str), &'r Row>,
    /// The keys of jobs of programs that were run, and of those that were skipped.
    run: HashSet<&'r Key>,
    skipped: HashSet<&'r Key>,
}

impl<'r> Versions<'r> {
    /// Returns the versions in these rows.
    pub(super) fn of_rows(rows: impl Iterator<Item = &'r Row>) -> Self {
        let rows = rows.filter(|row| command::is_program_job(&row.job));
        let (skipped, run): (Vec<_>, Vec<_>) =
            rows.partition(|row| row.termination == Termination::Skipped);
        let of = |row: &'r Row| {
            (row.job.task.backend() == Some(BackendKind::Solver), row.job.solver.as_str())
        };
        let latest = latest(run.iter().copied(), of);
        let keys = |rows: Vec<&'r Row>| rows.into_iter().map(|row| &row.key).collect();
        Self { recorded: Some(RecordedVersions { latest, run: keys(run), skipped: keys(skipped) }) }
    }

    /// The version of a solver or an engine.
    pub(super) fn of(
        &self,
        config: &Config,
        arm: &Arm,
        catalog: &Catalog,
    ) -> Result<String, ConfigError> {
        if let Some(recorded) = &self.recorded
            && arm.backend.as_ref().is_some_and(|backend| backend.program().is_some())
        {
            let row = recorded.latest.get(&(arm.is_solver(), arm.id.as_str()));
            return Ok(row.map_or(NOT_INSTALLED, |row| &row.solver_version).to_owned());
        }
        let Some(backend) = &arm.backend else { return Ok(MEASUREMENT.to_owned()) };
        let permission = &catalog.permission;
        let lines = backend.program().map_or_else(Vec::new, CommandBackend::lines);
        let refused = permission.refuse_each(lines);
        refused.map_err(|refused| config.source().error(arm.place, refused.to_string()))?;
        Ok(backend.version(permission))
    }

    /// Returns the key of a job under this version of its solver; in a record, the key of the skipped job, if the job
    /// was skipped.
    pub(super) fn key(&self, job: &Job, revision: u32, version: &str) -> (Key, String) {
        let key = job.key(revision, version);
        if let Some(RecordedVersions { run, skipped, .. }) = &self.recorded
            && !skipped.is_empty()
            && !run.contains(&key)
        {
            let other = job.key(revision, NOT_INSTALLED);
            if skipped.contains(&other) {
                return (other, NOT_INSTALLED.to_owned());
            }
        }
        (key, version.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Plan, PlannedJob};
    use super::*;

    const CONFIG: &str = "\
name: theirs
problems: [{latin-square: {order: [4, 5, 6]}}]
encodings: [pairwise]
solvers: [{command: \"no-such-solver {cnf}\"}]
";

    /// Returns the row of a planned job, as a run of that version.
    fn row(
        planned: &PlannedJob,
        version: &str,
        termination: Termination,
        started_unix_s: f64,
    ) -> Row {
        let key = planned.job.key(planned.encoding_revision, version);
        let solver_version = version.to_owned();
        let planned = PlannedJob { key, solver_version, ..planned.clone() };
        Row { started_unix_s, ..Row::blank(planned, termination) }
    }

    #[test]
    fn a_record_is_planned_again_by_what_was_run_last_and_what_was_passed_over() {
        let catalog =
            Catalog::of_tests().with_permission(crate::model::permission::Permission::everything());
        let config = Config::parse(CONFIG, "a test", &catalog).unwrap();
        let plan = Plan::new(&config, &catalog).unwrap();
        assert!(plan.jobs.iter().all(|planned| planned.solver_version == NOT_INSTALLED));
        let [four, five, six] = &plan.jobs[..] else { panic!("a job for each instance") };
        // An older version has run all instances, a newer one two of them. After that it was not installed.
        let rows = [
            row(four, "1.0", Termination::Finished, 1.0),
            row(five, "1.0", Termination::Finished, 2.0),
            row(six, "1.0", Termination::Finished, 3.0),
            row(five, "2.0", Termination::Finished, 5.0),
            row(four, "2.0", Termination::CpuLimit, 4.0),
            row(six, NOT_INSTALLED, Termination::Skipped, 6.0),
            row(five, NOT_INSTALLED, Termination::Skipped, 7.0),
        ];
        let recorded = Plan::of_record(&config, &catalog, rows.iter()).unwrap();
        let versions: Vec<&str> =
            recorded.jobs.iter().map(|planned| planned.solver_version.as_str()).collect();
        assert_eq!(versions, ["2.0", "2.0", NOT_INSTALLED]);
        for (planned, row) in recorded.jobs.iter().zip([&rows[4], &rows[3], &rows[5]]) {
            assert_eq!(planned.key, row.key);
        }
    }
}
