//! Backends: the solvers, engines and programs that do the tasks of jobs.
//!
//! A backend finds one solution of a formula, or all solutions of an instance, or their number: see its
//! [`Capabilities`]. It is linked (a solver, an enumerator, a diagram, a search), or it is a program with a
//! [command line](command). Some read clauses, some read the circuit of an encoding, some read the instance alone. To
//! add one, implement [`Backend`] in a file of its own and add its line to [`Backends::standard`]. A plug-in adds its
//! own to the backends of the [`Catalog`](catalog::Catalog).

use std::borrow::Cow;
use std::fmt;
use std::ops::{ControlFlow, RangeInclusive};

use bezzel_count::{Budget, Halt};
use bezzel_encode::{Encoding, Unsupported};
use bezzel_problem::{Candidate, Instance};
use bezzel_solve::{
    BackendInfo, Effort, GivenCandidates, Interrupt, OptionError, OptionValue, Options,
    ProofFormat, Session, SessionOptions, SolverError, Switch, Usage,
};
use num_bigint::BigUint;
use serde::Serialize;
use thiserror::Error;

use crate::model::all_solutions::DiagramSize;
use crate::model::job::{BackendKind, Job, Task};
use crate::model::permission::Permission;

pub mod catalog;
mod clauses;
pub mod command;
pub mod fit;
mod formula;
pub mod program;
pub mod shape_check;
pub(crate) mod supervised;

pub use catalog::{Backends, FindBackendError};
pub use command::CommandBackend;
pub use formula::{NumberedFormula, PreparedFormula};

/// A solver, an engine, or a program that is one of the two.
pub trait Backend: Send + Sync {
    /// Returns id, title, version and source. No process is started, so the version of a program is not known.
    fn info(&self) -> BackendInfo;

    /// The tasks that it can do.
    fn capabilities(&self) -> Capabilities;

    /// The part of a job that it reads.
    fn reads(&self) -> InputKind {
        InputKind::Clauses
    }

    /// Returns the options of a run: its own, replaced by those in `options`. A row records them. A backend without
    /// options of its own accepts none.
    ///
    /// # Errors
    ///
    /// When an option is unknown or its value is impossible.
    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        let unknown = |option: &String| Err(OptionError::unknown(&self.info().id, option, [""; 0]));
        options.keys().next().map_or_else(|| Ok(Options::new()), unknown)
    }

    /// Returns the switches of techniques that can outweigh an encoding. Each switch is an option of its own.
    fn switches(&self) -> Vec<Switch> {
        Vec::new()
    }

    /// True if it takes at-most-one constraints whole.
    fn takes_cardinality(&self) -> bool {
        false
    }

    /// The format of the proofs of "no solution" that it can write, if it writes any.
    fn proof_format(&self) -> Option<ProofFormat> {
        None
    }

    /// The program that does its work, if it is one.
    fn program(&self) -> Option<&CommandBackend> {
        None
    }

    /// Refuses an instance, or the encoding of one, that it cannot read.
    ///
    /// # Errors
    ///
    /// The reason, and an alternative that fits.
    fn fits(
        &self,
        _instance: &Instance,
        _encoding: Option<&dyn Encoding>,
    ) -> Result<(), Unsupported> {
        Ok(())
    }

    /// Opens a session that finds one solution. Called only where the capabilities include it.
    ///
    /// # Errors
    ///
    /// As [`settings`](Self::settings), and when the proof cannot be written.
    fn open(
        &self,
        _options: &Options,
        _terms: &SessionOptions,
        _permission: &Permission,
    ) -> Result<Box<dyn Session>, OptionError> {
        unreachable!("`{}` cannot solve", self.info().id)
    }

    /// Answers a query on all solutions, and shows each solution to `observer` if they are to be listed.
    /// Called only where the capabilities include the query.
    ///
    /// # Errors
    ///
    /// When the run does not come to its end.
    fn run(
        &self,
        _question: &QueryInput<'_>,
        _conditions: &Conditions<'_>,
        _observer: &mut dyn Observer,
    ) -> Result<BackendResult, BackendError> {
        unreachable!("`{}` cannot count", self.info().id)
    }
}

impl dyn Backend + '_ {
    /// The permanent name.
    pub fn name(&self) -> String {
        self.info().id
    }

    /// The kind under which it is named and listed.
    pub fn kind(&self) -> BackendKind {
        if self.capabilities().solves { BackendKind::Solver } else { BackendKind::Engine }
    }

    /// The version. A program is started to print it, if this is permitted.
    pub fn version(&self, permission: &Permission) -> String {
        let program = self.program();
        program.map_or_else(|| self.info().version, |program| program.version(permission))
    }
}

impl fmt::Debug for dyn Backend + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// The part of a job that a backend reads. The axes that it does not read are not varied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum InputKind {
    /// The instance alone.
    Instance,
    /// The circuit of the encoding, or its clauses if it has no auxiliary variables.
    Circuit,
    /// The formula as it is generated, under any numbering. No backend reads this; a task that measures a formula
    /// does.
    Formula,
    /// The clauses of the encoding, in their numbering.
    Clauses,
}

/// The tasks that a backend can do. One that lists solutions can count them by listing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "any of them goes with any other")]
pub struct Capabilities {
    /// Finds one solution. Solvers are listed separately from engines, so lists leave it out.
    #[serde(skip)]
    pub solves: bool,
    /// Shows every solution.
    pub lists: bool,
    /// Counts solutions without showing any.
    pub counts: bool,
    /// Counts the models of a formula, auxiliary variables included.
    pub models: bool,
}

impl Capabilities {
    /// Returns the reason that an engine cannot do a task.
    pub(crate) fn lack(task: Task) -> &'static str {
        match task {
            Task::Solve | Task::Optimise => "one solution is the task of solvers",
            Task::Enumerate => "it counts solutions without showing any",
            Task::Count => "it counts no solutions, and shows none",
            Task::Models => "it finds solutions and no models",
            Task::Size | Task::Propagate => "a measurement needs no engine",
        }
    }

    /// The capabilities of a solver: it finds one solution, and does nothing else.
    pub const SOLVER: Self = Self { solves: true, lists: false, counts: false, models: false };

    /// Returns the query that does a task; none if no capability suffices, or if the task finds one solution.
    pub fn query(self, task: Task) -> Option<Query> {
        let list = self.lists.then_some(Query::List);
        match task {
            Task::Solve | Task::Optimise | Task::Size | Task::Propagate => None,
            Task::Enumerate => list,
            Task::Count => self.counts.then_some(Query::Count).or(list),
            Task::Models => self.models.then_some(Query::Models),
        }
    }
}

/// A question on all solutions, which the [capabilities](Backend::capabilities) must include.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Query {
    /// Every solution is shown once.
    List,
    /// The number of solutions.
    Count,
    /// The number of models of the formula.
    Models,
}

/// The option of an engine for the number of threads.
pub const THREADS: &str = "threads";

/// Returns the number of threads that an engine may use: one, unless its options state more.
pub fn threads(options: &Options) -> u32 {
    match options.get(THREADS) {
        Some(&OptionValue::Integer(threads)) => u32::try_from(threads).unwrap_or(1).max(1),
        _ => 1,
    }
}

/// Returns the instance whose formula an engine of this id reads under these options. Its given candidates are left out
/// if they are [assumed or filtered](bezzel_solve::enumerate::given), and its kind has instances
/// [without them](bezzel_problem::Kind::without_given).
pub fn formula_instance<'a>(
    id: &str,
    options: &Options,
    instance: &'a Instance,
) -> Cow<'a, Instance> {
    let bare = match GivenCandidates::of(id, options) {
        GivenCandidates::Assumed | GivenCandidates::Filtered => instance.without_given(),
        GivenCandidates::Stated => None,
    };
    bare.map_or(Cow::Borrowed(instance), Cow::Owned)
}

/// Refuses all options except `name`, which is a whole number in `range`.
///
/// # Errors
///
/// When there is another option, or its value is not such a number.
pub fn refuse_others(
    id: &str,
    options: &Options,
    name: Option<&str>,
    range: &RangeInclusive<i64>,
) -> Result<(), OptionError> {
    for (option, &value) in options {
        if name != Some(option.as_str()) {
            return Err(OptionError::unknown(id, option, name));
        }
        if !matches!(value, OptionValue::Integer(whole) if range.contains(&whole)) {
            let (least, max) = (range.start(), *range.end());
            let to = if max == i64::MAX { String::new() } else { format!(" to {max}") };
            let reason = format!("it is a whole number from {least}{to}");
            return Err(OptionError::value(id, option, value, &reason));
        }
    }
    Ok(())
}

/// An instance, and the query about it.
#[derive(Clone, Copy)]
pub struct QueryInput<'a> {
    /// The instance.
    pub instance: &'a Instance,
    /// Its formula, if the engine reads one.
    pub formula: Option<NumberedFormula<'a>>,
    /// The query.
    pub query: Query,
    /// The candidates to which the solutions are projected, if not to all. Only engines that list by a solver read this.
    pub projection: Option<&'a [Candidate]>,
}

impl<'a> QueryInput<'a> {
    /// The formula. Called by an engine that reads clauses.
    fn clauses(&self) -> NumberedFormula<'a> {
        self.formula.expect("an engine that reads clauses is given a formula")
    }
}

/// The conditions under which a backend runs.
#[derive(Clone, Copy)]
pub struct Conditions<'a> {
    /// Its options.
    pub options: &'a Options,
    /// The most nodes or states that it may keep, if there is a limit.
    pub nodes: Option<u64>,
    /// The interrupt, the folder for files, and the budget, whose memory is that of the job.
    pub session_options: &'a SessionOptions,
    /// The programs that it may start.
    pub permission: &'a Permission,
}

impl Conditions<'_> {
    /// Returns the interrupt.
    pub fn interrupt(&self) -> &Interrupt {
        &self.session_options.interrupt
    }

    /// Returns the interrupt with the limits, for counting in `bezzel-count`.
    pub fn budget(&self) -> Budget<'_> {
        let bytes = self.session_options.budget.map_or(u64::MAX, |budget| budget.memory_bytes);
        Budget { nodes: self.nodes.unwrap_or(u64::MAX), bytes, stop: self.interrupt().flag() }
    }
}

/// The receiver of solutions and events while a backend runs.
pub trait Observer {
    /// Receives the digest of the clauses, if the backend reads clauses, when it has read its input and begins to
    /// search.
    fn loaded(&mut self, clause_digest: Option<String>);

    /// Receives a solution: the chosen candidates, in any order.
    fn found(&mut self, chosen: &[Candidate]) -> ControlFlow<()>;

    /// Receives the effort of a backend that was stopped, before the error is returned. Only backends that measure
    /// effort call it.
    fn halted(&mut self, _effort: Effort) {}
}

/// The result of a backend that came to its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BackendResult {
    /// The number; none if solutions were listed, since the observer has counted these.
    pub count: Option<BigUint>,
    /// The size of its diagram, if it has one.
    pub diagram: Option<DiagramSize>,
    /// The effort, in units of its own.
    pub effort: Effort,
    /// The CPU time and memory of a program, or of another thread, that did the work. The calling thread used none of
    /// this.
    pub usage: Option<Usage>,
}

/// The reason that a backend did not come to its end.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BackendError {
    /// It was stopped, or would need more than its limits.
    #[error(transparent)]
    Halt(#[from] Halt),
    /// Its options are wrong.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// The program that does its work failed.
    #[error("{}", .0.note)]
    Program(SolverError),
}

/// Returns the instance whose formula is read. An engine may treat given candidates without clauses.
pub(crate) fn instance_of_formula(job: &Job) -> Cow<'_, Instance> {
    if job.task.backend() == Some(BackendKind::Solver) {
        Cow::Borrowed(&job.instance)
    } else {
        formula_instance(&job.solver, &job.options, &job.instance)
    }
}
