//! All models of a formula by solvers: the interface of an enumerator.
//!
//! Models are *projected*: two that agree in the literals that represent the squares count as one. An enumerator
//! that distinguishes models by auxiliary variables finds solutions more than once.
//!
//! To add one: write its file, implement [`Enumerator`] and [`Enumeration`], and add its line to
//! [`enumerators`]. The tests in `tests/` then run on it.

use std::ops::ControlFlow;
use std::sync::Arc;

use bezzel_encode::{ClauseSink, Lit};

use crate::answer::Effort;
use crate::batsat::BatSat;
use crate::cadical::Cadical;
use crate::options::{OptionError, Options};
use crate::solver::{BackendInfo, SessionOptions};

pub mod blocking;
pub mod given;
pub mod propagator;

pub use blocking::Blocking;
pub use given::GivenCandidates;
pub use propagator::Propagator;

/// A way to find all models with a SAT solver.
pub trait Enumerator: Send + Sync {
    /// Name, version and source.
    fn info(&self) -> BackendInfo;

    /// Returns the options with which [`open`](Self::open) would run, as for a [`Solver`](crate::Solver::settings).
    ///
    /// # Errors
    ///
    /// An option is unknown or its value is impossible.
    fn settings(&self, options: &Options) -> Result<Options, OptionError>;

    /// Opens an enumeration with an empty formula.
    ///
    /// # Errors
    ///
    /// As [`settings`](Self::settings).
    fn open(
        &self,
        options: &Options,
        session_options: &SessionOptions,
    ) -> Result<Box<dyn Enumeration>, OptionError>;
}

/// One formula of which all models are enumerated: first clauses are added, then models are shown.
pub trait Enumeration: ClauseSink {
    /// Sets the projection, before any variable is made.
    fn set_projection(&mut self, projection: Projection);

    /// Calls `found` once with every model, in no particular order: the values of the projection's literals. Called
    /// once, after the last clause.
    fn each(&mut self, found: &mut dyn FnMut(&[bool]) -> ControlFlow<()>) -> EnumerationEnd;

    /// Returns the effort so far, in the solver's own units.
    fn effort(&self) -> Effort;
}

/// The literals by which models are distinguished.
#[derive(Clone, Debug, Default)]
pub struct Projection {
    /// The literals. Two models that agree in them are one.
    pub lits: Vec<Lit>,
    /// The places in `lits` of the literals by which models are distinguished, if not by all. Only `blocking` reads this.
    pub distinct: Option<Vec<usize>>,
    /// True if the true literals identify a model, since no model has all true literals of another one and more.
    /// This holds with one literal for each square, as all solutions have equally many queens. A clause that
    /// excludes a model then need not contain the false literals.
    pub trues_identify: bool,
    /// The literals that must be true in every model that is shown but are not in the formula: none, unless given
    /// queens are [assumed or filtered](given).
    pub given: Vec<Lit>,
}

/// The end of an enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnumerationEnd {
    /// All models were shown.
    All,
    /// The caller stopped the enumeration.
    Enough,
    /// The enumeration was interrupted.
    Interrupted,
}

/// The enumerators, in the order in which they are listed.
pub fn enumerators() -> Vec<Arc<dyn Enumerator>> {
    vec![
        Arc::new(Blocking::default()),
        Arc::new(Blocking::with(Cadical::Plain)),
        Arc::new(Blocking::with(BatSat)),
        Arc::new(Propagator),
    ]
}
