//! Answers from linked solvers.
//!
//! A solver is a [`ClauseSink`]: an encoding writes into it as into a file. One adapter file per
//! solver; no other crate builds C++.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bezzel_encode::{ClauseSink, Lit};
use serde::{Deserialize, Serialize};

/// A solver that can be opened, with its preset.
pub trait Solver: Send + Sync {
    /// Name, version and source.
    fn card(&self) -> SolverCard;

    /// The options with which [`open`](Self::open) would run: the preset's, and `options` over
    /// them. What a row records.
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

/// One formula in one solver: clauses go in, then an answer comes out.
pub trait Session: ClauseSink {
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

/// A solver's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// The solver did not find out.
    Unknown,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Sat => "sat",
            Self::Unsat => "unsat",
            Self::Unknown => "unknown",
        })
    }
}

/// What solving took, in units that do not depend on the machine's mood. What a solver does not
/// tell is `None`; zero is a number like others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// Conflicts.
    pub conflicts: Option<u64>,
    /// Decisions.
    pub decisions: Option<u64>,
    /// Propagated literals.
    pub propagations: Option<u64>,
    /// Restarts.
    pub restarts: Option<u64>,
    /// Ticks: cache lines touched, as CaDiCaL estimates them.
    pub ticks: Option<u64>,
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

/// A solver's options by name, in the solver's own words.
pub type Options = BTreeMap<String, OptionValue>;

/// The value of an option.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OptionValue {
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Integer(i64),
    /// Any number.
    Number(f64),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(value) => value.fmt(f),
            Self::Integer(value) => value.fmt(f),
            Self::Number(value) => value.fmt(f),
        }
    }
}

/// An option that a solver does not have, or a value that it cannot have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// No such option.
    #[error("{solver} has no option `{option}`{}", .near.as_ref().map_or(String::new(), |near| format!("; did you mean `{near}`?")))]
    Unknown {
        /// The solver's id.
        solver: String,
        /// The option's name.
        option: String,
        /// The nearest name of an option, where one is near.
        near: Option<String>,
    },
    /// The option cannot have this value.
    #[error("{solver}: option `{option}` cannot be {value}: {reason}")]
    Value {
        /// The solver's id.
        solver: String,
        /// The option's name.
        option: String,
        /// The impossible value.
        value: String,
        /// What it may be.
        reason: String,
    },
}
