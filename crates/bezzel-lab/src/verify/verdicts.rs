//! Every answer judged anew, and against the answers of the other rows.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use bezzel_solve::Answer;

use super::lines::Found;
use super::outcome::{Outcome, Step};
use crate::cross;
use crate::judge::{Case, Judge};
use crate::row::{EvidenceKind, Row, Verdict};

pub(super) fn check(
    found: &[Found],
    cancel: &AtomicBool,
    outcome: &mut Outcome,
    observe: &mut dyn FnMut(Step, usize, usize),
) {
    let (mut judge, all) = (Judge::new(), found.len());
    // What is shown here is known of a board, not what the rows say of themselves.
    for Found { row, .. } in found.iter().filter(|found| found.row.answer == Answer::Sat) {
        judge.judge(&Case::new(&row.job.board, row.answer, row.placement().as_ref()));
    }
    for (done, found) in found.iter().enumerate() {
        // A search for a solution may take seconds.
        if cancel.load(Ordering::Relaxed) {
            return;
        }
        observe(Step::Verdicts, done, all);
        outcome.count(Step::Verdicts, 1);
        if let Some(what) = fault(&mut judge, &found.row) {
            outcome.fault(Step::Verdicts, found, what);
        }
    }
    let by_proof = found.iter().filter(|found| rests_on_its_proof(&mut judge, &found.row)).count();
    if by_proof > 0 {
        outcome.remark(format!(
            "{by_proof} denials rest on proofs alone, which were checked in the run and are not kept: \
             only running a job again makes its proof again"
        ));
    }
    // Who is shown to be wrong contradicts nobody any more.
    let stands = |row: &&Row| row.is_settled() && row.verdict != Verdict::Wrong;
    let mut rows: Vec<Row> = found.iter().map(|found| &found.row).filter(stands).cloned().collect();
    let boards: HashSet<_> = rows.iter().map(|row| row.job.board.clone()).collect();
    outcome.count(Step::Contradictions, boards.len());
    for contradiction in cross::examine(&mut rows) {
        outcome.fault_at(Step::Contradictions, None, contradiction.to_string());
    }
    let wrong = found.iter().filter(|found| found.row.verdict == Verdict::Wrong).count();
    if wrong > 0 {
        outcome.remark(format!("{wrong} answers are wrong, as their rows say"));
    }
}

/// Whether nothing but the proof shows that the answer of a row is right.
fn rests_on_its_proof(judge: &mut Judge, row: &Row) -> bool {
    let is_by_proof =
        (row.verdict, row.answer) == (Verdict::Verified, Answer::Unsat) && row.proof.is_some();
    let alone = Case::new(&row.job.board, row.answer, None);
    is_by_proof && judge.judge(&alone).verdict == Verdict::Unchecked
}

/// What is wrong with the answer of a row or its verdict, if anything is.
fn fault(judge: &mut Judge, row: &Row) -> Option<String> {
    if row.answer != Answer::Sat && row.queens.is_some() {
        return Some(format!("it answers {} and has queens", row.answer));
    }
    if row.verdict != Verdict::Unchecked && row.evidence.is_none() {
        return Some(format!("its verdict is {} without evidence", word(row.verdict)));
    }
    let placement = row.placement();
    let case = Case {
        proof: row.proof.as_ref(),
        ..Case::new(&row.job.board, row.answer, placement.as_ref())
    };
    let judged = judge.judge(&case);
    let kind = row.evidence.as_ref().map(|evidence| evidence.kind);
    let is_right = match (row.verdict, judged.verdict) {
        (recorded, found) if recorded == found => true,
        // More may be known by now.
        (Verdict::Unchecked, Verdict::Verified) => true,
        // The model is not kept, of which a clause was false.
        (Verdict::Wrong, Verdict::Verified) => kind == Some(EvidenceKind::Clauses),
        _ => false,
    };
    if is_right {
        return None;
    }
    let because = judged.note.map_or(String::new(), |note| format!(": {note}"));
    Some(format!(
        "its verdict is {}, and it is judged {}{because}",
        word(row.verdict),
        word(judged.verdict)
    ))
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Verified => "verified",
        Verdict::Wrong => "wrong",
        Verdict::Unchecked => "unchecked",
    }
}
