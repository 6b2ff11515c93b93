//! The check of every answer: it is judged again, and compared with the answers of the other rows.

use std::collections::HashSet;

use bezzel_encode::Size;
use bezzel_solve::Answer;

use super::consistent;
use super::cross;
use super::judge::{Case, Judge};
use super::report::{NumberedRow, Verification, VerificationStep};
use crate::model::row::{EvidenceKind, Row, Verdict};

/// Checks the answer and the verdict of each row by this judge. Sizes are compared with the closed form that
/// `closed_form` returns.
pub(crate) fn check(
    found: &[NumberedRow],
    mut judge: Judge,
    closed_form: &dyn Fn(&Row) -> Option<Size>,
    verification: &mut Verification<'_>,
) {
    let is_imported = |found: &&NumberedRow| found.row.verdict == Verdict::Imported;
    let (imported, own): (Vec<_>, Vec<_>) = found.iter().partition(is_imported);
    let all = own.len();
    // Facts on instances come from solutions that are checked here, not from the verdicts of rows.
    let shows = |found: &&NumberedRow| found.row.status == Answer::Sat && found.row.has_solution();
    for NumberedRow { row, .. } in found.iter().filter(shows) {
        judge.judge(&Case::new(&row.job.instance, row.status, row.solution().as_ref()));
    }
    for (done, found) in own.into_iter().enumerate() {
        // A search for a solution may take seconds.
        if verification.is_cancelled() {
            return;
        }
        (verification.observe)(VerificationStep::Verdicts, done, all);
        verification.count(VerificationStep::Verdicts, 1);
        if let Some(what) = fault(&mut judge, &found.row, closed_form(&found.row)) {
            verification.fault(VerificationStep::Verdicts, found, what);
        }
    }
    if !imported.is_empty() {
        verification.leave_out(VerificationStep::Verdicts, imported.len());
        let what = "imported from a table of others, not verified here";
        verification.remark_on(imported.len(), "row", what);
    }
    let by_proof = found.iter().filter(|found| rests_on_its_proof(&mut judge, &found.row)).count();
    verification.remark_on(
        by_proof,
        "unsat answer",
        "shown only by proofs that the run checked and did not keep: run the jobs again to check them again",
    );
    let some = found.iter().filter(|found| rests_on_its_list(&found.row)).count();
    verification.remark_on(
        some,
        "list",
        "of some solutions, checked by the rules in the run and not kept: run the jobs again to check them again",
    );
    // A row that is shown to be wrong is no claim.
    let stands = |row: &&Row| row.is_settled() && row.verdict != Verdict::Wrong;
    let mut rows: Vec<Row> = found.iter().map(|found| &found.row).filter(stands).cloned().collect();
    let instances: HashSet<_> = rows.iter().map(|row| row.job.instance.clone()).collect();
    verification.count(VerificationStep::Contradictions, instances.len());
    for contradiction in cross::examine(&mut rows) {
        verification.fault_at(VerificationStep::Contradictions, None, contradiction.to_string());
    }
    let wrong = found.iter().filter(|found| found.row.verdict == Verdict::Wrong).count();
    verification.remark_on(wrong, "row", "with the verdict `wrong`");
}

/// Returns true if the proof alone shows that the answer of a row is right.
fn rests_on_its_proof(judge: &mut Judge, row: &Row) -> bool {
    let is_by_proof =
        (row.verdict, row.status) == (Verdict::Verified, Answer::Unsat) && row.proof.is_some();
    let alone = Case::new(&row.job.instance, row.status, None);
    is_by_proof && judge.judge_again(&alone, row).verdict == Verdict::Unchecked
}

/// Returns true if the listed solutions alone show that a row is right.
fn rests_on_its_list(row: &Row) -> bool {
    let by_rules =
        row.checked_by.as_ref().is_some_and(|evidence| evidence.kind == EvidenceKind::Rules);
    row.verdict == Verdict::Verified && row.all.is_some() && by_rules
}

/// Returns the fault of the answer of a row or its verdict, if there is one.
fn fault(judge: &mut Judge, row: &Row, closed_form: Option<Size>) -> Option<String> {
    if let Some(what) = consistent::contradiction(row) {
        return Some(what);
    }
    if row.verdict != Verdict::Unchecked && row.checked_by.is_none() {
        return Some(format!("its verdict is {} without `checked_by`", row.verdict.id()));
    }
    let solution = row.solution();
    let case = Case { closed_form, ..Case::of(row, solution.as_ref()) };
    let judged = judge.judge_again(&case, row);
    let kind = row.checked_by.as_ref().map(|evidence| evidence.kind);
    // The evidence was one of the listed solutions, which are not stored. The digest may show the fault.
    let broke_rules = kind == Some(EvidenceKind::Rules) && row.all.is_some();
    let is_right = match (row.verdict, judged.verdict) {
        (recorded, found) if recorded == found => true,
        // More facts may be known now.
        (Verdict::Unchecked, Verdict::Verified) => true,
        // The model, which falsified a clause, is not stored.
        (Verdict::Wrong, Verdict::Verified) => {
            kind == Some(EvidenceKind::Clauses) || (broke_rules && !judge.is_right_set(&case))
        }
        (Verdict::Wrong, Verdict::Unchecked) => broke_rules,
        _ => false,
    };
    let truth = row.propagation.as_ref().and_then(|propagation| propagation.truth.as_ref());
    if is_right && truth.is_some() && judged.truth.is_some() && truth != judged.truth.as_ref() {
        return Some("it reports facts about all solutions that are false".into());
    }
    if is_right {
        return None;
    }
    let because = judged.note.map_or(String::new(), |note| format!(": {note}"));
    Some(format!(
        "its verdict is {}, and it is judged {}{because}",
        row.verdict.id(),
        judged.verdict.id()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::cross::tests::count;
    use crate::check::solution_collector::SolutionCollector;
    use crate::model::row::{Evidence, Termination};
    use crate::tests::seating::Seating;

    /// Returns a count of three guests on as many chairs, who have 6 solutions, with this verdict.
    fn claimed(found: u64, verdict: Verdict, kind: EvidenceKind) -> Row {
        let evidence = Some(Evidence { kind, source: "as given".into() });
        Row { verdict, checked_by: evidence, ..count(3, "blocking", "pairwise", found) }
    }

    fn fault_text(row: &Row) -> String {
        fault(&mut Judge::new(), row, None).unwrap_or_default()
    }

    #[test]
    fn a_count_is_judged_anew_whatever_its_row_says() {
        let cross = EvidenceKind::Cross;
        assert_eq!(fault_text(&claimed(6, Verdict::Verified, cross)), "");
        assert_eq!(
            fault_text(&claimed(6, Verdict::Unchecked, cross)),
            "",
            "more may be known by now"
        );
        let wrong = "and it is judged wrong: 7 solutions were counted, and the seating has 6";
        assert!(fault_text(&claimed(7, Verdict::Verified, cross)).contains(wrong));
        assert!(fault_text(&claimed(7, Verdict::Unchecked, cross)).contains(wrong));
        assert_eq!(fault_text(&claimed(7, Verdict::Wrong, cross)), "");
        let slander = "its verdict is wrong, and it is judged verified";
        assert_eq!(fault_text(&claimed(6, Verdict::Wrong, cross)), slander);

        let mut late = claimed(6, Verdict::Verified, cross);
        late.termination = Termination::CpuLimit;
        late.all.as_mut().unwrap().whole = false;
        assert_eq!(fault_text(&late), "its verdict is verified, and it is judged unchecked");
        let denial = Row { status: Answer::Unsat, ..claimed(6, Verdict::Verified, cross) };
        assert_eq!(fault_text(&denial), "it answers unsat and found 6 solutions in all");
    }

    #[test]
    fn a_solution_that_broke_the_rules_is_not_kept_but_its_list_has_a_digest() {
        let mut row = claimed(6, Verdict::Wrong, EvidenceKind::Rules);
        assert_eq!(fault_text(&row), "");
        let mut collector = SolutionCollector::new(&row.job.instance);
        for chosen in row.job.instance.get::<Seating>().unwrap().solutions() {
            collector.add(&chosen);
        }
        row.all.as_mut().unwrap().digest = Some(collector.finish().digest);
        assert_eq!(fault_text(&row), "its verdict is wrong, and it is judged verified");
    }
}
