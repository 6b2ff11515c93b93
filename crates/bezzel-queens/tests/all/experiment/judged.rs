//! Answers on boards, as the judge judges them.

use bezzel_experiment::Verdict;
use bezzel_experiment::judge::{Case, Judge, Judgement};
use bezzel_queens::{Board, Geometry, Placement, Square};
use bezzel_solve::Answer;

fn placement(columns: &[u32]) -> Placement {
    let squares = columns.iter().zip(1..);
    squares.map(|(&column, row)| Square::from((row, column))).collect()
}

fn judged(board: &Board, answer: Answer, columns: Option<&[u32]>) -> Judgement {
    let solution = columns.map(|columns| placement(columns).solution(board));
    Judge::new().judge(&Case::new(&board.clone().into(), answer, solution.as_ref()))
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
