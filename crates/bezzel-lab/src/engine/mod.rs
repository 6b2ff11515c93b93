//! Engines: ways to find all solutions of a board, or their number.
//!
//! An engine is to all solutions what a solver is to the first one, and as much an axis of an
//! experiment as the encoding is. Some read clauses, some the circuit of an encoding, some nothing
//! but the board; that is all that the others need to know of them. One file each: to add one, write
//! its file, implement [`Engine`], and add its line to [`Engines::standard`]. The laws in
//! `tests/engines/` then run on it.

use std::borrow::Cow;
use std::ops::ControlFlow;

use bezzel_count::{Budget, Halt};
use bezzel_encode::{Board, Encoding, Misfit, Square};
use bezzel_solve::{
    Effort, Given, Interrupt, OptionError, OptionValue, Options, Terms, Trouble, Usage,
};
use num_bigint::BigUint;
use serde::Serialize;
use thiserror::Error;

use crate::all_solutions::DiagramSize;
use crate::job::{Job, Task};

mod backtrack;
mod components;
pub mod counter;
mod diagram;
mod direct;
mod find;
mod formula;
mod registry;
mod sat;

pub(crate) use find::find;
pub(crate) use find::lines_in;
pub use find::{FindEngineError, absence, compare, identity, needs_program};
pub use formula::{Formula, Prepared};
pub use registry::Engines;

/// A way to find all solutions of a board.
pub trait Engine: Send + Sync {
    /// Name, version and source.
    fn card(&self) -> EngineCard;

    /// The permanent name alone: of a program, the card may cost a process that tells its version.
    fn name(&self) -> String {
        self.card().id
    }

    /// What it reads of a job.
    fn reads(&self) -> Reads;

    /// What it can do.
    fn powers(&self) -> Powers;

    /// The options with which it runs, as those of a [`Solver`](bezzel_solve::Solver::settings).
    ///
    /// # Errors
    ///
    /// When an option is unknown or its value impossible.
    fn settings(&self, options: &Options) -> Result<Options, OptionError>;

    /// Refuses what it cannot read, with the reason: a board, or the encoding of one.
    ///
    /// # Errors
    ///
    /// The reason, and what fits instead.
    fn fits(&self, _board: &Board, _encoding: Option<&dyn Encoding>) -> Result<(), Misfit> {
        Ok(())
    }

    /// Finds what is asked for, and shows each solution to `observer` where they are to be listed.
    ///
    /// # Errors
    ///
    /// When it comes to no end.
    fn run(
        &self,
        question: &Question<'_>,
        conditions: &Conditions<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, EngineError>;
}

/// What an engine says about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EngineCard {
    /// The permanent name.
    pub id: String,
    /// What it is, in a few words.
    pub title: String,
    /// The version of what it rests on; an engine that is Bezzel's own counts its revisions.
    pub version: String,
    /// Where it comes from.
    pub citation: String,
}

/// What an engine reads of a job. What it does not read makes no difference, and is no axis for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reads {
    /// The board alone.
    Board,
    /// The encoding's circuit; of one without auxiliary variables, its clauses.
    Circuit,
    /// What the encoding makes of the board, as it is generated, whatever the numbering: no engine
    /// does, but who measures a formula without solving it.
    Formula,
    /// The clauses of the encoding, in their numbering.
    Clauses,
}

/// What an engine can do. Whoever lists can count by listing, and find the fundamental solutions
/// among those listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "any of them goes with any other")]
pub struct Powers {
    /// Show every solution.
    pub lists: bool,
    /// Count without showing any.
    pub counts: bool,
    /// Count the fundamental ones without showing any.
    pub classes: bool,
    /// Count the models of a formula, auxiliary variables counted.
    pub models: bool,
}

/// What is asked of an engine, no more than its [powers](Engine::powers) allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wish {
    /// Every solution is shown once.
    List,
    /// The number of solutions.
    Count,
    /// The number of solutions that are no images of each other.
    Classes,
    /// The number of models of the formula.
    Models,
}

/// What to ask of an engine with these powers for a task; nothing, if it is beyond them.
pub fn wish(task: Task, powers: Powers) -> Option<Wish> {
    let list = powers.lists.then_some(Wish::List);
    match task {
        Task::First | Task::Size | Task::Propagate => None,
        Task::Enumerate => list,
        Task::Count => {
            if powers.counts {
                Some(Wish::Count)
            } else {
                list
            }
        }
        Task::Fundamental => {
            if powers.classes {
                Some(Wish::Classes)
            } else {
                list
            }
        }
        Task::Models => powers.models.then_some(Wish::Models),
    }
}

/// The option by which an engine is told how many threads it may use.
pub const THREADS: &str = "threads";

/// How many threads an engine may use: one, unless its options say more.
pub fn threads(options: &Options) -> u32 {
    match options.get(THREADS) {
        Some(&OptionValue::Integer(threads)) => u32::try_from(threads).unwrap_or(1).max(1),
        _ => 1,
    }
}

/// The board whose formula an engine of this id reads under these options: without the given queens,
/// where these are [assumed or filtered](bezzel_solve::enumerate::given).
pub fn formula_board<'a>(id: &str, options: &Options, board: &'a Board) -> Cow<'a, Board> {
    match Given::of(id, options) {
        Given::Assumed | Given::Filtered if !board.placed().is_empty() => {
            let bare = board.without_givens().with_blocked(board.blocked().iter().copied());
            Cow::Owned(bare.expect("these are blocked on the board"))
        }
        _ => Cow::Borrowed(board),
    }
}

/// The settings of an engine that has no options: none are taken.
fn no_options(engine: &str, options: &Options) -> Result<Options, OptionError> {
    match options.keys().next() {
        None => Ok(Options::new()),
        Some(option) => Err(OptionError::Unknown {
            solver: engine.to_owned(),
            option: option.clone(),
            near: None,
        }),
    }
}

/// A board, and what is asked about it.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The board.
    pub board: &'a Board,
    /// Its formula, if the engine reads one.
    pub formula: Option<Formula<'a>>,
    /// What is asked.
    pub wish: Wish,
}

/// Under what conditions an engine runs.
#[derive(Clone, Copy)]
pub struct Conditions<'a> {
    /// Its options.
    pub options: &'a Options,
    /// The most nodes or states that it may keep, if there is a limit.
    pub nodes: Option<u64>,
    /// What makes it stop, and where it may write; of the budget, the memory is that of the job.
    pub terms: &'a Terms,
}

impl Conditions<'_> {
    /// What makes it stop.
    pub fn interrupt(&self) -> &Interrupt {
        &self.terms.interrupt
    }

    /// The same for what is counted in `bezzel-count`.
    pub fn budget(&self) -> Budget<'_> {
        let bytes = self.terms.budget.map_or(u64::MAX, |budget| budget.memory_bytes);
        Budget { nodes: self.nodes.unwrap_or(u64::MAX), bytes, stop: self.interrupt().flag() }
    }
}

/// Who looks on while an engine runs.
pub trait Observer {
    /// What it reads is read, and it begins to search: the clauses had this digest, if it read
    /// clauses.
    fn loaded(&mut self, clause_digest: Option<String>);

    /// A solution: the squares with a queen, in any order.
    fn found(&mut self, squares: &[Square]) -> ControlFlow<()>;

    /// It was stopped after this effort; told before the error is, by those who keep count.
    fn halted(&mut self, _effort: Effort) {}
}

/// What an engine found, if it came to an end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The number, unless solutions were listed: whoever looked on has counted those.
    pub count: Option<BigUint>,
    /// The size of its diagram, if it has one.
    pub diagram: Option<DiagramSize>,
    /// What it took, in units of its own.
    pub effort: Effort,
    /// What a program used that did its work, or a thread other than the one that asked, which has
    /// used none of this.
    pub usage: Option<Usage>,
}

/// Why an engine came to no end.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// It was stopped, or would need more than it may use.
    #[error(transparent)]
    Halt(#[from] Halt),
    /// Its options are wrong.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// The program that does its work went astray.
    #[error("{}", .0.note)]
    Program(Trouble),
}

/// The board whose formula is read: an engine may take given queens otherwise than from clauses.
pub(crate) fn board_of_formula(job: &Job) -> Cow<'_, Board> {
    if job.task == Task::First {
        Cow::Borrowed(&job.board)
    } else {
        formula_board(&job.solver, &job.options, &job.board)
    }
}
