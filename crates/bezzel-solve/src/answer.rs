//! What a solver answers, and what it took.

use std::fmt;

use serde::{Deserialize, Serialize};

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
