//! Proofs of unsatisfiability, checked against the formula, which is generated again.

use std::io::Read;
use std::path::Path;

use bezzel_encode::{ClauseHash, ClauseSink, Lit, Tee, VarRange};
use bezzel_proof::{Limits, LratChecker, ProofStats, Refusal, drat};
use bezzel_solve::ProofFormat;

use crate::model::row::{Finding, ProofRecord};
use crate::results::input;

/// The result of checking a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofCheckResult {
    /// The finding of the checker.
    pub finding: Finding,
    /// The number of steps of the proof, as far as it was read.
    pub steps: Option<u64>,
    /// The reason why it is not accepted.
    pub note: Option<String>,
}

impl ProofCheckResult {
    fn unchecked(note: impl Into<String>) -> Self {
        Self { finding: Finding::Unchecked, steps: None, note: Some(note.into()) }
    }
}

impl ProofRecord {
    /// Returns the record of a proof in a file, checked in this process with at most `memory_bytes` of memory.
    /// `formula` writes the clauses as the solver received them.
    pub fn of_file(
        proof: &Path,
        format: ProofFormat,
        memory_bytes: u64,
        formula: impl FnOnce(&mut dyn ClauseSink),
    ) -> Self {
        let bytes = std::fs::metadata(proof).ok().map(|metadata| metadata.len());
        Self::of_result(format, bytes, examine(proof, format, memory_bytes, None, formula))
    }

    /// Returns the record of a proof in memory, checked in the same way.
    pub fn of_bytes(
        proof: &[u8],
        format: ProofFormat,
        memory_bytes: u64,
        formula: impl FnOnce(&mut dyn ClauseSink),
    ) -> Self {
        let (checker, _) = with_premises(format, memory_bytes, formula);
        Self::of_result(format, Some(proof.len() as u64), found(checker.check(proof)))
    }

    fn of_result(format: ProofFormat, bytes: Option<u64>, result: ProofCheckResult) -> Self {
        let ProofCheckResult { finding, steps, note } = result;
        let (check_cpu_s, check_memory_peak_bytes) = (None, None);
        Self { format, finding, bytes, steps, check_cpu_s, check_memory_peak_bytes, note }
    }
}

/// Checks a proof with at most `memory_bytes` of memory. `formula` writes the clauses as the solver received them; if
/// `clause_digest` is given, their digest must equal it.
pub fn examine(
    proof: &Path,
    format: ProofFormat,
    memory_bytes: u64,
    clause_digest: Option<&str>,
    formula: impl FnOnce(&mut dyn ClauseSink),
) -> ProofCheckResult {
    let (checker, digest) = with_premises(format, memory_bytes, formula);
    if clause_digest.is_some_and(|known| known != digest.finish()) {
        return ProofCheckResult::unchecked("the clauses are not those that the solver received");
    }
    match input::open(proof) {
        Ok(file) => found(checker.check(file)),
        Err(error) => ProofCheckResult::unchecked(format!("the proof cannot be opened: {error}")),
    }
}

/// Returns a checker that received the clauses of the formula, and their digest.
fn with_premises(
    format: ProofFormat,
    memory_bytes: u64,
    formula: impl FnOnce(&mut dyn ClauseSink),
) -> (AnyChecker, ClauseHash) {
    let limits = Limits { memory_bytes, steps: None };
    let checker = match format {
        // CaDiCaL derives clauses while it still receives others, and numbers all in their order of arrival.
        ProofFormat::Lrat => AnyChecker::Lrat(LratChecker::with_interleaved_ids(limits)),
        ProofFormat::Drat => AnyChecker::Drat(drat::DratChecker::new(limits)),
    };
    let mut sink = Tee(ClauseHash::new(), Premises { checker, variables: 0, clause: Vec::new() });
    formula(&mut sink);
    let Tee(digest, Premises { checker, .. }) = sink;
    (checker, digest)
}

fn found(checked: Result<ProofStats, Refusal>) -> ProofCheckResult {
    let refusal = match checked {
        Ok(accepted) => {
            let steps = Some(accepted.steps);
            return ProofCheckResult { finding: Finding::Accepted, steps, note: None };
        }
        Err(refusal) => refusal,
    };
    let (finding, place) = match &refusal {
        Refusal::Wrong { place, .. } => (Finding::Refused, place),
        Refusal::Incomplete { place, .. } | Refusal::GaveUp { place, .. } => {
            (Finding::Unchecked, place)
        }
    };
    ProofCheckResult { finding, steps: Some(place.step), note: Some(refusal.to_string()) }
}

/// The checker of a format.
enum AnyChecker {
    Lrat(LratChecker),
    Drat(drat::DratChecker),
}

impl AnyChecker {
    fn clause(&mut self, literals: &[i32]) {
        match self {
            Self::Lrat(checker) => checker.clause(literals),
            Self::Drat(checker) => checker.clause(literals),
        }
    }

    fn check(self, proof: impl Read) -> Result<ProofStats, Refusal> {
        match self {
            Self::Lrat(checker) => checker.check(proof),
            Self::Drat(checker) => checker.check(proof),
        }
    }
}

/// Passes the clauses of the formula to a checker.
struct Premises {
    checker: AnyChecker,
    variables: u32,
    /// One clause in the checker's form. Keeping it avoids allocations.
    clause: Vec<i32>,
}

impl ClauseSink for Premises {
    fn fresh(&mut self, count: u32) -> VarRange {
        VarRange::next(&mut self.variables, count)
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.clause.clear();
        self.clause.extend(lits.iter().map(|lit| lit.to_ipasir()));
        self.checker.clause(&self.clause);
    }
}
