//! The interface of a solver.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bezzel_encode::{ClauseSink, Lit};
use serde::Serialize;

use crate::answer::{Answer, Effort, ProofFormat, Simplified, SolverError, Usage};
use crate::inprocessing::Switch;
use crate::options::{OptionError, Options};

/// A solver that can be opened, with its preset.
pub trait Solver: Send + Sync {
    /// Name, version and source.
    fn info(&self) -> BackendInfo;

    /// Returns true if the solver takes at-most-one constraints without a translation into clauses; its sessions
    /// then return true as well. Most solvers take clauses only.
    fn takes_cardinality(&self) -> bool {
        false
    }

    /// Returns the format of the solver's proofs of unsatisfiability, if it writes any.
    fn proof_format(&self) -> Option<ProofFormat> {
        None
    }

    /// Returns its switches of inprocessing techniques, each an option of its own.
    fn switches(&self) -> Vec<Switch> {
        Vec::new()
    }

    /// Returns the options with which [`open`](Self::open) would run: the preset's, overridden by `options`. A row
    /// records them.
    ///
    /// Opened with these, the solver does the same. Values are normalised: `true` becomes 1 if the option is a
    /// number. A second application changes nothing.
    ///
    /// # Errors
    ///
    /// An option is unknown or its value is impossible.
    fn settings(&self, options: &Options) -> Result<Options, OptionError>;

    /// Opens a session with an empty formula.
    ///
    /// # Errors
    ///
    /// As [`settings`](Self::settings); also if the proof cannot be written to its path.
    fn open(
        &self,
        options: &Options,
        session_options: &SessionOptions,
    ) -> Result<Box<dyn Session>, OptionError>;
}

/// The options of a session beside those of the solver: its interrupt, its limits and its paths.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// The flag that stops the solver.
    pub interrupt: Interrupt,
    /// The path of the proof, which has the solver's [format](Solver::proof_format). `None` for no proof.
    pub proof: Option<PathBuf>,
    /// The most bytes of a proof that is stored in memory; `None` to store none. Only linked solvers that write proofs
    /// store them.
    pub stored_proof_bytes: Option<u64>,
    /// The limits of a solver that is an external program, together with the process that runs it. Linked solvers
    /// are limited from outside, by the interrupt.
    pub budget: Option<Budget>,
    /// A folder for files that are deleted after the session; `None` for the system's choice.
    pub scratch: Option<PathBuf>,
    /// The control group of a solver that is an external program.
    pub cgroup: Option<PathBuf>,
}

impl From<Interrupt> for SessionOptions {
    fn from(interrupt: Interrupt) -> Self {
        Self { interrupt, ..Self::default() }
    }
}

/// The resource limits of a job, for the sum of its processes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// CPU time, in seconds.
    pub cpu_s: f64,
    /// Wall time, in seconds.
    pub wall_s: f64,
    /// Resident memory, in bytes.
    pub memory_bytes: u64,
}

/// One formula in one solver: clauses are added, then the solver answers. More clauses may follow, and another
/// answer.
pub trait Session: ClauseSink {
    /// Announces the size of the formula, before any variable is made: a session that writes a file needs it for
    /// the header.
    fn expect(&mut self, _variables: u32, _clauses: u64) {}

    /// Announces the literals that represent the squares, before any variable is made. A solver that treats such
    /// variables differently in decisions needs them; a renaming may have scattered them over all numbers.
    fn set_primary(&mut self, _lits: &mut dyn Iterator<Item = Lit>) {}

    /// Solves the formula; returns `Unknown` when interrupted.
    fn solve(&mut self) -> Answer;

    /// Solves the formula under these assumptions, which hold for this call only; returns `Unknown` when
    /// interrupted, or if the solver takes no assumptions. Linked solvers take them.
    fn solve_under(&mut self, assumptions: &[Lit]) -> Answer {
        if assumptions.is_empty() { self.solve() } else { Answer::Unknown }
    }

    /// Solves the formula under these assumptions, and gives up with `Unknown` after this number of conflicts; also if the
    /// solver has no such limit. The same calls give the same answers.
    fn solve_within(&mut self, _assumptions: &[Lit], _conflicts: u32) -> Answer {
        Answer::Unknown
    }

    /// Returns true if the literal is true in the model. Allowed after the answer `Sat` only. A variable that the
    /// model leaves open counts as false.
    fn holds(&mut self, lit: Lit) -> bool;

    /// Returns true if a model sets every variable, so that it can be checked against every clause.
    fn is_whole(&self) -> bool {
        true
    }

    /// Returns the effort so far, in the solver's own units.
    fn effort(&self) -> Effort;

    /// Ends the proof, if one is written. Its file is complete afterwards if the disk had room. No clause may be
    /// added and no call may solve afterwards.
    fn end_proof(&mut self) {}

    /// Returns the proof that was stored in memory, after the answer `Unsat`; none if no proof was stored or it was longer
    /// than allowed. No clause may be added and no call may solve afterwards.
    fn stored_proof(&mut self) -> Option<Vec<u8>> {
        None
    }

    /// Returns the reason for a missing answer if an external solver failed.
    fn error(&self) -> Option<SolverError> {
        None
    }

    /// Returns the resources that solving used if the solver is an external program. The calling process has used
    /// none of them.
    fn usage(&self) -> Option<Usage> {
        None
    }

    /// Simplifies the formula as the solver does before it searches, and measures the result; returns `None` if the
    /// solver cannot report it. `each` is called with every remaining clause, in literals of the solver, whose new
    /// variables come after those of the formula. Solving continues from there.
    fn simplify(&mut self, _each: &mut dyn FnMut(&[Lit])) -> Option<Simplified> {
        None
    }
}

/// The id, title, version and source of a backend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BackendInfo {
    /// The permanent name; a preset follows a colon.
    pub id: String,
    /// A title of a few words.
    pub title: String,
    /// The version of the solver; a backend of Bezzel's own counts its revisions.
    pub version: String,
    /// The source.
    pub citation: String,
}

/// A flag that makes a running solver stop soon. Its statistics stay available.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks the solver to stop.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns true if the solver is asked to stop.
    #[inline]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns the flag itself, for callers that wait for another event meanwhile.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }
}
