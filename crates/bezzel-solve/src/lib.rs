//! Linked SAT solvers behind one interface.
//!
//! A solver is a [`ClauseSink`](bezzel_encode::ClauseSink): an encoding writes into a [`Session`]
//! as into a file. One adapter file per solver; no other crate builds C++.
//!
//! To add a solver: write its file, implement [`Solver`] and [`Session`], and add its line to
//! [`solvers`]. The tests in `tests/` then run on it.

mod answer;
pub mod batsat;
pub mod cadical;
pub mod enumerate;
mod inprocessing;
mod options;
mod solver;

use std::sync::Arc;

pub use answer::{Answer, Effort, ProofFormat, Simplified, SolverError, SolverErrorKind, Usage};
pub use enumerate::{
    Enumeration, EnumerationEnd, Enumerator, GivenCandidates, Projection, enumerators,
};
pub use inprocessing::{Inprocessing, Switch};
pub use options::{OptionError, OptionValue, Options, SEEDS};
pub use solver::{BackendInfo, Budget, Interrupt, Session, SessionOptions, Solver};

/// The linked solvers, in the order in which they are listed.
pub fn solvers() -> Vec<Arc<dyn Solver>> {
    vec![
        Arc::new(cadical::Cadical::Default),
        Arc::new(cadical::Cadical::Plain),
        Arc::new(batsat::BatSat),
    ]
}
