//! What a solver is to everybody else.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bezzel_encode::{ClauseSink, Lit};
use serde::Serialize;

use crate::answer::{Answer, Effort};
use crate::options::{OptionError, Options};

/// A solver that can be opened, with its preset.
pub trait Solver: Send + Sync {
    /// Name, version and source.
    fn card(&self) -> SolverCard;

    /// Whether it takes at-most-one constraints whole, as sessions of it then say too. Most solvers
    /// take clauses only.
    fn takes_cardinality(&self) -> bool {
        false
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
    /// As [`settings`](Self::settings).
    fn open(
        &self,
        options: &Options,
        interrupt: Interrupt,
    ) -> Result<Box<dyn Session>, OptionError>;
}

/// One formula in one solver: clauses go in, then an answer comes out. More clauses may follow,
/// and another answer.
pub trait Session: ClauseSink {
    /// Says which literals tell where the queens are, before any variable is made. A solver that
    /// decides such variables otherwise than auxiliary ones must know; a renaming may have
    /// scattered them over all numbers.
    fn set_primary(&mut self, _lits: &mut dyn Iterator<Item = Lit>) {}

    /// Solves the formula; `Unknown` when interrupted.
    fn solve(&mut self) -> Answer;

    /// Whether the literal holds in the model. After an answer `Sat` only. A variable that the
    /// model leaves open counts as false.
    fn holds(&mut self, lit: Lit) -> bool;

    /// What solving took so far, in the solver's own units.
    fn effort(&self) -> Effort;
}

/// What a solver says about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SolverCard {
    /// The permanent name; a preset follows a colon.
    pub id: String,
    /// What it is, in a few words.
    pub title: String,
    /// The solver's own version.
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
}
