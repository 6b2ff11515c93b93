//! Numbers and lists of the solutions of boards, as the judge judges them.

use std::ops::ControlFlow;

use bezzel_experiment::judge::Judge;
use bezzel_experiment::{Task, Verdict};
use bezzel_problem::Candidate;
use bezzel_queens::Backtrack;
use bezzel_queens::{Board, Geometry, Piece, Square};

use super::judging::{case, counted, judge_case, judge_case_by, listed, words};

/// The source of verdicts by a search.
const SEARCH: &str = "exhaustive search";

/// The solutions of a board, as candidates.
fn solutions(board: &Board) -> Vec<Vec<Candidate>> {
    let mut all = Vec::new();
    let search = Backtrack::new(board).unwrap();
    search
        .each(u64::MAX, |placement| {
            all.push(placement.solution(board).chosen().to_vec());
            ControlFlow::Continue(())
        })
        .unwrap();
    all
}

#[test]
fn a_number_is_right_if_it_is_published() {
    let board = Board::new(8).unwrap();
    let judged = |count| judge_case(&case(&board.clone().into(), Task::Count, &counted(count)));
    assert_eq!(judged(92), words(Verdict::Verified, "published: OEIS A000170", ""));
    let note = "91 solutions were counted, and the board has 92 solutions";
    assert_eq!(judged(91), words(Verdict::Wrong, "published: OEIS A000170", note));
    assert_eq!(judged(93).0, Verdict::Wrong);
    let note = "0 solutions were counted, and the board has 92 solutions";
    assert_eq!(judged(0), words(Verdict::Wrong, "published: OEIS A000170", note));
    // This board is too large for the judge's search.
    let large = Board::new(27).unwrap();
    let right = counted(234_907_967_154_122_528);
    let published = words(Verdict::Verified, "published: OEIS A000170", "");
    assert_eq!(judge_case(&case(&large.clone().into(), Task::Count, &right)), published);
    let torus = Board::new(29).unwrap().with_geometry(Geometry::Torus);
    let published = words(Verdict::Verified, "published: OEIS A007705, A051906", "");
    assert_eq!(
        judge_case(&case(&torus.clone().into(), Task::Count, &counted(605_917_055_356))),
        published
    );
}

#[test]
fn an_unpublished_number_is_compared_with_a_search() {
    let board = Board::new(6).unwrap();
    let boards = [
        (board.clone().with_placed([Square::new(0, 1)]).unwrap(), 1),
        (board.clone().with_placed([Square::new(0, 0)]).unwrap(), 0),
        (board.clone().with_blocked([Square::new(0, 1)]).unwrap(), 3),
        (board.clone().with_blocked((0..6).map(|column| Square::new(2, column))).unwrap(), 0),
        (board.with_piece(Piece::Rook), 720),
        (Board::rectangle(3, 5).unwrap(), 14),
        (Board::rectangle(5, 3).unwrap(), 0),
    ];
    for (board, count) in boards {
        assert_eq!(solutions(&board).len() as u64, count, "{board}");
        let judged = |count| judge_case(&case(&board.clone().into(), Task::Count, &counted(count)));
        assert_eq!(judged(count), words(Verdict::Verified, SEARCH, ""), "{board}");
        assert_eq!(judged(count + 1).0, Verdict::Wrong, "{board}");
    }
}

#[test]
#[ignore = "second tier: a search on side 40"]
fn an_unknown_number_is_unchecked_and_a_false_denial_is_wrong() {
    let (open, mut judge) = (Board::new(40).unwrap(), Judge::new());
    let mut judged = |count| {
        judge_case_by(&mut judge, &case(&open.clone().into(), Task::Count, &counted(count)))
    };
    assert_eq!(judged(4711).0, Verdict::Unchecked);
    let source = "published: Pauls 1874: none for 2 and 3 only";
    let denied = words(Verdict::Wrong, source, "the board has a solution");
    assert_eq!(judged(0), denied);
}

#[test]
fn a_list_is_right_if_it_is_the_set_that_a_search_finds() {
    let board = Board::new(6).unwrap();
    let all = solutions(&board);
    let judged = |solutions: &[Vec<Candidate>]| {
        let listed = listed(&board.clone().into(), solutions);
        judge_case(&case(&board.clone().into(), Task::Enumerate, &listed))
    };
    let source = "published: OEIS A000170; the set is that of an exhaustive search";
    assert_eq!(judged(&all), words(Verdict::Verified, source, ""));
    let rectangle = Board::rectangle(4, 6).unwrap();
    let list = listed(&rectangle.clone().into(), &solutions(&rectangle));
    let found = words(Verdict::Verified, "exhaustive search, which finds the same set", "");
    assert_eq!(judge_case(&case(&rectangle.clone().into(), Task::Count, &list)), found);

    // The right number, with one solution twice.
    let doubled = [&all[..3], &all[..1]].concat();
    let note = "as many were listed as there are, but not the same: some come twice, and others \
                are missing";
    assert_eq!(judged(&doubled), words(Verdict::Wrong, SEARCH, note));
    let (verdict, _, note) = judged(&[&all[..], &all[..1]].concat());
    assert_eq!(verdict, Verdict::Wrong);
    assert_eq!(note, "5 solutions were listed, some more than once, and the board has 4 solutions");
    let (verdict, _, note) = judged(&all[..3]);
    assert_eq!(verdict, Verdict::Wrong);
    assert_eq!(note, "3 solutions were listed, and the board has 4 solutions");
}
