//! Answers from linked solvers.
//!
//! A solver is a [`ClauseSink`](bezzel_encode::ClauseSink): an encoding writes into a [`Session`]
//! as into a file. One adapter file per solver; no other crate builds C++.
//!
//! To add a solver: write its file, implement [`Solver`] and [`Session`], and add its line to
//! [`Solvers::standard`]. The laws in `tests/` then run on it.

mod answer;
pub mod batsat;
pub mod cadical;
mod confounder;
pub mod enumerate;
mod options;
pub mod registry;
mod solver;

pub use answer::{Answer, Effort, ProofFormat, Simplified, Trouble, TroubleKind, Usage};
pub use confounder::{Confounder, Switch};
pub use enumerate::{Enumeration, Enumerator, Enumerators, Given, Projection, Reach};
pub use options::{OptionError, OptionValue, Options};
pub use registry::Solvers;
pub use solver::{Budget, Interrupt, Session, Solver, SolverCard, Terms};
