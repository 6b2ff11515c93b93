//! Encodings, circuits and the formulas that they make of problems.
//!
//! Data flows one way: a [`Problem`](bezzel_problem::Problem) goes into an [`Encoding`], whose clauses go into a
//! [`ClauseSink`]: a [`Tally`] that measures, a [`Formula`] that stores, a DIMACS writer, a solver.
//! The encoding returns a [`VarMap`], which has the meaning of its variables, and by which
//! answers are decoded.
//!
//! Nothing here does input or output of its own, starts a process, or reads a clock, and encoding
//! cannot fail: what could go wrong with a board is refused when the board is made.

pub mod amk;
pub mod amo;
pub mod bound;
pub mod card;
pub mod certificate;
pub mod circuit;
pub mod constraints;
pub mod digest;
pub mod encoding;
pub mod format;
pub mod formula;

pub mod models;
pub mod numbering;
pub mod propagate;
pub mod properties;
pub mod registry;
pub mod settings;
pub mod sink;
pub mod size;
pub mod symmetry;
pub mod tally;
pub mod var_map;

pub use amo::AtMostOne;
pub use bound::AtMostK;
pub use card::{Auxiliaries, Card, Propagation};
pub use constraints::{Constraints, Misfit};
pub use digest::Digest;
pub use encoding::Encoding;
pub use formula::Formula;

pub use numbering::{Images, Numbering};
pub use registry::{NameError, Registry};
pub use rustsat::types::{Lit, Var};
pub use settings::{Blocked, InputOrder, SettingAxis, Settings};
pub use sink::{ClauseSink, Tee, VarRange};
pub use size::Size;
pub use symmetry::Symmetry;
pub use tally::Tally;
pub use var_map::VarMap;
