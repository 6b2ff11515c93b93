//! The answer of a solver and the effort of a solver run.

use bezzel_encode::format::read::SolverVerdict;
use bezzel_problem::named;
use serde::{Deserialize, Serialize};

named! {
    /// A solver's answer.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Answer {
        /// The formula has a model.
        Sat = "sat",
        /// The formula has no model.
        Unsat = "unsat",
        /// The solver found no answer.
        Unknown = "unknown",
    }
}

impl From<SolverVerdict> for Answer {
    fn from(verdict: SolverVerdict) -> Self {
        match verdict {
            SolverVerdict::Sat => Self::Sat,
            SolverVerdict::Unsat => Self::Unsat,
            SolverVerdict::Unknown => Self::Unknown,
        }
    }
}

/// The effort of a solver run, in units that do not depend on the machine. A count that a solver does not report is
/// `None`; zero is an ordinary count.
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
        /// Each step lists the clauses that it follows from. Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp:
        /// Efficient Certified RAT Verification. CADE 2017, LNCS 10395, 220-236.
        Lrat = "lrat",
        /// Steps without antecedents. Wetzler, Heule, Hunt: DRAT-trim. SAT 2014, LNCS 8561, 422-429.
        Drat = "drat",
        /// One in LRAT, made into one from the constraints of the file to the answer, which VeriPB checks.
        Veripb = "veripb",
    }
}

impl ProofFormat {
    /// The format that the solver itself writes.
    #[must_use]
    pub fn of_solver(self) -> Self {
        if self == Self::Veripb { Self::Lrat } else { self }
    }
}

/// The size of a formula after preprocessing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Simplified {
    /// Variables that are neither fixed nor eliminated.
    pub variables: u64,
    /// Irredundant clauses.
    pub clauses: u64,
    /// Literals of these clauses.
    pub literals: u64,
    /// The answer, if preprocessing found it.
    pub answer: Answer,
}

/// The reason why a solver program has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverError {
    /// The kind of the failure.
    pub kind: SolverErrorKind,
    /// A description of the failure.
    pub note: String,
}

/// The kinds of failures of a solver program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SolverErrorKind {
    /// The program exceeded the limit on CPU time.
    Cpu,
    /// The program exceeded the limit on wall time.
    Wall,
    /// The program exceeded the memory limit.
    Memory,
    /// The program crashed or printed output that is no answer.
    Fault,
    /// Another process killed the program.
    Host,
}

/// The resources that a program used, its child processes included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usage {
    /// CPU time, in seconds.
    pub cpu_s: f64,
    /// The largest resident memory, in bytes, where it is known.
    pub memory_peak_bytes: Option<u64>,
}
