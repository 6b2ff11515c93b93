//! The check of the answer that there is no solution.
//!
//! A search of a tenth of the time of solving comes first. Where it does not end, a proof judges, if the solver stores
//! one. A proof refutes the clauses and not the instance, so the encoder is then checked at the shapes of the
//! constraints that it encodes.

use bezzel_encode::{ClauseSink, Encoding};
use bezzel_experiment::judge::{Judge, Judgement};
use bezzel_experiment::{
    CheckedShapes, Evidence, EvidenceKind, ProofRecord, Verdict, check_at_shapes,
};
use bezzel_problem::{Instance, Problem};
use bezzel_process::usage;
use bezzel_solve::Session;

use crate::because::because;
use crate::failure::Failure;

/// The largest proof that is stored in memory for the judge.
const STORED_PROOF_BYTES: u64 = 1 << 30;

/// The most bytes of a proof that the solver of an instance stores. The search of the judge ends on most boards.
pub(super) fn stored_proof_bytes(instance: &Instance) -> Option<u64> {
    instance.board().is_none().then_some(STORED_PROOF_BYTES)
}

/// The memory for the check of a proof: three quarters of the part of the limit that this process leaves. A proof that
/// needs more is unchecked, and the answer is printed.
pub(super) fn check_bytes(limit_bytes: u64) -> u64 {
    let resident_bytes = usage::memory().map_or(0, |memory| memory.resident_bytes);
    limit_bytes.saturating_sub(resident_bytes) / 4 * 3
}

/// The record of the stored proof in LRAT; none if the judge does not need it, or there is none.
pub(super) fn stored_proof(
    (instance, solve_cpu_s, limit_bytes): (&Instance, f64, u64),
    judge: &mut Judge,
    session: &mut dyn Session,
    formula: &dyn Fn(&mut dyn ClauseSink),
) -> Option<ProofRecord> {
    if judge.decides(instance, solve_cpu_s) {
        return None;
    }
    let proof = session.stored_proof()?;
    Some(ProofRecord::of_lrat(&proof, check_bytes(limit_bytes), formula))
}

/// Checks the encoder at the shapes of the problem if the judgement rests on a proof of its clauses alone.
pub(super) fn checked_shapes(
    judgement: &Judgement,
    (instance, solve_cpu_s): (&Instance, f64),
    judge: &mut Judge,
    encoding: &dyn Encoding,
    problem: &Problem,
) -> Result<Option<CheckedShapes>, Failure> {
    let is_proof = |evidence: &Evidence| evidence.kind == EvidenceKind::Proof;
    let is_verified = judgement.verdict == Verdict::Verified;
    if !is_verified || !judgement.evidence.as_ref().is_some_and(is_proof) {
        return Ok(None);
    }
    if judge.decides(instance, solve_cpu_s) {
        return Ok(None);
    }
    match check_at_shapes(encoding, problem) {
        Ok(checked) => Ok(Some(checked)),
        Err(counterexample) => Err(Failure::Work(format!(
            "the clauses are refuted by a checked proof, but the encoder `{}` is wrong: {counterexample}",
            counterexample.encoder
        ))),
    }
}

/// The reason of the verdict in words. A proof refutes the clauses alone.
pub(super) fn reason(judgement: &Judgement, checked: Option<&CheckedShapes>) -> String {
    let (Some(checked), Some(evidence)) = (checked, &judgement.evidence) else {
        return because(judgement);
    };
    let encoder = if checked.tried.is_empty() && checked.sums == 0 {
        "encoder unchecked".to_owned()
    } else {
        format!("encoder checked at these shapes: {checked}")
    };
    format!("clauses refuted by a checked {}; {encoder}", evidence.source)
}
