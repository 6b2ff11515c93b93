//! Proofs of unsatisfiability, checked against the formula, which is generated again.
//!
//! The checker reads LRAT. The solver's converter turns a proof in another format into LRAT.

use std::path::Path;

use bezzel_encode::{ClauseHash, ClauseSink, Lit, Tee, VarRange};
use bezzel_proof::{Limits, LratChecker, ProofStats, Refusal};
use bezzel_solve::{ProofFormat, SessionOptions};

use crate::backend::Backend;
use crate::model::permission::Permission;
use crate::model::row::{Finding, ProofRecord};
use crate::results::input;

/// A proof in a file.
pub struct WrittenProof<'a> {
    /// The file.
    pub path: &'a Path,
    /// The format.
    pub format: ProofFormat,
    /// The solver that wrote it.
    pub solver: &'a dyn Backend,
    /// The permission to start the solver's converter.
    pub permission: &'a Permission,
    /// The limits of the converter, and the folder of its files.
    pub session_options: SessionOptions,
}

impl ProofRecord {
    /// Returns the record of a proof in a file, checked in this process with at most `memory_bytes` of memory.
    /// `formula` writes the clauses as the solver received them.
    pub fn of_file(
        proof: WrittenProof<'_>,
        memory_bytes: u64,
        formula: &dyn Fn(&mut dyn ClauseSink),
    ) -> Self {
        examine(proof, memory_bytes, None, formula)
    }

    /// Returns the record of a proof in LRAT in memory, checked in the same way.
    pub fn of_lrat(proof: &[u8], memory_bytes: u64, formula: &dyn Fn(&mut dyn ClauseSink)) -> Self {
        let (checker, _) = with_premises(memory_bytes, formula);
        found((ProofFormat::Lrat, Some(proof.len() as u64)), checker.check(proof))
    }
}

/// Checks a proof with at most `memory_bytes` of memory. `formula` writes the clauses as the solver received them; if
/// `clause_digest` is given, their digest must equal it.
pub fn examine(
    proof: WrittenProof<'_>,
    memory_bytes: u64,
    clause_digest: Option<&str>,
    formula: &dyn Fn(&mut dyn ClauseSink),
) -> ProofRecord {
    let WrittenProof { path, format, solver, permission, session_options } = proof;
    let bytes = std::fs::metadata(path).ok().map(|metadata| metadata.len());
    let unchecked = |note: String| ProofRecord::unchecked(format, bytes, note);
    let no_file = |error| unchecked(format!("the proof cannot be opened: {error}"));
    let (checker, digest) = with_premises(memory_bytes, formula);
    if clause_digest.is_some_and(|known| known != digest.finish()) {
        return unchecked("the clauses are not those that the solver received".into());
    }
    let check = |file| found((format, bytes), checker.check(file));
    let program = solver.program().filter(|_| format != ProofFormat::Lrat);
    let Some(program) = program else {
        return input::open(path).map_or_else(no_file, check);
    };
    let converted = match program.convert(path, formula, permission, session_options) {
        Ok(converted) => converted,
        Err(reason) => {
            return unchecked(format!("the answer counts as one without a proof: {reason}"));
        }
    };
    let record = converted.open().map_or_else(no_file, check);
    if record.finding != Finding::Refused {
        return record;
    }
    // The converter may be wrong instead of the solver.
    let note = record.note.map(|note| format!("the converter's proof in LRAT is wrong: {note}"));
    ProofRecord { finding: Finding::Unchecked, note, ..record }
}

/// Returns a checker that received the clauses of the formula, and their digest.
fn with_premises(
    memory_bytes: u64,
    formula: &dyn Fn(&mut dyn ClauseSink),
) -> (LratChecker, ClauseHash) {
    // CaDiCaL derives clauses while it still receives others, and numbers all in their order of arrival.
    let checker = LratChecker::with_interleaved_ids(Limits { memory_bytes, steps: None });
    let mut sink = Tee(ClauseHash::new(), Premises { checker, variables: 0, clause: Vec::new() });
    formula(&mut sink);
    let Tee(digest, Premises { checker, .. }) = sink;
    (checker, digest)
}

/// Returns the record of a proof of this format and size that a checker has read.
fn found(
    (format, bytes): (ProofFormat, Option<u64>),
    checked: Result<ProofStats, Refusal>,
) -> ProofRecord {
    let (finding, steps) = match &checked {
        Ok(accepted) => (Finding::Accepted, accepted.steps),
        Err(Refusal::Wrong { place, .. }) => (Finding::Refused, place.step),
        Err(Refusal::Incomplete { place, .. } | Refusal::GaveUp { place, .. }) => {
            (Finding::Unchecked, place.step)
        }
    };
    let note = checked.err().map(|refusal| refusal.to_string());
    ProofRecord { finding, steps: Some(steps), note, ..ProofRecord::unchecked(format, bytes, "") }
}

/// Passes the clauses of the formula to a checker.
struct Premises {
    checker: LratChecker,
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
