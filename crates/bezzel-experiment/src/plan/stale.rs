//! Rows whose clauses an encoding no longer generates.
//!
//! A change of an encoding's clauses must increase its revision, so that its jobs are run again. If the revision was
//! not increased, reports would show results of the old clauses. So for every encoding, one row of the smallest instance
//! is compared with the clauses that the encoding generates now.

use std::collections::HashSet;

use crate::backend::catalog::Catalog;
use crate::backend::{self, PreparedFormula};
use crate::model::job::PlannedJob;
use crate::plan::answering::MatchedRow;

/// Returns the label of an encoding, and the noun and name of an instance, whose measured clauses differ from the present ones.
pub(crate) fn find(
    jobs: &[PlannedJob],
    taken: &[Option<MatchedRow<'_>>],
    catalog: &Catalog,
) -> Option<(String, String)> {
    let mut seen = HashSet::new();
    for (PlannedJob { job, .. }, taken) in jobs.iter().zip(taken) {
        let measured = taken.and_then(|(row, _)| row.clause_digest.as_ref());
        let Some(measured) = measured else { continue };
        if !seen.insert(job.encoding_label()) {
            continue;
        }
        // The revision of a program is a digest itself.
        let Ok(Some(encoding)) = catalog.encoding(job) else { continue };
        let problem = backend::instance_of_formula(job).problem();
        let prepared = PreparedFormula::new(encoding.as_ref(), &problem, &job.numbering);
        if prepared.formula().digest() != *measured {
            let instance = format!("{} {}", job.instance.noun(), job.instance);
            return Some((job.encoding_label(), instance));
        }
    }
    None
}
