//! Answers from linked solvers.
//!
//! A solver is a [`ClauseSink`](bezzel_encode::ClauseSink): an encoding writes into a [`Session`]
//! as into a file. One adapter file per solver; no other crate builds C++.
//!
//! To add a solver: write its file, implement [`Solver`] and [`Session`], and add its line to
//! [`solvers`]. The laws in `tests/` then run on it.

mod answer;
pub mod batsat;
pub mod cadical;
mod confounder;
pub mod enumerate;
mod options;
mod solver;

use std::sync::Arc;

pub use answer::{Answer, Effort, ProofFormat, Simplified, Trouble, TroubleKind, Usage};
pub use confounder::{Confounder, Switch};
pub use enumerate::{Enumeration, Enumerator, Given, Projection, Reach, enumerators};
pub use options::{OptionError, OptionValue, Options, SEEDS};
pub use solver::{BackendInfo, Budget, Interrupt, Session, Solver, Terms};

/// The linked solvers, in the order in which they are listed.
pub fn solvers() -> Vec<Arc<dyn Solver>> {
    vec![
        Arc::new(cadical::Cadical::Default),
        Arc::new(cadical::Cadical::Plain),
        Arc::new(batsat::BatSat),
    ]
}
