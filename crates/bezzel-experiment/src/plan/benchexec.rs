//! A plan whose jobs BenchExec measures.

use std::collections::HashSet;

use super::Plan;
use crate::model::job::{MeasuredBy, Task};
use crate::model::row::{Row, latest};

impl Plan {
    /// Returns the plan for BenchExec, without proofs and without measurements beside the solver. Jobs that differed
    /// only in these are one job.
    ///
    /// The keys are those of the installed solvers. The version that BenchExec ran is known only from its results.
    #[must_use]
    pub fn for_benchexec(mut self) -> Self {
        for planned in &mut self.jobs {
            let job = &mut planned.job;
            (job.proof, job.simplified, job.measured_by) = (None, false, MeasuredBy::Benchexec);
            planned.key = planned.job.key(planned.encoding_revision, &planned.solver_version);
        }
        self.rounds.clear();
        let mut seen = HashSet::new();
        self.jobs.retain(|planned| seen.insert(planned.key.clone()));
        self
    }

    /// Returns the plan of a record of imported rows: each job has the version of its last row.
    #[must_use]
    pub(crate) fn of_import<'r>(self, rows: impl Iterator<Item = &'r Row>) -> Self {
        let latest = latest(rows, |row| row.job.text());
        let mut plan = self.for_benchexec();
        // The jobs of engines were not exported.
        plan.jobs.retain(|planned| planned.job.task == Task::Solve);
        for planned in &mut plan.jobs {
            if let Some(row) = latest.get(&planned.job.text()) {
                planned.solver_version.clone_from(&row.solver_version);
                planned.encoding_revision = row.encoding_revision;
                planned.key.clone_from(&row.key);
            }
        }
        plan
    }
}

#[cfg(test)]
mod tests {
    use super::super::PlannedJob;
    use super::*;
    use crate::backend::catalog::Catalog;
    use crate::config::Config;
    use crate::model::row::Termination;

    #[test]
    fn of_results_that_began_at_one_moment_the_same_is_taken_in_whatever_order_they_come() {
        let text = "name: theirs\nboards: [{size: 6}]\nencodings: [pairwise]\nsolvers: [cadical]\n";
        let catalog = Catalog::standard();
        let config = Config::parse(text, "a test", &catalog).unwrap();
        let plan = || Plan::new(&config, &catalog).unwrap();
        let planned = plan().for_benchexec().jobs.remove(0);
        let mut rows = ["1.0", "2.0", "3.0"].map(|version| {
            let key = planned.job.key(planned.encoding_revision, version);
            let solver_version = version.to_owned();
            let planned = PlannedJob { key, solver_version, ..planned.clone() };
            Row { started_unix_s: 7.0, ..Row::blank(planned, Termination::Finished) }
        });
        let version = |rows: &[Row]| plan().of_import(rows.iter()).jobs.remove(0).solver_version;
        let first = version(&rows);
        for _ in 0..rows.len() {
            rows.rotate_left(1);
            assert_eq!(version(&rows), first);
        }
        // The row that began last counts, with any key.
        for late in 0..rows.len() {
            for row in &mut rows {
                row.started_unix_s = 7.0;
            }
            rows[late].started_unix_s = 8.0;
            assert_eq!(version(&rows), rows[late].solver_version);
        }
    }
}
