use bezzel_encode::{FormulaStats, Settings};
use bezzel_problem::Kind;
use bezzel_solve::Answer;

use super::*;
use crate::backend::catalog::Catalog;
use crate::check::cross::tests::row;
use crate::check::judge::{Judge, SizeComparison};
use crate::model::job::NO_SOLVER;
use crate::model::measure::Marks;
use crate::tests::seating::Seating;

/// The size of an encoding's formula as a worker measures it, with the closed form of its rules.
fn sized(id: &str, seating: &Seating) -> (Row, Option<Size>) {
    let encoding =
        Catalog::of_tests().encodings.find(id).unwrap().with_settings(Settings::default());
    let mut row = row(seating.size(), NO_SOLVER, Answer::Unknown, None);
    row.job.instance = seating.clone().into();
    (row.job.task, row.job.encoding) = (Task::Size, id.into());
    let mut stats = FormulaStats::new();
    encoding.encode(&seating.problem(), &mut stats);
    row.formula = Some(FormulaSize::of(stats));
    let circuit = encoding.circuit(&seating.problem());
    row.circuit = circuit.map(|circuit| circuit.operations().into_iter().map(Into::into).collect());
    (row, encoding.size(&seating.problem()))
}

fn judged(row: &Row, closed_form: Option<Size>) -> Judgement {
    Judge::new().judge(&Case { closed_form, ..Case::of(row, None) })
}

#[test]
fn a_size_is_verified_by_its_closed_form_whatever_the_instance_adds_and_one_too_many_is_wrong() {
    let given = Seating::new(8, 8).with_given(&[(1, 4)]).with_excluded(&[(6, 6), (7, 2)]);
    for seating in [Seating::new(8, 8), given] {
        for id in ["pairwise", "sequential-counter", "binary"] {
            let (row, form) = sized(id, &seating);
            let judgement = judged(&row, form);
            assert_eq!(judgement.verdict, Verdict::Verified, "{id} on {seating}");
            let evidence = judgement.evidence.unwrap();
            assert_eq!(evidence.kind, EvidenceKind::ClosedForm);
            assert_eq!(evidence.source, "closed form of the formula's size");
            assert_eq!(judged(&row, None).verdict, Verdict::Unchecked);
            let more = form.map(|form| form + Size::new(0, 1, 2));
            let wrong = judged(&row, more);
            assert_eq!(wrong.verdict, Verdict::Wrong, "{id}");
            assert!(wrong.note.unwrap().contains("by the closed form"), "{id}");
        }
    }
}

/// Returns the row of a propagation with the findings `found` on four guests and chairs with a given seat and three
/// excluded ones, whose only solution is .Q../...Q/..Q./Q...
fn propagated(found: Option<&str>) -> Row {
    let mut row = row(4, NO_SOLVER, Answer::Unknown, None);
    row.job.task = Task::Propagate;
    let excluded = [(2, 1), (2, 3), (3, 1)];
    row.job.instance = Seating::new(4, 4).with_given(&[(1, 2)]).with_excluded(&excluded).into();
    let marks = |text: &str| serde_json::from_value::<Marks>(text.into()).unwrap();
    let (conflict, found) = (found.is_none(), found.map(marks));
    row.propagation = Some(Propagation { conflict, found, truth: None, propagate_cpu_s: 0.0 });
    row
}

#[test]
fn finding_little_is_no_fault_and_finding_what_is_not_so_is_one() {
    for weak in ["xQxx/xxxQ/xxQx/Qxxx", "xQxx/xxx./.x.x/.x..", ".Q../..../..../...."] {
        let judgement = judged(&propagated(Some(weak)), None);
        assert_eq!(judgement.verdict, Verdict::Verified, "{weak}");
        assert_eq!(judgement.evidence.unwrap().source, SEARCH);
        let truth = judgement.truth.unwrap();
        assert!(truth.solvable);
        assert_eq!(truth.implied.unwrap().to_string(), "xQxx/xxxQ/xxQx/Qxxx");
    }
    for (wrong, note) in [
        (Some("xQxx/xxxx/..../...."), "of 1 candidate propagation finds what is not so"),
        (Some("xQxx/...x/..x./...."), "of 2 candidates"),
        (None, "comes to a conflict, and the seating has a solution"),
    ] {
        let judgement = judged(&propagated(wrong), None);
        assert_eq!(judgement.verdict, Verdict::Wrong, "{wrong:?}");
        assert!(judgement.note.unwrap().contains(note), "{wrong:?}");
    }
}

#[test]
fn without_a_solution_every_fact_holds_and_the_facts_of_a_large_instance_are_unknown() {
    for found in [None, Some("Qxxx/xx../x.x./x..x")] {
        let mut row = propagated(found);
        row.job.instance = Seating::new(4, 4).with_given(&[(1, 1), (2, 1)]).into();
        let judgement = judged(&row, None);
        assert_eq!(judgement.verdict, Verdict::Verified);
        assert_eq!(
            judgement.truth,
            Some(crate::model::measure::Truth { solvable: false, implied: None })
        );
    }
    let mut unknown = propagated(None);
    unknown.job.instance = Seating::new(70, 70).into();
    assert_eq!(judged(&unknown, None).verdict, Verdict::Unchecked);
}

#[test]
fn a_size_is_held_against_the_numbers_of_further_checks() {
    let (row, form) = sized("pairwise", &Seating::new(4, 4));
    let case = Case { closed_form: form, ..Case::of(&row, None) };
    let judged = |check: SizeCheck| Judge::with_size_checks(&[check]).judge(&case);
    let source = "numbers of a plug-in";
    let equal =
        judged(|_| Some(SizeComparison { source: "numbers of a plug-in", difference: None }));
    assert_eq!(equal.verdict, Verdict::Verified);
    let both = "closed form of the formula's size, numbers of a plug-in";
    assert_eq!(equal.evidence.unwrap().source, both);
    let other = judged(|_| {
        let difference = Some("4 and 5".to_owned());
        Some(SizeComparison { source: "numbers of a plug-in", difference })
    });
    assert_eq!((other.verdict, other.note.unwrap().as_str()), (Verdict::Wrong, "4 and 5"));
    assert_eq!(other.evidence.unwrap().source, source);
    assert_eq!(judged(|_| None).evidence.unwrap().source, "closed form of the formula's size");
}
