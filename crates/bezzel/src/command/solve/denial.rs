//! The check of the answer that there is no solution.
//!
//! A search of a tenth of the time of solving comes first. Where it does not end, a proof judges, if the solver stores
//! one. A proof refutes the clauses and not the instance, so the encoder is then checked at the shapes of the
//! constraints that it encodes.

use bezzel_experiment::judge::Judge;
use bezzel_experiment::{
    CheckedShapes, Evidence, EvidenceKind, Limits, Row, Verdict, check_at_shapes,
};
use bezzel_problem::Instance;
use bezzel_process::usage;
use bezzel_queens::Board;
use bezzel_solve::Budget;

use super::request::Request;
use crate::because::because;
use crate::failure::Failure;

/// The largest proof that is stored in memory for the judge.
const STORED_PROOF_BYTES: u64 = 1 << 30;

/// The most bytes of a proof that the solver of an instance stores. The search of the judge ends on most boards.
pub(super) fn stored_proof_bytes(instance: &Instance) -> Option<u64> {
    Board::of(instance).is_none().then_some(STORED_PROOF_BYTES)
}

/// The memory for the check of a proof: three quarters of the part of the limit that this process leaves. A proof that
/// needs more is unchecked, and the answer is printed.
pub(super) fn check_bytes(limit_bytes: u64) -> u64 {
    let resident_bytes = usage::memory().map_or(0, |memory| memory.resident_bytes);
    limit_bytes.saturating_sub(resident_bytes) / 4 * 3
}

/// The limits of a program that converts a proof.
pub(super) fn converter_budget(limits: &Limits) -> Budget {
    let Limits { cpu_s, wall_s, memory_bytes, .. } = *limits;
    Budget { cpu_s, wall_s, memory_bytes }
}

/// Checks the encoder at the shapes of the problem if the verdict rests on a proof of its clauses alone.
pub(super) fn checked_shapes(
    row: &Row,
    judge: &mut Judge,
    request: &Request,
) -> Result<Option<CheckedShapes>, Failure> {
    let is_proof = row.checked_by.as_ref().is_some_and(|it| it.kind == EvidenceKind::Proof);
    let (instance, solve_cpu_s) = (&row.job.instance, row.solve_cpu_s.unwrap_or(0.0));
    if row.verdict != Verdict::Verified || !is_proof || judge.decides(instance, solve_cpu_s) {
        return Ok(None);
    }
    let Some(encoding) = &request.encoding else { return Ok(None) };
    match check_at_shapes(encoding.as_ref(), &instance.problem()) {
        Ok(checked) => Ok(Some(checked)),
        Err(counterexample) => Err(Failure::Work(format!(
            "the clauses are refuted by a checked proof, but the encoder `{}` is wrong: {counterexample}",
            counterexample.encoder
        ))),
    }
}

/// The reason of the verdict in words. A proof refutes the clauses alone.
pub(super) fn reason(
    verdict: Verdict,
    evidence: Option<&Evidence>,
    checked: Option<&CheckedShapes>,
) -> String {
    let (Some(checked), Some(evidence)) = (checked, evidence) else {
        return because(verdict, evidence);
    };
    let encoder = if checked.tried.is_empty() && checked.sums == 0 {
        "encoder unchecked".to_owned()
    } else {
        format!("encoder checked at these shapes: {checked}")
    };
    format!("clauses refuted by a checked {}; {encoder}", evidence.source)
}
