//! Rows of clauses that an encoding no longer writes.
//!
//! Whoever changes the clauses of an encoding counts its revision up, and is measured anew. Who
//! forgets to would see figures of the old clauses, so of every encoding one row that is already
//! there, of the smallest board, is compared with what the encoding writes now.

use std::collections::HashSet;

use crate::backend::workbench::Workbench;
use crate::backend::{self, Prepared};
use crate::model::job::Planned;
use crate::plan::answering::Taken;

/// The label of an encoding and a board for which other clauses were measured than are written now.
pub(crate) fn find(
    jobs: &[Planned],
    taken: &[Option<Taken<'_>>],
    workbench: &Workbench,
) -> Option<(String, String)> {
    let mut seen = HashSet::new();
    for (Planned { job, .. }, taken) in jobs.iter().zip(taken) {
        let measured = taken.and_then(|(row, _)| row.clause_digest.as_ref());
        let Some(measured) = measured else { continue };
        if !seen.insert(job.encoding_label()) {
            continue;
        }
        // The revision of a program is a digest already.
        let Ok(Some(encoding)) = workbench.encoding(job) else { continue };
        let problem = backend::instance_of_formula(job).problem();
        let prepared = Prepared::new(encoding.as_ref(), &problem, &job.numbering);
        if prepared.formula().digest() != *measured {
            return Some((job.encoding_label(), job.instance.to_string()));
        }
    }
    None
}
