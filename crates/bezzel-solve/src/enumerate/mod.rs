//! All models of a formula, by solvers: what an enumerator is to everybody else.
//!
//! Models are *projected*: two that agree in what tells where the queens are count as one. A way of
//! enumerating that lets auxiliary variables count finds solutions more than once.
//!
//! To add one: write its file, implement [`Enumerator`] and [`Enumeration`], and add its line to
//! [`enumerators`]. The laws in `tests/` then run on it.

use std::ops::ControlFlow;
use std::sync::Arc;

use bezzel_encode::{ClauseSink, Lit};

use crate::answer::Effort;
use crate::batsat::BatSat;
use crate::cadical::Cadical;
use crate::options::{OptionError, Options};
use crate::solver::{BackendInfo, Terms};

pub mod blocking;
mod chronological;
pub mod given;
pub mod propagator;

pub use blocking::Blocking;
pub use chronological::Chronological;
pub use given::Given;
pub use propagator::Propagator;

/// A way to find all models with a SAT solver.
pub trait Enumerator: Send + Sync {
    /// Name, version and source.
    fn info(&self) -> BackendInfo;

    /// The options with which [`open`](Self::open) would run, as those of a
    /// [`Solver`](crate::Solver::settings).
    ///
    /// # Errors
    ///
    /// When an option is unknown or its value impossible.
    fn settings(&self, options: &Options) -> Result<Options, OptionError>;

    /// Opens an enumeration: an empty formula, and the power to find all of its models.
    ///
    /// # Errors
    ///
    /// As [`settings`](Self::settings).
    fn open(&self, options: &Options, terms: &Terms) -> Result<Box<dyn Enumeration>, OptionError>;
}

/// One formula of which all models are wanted: clauses go in, then models come out.
pub trait Enumeration: ClauseSink {
    /// Says what tells models apart, before any variable is made.
    fn set_projection(&mut self, projection: Projection);

    /// Shows every model once, in no particular order: whether each of the projection's literals
    /// holds. Called once, after the last clause.
    fn each(&mut self, found: &mut dyn FnMut(&[bool]) -> ControlFlow<()>) -> Reach;

    /// What it took so far, in the solver's own units.
    fn effort(&self) -> Effort;
}

/// What tells models apart.
#[derive(Clone, Debug, Default)]
pub struct Projection {
    /// Two models that agree in these literals are one.
    pub lits: Vec<Lit>,
    /// Whether those that hold tell a model already, since no model has all that hold in another and
    /// more: so it is with one literal for each square, all solutions having as many queens. A clause
    /// that excludes a model need not name the others then.
    pub trues_identify: bool,
    /// What is to hold in every model that is shown, and the formula does not say: nothing, unless
    /// given queens are [assumed or filtered](given).
    pub given: Vec<Lit>,
}

/// How far an enumeration came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// All models were shown.
    All,
    /// Whoever looks at them has seen enough.
    Enough,
    /// It was interrupted.
    Interrupted,
}

/// The enumerators, in the order in which they are listed.
pub fn enumerators() -> Vec<Arc<dyn Enumerator>> {
    vec![
        Arc::new(Blocking::default()),
        Arc::new(Blocking::with(Cadical::Plain)),
        Arc::new(Blocking::with(BatSat)),
        Arc::new(Propagator),
        Arc::new(Chronological),
    ]
}
