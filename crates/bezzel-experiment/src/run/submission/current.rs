//! The check that this program on this machine measures the planned jobs.

use std::collections::HashSet;

use thiserror::Error;

use super::Submission;
use crate::backend::catalog::Catalog;
use crate::model::job::PlannedJob;

/// A difference from the plan. Rows of both must not be mixed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{what} is {here} here, and the jobs were planned for {planned}: install what they were planned \
     for, or submit again with this one"
)]
pub struct Outdated {
    what: String,
    here: String,
    planned: String,
}

impl Submission {
    /// Refuses jobs whose encodings, solvers or engines differ here from the planned ones. Programs that encode are not
    /// started: the worker compares their output with the plan.
    ///
    /// # Errors
    ///
    /// When one differs.
    pub fn refuse_outdated(&self, jobs: &[PlannedJob], catalog: &Catalog) -> Result<(), Outdated> {
        let (mut encodings, mut solvers) = (HashSet::new(), HashSet::new());
        for planned in jobs {
            let job = &planned.job;
            if encodings.insert((&job.encoding, job.settings, planned.encoding_revision)) {
                refuse_other_encoding(planned, catalog)?;
            }
            if solvers.insert((&job.solver, job.task, &planned.solver_version)) {
                self.refuse_other_solver(planned, catalog)?;
            }
        }
        Ok(())
    }

    fn refuse_other_solver(&self, planned: &PlannedJob, catalog: &Catalog) -> Result<(), Outdated> {
        let PlannedJob { job, solver_version, .. } = planned;
        let here = catalog.version(job).unwrap_or_else(|| "not there".into());
        if here != *solver_version {
            let what = format!("`{}`", job.solver);
            return Err(Outdated { what, here, planned: solver_version.clone() });
        }
        let Some(frozen) = self.content.programs.get(&job.solver) else { return Ok(()) };
        let here = catalog.identity(job).and_then(|program| program.digest).unwrap_or_default();
        if here == *frozen {
            return Ok(());
        }
        let what = format!("the file of `{}`", job.solver);
        Err(Outdated { what, here, planned: frozen.clone() })
    }
}

fn refuse_other_encoding(planned: &PlannedJob, catalog: &Catalog) -> Result<(), Outdated> {
    let PlannedJob { job, encoding_revision, .. } = planned;
    let here = match catalog.encoding(job) {
        Ok(None) => return Ok(()),
        Ok(Some(encoding)) if encoding.info().revision == *encoding_revision => return Ok(()),
        Ok(Some(encoding)) => format!("revision {}", encoding.info().revision),
        Err(_) => "not there".to_owned(),
    };
    let what = format!("the encoding `{}`", job.encoding);
    Err(Outdated { what, here, planned: format!("revision {encoding_revision}") })
}
