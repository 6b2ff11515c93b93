//! Solvers that were replaced by another program with the same version.
//!
//! A program's version is part of every key, so that another version is measured separately. A program that prints the
//! same version, for example a solver that was built again from changed sources, would share the rows of its
//! predecessor. The digest of its file, which each session contains, distinguishes the two.

use std::collections::{HashMap, HashSet};

use crate::backend::CommandBackend;
use crate::model::job::PlannedJob;
use crate::model::permission::Permission;
use crate::model::row::Termination;
use crate::plan::answering::MatchedRow;
use crate::results::store::Session;

/// Returns a solver with jobs that are still to be run, and its version, if its rows here were measured with another
/// file of the same version.
pub(crate) fn find(
    jobs: &[PlannedJob],
    taken: &[Option<MatchedRow<'_>>],
    sessions: &[Session],
    permission: &Permission,
) -> Option<(String, String)> {
    let each = || jobs.iter().zip(taken);
    let missing = each().filter(|(_, taken)| !taken.is_some_and(|(_, fit)| fit.answers()));
    let missing: HashSet<&str> = missing.map(|(planned, _)| &*planned.job.solver).collect();
    let mut digests: HashMap<&str, Option<String>> = HashMap::new();
    each().filter(|(planned, _)| missing.contains(&*planned.job.solver)).find_map(
        |(planned, taken)| {
            let solver = &planned.job.solver;
            let (row, _) = taken.filter(|(row, _)| row.termination != Termination::Skipped)?;
            let before = sessions
                .get(row.session)?
                .start
                .environment
                .solvers
                .get(solver)?
                .digest
                .as_ref()?;
            let now = digests
                .entry(solver)
                .or_insert_with(|| CommandBackend::named(solver)?.identity(permission)?.digest);
            let is_other = now.as_ref().is_some_and(|now| now != before);
            is_other.then(|| (solver.clone(), planned.solver_version.clone()))
        },
    )
}
