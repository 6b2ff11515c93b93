//! Proofs held against the formula, made anew, that they are said to refute.

use std::fs::File;
use std::path::Path;

use bezzel_encode::{ClauseSink, Digest, Lit, Tee, VarRange};
use bezzel_proof::{Accepted, Checker, Limits, Refusal, drat};
use bezzel_solve::ProofFormat;

use crate::model::row::{Finding, ProofRecord};
use crate::results::input;

/// What was found out about a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examined {
    /// What the checker found.
    pub finding: Finding,
    /// The steps of the proof, as far as it was read.
    pub steps: Option<u64>,
    /// Why it is not accepted.
    pub note: Option<String>,
}

impl Examined {
    fn unchecked(note: impl Into<String>) -> Self {
        Self { finding: Finding::Unchecked, steps: None, note: Some(note.into()) }
    }
}

impl ProofRecord {
    /// What is to be recorded of a proof in a file, checked in this process within so much memory.
    /// `formula` writes the clauses as the solver received them.
    pub fn of_file(
        proof: &Path,
        format: ProofFormat,
        memory_bytes: u64,
        formula: impl FnOnce(&mut dyn ClauseSink),
    ) -> Self {
        let Examined { finding, steps, note } = examine(proof, format, memory_bytes, None, formula);
        let bytes = std::fs::metadata(proof).ok().map(|metadata| metadata.len());
        Self {
            format,
            finding,
            bytes,
            steps,
            check_cpu_s: None,
            check_memory_peak_bytes: None,
            note,
        }
    }
}

/// Checks a proof within so much memory. `formula` writes the clauses as the solver received them;
/// if their digest is known, they must have it.
pub fn examine(
    proof: &Path,
    format: ProofFormat,
    memory_bytes: u64,
    clause_digest: Option<&str>,
    formula: impl FnOnce(&mut dyn ClauseSink),
) -> Examined {
    let limits = Limits { memory_bytes, steps: None };
    let checker = match format {
        // CaDiCaL derives clauses while it is still given others, and numbers all as they come.
        ProofFormat::Lrat => AnyChecker::Lrat(Checker::with_interleaved_ids(limits)),
        ProofFormat::Drat => AnyChecker::Drat(drat::Checker::new(limits)),
    };
    let mut sink = Tee(Digest::new(), Premises { checker, variables: 0, clause: Vec::new() });
    formula(&mut sink);
    let Tee(digest, Premises { checker, .. }) = sink;
    if clause_digest.is_some_and(|known| known != digest.finish()) {
        return Examined::unchecked("the clauses are not those that the solver received");
    }
    match input::open(proof) {
        Ok(file) => found(checker.check(file)),
        Err(error) => Examined::unchecked(format!("the proof cannot be opened: {error}")),
    }
}

fn found(checked: Result<Accepted, Refusal>) -> Examined {
    let refusal = match checked {
        Ok(accepted) => {
            let steps = Some(accepted.steps);
            return Examined { finding: Finding::Accepted, steps, note: None };
        }
        Err(refusal) => refusal,
    };
    let (finding, place) = match &refusal {
        Refusal::Wrong { place, .. } => (Finding::Refused, place),
        Refusal::Incomplete { place, .. } | Refusal::GaveUp { place, .. } => {
            (Finding::Unchecked, place)
        }
    };
    Examined { finding, steps: Some(place.step), note: Some(refusal.to_string()) }
}

/// The checker of a format.
enum AnyChecker {
    Lrat(Checker),
    Drat(drat::Checker),
}

impl AnyChecker {
    fn clause(&mut self, literals: &[i32]) {
        match self {
            Self::Lrat(checker) => checker.clause(literals),
            Self::Drat(checker) => checker.clause(literals),
        }
    }

    fn check(self, proof: File) -> Result<Accepted, Refusal> {
        match self {
            Self::Lrat(checker) => checker.check(proof),
            Self::Drat(checker) => checker.check(proof),
        }
    }
}

/// Hands the clauses of the formula to a checker.
struct Premises {
    checker: AnyChecker,
    variables: u32,
    /// One clause as the checker reads it; kept for its memory.
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
