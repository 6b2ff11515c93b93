//! A worker process: it runs one job, or checks the proof of one.
//!
//! The worker enforces the job's limits itself, softly, so that a job that runs out of time still reports its effort.
//! The hard limits beyond them, and the kill by the runner, catch processes that do not end by themselves.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use bezzel_encode::{Encoding, NameError};
use bezzel_problem::ProblemFile;
use bezzel_process::{
    ExternalError, HardLimits, SoftLimit, SoftLimits, Watch, cgroup, cores, limits, usage,
};
use bezzel_solve::{Interrupt, OptionError, SessionOptions};
use rustix::io::Errno;
use thiserror::Error;

use crate::backend::catalog::Catalog;
use crate::backend::program::{EncoderPrograms, FindError, ProgramError};
use crate::backend::{Backend, FindBackendError};
use crate::model::job::{BackendKind, Job, Limits, NO_ENCODING, Task};
use crate::model::message::Message;
use crate::model::permission::{NotPermitted, Permission};
use crate::model::row::Termination;
use crate::results::packing;
use crate::worker::assignment::{Assignment, JobPart, ProcessBinding};
use crate::worker::proof::WrittenProof;

mod additions;
mod all;
pub mod assignment;
mod check;
mod measure;
pub mod optimise;
mod optimum;
pub mod proof;
mod solve;

/// An error that keeps a worker from starting or continuing.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WorkError {
    /// The text on stdin is not a job.
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
    /// The solver is not the program that was planned.
    #[error(
        "the solver `{solver}` was changed while the experiment ran: {change}; plan again by running \
         the same command again"
    )]
    Replaced {
        /// The solver.
        solver: String,
        /// A description of the change.
        change: String,
    },
    /// The job names an encoding that this program does not know.
    #[error(transparent)]
    Encoding(#[from] NameError),
    /// The encoding's clauses are not the planned ones: for a program, its output differs.
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
    /// The engine cannot run the job: it reads clauses or a circuit, or does not support the task.
    #[error("the engine `{engine}` cannot do this job: {reason}")]
    Unable {
        /// The engine.
        engine: String,
        /// The reason.
        reason: String,
    },
    /// The job has no formula, but asks for a model or a measurement of one.
    #[error("a job without an encoding has no formula to solve")]
    NothingToSolve,
    /// The limits cannot be enforced.
    #[error(transparent)]
    Limits(#[from] ExternalError),
    /// The planned core is not available.
    #[error("the job cannot be kept on its core: {0}")]
    Core(#[from] Errno),
    /// The runner does not read the messages.
    #[error("cannot report to the runner: {0}")]
    Send(io::Error),
}

/// Does the work that `assignment` describes in JSON, and writes each step to `out`.
///
/// # Errors
///
/// When the assignment cannot be parsed, the encoding is not the planned one, or a message cannot be written.
pub fn work(assignment: &str, catalog: &Catalog, out: &mut dyn Write) -> Result<(), WorkError> {
    let start = Instant::now();
    let mut send = |message: &Message| {
        let mut line = serde_json::to_string(message).expect("a message has string keys only");
        line.push('\n');
        out.write_all(line.as_bytes()).and_then(|()| out.flush()).map_err(WorkError::Send)
    };
    let Assignment { job, file, revision, solver, place, programs, part } =
        serde_json::from_str(assignment)?;
    let permission = if programs { Permission::of_job(&job) } else { Permission::none() };
    permission.refuse(&job)?;
    let catalog = &catalog.with_permission(permission);
    enter(&place)?;
    limits::set_hard_limits(&HardLimits::beyond(job.limits.cpu_s, job.limits.memory_bytes))?;
    read_file(&job, file)?;
    let backend = catalog.backend(&job);
    if let (Some(planned), JobPart::Solve { .. }) = (solver, &part) {
        let same = backend
            .as_ref()
            .ok()
            .and_then(|backend| backend.as_ref()?.program())
            .map_or(Ok(()), |program| program.compare(&planned, &catalog.permission));
        same.map_err(|change| WorkError::Replaced { solver: job.solver.clone(), change })?;
    }
    let encoding = if job.encoding == NO_ENCODING {
        None
    } else {
        match encoding(&job, revision, catalog)? {
            Ok(encoding) => Some(encoding),
            Err(error) => {
                return send(&Message::Failed {
                    stop: error.termination(),
                    note: error.to_string(),
                });
            }
        }
    };
    match part {
        JobPart::Solve { proof, scratch } => {
            let session_options = SessionOptions {
                proof,
                scratch,
                cgroup: place.programs,
                ..SessionOptions::default()
            };
            let permission = &catalog.permission;
            let read = encoding.as_deref();
            if read.is_none() && job.task.backend() != Some(BackendKind::Engine) {
                return Err(WorkError::NothingToSolve);
            }
            match (backend?, read) {
                (Some(solver), Some(read)) if job.task == Task::Solve => solve::solve(
                    &job,
                    solver.as_ref(),
                    read,
                    session_options,
                    permission,
                    &mut send,
                ),
                (Some(solver), Some(read)) if job.task == Task::Optimise => {
                    let solver = solver.as_ref();
                    optimum::optimise(&job, solver, read, session_options, permission, &mut send)
                }
                (Some(engine), read) => {
                    all::all(&job, engine.as_ref(), read, session_options, permission, &mut send)
                }
                (None, Some(read)) => measure::measure(&job, read, &mut send),
                (None, None) => Err(WorkError::NothingToSolve),
            }
        }
        JobPart::Check { proof, format, clause_digest } => {
            let encoding = encoding.ok_or(WorkError::NothingToSolve)?;
            let solver = backend?.ok_or(WorkError::NothingToSolve)?;
            let session_options = SessionOptions {
                budget: Some(solve::left(&job.limits, start)),
                scratch: proof.parent().map(Path::to_owned),
                cgroup: place.programs,
                ..SessionOptions::default()
            };
            let (path, permission) = (proof.as_path(), &catalog.permission);
            let proof =
                WrittenProof { path, format, solver: solver.as_ref(), permission, session_options };
            check::check(&job, encoding.as_ref(), proof, &clause_digest, &mut send)
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

/// Joins the control group and binds the process to its core, before any work.
fn enter(place: &ProcessBinding) -> Result<(), WorkError> {
    if let Some(cgroup) = &place.cgroup {
        cgroup::join(cgroup)?;
    }
    if let Some(core) = place.core {
        cores::pin(core)?;
    }
    Ok(())
}

/// Returns the encoding of a job, or the error of the program that encodes. Such a program has the limits of the job for
/// itself, and the hard limits beyond them.
fn encoding(
    job: &Job,
    planned: u32,
    catalog: &Catalog,
) -> Result<Result<Arc<dyn Encoding>, ProgramError>, WorkError> {
    let settings = job.settings;
    let mut programs = EncoderPrograms::new(&catalog.encodings, job.limits, &catalog.permission);
    let encoding = match programs.find(&job.encoding, settings, &job.instance) {
        Ok(found) => found.on_board(settings),
        Err(FindError::Name(error)) => return Err(error.into()),
        Err(FindError::Program(error)) => return Ok(Err(error)),
    };
    let found = encoding.info().revision;
    if planned != found {
        return Err(WorkError::Unsteady { planned, found });
    }
    Ok(Ok(encoding))
}

/// Returns the limits that the worker enforces itself.
fn soft(limits: &Limits) -> SoftLimits {
    SoftLimits { cpu_s: limits.cpu_s, wall_s: limits.wall_s, memory_bytes: limits.memory_bytes }
}

/// Watches the limits of a job that a backend runs, and raises the interrupt at the first one.
fn watch(job: &Job, backend: &dyn Backend, interrupt: &Interrupt) -> Result<Watch, ExternalError> {
    let mut limits = soft(&job.limits);
    if backend.program().is_some() {
        limits.wall_s += PROGRAM_GRACE_S;
    }
    let raise = interrupt.clone();
    Watch::arm(limits, move |_| raise.raise())
}

/// The time after the wall limit for which a worker waits for its solver program, in seconds. At the limit the program
/// is asked to end. Half a second later it is killed. The runner waits longer than the worker.
const PROGRAM_GRACE_S: f64 = 0.7;

/// Returns the end of a job that reached a limit.
fn at_limit(limit: SoftLimit) -> Termination {
    match limit {
        SoftLimit::Cpu => Termination::CpuLimit,
        SoftLimit::Wall => Termination::WallLimit,
        SoftLimit::Memory => Termination::MemoryLimit,
    }
}

/// The largest resident memory of this process so far, in bytes.
fn peak_bytes() -> Option<u64> {
    usage::memory().ok().map(|memory| memory.peak_bytes)
}
