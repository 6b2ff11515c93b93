//! What one solution is worth, or that there is none.
//!
//! A proof shows that the formula has no model, not that the board has no solution: where the board
//! is known to have one, the answer is wrong however well it is proved.

use super::known::Known;
use super::{Case, Judgement, RULES};
use crate::model::row::{EvidenceKind, Finding, Verdict};

pub(super) fn judge_solution(case: &Case<'_>, known: &mut Known) -> Judgement {
    let Some(placement) = case.placement else {
        return Judgement::wrong(
            EvidenceKind::Rules,
            "no placement",
            "a solution is claimed, but none was given",
        );
    };
    if let Err(violation) = placement.judge(case.board) {
        let note = format!("the placement breaks the rules: {violation}");
        return Judgement::wrong(EvidenceKind::Rules, RULES, note);
    }
    known.remember_solution(case.board);
    match case.violated {
        Some(clause) => {
            let note = format!("the model does not satisfy the clause {}", written(clause));
            Judgement::wrong(EvidenceKind::Clauses, "clauses of the formula", note)
        }
        None => Judgement::new(Verdict::Verified, EvidenceKind::Rules, RULES),
    }
}

pub(super) fn judge_denial(case: &Case<'_>, known: &mut Known) -> Judgement {
    let known = known.solvable(case.board);
    if let Some((true, source)) = known {
        return Judgement::wrong(EvidenceKind::Cross, source, "the board has a solution");
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

/// A clause as files write it.
fn written(clause: &[i32]) -> String {
    clause.iter().chain(&[0]).map(i32::to_string).collect::<Vec<_>>().join(" ")
}
