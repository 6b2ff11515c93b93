//! Every answer judged anew, and against the answers of the other rows.

use std::collections::HashSet;

use bezzel_encode::Size;
use bezzel_solve::Answer;

use super::consistent;
use super::cross;
use super::judge::{Case, Judge};
use super::report::{Checking, Found, Step};
use crate::model::row::{EvidenceKind, Row, Verdict};

/// Checks the answer and the verdict of each row. Sizes are judged by the closed form that `closed_form` gives.
pub(crate) fn check(
    found: &[Found],
    closed_form: &dyn Fn(&Row) -> Option<Size>,
    checking: &mut Checking<'_>,
) {
    let (mut judge, all) = (Judge::new(), found.len());
    // What is shown here is known of a board, not what the rows say of themselves.
    let shows = |found: &&Found| found.row.answer == Answer::Sat && found.row.has_solution();
    for Found { row, .. } in found.iter().filter(shows) {
        judge.judge(&Case::new(&row.job.instance, row.answer, row.solution().as_ref()));
    }
    for (done, found) in found.iter().enumerate() {
        // A search for a solution may take seconds.
        if checking.is_cancelled() {
            return;
        }
        (checking.observe)(Step::Verdicts, done, all);
        checking.count(Step::Verdicts, 1);
        if let Some(what) = fault(&mut judge, &found.row, closed_form(&found.row)) {
            checking.fault(Step::Verdicts, found, what);
        }
    }
    let by_proof = found.iter().filter(|found| rests_on_its_proof(&mut judge, &found.row)).count();
    checking.remark_on(
        by_proof,
        "unsat answer",
        "shown only by proofs that the run checked and did not keep: run the jobs again to check them again",
    );
    let some = found.iter().filter(|found| rests_on_its_list(&found.row)).count();
    checking.remark_on(
        some,
        "list",
        "of some solutions, checked by the rules in the run and not kept: run the jobs again to check them again",
    );
    // Who is shown to be wrong contradicts nobody any more.
    let stands = |row: &&Row| row.is_settled() && row.verdict != Verdict::Wrong;
    let mut rows: Vec<Row> = found.iter().map(|found| &found.row).filter(stands).cloned().collect();
    let boards: HashSet<_> = rows.iter().map(|row| row.job.instance.clone()).collect();
    checking.count(Step::Contradictions, boards.len());
    for contradiction in cross::examine(&mut rows) {
        checking.fault_at(Step::Contradictions, None, contradiction.to_string());
    }
    let wrong = found.iter().filter(|found| found.row.verdict == Verdict::Wrong).count();
    checking.remark_on(wrong, "row", "with the verdict `wrong`");
}

/// Whether nothing but the proof shows that the answer of a row is right.
fn rests_on_its_proof(judge: &mut Judge, row: &Row) -> bool {
    let is_by_proof =
        (row.verdict, row.answer) == (Verdict::Verified, Answer::Unsat) && row.proof.is_some();
    let alone = Case::new(&row.job.instance, row.answer, None);
    is_by_proof && judge.judge_again(&alone, row).verdict == Verdict::Unchecked
}

/// Whether nothing but the solutions that it listed shows that a row is right.
fn rests_on_its_list(row: &Row) -> bool {
    let by_rules =
        row.evidence.as_ref().is_some_and(|evidence| evidence.kind == EvidenceKind::Rules);
    row.verdict == Verdict::Verified && row.all.is_some() && by_rules
}

/// What is wrong with the answer of a row or its verdict, if anything is.
fn fault(judge: &mut Judge, row: &Row, closed_form: Option<Size>) -> Option<String> {
    if let Some(what) = consistent::contradiction(row) {
        return Some(what);
    }
    if row.verdict != Verdict::Unchecked && row.evidence.is_none() {
        return Some(format!("its verdict is {} without evidence", row.verdict.word()));
    }
    let solution = row.solution();
    let case = Case { closed_form, ..Case::of(row, solution.as_ref()) };
    let judged = judge.judge_again(&case, row);
    let kind = row.evidence.as_ref().map(|evidence| evidence.kind);
    // One of the solutions that were listed; they are not kept either, but perhaps their digest tells.
    let broke_rules = kind == Some(EvidenceKind::Rules) && row.all.is_some();
    let is_right = match (row.verdict, judged.verdict) {
        (recorded, found) if recorded == found => true,
        // More may be known by now.
        (Verdict::Unchecked, Verdict::Verified) => true,
        // The model is not kept, of which a clause was false.
        (Verdict::Wrong, Verdict::Verified) => {
            kind == Some(EvidenceKind::Clauses) || (broke_rules && !judge.is_right_set(&case))
        }
        (Verdict::Wrong, Verdict::Unchecked) => broke_rules,
        _ => false,
    };
    let truth = row.propagation.as_ref().and_then(|propagation| propagation.truth.as_ref());
    if is_right && truth.is_some() && judged.truth.is_some() && truth != judged.truth.as_ref() {
        return Some("what it says is true of all solutions is not what is".into());
    }
    if is_right {
        return None;
    }
    let because = judged.note.map_or(String::new(), |note| format!(": {note}"));
    Some(format!(
        "its verdict is {}, and it is judged {}{because}",
        row.verdict.word(),
        judged.verdict.word()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::cross::tests::count;
    use crate::check::witness::Witness;
    use crate::model::row::{Evidence, Stop};

    /// A count of the board of side 6, which has 4 solutions, under this verdict.
    fn claimed(found: u64, verdict: Verdict, kind: EvidenceKind) -> Row {
        let evidence = Some(Evidence { kind, source: "as told".into() });
        Row { verdict, evidence, ..count(6, "blocking", "pairwise", found) }
    }

    fn told(row: &Row) -> String {
        fault(&mut Judge::new(), row, None).unwrap_or_default()
    }

    #[test]
    fn a_count_is_judged_anew_whatever_its_row_says() {
        let cross = EvidenceKind::Cross;
        assert_eq!(told(&claimed(4, Verdict::Verified, cross)), "");
        assert_eq!(told(&claimed(4, Verdict::Unchecked, cross)), "", "more may be known by now");
        let wrong = "and it is judged wrong: 5 solutions were counted, and the board has 4";
        assert!(told(&claimed(5, Verdict::Verified, cross)).contains(wrong));
        assert!(told(&claimed(5, Verdict::Unchecked, cross)).contains(wrong));
        assert_eq!(told(&claimed(5, Verdict::Wrong, cross)), "");
        let slander = "its verdict is wrong, and it is judged verified";
        assert_eq!(told(&claimed(4, Verdict::Wrong, cross)), slander);

        let mut late = claimed(4, Verdict::Verified, cross);
        late.stop = Stop::CpuLimit;
        late.all.as_mut().unwrap().whole = false;
        assert_eq!(told(&late), "its verdict is verified, and it is judged unchecked");
        let denial = Row { answer: Answer::Unsat, ..claimed(4, Verdict::Verified, cross) };
        assert_eq!(told(&denial), "it answers unsat and found 4 solutions in all");
    }

    #[test]
    fn a_solution_that_broke_the_rules_is_not_kept_but_its_list_has_a_digest() {
        let mut row = claimed(4, Verdict::Wrong, EvidenceKind::Rules);
        assert_eq!(told(&row), "");
        let mut witness = Witness::new(&row.job.instance, None);
        let board = row.job.instance.board().unwrap();
        bezzel_count::Backtrack::new(board)
            .unwrap()
            .each(u64::MAX, |placement| {
                witness.add(placement.solution(board).chosen());
                std::ops::ControlFlow::Continue(())
            })
            .unwrap();
        row.all.as_mut().unwrap().digest = Some(witness.finish().digest);
        assert_eq!(told(&row), "its verdict is wrong, and it is judged verified");
    }
}
