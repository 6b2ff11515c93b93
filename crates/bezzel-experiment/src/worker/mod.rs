//! The pipeline of a job: encode, measure or solve, decode, check.
//!
//! [`work`] serves every command. A [worker process](process) does one job of a runner under limits, and sends each
//! message. A command whose own process is within limits calls it [there](crate::run::local).
//!
//! The worker process enforces the job's limits itself, softly, so that a job that runs out of time still reports its effort.
//! The hard limits beyond them, and the kill by the runner, catch processes that do not end by themselves.

use std::io;
use std::ops::ControlFlow;

use bezzel_encode::{Encoding, NameError};
use bezzel_problem::Candidate;
use bezzel_process::{ExternalError, SoftLimit, SoftLimits, Watch, usage};
use bezzel_solve::{Answer, Interrupt, OptionError, Session, SessionOptions};
use rustix::io::Errno;
use thiserror::Error;

use crate::backend::{Backend, FindBackendError, NumberedFormula};
use crate::model::job::{BackendKind, Job, Limits, Task};
use crate::model::message::Message;
use crate::model::permission::{NotPermitted, Permission};
use crate::model::row::Termination;

mod additions;
mod all;
mod from_file;
mod measure;
mod optimise;
pub mod process;
pub mod proof;
mod solve;

/// A part of the pipeline that begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The first pass over the clauses.
    Generating,
    /// The second pass, into the solver or the engine.
    Loading,
    /// The search.
    Searching,
    /// The checks of the answer.
    Checking,
}

/// The receiver of the results of a job.
pub trait JobObserver {
    /// Receives the result of a step that has ended.
    ///
    /// # Errors
    ///
    /// When the job shall end, since its results are not read.
    fn message(&mut self, message: Message) -> Result<(), WorkError>;

    /// Learns that a step begins.
    fn begins(&mut self, _step: Step) {}

    /// Receives a solution of a list: the chosen candidates, in any order.
    fn found(&mut self, _chosen: &[Candidate]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Learns the answer of a solver while its session lasts, which has the values of all variables or the proof.
    ///
    /// # Errors
    ///
    /// When the job shall end.
    fn answered(
        &mut self,
        _answer: Answer,
        _formula: &NumberedFormula<'_>,
        _session: &mut dyn Session,
    ) -> Result<(), WorkError> {
        Ok(())
    }
}

/// A job with the values that its names stand for.
#[derive(Clone, Copy)]
pub struct ResolvedJob<'a> {
    /// The job.
    pub job: &'a Job,
    /// The encoding with its settings, if the job has one.
    pub encoding: Option<&'a dyn Encoding>,
    /// The solver or the engine, if the job has one.
    pub backend: Option<&'a dyn Backend>,
    /// The programs that it may start.
    pub permission: &'a Permission,
    /// The candidates to which the solutions are projected, if not to all.
    pub projection: Option<&'a [Candidate]>,
    /// True if the job enforces its limits of time and memory itself, by a thread of this process.
    pub is_watched: bool,
    /// True if this process ends after the job. Memory is not freed then, since that would count as time of the job.
    pub ends_process: bool,
}

/// Does a job, and passes the result of each step to `observer`.
///
/// # Errors
///
/// When the job cannot be done, or its observer ends it.
pub fn work(
    resolved: &ResolvedJob<'_>,
    session_options: SessionOptions,
    observer: &mut dyn JobObserver,
) -> Result<(), WorkError> {
    let ResolvedJob { job, encoding, backend, .. } = *resolved;
    observer.begins(Step::Generating);
    match (backend, encoding, job.task) {
        (Some(solver), Some(read), Task::Solve) => {
            solve::solve(resolved, (solver, read), session_options, observer)
        }
        (Some(solver), Some(read), Task::Optimise) => {
            optimise::optimise(resolved, (solver, read), session_options, observer)
        }
        (Some(engine), _, _) if job.task.backend() == Some(BackendKind::Engine) => {
            all::all(resolved, engine, session_options, observer)
        }
        (None, Some(read), _) => measure::measure(job, read, observer),
        _ => Err(WorkError::NothingToSolve),
    }
}

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

/// Returns the limits that the worker enforces itself.
fn soft(limits: &Limits) -> SoftLimits {
    SoftLimits { cpu_s: limits.cpu_s, wall_s: limits.wall_s, memory_bytes: limits.memory_bytes }
}

/// The watch over the limits of a job that a backend runs.
struct JobWatch(Option<Watch>);

impl JobWatch {
    /// Watches the limits, and raises the interrupt at the first one. A job that another process watches has none.
    fn arm(
        resolved: &ResolvedJob<'_>,
        backend: &dyn Backend,
        interrupt: &Interrupt,
    ) -> Result<Self, ExternalError> {
        if !resolved.is_watched {
            return Ok(Self(None));
        }
        let mut limits = soft(&resolved.job.limits);
        if backend.program().is_some() {
            limits.wall_s += PROGRAM_GRACE_S;
        }
        let raise = interrupt.clone();
        Ok(Self(Some(Watch::arm(limits, move |_| raise.raise())?)))
    }

    /// True if a limit was reached.
    fn is_hit(&self) -> bool {
        self.0.as_ref().is_some_and(|watch| watch.hit().is_some())
    }

    /// Ends the watch. Returns the end of the job at a limit, and otherwise `stop`.
    fn disarm_or(self, stop: Termination) -> Termination {
        self.0.and_then(Watch::disarm).map_or(stop, at_limit)
    }
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
