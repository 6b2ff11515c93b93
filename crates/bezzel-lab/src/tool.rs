//! Who does a job: its solver, or its engine. Either may be a program of somebody else's.

use crate::job::{Job, Task};
use crate::solver_program::{Absence, Identity};
use crate::workbench::Workbench;
use crate::{engine, solver_program};

/// The version that the solver or engine of a job has here, if it is here. A program is asked for it.
pub fn version(job: &Job, workbench: &Workbench) -> Option<String> {
    if job.task == Task::First {
        let solver = solver_program::find(&workbench.solvers, &job.solver).ok()?;
        return Some(solver.card().version);
    }
    let engine = engine::find(&workbench.engines, &job.solver).ok()?;
    Some(engine.card().version)
}

/// Whether the job is done by a program.
pub fn needs_program(job: &Job) -> bool {
    match job.task {
        Task::First => solver_program::needs_program(&job.solver),
        _ => engine::needs_program(&job.solver),
    }
}

/// Why the job's program cannot be run, if it is not installed.
pub fn absence(job: &Job) -> Option<Absence> {
    match job.task {
        Task::First => solver_program::absence(&job.solver),
        _ => engine::absence(&job.solver),
    }
}

/// Which program does the job here, if one does and is installed.
pub fn identity(job: &Job) -> Option<Identity> {
    match job.task {
        Task::First => solver_program::identity(&job.solver),
        _ => engine::identity(&job.solver),
    }
}

/// Looks whether the job's program is still the planned one.
///
/// # Errors
///
/// When it is another, or there no more; with what has changed, in words.
pub fn compare(job: &Job, planned: &Identity) -> Result<(), String> {
    match job.task {
        Task::First => solver_program::compare(&job.solver, planned),
        _ => engine::compare(&job.solver, planned),
    }
}
