//! A plan whose jobs BenchExec measures.

use std::collections::{HashMap, HashSet};

use super::Plan;
use crate::job::{MeasuredBy, Task};
use crate::row::Row;

impl Plan {
    /// The same jobs, for BenchExec to measure: no proofs, nothing measured beside the solver. What
    /// differed in these alone is one job now.
    ///
    /// Keys are those of the solvers at hand; the version that BenchExec ran is known from its
    /// results alone.
    #[must_use]
    pub(crate) fn for_benchexec(mut self) -> Self {
        for planned in &mut self.jobs {
            let job = &mut planned.job;
            (job.proof, job.simplified, job.measured_by) = (None, false, MeasuredBy::Benchexec);
            planned.key = planned.job.key(planned.encoding_revision, &planned.solver_version);
        }
        let mut seen = HashSet::new();
        self.jobs.retain(|planned| seen.insert(planned.key.clone()));
        self
    }

    /// The plan of a record of imported rows: each job with the version that its last row tells.
    #[must_use]
    pub(crate) fn of_import<'r>(self, rows: impl Iterator<Item = &'r Row>) -> Self {
        let mut latest: HashMap<String, &Row> = HashMap::new();
        for row in rows {
            let known = latest.entry(row.job.text()).or_insert(row);
            if known.started_unix_s < row.started_unix_s {
                *known = row;
            }
        }
        let mut plan = self.for_benchexec();
        // What engines do was not exported.
        plan.jobs.retain(|planned| planned.job.task == Task::First);
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
