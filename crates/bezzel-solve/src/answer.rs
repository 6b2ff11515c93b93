//! What a solver answers, and what it took.

use bezzel_problem::named;
use serde::{Deserialize, Serialize};

named! {
    /// A solver's answer.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Answer {
        /// There is a model.
        Sat = "sat",
        /// There is none.
        Unsat = "unsat",
        /// The solver did not find out.
        Unknown = "unknown",
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

named! {
    /// The format of a proof that there is no model.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum ProofFormat {
        /// Steps with the clauses that each follows from. Cruz-Filipe, Heule, Hunt, Kaufmann,
        /// Schneider-Kamp: Efficient Certified RAT Verification. CADE 2017, LNCS 10395, 220-236.
        Lrat = "lrat",
        /// Steps alone. Wetzler, Heule, Hunt: DRAT-trim. SAT 2014, LNCS 8561, 422-429.
        Drat = "drat",
    }
}

/// What is left of a formula after preprocessing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Simplified {
    /// Variables that are neither fixed nor eliminated.
    pub variables: u64,
    /// Irredundant clauses.
    pub clauses: u64,
    /// Their literals.
    pub literals: u64,
    /// The answer, if preprocessing found it already.
    pub answer: Answer,
}

/// Why a solver that is a program has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// What kind of trouble.
    pub kind: TroubleKind,
    /// What happened, in words.
    pub note: String,
}

/// The kinds of trouble with a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TroubleKind {
    /// It ran out of CPU time.
    Cpu,
    /// It ran out of wall time.
    Wall,
    /// It ran out of memory.
    Memory,
    /// It died, or said what is no answer.
    Fault,
    /// Somebody else killed it.
    Host,
}

/// What a program used, with everything that it started.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usage {
    /// CPU time, in seconds.
    pub cpu_s: f64,
    /// The largest resident memory, in bytes, where it is known.
    pub memory_peak_bytes: Option<u64>,
}
