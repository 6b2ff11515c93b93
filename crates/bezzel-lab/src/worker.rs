//! A worker: one job, in a process of its own.
//!
//! The worker keeps the job's limits itself, softly, so that a job out of time still tells its
//! effort; the fences a second further out, and the runner's kill, are for what goes astray.

use std::io::{self, Write};
use std::mem;

use bezzel_encode::{ClauseSink, Digest, Lit, NameError, Tally, Tee, UnknownId, VarRange};
use bezzel_external::{ExternalError, Fences, Limit, SoftLimits, Watch, limits, usage};
use bezzel_solve::{Answer, Interrupt, OptionError};
use thiserror::Error;

use crate::job::{Job, Limits};
use crate::message::Message;
use crate::program::{FindError, Programs};
use crate::row::{FormulaSize, Stop};
use crate::workbench::Workbench;

/// Why a worker could not begin or go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WorkError {
    /// What came on stdin is no job.
    #[error("cannot read the job: {0}")]
    Job(#[from] serde_json::Error),
    /// The job names a solver that this program does not know.
    #[error(transparent)]
    Unknown(#[from] UnknownId),
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
    /// The limits cannot be kept.
    #[error(transparent)]
    Limits(#[from] ExternalError),
    /// Nobody listens.
    #[error("cannot tell the runner: {0}")]
    Tell(io::Error),
}

/// Does the job that `job` describes in JSON, and tells each step on `out`. With `revision`, the
/// encoding must be of that one.
///
/// # Errors
///
/// When the job cannot be understood, the encoding is another than planned, or the runner cannot be
/// told.
pub fn work(
    job: &str,
    revision: Option<u32>,
    workbench: &Workbench,
    out: &mut dyn Write,
) -> Result<(), WorkError> {
    let mut tell = |message: &Message| {
        let mut line = serde_json::to_string(message).expect("a message has string keys only");
        line.push('\n');
        out.write_all(line.as_bytes()).and_then(|()| out.flush()).map_err(WorkError::Tell)
    };
    let job: Job = serde_json::from_str(job)?;
    let solver = workbench.solvers.find(&job.solver)?;
    let settings = job.settings();
    // A program has the limits of the job, and runs before them, outside its fences.
    let mut programs = Programs::new(&workbench.encodings, job.limits);
    let encoding = match programs.find(&job.encoding, settings, &job.board) {
        Ok(found) => found.on_board(settings),
        Err(FindError::Name(error)) => return Err(error.into()),
        Err(FindError::Program(error)) => {
            return tell(&Message::Failed { stop: error.stop(), note: error.to_string() });
        }
    };
    let found = encoding.card().revision;
    if let Some(planned) = revision.filter(|&planned| planned != found) {
        return Err(WorkError::Unsteady { planned, found });
    }
    limits::enter(&Fences::beyond(job.limits.cpu_s, job.limits.memory_bytes))?;

    let interrupt = Interrupt::default();
    let (raise, stop_loading) = (interrupt.clone(), interrupt.clone());
    let watch = Watch::arm(soft(&job.limits), move |_| raise.raise())?;

    // First pass: how large is it? Renaming must know the number of variables.
    let start = usage::thread_cpu_s();
    let mut tally = Tally::new();
    let layout = encoding.encode(&job.board, &mut tally);
    let generate_cpu_s = usage::thread_cpu_s() - start;
    let (variables, primary) = (tally.variables(), tally.primary());
    tell(&Message::Measured { formula: formula_size(tally), generate_cpu_s })?;

    // Second pass: the same clauses, into the solver.
    let mut session = solver.open(&job.options, interrupt)?;
    let start = usage::thread_cpu_s();
    let images = job.numbering.images(variables, &layout);
    session.set_primary(&mut images.range(0..primary));
    let sink = Tee(Digest::new(), session.as_mut());
    let mut sink = UntilRaised { interrupt: &stop_loading, sink };
    job.numbering.encode(encoding.as_ref(), &job.board, &images, &mut sink);
    let clause_digest = sink.sink.0.finish();

    if watch.hit().is_none() {
        tell(&Message::Loaded { clause_digest, load_cpu_s: usage::thread_cpu_s() - start })?;
        let start = usage::thread_cpu_s();
        let answer = session.solve();
        let solve_cpu_s = usage::thread_cpu_s() - start;
        let queens = (answer == Answer::Sat)
            .then(|| layout.decode(|lit| session.holds(images.of(lit))).squares().collect());
        tell(&Message::Solved { answer, queens, solve_cpu_s, effort: session.effort() })?;
    }

    // The process ends here; giving every clause back first would be counted as the job's time.
    mem::forget((session, layout, images));
    let stop = match watch.disarm() {
        None => Stop::Finished,
        Some(Limit::Cpu) => Stop::CpuLimit,
        Some(Limit::Wall) => Stop::WallLimit,
        Some(Limit::Memory) => Stop::MemoryLimit,
    };
    let memory_peak_bytes = usage::memory().ok().map(|memory| memory.peak_bytes);
    tell(&Message::Ended { stop, memory_peak_bytes })
}

/// Hands clauses on until a limit is passed: a formula too large for its limit must not fill the
/// memory up to the fence. What is loaded then is no formula, and is not solved.
struct UntilRaised<'a, S> {
    interrupt: &'a Interrupt,
    sink: S,
}

impl<S: ClauseSink> ClauseSink for UntilRaised<'_, S> {
    fn fresh(&mut self, count: u32) -> VarRange {
        self.sink.fresh(count)
    }

    #[inline]
    fn clause(&mut self, lits: &[Lit]) {
        if !self.interrupt.is_raised() {
            self.sink.clause(lits);
        }
    }
}

/// The limits that the worker keeps itself.
fn soft(limits: &Limits) -> SoftLimits {
    SoftLimits { cpu_s: limits.cpu_s, wall_s: limits.wall_s, memory_bytes: limits.memory_bytes }
}

fn formula_size(tally: Tally) -> FormulaSize {
    let (size, primary) = (tally.size(), tally.primary());
    let whole = |number| u64::try_from(number).expect("counted one by one");
    FormulaSize {
        variables: whole(size.variables),
        primary: primary.into(),
        clauses: whole(size.clauses),
        literals: whole(size.literals),
        sections: tally.into_sections(),
    }
}
