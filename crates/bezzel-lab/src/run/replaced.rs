//! Solvers that were replaced by another program that bears the same version.
//!
//! A program's version is part of every key, so that another version is measured anew. What calls
//! itself the same, such as a solver that was built again from changed sources, would be pooled with
//! the rows of the one before; its file's digest, which each session has, tells the two apart.

use std::collections::{HashMap, HashSet};

use crate::backend::Command;
use crate::model::environment::Environment;
use crate::model::job::Planned;
use crate::model::permission::Permission;
use crate::model::row::Stop;
use crate::plan::answering::Taken;

/// A solver with jobs that are still to be run, and its version, whose rows here were measured with
/// another file of the same version.
pub(crate) fn find(
    jobs: &[Planned],
    taken: &[Option<Taken<'_>>],
    sessions: &[Environment],
    permission: &Permission,
) -> Option<(String, String)> {
    let each = || jobs.iter().zip(taken);
    let missing = each().filter(|(_, taken)| !taken.is_some_and(|(_, fit)| fit.answers()));
    let missing: HashSet<&str> = missing.map(|(planned, _)| &*planned.job.solver).collect();
    let mut digests: HashMap<&str, Option<String>> = HashMap::new();
    each().filter(|(planned, _)| missing.contains(&*planned.job.solver)).find_map(
        |(planned, taken)| {
            let solver = &planned.job.solver;
            let (row, _) = taken.filter(|(row, _)| row.stop != Stop::Skipped)?;
            let before = sessions.get(row.session)?.solvers.get(solver)?.digest.as_ref()?;
            let now = digests
                .entry(solver)
                .or_insert_with(|| Command::named(solver)?.identity(permission)?.digest);
            let is_other = now.as_ref().is_some_and(|now| now != before);
            is_other.then(|| (solver.clone(), planned.solver_version.clone()))
        },
    )
}
