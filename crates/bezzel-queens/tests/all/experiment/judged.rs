//! Numbers of solutions of boards, as the judge judges them by published ones.

use bezzel_experiment::judge::{Case, Judge};
use bezzel_experiment::{AllSolutions, Task, Verdict};
use bezzel_queens::{Board, Geometry};
use bezzel_solve::Answer;

/// The verdict on this number of solutions of a board, its source, and the note.
fn judged(board: Board, count: u64) -> (Verdict, String, String) {
    let (digest, diagram, auxiliaries) = (None, None, None);
    let all = AllSolutions { count: count.into(), whole: true, digest, diagram, auxiliaries };
    let answer = if count == 0 { Answer::Unsat } else { Answer::Sat };
    let (task, all) = (Task::Count, Some(&all));
    let found = Judge::new().judge(&Case { task, all, ..Case::new(&board.into(), answer, None) });
    let source = found.evidence.map_or(String::new(), |evidence| evidence.source);
    (found.verdict, source, found.note.unwrap_or_default())
}

#[test]
fn a_number_is_right_if_it_is_published() {
    let plane = |side| Board::new(side).unwrap();
    let torus = plane(29).with_geometry(Geometry::Torus);
    let (counted, tori) = ("published: OEIS A000170", "published: OEIS A007705, A051906");
    let wrong = "91 solutions were counted, and the board has 92 solutions";
    // The last two are too large for the judge's search.
    for (board, count, verdict, source, note) in [
        (plane(8), 92, Verdict::Verified, counted, ""),
        (plane(8), 91, Verdict::Wrong, counted, wrong),
        (plane(27), 234_907_967_154_122_528, Verdict::Verified, counted, ""),
        (torus, 605_917_055_356, Verdict::Verified, tori, ""),
    ] {
        assert_eq!(judged(board, count), (verdict, source.into(), note.into()));
    }
}

#[test]
#[ignore = "second tier: a search on side 40"]
fn an_unknown_number_is_unchecked_and_a_false_denial_is_wrong() {
    let open = Board::new(40).unwrap();
    assert_eq!(judged(open.clone(), 4711).0, Verdict::Unchecked);
    let source = "published: Pauls 1874: none for 2 and 3 only";
    let denied = (Verdict::Wrong, source.into(), "the board has a solution".into());
    assert_eq!(judged(open, 0), denied);
}
