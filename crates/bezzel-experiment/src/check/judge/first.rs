//! The judgement on one solution, or on the claim that there is none.
//!
//! A proof shows that the formula has no model, not that the instance has no solution: if the instance is known to have
//! one, the answer is wrong even with an accepted proof. Beside an accepted proof, the search for a solution is bounded by
//! a tenth of the time of solving.

use super::known::{KnownFacts, SearchEffort};
use super::{Case, Judgement, rules};
use crate::model::row::{EvidenceKind, Finding, Verdict};

pub(super) fn judge_solution(case: &Case<'_>, known: &mut KnownFacts) -> Judgement {
    let Some(solution) = case.solution else {
        return Judgement::wrong(
            EvidenceKind::Rules,
            "no solution",
            "a solution is claimed, but none was given",
        );
    };
    if let Err(violation) = case.instance.check(solution) {
        let note = format!("the solution breaks the rules: {violation}");
        return Judgement::wrong(EvidenceKind::Rules, rules(case.instance), note);
    }
    known.remember_solution(case.instance);
    match case.violated {
        Some(clause) => {
            let note = format!("the model does not satisfy the clause {}", written(clause));
            Judgement::wrong(EvidenceKind::Clauses, "clauses of the formula", note)
        }
        None => Judgement::new(Verdict::Verified, EvidenceKind::Rules, rules(case.instance)),
    }
}

pub(super) fn judge_denial(
    case: &Case<'_>,
    known: &mut KnownFacts,
    effort: SearchEffort,
) -> Judgement {
    let is_accepted = case.proof.is_some_and(|proof| proof.finding == Finding::Accepted);
    let effort = match case.solve_cpu_s {
        Some(solve_cpu_s) if is_accepted && effort == SearchEffort::Run => {
            SearchEffort::share(solve_cpu_s)
        }
        _ => effort,
    };
    let known = known.solvable(case.instance, effort);
    if let Some((true, source)) = known {
        let note = format!("the {} has a solution", case.instance.noun());
        return Judgement::wrong(EvidenceKind::Cross, source, note);
    }
    let proof = case.proof;
    let note = proof.and_then(|proof| proof.note.clone());
    match (proof.map(|proof| (proof.finding, proof)), known) {
        (Some((Finding::Refused, proof)), _) => {
            let note = format!("the proof is forged or damaged: {}", note.unwrap_or_default());
            Judgement::wrong(EvidenceKind::Proof, proof.words(), note)
        }
        (Some((Finding::Accepted, proof)), _) => {
            Judgement::new(Verdict::Verified, EvidenceKind::Proof, proof.words())
        }
        (_, Some((_, source))) => {
            Judgement { note, ..Judgement::new(Verdict::Verified, EvidenceKind::Cross, source) }
        }
        (_, None) => Judgement { note, ..Judgement::unchecked() },
    }
}

/// Returns a clause in the form of DIMACS files.
fn written(clause: &[i32]) -> String {
    clause.iter().chain(&[0]).map(i32::to_string).collect::<Vec<_>>().join(" ")
}
