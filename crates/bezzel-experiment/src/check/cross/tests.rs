use std::sync::Arc;

use bezzel_encode::{Constraints, Numbering};
use bezzel_solve::ProofFormat;

use super::*;
use crate::check::claim::ClaimedAnswer;
use crate::model::all_solutions::AllSolutions;
use crate::model::job::PlannedJob;
use crate::model::job::{Job, Limits};
use crate::model::row::{ProofRecord, Termination};
use crate::tests::seating::Seating;

/// Returns the row of a solver on the seating of this size, with its evidence.
pub(crate) fn row(side: u32, solver: &str, answer: Answer, evidence: Option<EvidenceKind>) -> Row {
    let job = Job {
        instance: Seating::new(side, side).into(),
        encoding: "pairwise".into(),
        settings: Constraints::Full.into(),
        numbering: Numbering::AS_GENERATED,
        solver: solver.into(),
        options: Arc::default(),
        task: Task::Solve,
        max_solutions: None,
        repeat: 1,
        limits: Limits { cpu_s: 1.0, wall_s: 2.0, memory_bytes: 1 << 30, nodes: None },
        proof: None,
        simplified: false,
    };
    let planned = PlannedJob {
        job,
        key: Key(format!("{solver}-{side}")),
        encoding_revision: 1,
        solver_version: "1".into(),
        size: None,
    };
    let source = match evidence {
        Some(EvidenceKind::Cross) => "published: OEIS A007705",
        _ => "as given",
    };
    Row {
        status: answer,
        verdict: if evidence.is_some() { Verdict::Verified } else { Verdict::Unchecked },
        checked_by: evidence.map(|kind| Evidence { kind, source: source.into() }),
        proof: (evidence == Some(EvidenceKind::Proof)).then_some(ProofRecord {
            format: ProofFormat::Lrat,
            finding: Finding::Accepted,
            bytes: Some(10),
            steps: Some(1234),
            check_cpu_s: None,
            check_memory_peak_bytes: None,
            note: None,
            translated: false,
            checker_version: None,
        }),
        ..Row::blank(planned, Termination::Finished)
    }
}

/// Returns the row of an engine that counted the solutions of the seating of this size.
pub(crate) fn count(side: u32, engine: &str, encoding: &str, count: u64) -> Row {
    let answer = if count == 0 { Answer::Unsat } else { Answer::Sat };
    let mut row = row(side, engine, answer, None);
    (row.job.task, row.job.encoding) = (Task::Count, encoding.into());
    row.key = Key(format!("{engine}-{encoding}-{side}-{count}"));
    let all = AllSolutions {
        count: count.into(),
        whole: true,
        digest: None,
        diagram: None,
        auxiliaries: None,
    };
    Row { all: Some(all), ..row }
}

pub(crate) fn verdict_and_source(row: &Row) -> (Verdict, &str) {
    (row.verdict, row.checked_by.as_ref().map_or("", |evidence| evidence.source.as_str()))
}

const PROOF: Option<EvidenceKind> = Some(EvidenceKind::Proof);
const RULES: Option<EvidenceKind> = Some(EvidenceKind::Rules);
const CROSS: Option<EvidenceKind> = Some(EvidenceKind::Cross);

#[test]
fn a_proof_of_one_solver_verifies_the_answer_of_another_on_the_same_instance() {
    let mut rows = [
        row(6, "batsat", Answer::Unsat, None),
        row(6, "cadical", Answer::Unsat, PROOF),
        row(7, "batsat", Answer::Unsat, None),
        row(7, "cadical", Answer::Unknown, None),
    ];
    let before = rows.clone();
    assert_eq!(examine(&mut rows), []);
    let source = "the accepted LRAT proof of 1,234 steps of cadical with pairwise, row cadical-6";
    assert_eq!(verdict_and_source(&rows[0]), (Verdict::Verified, source));
    assert_eq!(rows[0].checked_by.as_ref().unwrap().kind, EvidenceKind::Cross);
    // A row of another instance is independent.
    assert_eq!(rows[1..], before[1..]);
}

#[test]
fn a_published_zero_in_one_row_verifies_the_next() {
    let mut rows = [row(6, "cadical", Answer::Unsat, CROSS), row(6, "batsat", Answer::Unsat, None)];
    examine(&mut rows);
    let source = "published: OEIS A007705 of cadical with pairwise, row cadical-6";
    assert_eq!(verdict_and_source(&rows[1]), (Verdict::Verified, source));
}

#[test]
fn a_verified_solution_convicts_every_denial_however_well_it_is_proved() {
    let mut rows = [
        row(6, "liar", Answer::Unsat, None),
        row(6, "prover", Answer::Unsat, PROOF),
        row(6, "cadical", Answer::Sat, RULES),
    ];
    let contradictions = examine(&mut rows);
    for row in &rows[..2] {
        let source = "a verified solution of cadical with pairwise, row cadical-6";
        assert_eq!(verdict_and_source(row), (Verdict::Wrong, source));
        assert_eq!(row.note.as_deref(), Some("the seating has a solution"));
    }
    assert_eq!(rows[2].verdict, Verdict::Verified);
    let messages: Vec<_> = contradictions.iter().map(ToString::to_string).collect();
    assert_eq!(
        messages,
        [
            "seating 6: sat says cadical with pairwise (row cadical-6, as given), unsat says prover with \
          pairwise (row prover-6, as given)"
        ]
    );
}

#[test]
fn contradictions_are_reported_with_the_smallest_instance_first() {
    let mut rows: Vec<Row> = [9, 12, 7]
        .iter()
        .flat_map(|&side| {
            [row(side, "one", Answer::Sat, RULES), row(side, "two", Answer::Unsat, None)]
        })
        .collect();
    rows.push(row(5, "one", Answer::Sat, RULES));
    let sizes: Vec<u32> = examine(&mut rows).iter().map(|found| found.instance.size()).collect();
    assert_eq!(sizes, [7, 9, 12]);
}

#[test]
fn a_solution_that_the_rules_refuted_contradicts_no_row() {
    let mut rows = [
        Row { verdict: Verdict::Wrong, ..row(6, "liar", Answer::Sat, None) },
        row(6, "batsat", Answer::Unsat, None),
    ];
    let before = rows.clone();
    assert_eq!(examine(&mut rows), []);
    assert_eq!(rows, before);
}

#[test]
fn a_solution_that_is_not_kept_is_worth_what_others_found() {
    let judged = |other: Row| {
        let mut rows = [row(6, "program", Answer::Sat, None), other];
        let contradictions = examine(&mut rows);
        (rows[0].verdict, contradictions.len())
    };
    assert_eq!(judged(row(6, "a", Answer::Sat, RULES)), (Verdict::Verified, 0));
    assert_eq!(judged(row(6, "a", Answer::Unsat, CROSS)), (Verdict::Wrong, 1));
    // A proof is about a formula, so it is unknown which of the two is wrong.
    assert_eq!(judged(row(6, "a", Answer::Unsat, PROOF)), (Verdict::Unchecked, 1));
    assert_eq!(judged(row(7, "a", Answer::Unsat, CROSS)), (Verdict::Unchecked, 0));
}

#[test]
fn two_rows_of_one_job_that_disagree_are_a_contradiction() {
    let kept = row(6, "cadical", Answer::Unsat, PROOF);
    let (unsat, sat) = (Answer::Unsat.into(), Answer::Sat.into());
    let found = Disagreement { key: kept.key.clone(), kept: unsat, other: sat };
    let contradictions = between_repetitions([&found], |_| Some(&kept));
    assert_eq!(contradictions.len(), 1);
    assert_eq!(
        (contradictions[0].one.evidence.as_ref(), contradictions[0].instance.size()),
        (None, 6)
    );
    assert_eq!(contradictions[0].other.evidence.as_ref().unwrap().kind, EvidenceKind::Proof);

    let kept = count(6, "a", "b", 4);
    let [claim, other] = [&kept, &count(6, "a", "b", 5)].map(ClaimedAnswer::of);
    let found = Disagreement { key: kept.key.clone(), kept: claim, other };
    let contradictions = between_repetitions([&found], |_| Some(&kept));
    assert!(
        contradictions[0].to_string().starts_with("seating 6: 4 solutions says a with b"),
        "{}",
        contradictions[0]
    );
    assert!(
        contradictions[0].to_string().contains("5 solutions says a with b"),
        "{}",
        contradictions[0]
    );
}
