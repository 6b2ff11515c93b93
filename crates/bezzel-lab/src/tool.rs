//! Who does a job: its solver, or its engine, if it needs one. Either may be a program of somebody
//! else's.

use crate::job::{Doer, Job};
use crate::measure::MEASUREMENT;
use crate::permission::Permission;
use crate::solver_program::{Absence, Identity};
use crate::workbench::Workbench;
use crate::{engine, solver_program};

/// The version that the solver or engine of a job has here, if it is here. A program is asked for it if
/// it may be started, and has none if not.
pub fn version(job: &Job, workbench: &Workbench) -> Option<String> {
    if needs_program(job) {
        workbench.permission.refuse(job).ok()?;
    }
    Some(match job.task.doer() {
        Doer::Solver => workbench.solver(&job.solver).ok()?.card().version,
        Doer::Engine => workbench.engine(&job.solver).ok()?.card().version,
        Doer::Nobody => MEASUREMENT.to_owned(),
    })
}

/// Whether the job is done by a program.
pub fn needs_program(job: &Job) -> bool {
    match job.task.doer() {
        Doer::Solver => solver_program::needs_program(&job.solver),
        Doer::Engine => engine::needs_program(&job.solver),
        Doer::Nobody => false,
    }
}

/// Why the job's program cannot be run, if it is not installed.
pub fn absence(job: &Job, permission: &Permission) -> Option<Absence> {
    match job.task.doer() {
        Doer::Solver => solver_program::absence(&job.solver),
        Doer::Engine => engine::absence(&job.solver, permission),
        Doer::Nobody => None,
    }
}

/// Which program does the job here, if one does, is installed and may be started.
pub fn identity(job: &Job, permission: &Permission) -> Option<Identity> {
    match job.task.doer() {
        Doer::Solver => solver_program::identity(&job.solver, permission),
        Doer::Engine => engine::identity(&job.solver, permission),
        Doer::Nobody => None,
    }
}

/// Looks whether the job's program is still the planned one.
///
/// # Errors
///
/// When it is another, or there no more; with what has changed, in words.
pub fn compare(job: &Job, planned: &Identity, permission: &Permission) -> Result<(), String> {
    match job.task.doer() {
        Doer::Solver => solver_program::compare(&job.solver, planned, permission),
        Doer::Engine => engine::compare(&job.solver, planned, permission),
        Doer::Nobody => Ok(()),
    }
}
