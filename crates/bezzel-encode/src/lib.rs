//! Encodings, circuits and the formulas that they make of problems.
//!
//! Data flows one way: a [`Problem`](bezzel_problem::Problem) goes into an [`Encoding`], whose clauses go into a
//! [`ClauseSink`]: a [`FormulaStats`] that measures, a [`Formula`] that stores, a DIMACS writer, a solver.
//! The encoding returns a [`VarMap`], which has the meaning of its variables, and by which
//! answers are decoded.
//!
//! The crate does no input or output of its own, starts no process, and reads no clock. Encoding cannot fail:
//! instances with errors are refused when they are made.

pub mod amk;
pub mod amo;
pub mod bound;
pub mod certificate;
pub mod circuit;
pub mod clause_hash;
pub mod constraints;
pub mod encoding;
pub mod format;
pub mod formula;
pub mod info;

pub mod formula_stats;
pub mod models;
pub mod numbering;
pub mod propagate;
pub mod properties;
pub mod registry;
pub mod settings;
pub mod shape;
pub mod sink;
pub mod size;
pub mod sums;
pub mod var_map;
pub mod violation;

/// The level of optimisation of the crates that compute, as in `3`.
pub const OPT_LEVEL: &str = env!("BEZZEL_OPT_LEVEL");
/// True if these crates were built with debug assertions, which slow them down.
pub const HAS_DEBUG_ASSERTIONS: bool = cfg!(debug_assertions);

pub use amo::AtMostOne;
pub use bound::AtMostK;
pub use clause_hash::ClauseHash;
pub use constraints::{Constraints, Unsupported};
pub use encoding::Encoding;
pub use formula::Formula;
pub use info::{Auxiliaries, EncodingInfo, Propagation};

pub use formula_stats::FormulaStats;
pub use numbering::{Images, Numbering};
pub use registry::{NameError, Registry};
pub use rustsat::types::{Lit, Var};
pub use settings::{AmoUse, Arrangement, InputOrder, SettingAxis, Settings};
pub use shape::Shape;
pub use sink::{ClauseSink, Tee, VarRange};
pub use size::Size;
pub use var_map::VarMap;
