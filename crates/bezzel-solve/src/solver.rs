//! What a solver is to everybody else.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bezzel_encode::{ClauseSink, Lit};
use serde::Serialize;

use crate::answer::{Answer, Effort, ProofFormat, Simplified, Trouble, Usage};
use crate::confounder::Switch;
use crate::options::{OptionError, Options};

/// A solver that can be opened, with its preset.
pub trait Solver: Send + Sync {
    /// Name, version and source.
    fn info(&self) -> BackendInfo;

    /// Whether it takes at-most-one constraints whole, as sessions of it then say too. Most solvers
    /// take clauses only.
    fn takes_cardinality(&self) -> bool {
        false
    }

    /// The format of the proofs that it can write of "no solution", if it writes any.
    fn proof_format(&self) -> Option<ProofFormat> {
        None
    }

    /// Its switches of what can outweigh an encoding, each an option of its own.
    fn switches(&self) -> Vec<Switch> {
        Vec::new()
    }

    /// The options with which [`open`](Self::open) would run: the preset's, and `options` over
    /// them. What a row records.
    ///
    /// Opened with these, the solver does the same. Values are in one form: where an option is
    /// a number, `true` has become 1. Applied to its own result, it changes nothing.
    ///
    /// # Errors
    ///
    /// When an option is unknown or its value impossible.
    fn settings(&self, options: &Options) -> Result<Options, OptionError>;

    /// Opens a session: an empty formula, and the power to solve it.
    ///
    /// # Errors
    ///
    /// As [`settings`](Self::settings), and when the proof cannot be written where it is wanted.
    fn open(&self, options: &Options, terms: &Terms) -> Result<Box<dyn Session>, OptionError>;
}

/// The terms of a session, beside the options: how it is made to stop, and where it may write.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// What makes it stop.
    pub interrupt: Interrupt,
    /// Where a proof is written, in the solver's [format](Solver::proof_format). No proof, if
    /// there is no place.
    pub proof: Option<PathBuf>,
    /// What a solver that is a program of its own may use, together with the process that asks it.
    /// Linked solvers are limited from without, by the interrupt.
    pub budget: Option<Budget>,
    /// A folder for files that are gone after the session; of the system's choice if there is none.
    pub scratch: Option<PathBuf>,
    /// The control group that a solver runs in which is a program of its own.
    pub cgroup: Option<PathBuf>,
}

impl From<Interrupt> for Terms {
    fn from(interrupt: Interrupt) -> Self {
        Self { interrupt, ..Self::default() }
    }
}

/// What a job may use, every process of it counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// CPU time, in seconds.
    pub cpu_s: f64,
    /// Wall time, in seconds.
    pub wall_s: f64,
    /// Resident memory, in bytes.
    pub memory_bytes: u64,
}

/// One formula in one solver: clauses go in, then an answer comes out. More clauses may follow,
/// and another answer.
pub trait Session: ClauseSink {
    /// Says how large the formula is going to be, before any variable is made: what writes a file
    /// must know its header.
    fn expect(&mut self, _variables: u32, _clauses: u64) {}

    /// Says which literals tell where the queens are, before any variable is made. A solver that
    /// decides such variables otherwise than auxiliary ones must know; a renaming may have
    /// scattered them over all numbers.
    fn set_primary(&mut self, _lits: &mut dyn Iterator<Item = Lit>) {}

    /// Solves the formula; `Unknown` when interrupted.
    fn solve(&mut self) -> Answer;

    /// Solves the formula together with these literals, which are forgotten afterwards; `Unknown` when
    /// interrupted, or if the solver takes no assumptions. Linked solvers do.
    fn solve_under(&mut self, assumptions: &[Lit]) -> Answer {
        if assumptions.is_empty() { self.solve() } else { Answer::Unknown }
    }

    /// Whether the literal holds in the model. After an answer `Sat` only. A variable that the
    /// model leaves open counts as false.
    fn holds(&mut self, lit: Lit) -> bool;

    /// Whether a model sets every variable, so that it can be held against every clause.
    fn is_whole(&self) -> bool {
        true
    }

    /// What solving took so far, in the solver's own units.
    fn effort(&self) -> Effort;

    /// Ends the proof, if one is written: all of it is in its file then, as far as the disk had
    /// room. After this nothing is added and nothing is solved any more.
    fn end_proof(&mut self) {}

    /// Why there is no answer, where the solver is a program that went astray.
    fn trouble(&self) -> Option<Trouble> {
        None
    }

    /// What solving used, where the solver is a program of its own. Who asked it has used none of
    /// this.
    fn usage(&self) -> Option<Usage> {
        None
    }

    /// Simplifies the formula as the solver does before it searches, and measures what is left;
    /// `None` where the solver cannot tell. `each` is shown every clause that is left, in literals of
    /// the solver, whose new variables come after those of the formula. Solving goes on from there.
    fn simplify(&mut self, _each: &mut dyn FnMut(&[Lit])) -> Option<Simplified> {
        None
    }
}

/// The id, title, version and source of a backend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BackendInfo {
    /// The permanent name; a preset follows a colon.
    pub id: String,
    /// What it is, in a few words.
    pub title: String,
    /// The version of the solver; a backend of Bezzel's own counts its revisions.
    pub version: String,
    /// Where it comes from.
    pub citation: String,
}

/// A flag that makes a running solver stop soon, and keep its statistics.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks the solver to stop.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the solver is asked to stop.
    #[inline]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for who waits for something else meanwhile.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }
}
