//! The versions of solvers and engines, which are part of every key.
//!
//! A program is asked for its version when a run is planned. When the plan of a record is found
//! again, no program is run, which may not even be there: the rows know which version was run last,
//! and which jobs were passed over since it was not there.

use std::collections::{HashMap, HashSet};

use crate::backend::command::{self, Command, NOT_INSTALLED};
use crate::backend::workbench::Workbench;
use crate::config::{Arm, Config, ConfigError};
use crate::model::job::{Job, Key, Task};
use crate::model::measure::MEASUREMENT;
use crate::model::row::{Row, Stop, latest};

/// Where the versions of solvers and engines are known from.
#[derive(Default)]
pub(super) struct Versions<'r> {
    /// What the rows of a record tell, if it is one that is planned again.
    recalled: Option<Recalled<'r>>,
}

struct Recalled<'r> {
    /// For each program, a solver or not, the row that was begun last.
    latest: HashMap<(bool, &'r str), &'r Row>,
    /// The keys of jobs of programs that have been run, and of those that were passed over.
    run: HashSet<&'r Key>,
    skipped: HashSet<&'r Key>,
}

impl<'r> Versions<'r> {
    /// The versions that these rows tell.
    pub(super) fn of_rows(rows: impl Iterator<Item = &'r Row>) -> Self {
        let rows = rows.filter(|row| command::does(&row.job));
        let (skipped, run): (Vec<_>, Vec<_>) = rows.partition(|row| row.stop == Stop::Skipped);
        let of = |row: &'r Row| (row.job.task == Task::First, row.job.solver.as_str());
        let latest = latest(run.iter().copied(), of);
        let keys = |rows: Vec<&'r Row>| rows.into_iter().map(|row| &row.key).collect();
        Self { recalled: Some(Recalled { latest, run: keys(run), skipped: keys(skipped) }) }
    }

    /// The version of a solver or an engine.
    pub(super) fn of(
        &self,
        config: &Config,
        arm: &Arm,
        workbench: &Workbench,
    ) -> Result<String, ConfigError> {
        if let Some(recalled) = &self.recalled
            && arm.backend.as_ref().is_some_and(|backend| backend.program().is_some())
        {
            let row = recalled.latest.get(&(arm.is_solver(), arm.id.as_str()));
            return Ok(row.map_or(NOT_INSTALLED, |row| &row.solver_version).to_owned());
        }
        let Some(backend) = &arm.backend else { return Ok(MEASUREMENT.to_owned()) };
        let permission = &workbench.permission;
        let lines = backend.program().map_or_else(Vec::new, Command::lines);
        let refused = permission.refuse_each(lines);
        refused.map_err(|refused| config.source().error(arm.place, refused.to_string()))?;
        Ok(backend.version(permission))
    }

    /// The key of a job under this version of its solver; in a record that of a job which was passed
    /// over, if it was.
    pub(super) fn key(&self, job: &Job, revision: u32, version: &str) -> (Key, String) {
        let key = job.key(revision, version);
        if let Some(Recalled { run, skipped, .. }) = &self.recalled
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
    use super::super::{Plan, Planned};
    use super::*;

    const CONFIG: &str = "\
name: theirs
boards: [{size: [4, 5, 6]}]
encodings: [pairwise]
solvers: [{command: \"no-such-solver {cnf}\"}]
";

    /// The row of a planned job as if that version had been run.
    fn row(planned: &Planned, version: &str, stop: Stop, started_unix_s: f64) -> Row {
        let key = planned.job.key(planned.encoding_revision, version);
        let solver_version = version.to_owned();
        let planned = Planned { key, solver_version, ..planned.clone() };
        Row { started_unix_s, ..Row::blank(planned, stop) }
    }

    #[test]
    fn a_record_is_planned_again_by_what_was_run_last_and_what_was_passed_over() {
        let workbench =
            Workbench::standard().permitting(crate::model::permission::Permission::everything());
        let config = Config::parse(CONFIG, "a test", &workbench).unwrap();
        let plan = Plan::new(&config, &workbench).unwrap();
        assert!(plan.jobs.iter().all(|planned| planned.solver_version == NOT_INSTALLED));
        let [four, five, six] = &plan.jobs[..] else { panic!("a job for each board") };
        // An older version has run all, a newer one two boards; then it was gone.
        let rows = [
            row(four, "1.0", Stop::Finished, 1.0),
            row(five, "1.0", Stop::Finished, 2.0),
            row(six, "1.0", Stop::Finished, 3.0),
            row(five, "2.0", Stop::Finished, 5.0),
            row(four, "2.0", Stop::CpuLimit, 4.0),
            row(six, NOT_INSTALLED, Stop::Skipped, 6.0),
            row(five, NOT_INSTALLED, Stop::Skipped, 7.0),
        ];
        let recalled = Plan::of_record(&config, &workbench, rows.iter()).unwrap();
        let versions: Vec<&str> =
            recalled.jobs.iter().map(|planned| planned.solver_version.as_str()).collect();
        assert_eq!(versions, ["2.0", "2.0", NOT_INSTALLED]);
        for (planned, row) in recalled.jobs.iter().zip([&rows[4], &rows[3], &rows[5]]) {
            assert_eq!(planned.key, row.key);
        }
    }
}
