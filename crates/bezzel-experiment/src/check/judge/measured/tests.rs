use bezzel_encode::{FormulaStats, Settings};
use bezzel_queens::{Board, Square};
use bezzel_solve::Answer;

use super::*;
use crate::backend::catalog::Catalog;
use crate::check::cross::tests::row;
use crate::check::judge::Judge;
use crate::model::job::NO_SOLVER;
use crate::model::measure::Marks;

/// The size of an encoding's formula as a worker measures it, with the closed form of its rules.
fn sized(id: &str, board: &Board) -> (Row, Option<Size>) {
    let encoding =
        Catalog::standard().encodings.find(id).unwrap().with_settings(Settings::default());
    let mut row = row(board.rows(), NO_SOLVER, Answer::Unknown, None);
    row.job.instance = board.clone().into();
    (row.job.task, row.job.encoding) = (Task::Size, id.into());
    let mut stats = FormulaStats::new();
    encoding.encode(&board.problem(), &mut stats);
    row.formula = Some(FormulaSize::of(stats));
    let circuit = encoding.circuit(&board.problem());
    row.circuit = circuit.map(|circuit| circuit.operations().into_iter().map(Into::into).collect());
    (row, encoding.size(&board.problem()))
}

fn judged(row: &Row, closed_form: Option<Size>) -> Judgement {
    Judge::new().judge(&Case { closed_form, ..Case::of(row, None) })
}

#[test]
fn a_size_is_verified_by_its_closed_form_whatever_the_board_adds_and_one_too_many_is_wrong() {
    let given = Board::new(8).unwrap().with_placed([Square::new(0, 3)]).unwrap();
    let given = given.with_blocked([Square::new(5, 5), Square::new(6, 1)]).unwrap();
    for board in [Board::new(8).unwrap(), given] {
        for id in ["pairwise", "sequential-counter", "binary"] {
            let (row, form) = sized(id, &board);
            let judgement = judged(&row, form);
            assert_eq!(judgement.verdict, Verdict::Verified, "{id} on {board}");
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

#[test]
fn a_circuit_is_held_against_the_exact_totals_of_each_section_where_there_are_some() {
    let board = Board::new(8).unwrap();
    let both = "closed form of the formula's size, exact totals of the operations in each section";
    for id in
        ["bryant-circuit", "bryant-circuit:binary+columns", "bryant-circuit+plaisted-greenbaum"]
    {
        let (row, form) = sized(id, &board);
        let judgement = judged(&row, form);
        assert_eq!(judgement.verdict, Verdict::Verified, "{id}: {:?}", judgement.note);
        assert_eq!(judgement.evidence.unwrap().source, both, "{id}");
        for change in [
            (|section: &mut SectionOperations| section.built += 1) as fn(&mut SectionOperations),
            |section| section.written -= 1,
            |section| section.name = "EXTRA".into(),
        ] {
            let mut other = row.clone();
            change(&mut other.circuit.as_mut().unwrap()[2]);
            assert_eq!(judged(&other, form).verdict, Verdict::Wrong, "{id}");
        }
    }
    // Other variants, and the circuits of the torus, have other totals, which are not known.
    assert_eq!(accounted("bryant-circuit+shared", Some(&board)), None);
    assert_eq!(accounted("bryant-circuit", Some(&board.with_geometry(Geometry::Torus))), None);
}

/// Returns the row of a propagation with the findings `found` on the board of side 4 with a queen on the second square,
/// whose only solution is .Q../...Q/Q.../..Q.
fn propagated(found: Option<&str>) -> Row {
    let mut row = row(4, NO_SOLVER, Answer::Unknown, None);
    row.job.task = Task::Propagate;
    row.job.instance = Board::of(&row.job.instance)
        .unwrap()
        .clone()
        .with_placed([Square::new(0, 1)])
        .unwrap()
        .into();
    let marks = |text: &str| serde_json::from_value::<Marks>(text.into()).unwrap();
    let (conflict, found) = (found.is_none(), found.map(marks));
    row.propagation = Some(Propagation { conflict, found, truth: None, propagate_cpu_s: 0.0 });
    row
}

#[test]
fn finding_little_is_no_fault_and_finding_what_is_not_so_is_one() {
    for weak in ["xQxx/xxxQ/Qxxx/xxQx", "xQxx/xxx./.x.x/.x..", ".Q../..../..../...."] {
        let judgement = judged(&propagated(Some(weak)), None);
        assert_eq!(judgement.verdict, Verdict::Verified, "{weak}");
        assert_eq!(judgement.evidence.unwrap().source, SEARCH);
        let truth = judgement.truth.unwrap();
        assert!(truth.solvable);
        assert_eq!(truth.implied.unwrap().to_string(), "xQxx/xxxQ/Qxxx/xxQx");
    }
    for (wrong, note) in [
        (Some("xQxx/xxxx/..../...."), "of 1 square propagation finds what is not so"),
        (Some("xQxx/Q..x/..../...."), "of 2 squares"),
        (None, "comes to a conflict, and the board has a solution"),
    ] {
        let judgement = judged(&propagated(wrong), None);
        assert_eq!(judgement.verdict, Verdict::Wrong, "{wrong:?}");
        assert!(judgement.note.unwrap().contains(note), "{wrong:?}");
    }
}

#[test]
fn a_board_without_a_solution_implies_every_fact_and_the_facts_of_a_large_board_are_unknown() {
    for found in [None, Some("Qxxx/xx../x.x./x..x")] {
        let mut row = propagated(found);
        row.job.instance = Board::new(4).unwrap().with_placed([Square::new(0, 0)]).unwrap().into();
        let judgement = judged(&row, None);
        assert_eq!(judgement.verdict, Verdict::Verified);
        assert_eq!(
            judgement.truth,
            Some(crate::model::measure::Truth { solvable: false, implied: None })
        );
    }
    let mut unknown = propagated(None);
    unknown.job.instance = Board::new(70).unwrap().into();
    assert_eq!(judged(&unknown, None).verdict, Verdict::Unchecked);
}
