//! A worker: one job, or the proof of one, in a process of its own.
//!
//! The worker keeps the job's limits itself, softly, so that a job out of time still tells its
//! effort; the fences a second further out, and the runner's kill, are for what goes astray.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use bezzel_encode::{Encoding, NameError};
use bezzel_external::cores::CoresError;
use bezzel_external::{
    ExternalError, Fences, Limit, SoftLimits, Watch, cgroup, cores, limits, usage,
};
use bezzel_problem::ProblemFile;
use bezzel_solve::{Interrupt, OptionError, Terms};
use thiserror::Error;

use crate::backend::program::{FindError, ProgramError, Programs};
use crate::backend::workbench::Workbench;
use crate::backend::{Backend, FindBackendError};
use crate::model::job::{BackendKind, Job, Limits, NO_ENCODING, Task};
use crate::model::message::Message;
use crate::model::permission::{NotPermitted, Permission};
use crate::model::row::Stop;
use crate::results::packing;
use crate::worker::assignment::{Assignment, Part, Place};

mod additions;
mod all;
pub mod assignment;
mod check;
mod measure;
pub mod proof;
mod solve;

/// Why a worker could not begin or go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WorkError {
    /// What came on stdin is no job.
    #[error("cannot read the job: {0}")]
    Job(#[from] serde_json::Error),
    /// The file that the job's instance names cannot be read.
    #[error("cannot read the file `{name}`: {error}")]
    File {
        /// The name of the file.
        name: String,
        /// The reason.
        error: String,
    },
    /// The job names a program that may not be started.
    #[error(transparent)]
    NotPermitted(#[from] NotPermitted),
    /// The job names a solver or an engine that this program does not know.
    #[error(transparent)]
    Backend(#[from] FindBackendError),
    /// The solver is another program than was planned.
    #[error(
        "the solver `{solver}` was changed while the experiment ran: {change}; plan again by running \
         the same command again"
    )]
    Replaced {
        /// The solver.
        solver: String,
        /// What has changed.
        change: String,
    },
    /// The job names an encoding that this program does not know.
    #[error(transparent)]
    Encoding(#[from] NameError),
    /// The encoding's clauses are not those that were planned: of a program, what it prints.
    #[error(
        "the encoding is of revision {found}, and was planned as {planned}: a program that encodes \
         must print the same clauses every time; if it was changed meanwhile, plan again by \
         running the same command again"
    )]
    Unsteady {
        /// The revision in the plan.
        planned: u32,
        /// The revision here.
        found: u32,
    },
    /// The job has options that the solver does not have.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// The engine reads clauses or a circuit, or cannot do what is asked.
    #[error("the engine `{engine}` cannot do this job: {reason}")]
    Unable {
        /// The engine.
        engine: String,
        /// Why not.
        reason: String,
    },
    /// The job has no formula, and asks for a model or a measure of one.
    #[error("a job without an encoding has no formula to solve")]
    NothingToSolve,
    /// The limits cannot be kept.
    #[error(transparent)]
    Limits(#[from] ExternalError),
    /// The core that was planned cannot be had.
    #[error(transparent)]
    Core(#[from] CoresError),
    /// Nobody listens.
    #[error("cannot tell the runner: {0}")]
    Tell(io::Error),
}

/// Does the work that `assignment` describes in JSON, and tells each step on `out`.
///
/// # Errors
///
/// When the assignment cannot be understood, the encoding is another than planned, or the runner
/// cannot be told.
pub fn work(assignment: &str, workbench: &Workbench, out: &mut dyn Write) -> Result<(), WorkError> {
    let mut tell = |message: &Message| {
        let mut line = serde_json::to_string(message).expect("a message has string keys only");
        line.push('\n');
        out.write_all(line.as_bytes()).and_then(|()| out.flush()).map_err(WorkError::Tell)
    };
    let Assignment { job, file, revision, solver, place, programs, part } =
        serde_json::from_str(assignment)?;
    let permission = if programs { Permission::of_job(&job) } else { Permission::none() };
    permission.refuse(&job)?;
    let workbench = &workbench.permitting(permission);
    enter(&place)?;
    read_file(&job, file)?;
    let backend = workbench.backend(&job);
    if let (Some(planned), Part::Solve { .. }) = (solver, &part) {
        let same = backend
            .as_ref()
            .ok()
            .and_then(|backend| backend.as_ref()?.program())
            .map_or(Ok(()), |program| program.compare(&planned, &workbench.permission));
        same.map_err(|change| WorkError::Replaced { solver: job.solver.clone(), change })?;
    }
    let encoding = if job.encoding == NO_ENCODING {
        None
    } else {
        match encoding(&job, revision, workbench)? {
            Ok(encoding) => Some(encoding),
            Err(error) => {
                return tell(&Message::Failed { stop: error.stop(), note: error.to_string() });
            }
        }
    };
    limits::enter(&Fences::beyond(job.limits.cpu_s, job.limits.memory_bytes))?;
    match part {
        Part::Solve { proof, scratch } => {
            let terms = Terms { proof, scratch, cgroup: place.programs, ..Terms::default() };
            let permission = &workbench.permission;
            let read = encoding.as_deref();
            if read.is_none() && job.task.backend() != Some(BackendKind::Engine) {
                return Err(WorkError::NothingToSolve);
            }
            match (backend?, read) {
                (Some(solver), Some(read)) if job.task == Task::First => {
                    solve::solve(&job, solver.as_ref(), read, terms, permission, &mut tell)
                }
                (Some(engine), read) => {
                    all::all(&job, engine.as_ref(), read, terms, permission, &mut tell)
                }
                (None, Some(read)) => measure::measure(&job, read, &mut tell),
                (None, None) => Err(WorkError::NothingToSolve),
            }
        }
        Part::Check { proof, format, clause_digest } => {
            let encoding = encoding.ok_or(WorkError::NothingToSolve)?;
            check::check(&job, encoding.as_ref(), &proof, format, &clause_digest, &mut tell)
        }
    }
}

/// Reads the file that the job's instance names, if it names one.
fn read_file(job: &Job, path: Option<PathBuf>) -> Result<(), WorkError> {
    let Some(file) = job.instance.file() else { return Ok(()) };
    let refused = |error: String| WorkError::File { name: file.name().to_owned(), error };
    let path = path.ok_or_else(|| {
        refused(format!(
            "no file of the config has the digest {}: bring the file back, or plan the jobs again",
            file.digest()
        ))
    })?;
    let bytes = packing::read_whole(&path).map_err(|error| refused(error.to_string()))?;
    let found = ProblemFile::read(file.name(), Some(path), bytes);
    found.and_then(|found| file.refuse_other(&found)).map_err(|error| refused(error.to_string()))
}

/// Goes where the work is to be done, before any of it.
fn enter(place: &Place) -> Result<(), WorkError> {
    if let Some(cgroup) = &place.cgroup {
        cgroup::join(cgroup)?;
    }
    if let Some(core) = place.core {
        cores::pin(core)?;
    }
    Ok(())
}

/// The encoding of a job, or how the program that encodes failed. A program has the limits of the
/// job, and runs before them, outside its fences.
fn encoding(
    job: &Job,
    planned: u32,
    workbench: &Workbench,
) -> Result<Result<Arc<dyn Encoding>, ProgramError>, WorkError> {
    let settings = job.settings;
    let mut programs = Programs::new(&workbench.encodings, job.limits, &workbench.permission);
    let encoding = match programs.find(&job.encoding, settings, &job.instance) {
        Ok(found) => found.on_board(settings),
        Err(FindError::Name(error)) => return Err(error.into()),
        Err(FindError::Program(error)) => return Ok(Err(error)),
    };
    let found = encoding.card().revision;
    if planned != found {
        return Err(WorkError::Unsteady { planned, found });
    }
    Ok(Ok(encoding))
}

/// The limits that the worker keeps itself.
fn soft(limits: &Limits) -> SoftLimits {
    SoftLimits { cpu_s: limits.cpu_s, wall_s: limits.wall_s, memory_bytes: limits.memory_bytes }
}

/// Watches the limits of a job that a backend does, and raises the interrupt at the first.
fn watch(job: &Job, backend: &dyn Backend, interrupt: &Interrupt) -> Result<Watch, ExternalError> {
    let mut limits = soft(&job.limits);
    if backend.program().is_some() {
        limits.wall_s += PROGRAM_GRACE_S;
    }
    let raise = interrupt.clone();
    Watch::arm(limits, move |_| raise.raise())
}

/// The seconds after the wall limit for which a worker waits for its solver program. At the limit the program is asked
/// to end. Half a second later it is killed. The runner waits longer than the worker.
const PROGRAM_GRACE_S: f64 = 0.7;

/// The end of a job that met a limit.
fn at_limit(limit: Limit) -> Stop {
    match limit {
        Limit::Cpu => Stop::CpuLimit,
        Limit::Wall => Stop::WallLimit,
        Limit::Memory => Stop::MemoryLimit,
    }
}

/// The largest resident memory of this process so far, in bytes.
fn peak_bytes() -> Option<u64> {
    usage::memory().ok().map(|memory| memory.peak_bytes)
}
