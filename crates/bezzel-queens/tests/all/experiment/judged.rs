//! Answers on boards, as the judge judges them.

use bezzel_experiment::judge::{Case, Judge, Judgement};
use bezzel_experiment::{EvidenceKind, Finding, Verdict};
use bezzel_queens::{Board, Geometry, Placement, Square};
use bezzel_solve::Answer;

use super::judging::{judge_denial, proof};

fn placement(columns: &[u32]) -> Placement {
    let squares = columns.iter().zip(1..);
    squares.map(|(&column, row)| Square::from((row, column))).collect()
}

fn judged(board: &Board, answer: Answer, columns: Option<&[u32]>) -> Judgement {
    let solution = columns.map(|columns| placement(columns).solution(board));
    Judge::new().judge(&Case::new(&board.clone().into(), answer, solution.as_ref()))
}

#[test]
fn a_solution_is_verified_by_the_rules() {
    // Zantema's printed solution for eight queens.
    let board = Board::new(8).unwrap();
    let judgement = judged(&board, Answer::Sat, Some(&[4, 2, 7, 3, 6, 8, 5, 1]));
    assert_eq!(judgement.verdict, Verdict::Verified);
    assert_eq!(judgement.evidence.unwrap().kind, EvidenceKind::Rules);
}

#[test]
fn a_lying_solver_is_found_out() {
    let board = Board::new(8).unwrap();
    let attacked = judged(&board, Answer::Sat, Some(&[1, 2, 3, 4, 5, 6, 7, 8]));
    assert_eq!(attacked.verdict, Verdict::Wrong);
    assert_eq!(
        attacked.note.unwrap(),
        "the solution breaks the rules: the queens on 1,1 and 2,2 attack each other"
    );
    assert_eq!(judged(&board, Answer::Sat, None).verdict, Verdict::Wrong);
    assert_eq!(judged(&board, Answer::Unsat, None).verdict, Verdict::Wrong);
}

#[test]
fn no_solution_is_verified_by_a_published_zero_or_by_exhaustive_search() {
    let torus = Board::new(12).unwrap().with_geometry(Geometry::Torus);
    let judgement = judged(&torus, Answer::Unsat, None);
    assert_eq!(judgement.verdict, Verdict::Verified);
    assert!(judgement.evidence.unwrap().source.starts_with("published"));

    let corner = Board::new(6).unwrap().with_placed([Square::new(0, 0)]).unwrap();
    let judgement = judged(&corner, Answer::Unsat, None);
    assert_eq!(judgement.verdict, Verdict::Verified);
    assert_eq!(judgement.evidence.unwrap().source, "exhaustive search");
}

#[test]
fn a_solution_that_one_solver_has_found_convicts_the_next_that_denies_it() {
    // The board is too large for the search, and no number is published.
    let board = Board::new(100).unwrap().with_blocked([Square::new(0, 0)]).unwrap();
    let columns: Vec<u32> = (2..=100).step_by(2).chain((1..100).step_by(2)).collect();
    let queens = placement(&columns).solution(&board);
    let mut judge = Judge::new();
    judge.judge(&Case::new(&board.clone().into(), Answer::Sat, Some(&queens)));
    let judgement = judge.judge(&Case::new(&board.clone().into(), Answer::Unsat, None));
    assert_eq!(judgement.verdict, Verdict::Wrong);
    assert_eq!(judged(&board, Answer::Unsat, None).verdict, Verdict::Unchecked);
}

#[test]
fn a_model_that_falsifies_a_clause_is_wrong_though_the_queens_stand_well() {
    let board = Board::new(4).unwrap();
    let queens = placement(&[2, 4, 1, 3]).solution(&board);
    let instance = board.into();
    let case = Case::new(&instance, Answer::Sat, Some(&queens));
    let judgement = Judge::new().judge(&Case { violated: Some(&[3, -20]), ..case });
    assert_eq!(judgement.verdict, Verdict::Wrong);
    assert_eq!(judgement.evidence.unwrap().kind, EvidenceKind::Clauses);
    assert_eq!(judgement.note.unwrap(), "the model does not satisfy the clause 3 -20 0");
}

#[test]
fn a_proof_verifies_a_denial_unless_the_board_has_a_solution() {
    let judged = |board: &Board, proof: &_| judge_denial(&board.clone().into(), proof);
    // The board is too large for the search, and no number is published.
    let open = Board::new(100).unwrap().with_blocked([Square::new(0, 0)]).unwrap();
    let (solvable, none) = (Board::new(8).unwrap(), Board::new(3).unwrap());
    let cross = Some(EvidenceKind::Cross);
    let by_proof = Some(EvidenceKind::Proof);

    let accepted = proof(Finding::Accepted, None);
    assert_eq!(judged(&open, &accepted), (Verdict::Verified, by_proof, String::new()));
    let message = "the board has a solution".to_owned();
    assert_eq!(judged(&solvable, &accepted), (Verdict::Wrong, cross, message));

    let refused = proof(Finding::Refused, Some("step 7"));
    let message = "the proof is forged or damaged: step 7".to_owned();
    assert_eq!(judged(&open, &refused), (Verdict::Wrong, by_proof, message.clone()));
    assert_eq!(judged(&none, &refused), (Verdict::Wrong, by_proof, message));

    let unchecked = proof(Finding::Unchecked, Some("it has no end"));
    let message = "it has no end".to_owned();
    assert_eq!(judged(&open, &unchecked), (Verdict::Unchecked, None, message.clone()));
    assert_eq!(judged(&none, &unchecked), (Verdict::Verified, cross, message));
}

#[test]
fn no_answer_is_no_lie() {
    let board = Board::new(8).unwrap();
    assert_eq!(judged(&board, Answer::Unknown, None).verdict, Verdict::Unchecked);
}
