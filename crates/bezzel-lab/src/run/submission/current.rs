//! Whether this program, on this machine, measures what was planned elsewhere.

use std::collections::HashSet;

use thiserror::Error;

use super::Submission;
use crate::backend::workbench::Workbench;
use crate::model::job::Planned;

/// Something here is another than was planned: rows of both must not be mixed.
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
    /// Refuses jobs whose encodings, solvers or engines are others here than where they were planned.
    /// Programs that encode are not asked: their output is held against the plan when it is measured.
    ///
    /// # Errors
    ///
    /// When something is; with what it is.
    pub fn refuse_outdated(&self, jobs: &[Planned], workbench: &Workbench) -> Result<(), Outdated> {
        let (mut encodings, mut solvers) = (HashSet::new(), HashSet::new());
        for planned in jobs {
            let job = &planned.job;
            if encodings.insert((&job.encoding, job.settings, planned.encoding_revision)) {
                refuse_other_encoding(planned, workbench)?;
            }
            if solvers.insert((&job.solver, job.task, &planned.solver_version)) {
                self.refuse_other_solver(planned, workbench)?;
            }
        }
        Ok(())
    }

    fn refuse_other_solver(
        &self,
        planned: &Planned,
        workbench: &Workbench,
    ) -> Result<(), Outdated> {
        let Planned { job, solver_version, .. } = planned;
        let here = workbench.version(job).unwrap_or_else(|| "not there".into());
        if here != *solver_version {
            let what = format!("`{}`", job.solver);
            return Err(Outdated { what, here, planned: solver_version.clone() });
        }
        let Some(frozen) = self.told.programs.get(&job.solver) else { return Ok(()) };
        let here = workbench.identity(job).and_then(|program| program.digest).unwrap_or_default();
        if here == *frozen {
            return Ok(());
        }
        let what = format!("the file of `{}`", job.solver);
        Err(Outdated { what, here, planned: frozen.clone() })
    }
}

fn refuse_other_encoding(planned: &Planned, workbench: &Workbench) -> Result<(), Outdated> {
    let Planned { job, encoding_revision, .. } = planned;
    let here = match workbench.encoding(job) {
        Ok(None) => return Ok(()),
        Ok(Some(encoding)) if encoding.card().revision == *encoding_revision => return Ok(()),
        Ok(Some(encoding)) => format!("revision {}", encoding.card().revision),
        Err(_) => "not there".to_owned(),
    };
    let what = format!("the encoding `{}`", job.encoding);
    Err(Outdated { what, here, planned: format!("revision {encoding_revision}") })
}
