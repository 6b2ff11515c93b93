//! Numbers and lists of the solutions of boards, as the judge judges them.

use std::ops::ControlFlow;

use bezzel_encode::Auxiliaries;
use bezzel_experiment::judge::{Case, Judge};
use bezzel_experiment::{AllSolutions, EvidenceKind, Task, Verdict};
use bezzel_problem::Candidate;
use bezzel_queens::Backtrack;
use bezzel_queens::{Board, Geometry, Piece, Square};
use bezzel_solve::Answer;

use super::judging::{case, counted, judge_case, judge_case_by, listed, verdict, words};

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

#[test]
fn a_solution_that_breaks_the_rules_spoils_whatever_was_found() {
    let board = Board::new(6).unwrap();
    let right = listed(&board.clone().into(), &solutions(&board));
    let unfinished = AllSolutions { count: 1_u8.into(), whole: false, ..right.clone() };
    for all in [right, unfinished] {
        let instance = board.clone().into();
        let case = case(&instance, Task::Count, &all);
        let judged = Judge::new().judge(&Case { violation: Some("queens on …"), ..case });
        assert_eq!(judged.verdict, Verdict::Wrong);
        assert_eq!(judged.evidence.unwrap().kind, EvidenceKind::Rules);
        assert_eq!(judged.note.unwrap(), "not every solution is one: queens on …");
    }
}

#[test]
fn a_count_at_a_limit_can_be_too_large_and_never_too_small() {
    let board = Board::new(8).unwrap();
    let judged = |count: u64| {
        verdict(&case(
            &board.clone().into(),
            Task::Count,
            &AllSolutions { whole: false, ..counted(count) },
        ))
    };
    for few in [0, 1, 91, 92] {
        assert_eq!(judged(few), Verdict::Unchecked, "{few}");
    }
    assert_eq!(judged(93), Verdict::Wrong);
    // A killed worker has no result.
    let instance = board.clone().into();
    let nothing = Case { task: Task::Count, ..Case::new(&instance, Answer::Unknown, None) };
    assert_eq!(verdict(&nothing), Verdict::Unchecked);
}

#[test]
fn as_many_as_were_to_be_are_some_and_fewer_are_all() {
    let board = Board::new(6).unwrap();
    let all = solutions(&board);
    let judged = |solutions: &[Vec<Candidate>], max_solutions| {
        let listed = listed(&board.clone().into(), solutions);
        judge_case(&Case {
            max_solutions: Some(max_solutions),
            ..case(&board.clone().into(), Task::Enumerate, &listed)
        })
    };
    let some = words(Verdict::Verified, "rules of the board, for each solution", "");
    assert_eq!(judged(&all[..3], 3), some);
    // Three of four, although more were required.
    assert_eq!(judged(&all[..3], 5).0, Verdict::Wrong);
    let source = "published: OEIS A000170; the set is that of an exhaustive search";
    assert_eq!(judged(&all, 5), words(Verdict::Verified, source, ""));
    assert_eq!(judged(&all, 4), words(Verdict::Verified, source, ""));
    assert_eq!(judged(&[&all[..], &all[..]].concat(), 8).0, Verdict::Wrong);
    // The number of solutions of a larger board is unknown.
    let open = Board::new(40).unwrap();
    let ten = AllSolutions { digest: Some("00".into()), ..counted(10) };
    let open = open.into();
    let (case, mut judge) = (case(&open, Task::Enumerate, &ten), Judge::new());
    assert_eq!(judge_case_by(&mut judge, &Case { max_solutions: Some(10), ..case }), some);
    let more = judge_case_by(&mut judge, &Case { max_solutions: Some(11), ..case });
    assert_eq!(more.0, Verdict::Unchecked);
}

#[test]
fn a_count_above_zero_convicts_who_denies_that_there_is_a_solution() {
    // The verified count shows that the board has a solution.
    let board = Board::new(8).unwrap().with_blocked([Square::new(3, 3)]).unwrap();
    let right = counted(solutions(&board).len() as u64);
    let mut judge = Judge::new();
    assert_eq!(
        judge.judge(&case(&board.clone().into(), Task::Count, &right)).verdict,
        Verdict::Verified
    );
    let denial = judge.judge(&Case::new(&board.clone().into(), Answer::Unsat, None));
    assert_eq!(denial.verdict, Verdict::Wrong);
    assert_eq!(denial.evidence.unwrap().source, "a verified solution of the same board");
}

#[test]
fn as_many_models_as_solutions_are_right_where_the_squares_determine_the_others() {
    let board = Board::new(8).unwrap();
    let judged = |count, promise| {
        let all = AllSolutions { auxiliaries: promise, ..counted(count) };
        judge_case(&case(&board.clone().into(), Task::Models, &all))
    };
    let (none, defined) = (Some(Auxiliaries::None), Some(Auxiliaries::Defined));
    let source = "published: OEIS A000170, with no auxiliary variables";
    assert_eq!(judged(92, none), words(Verdict::Verified, source, ""));
    let source = "published: OEIS A000170, with auxiliary variables that the squares determine";
    assert_eq!(judged(92, defined), words(Verdict::Verified, source, ""));
    let note = "184 models were counted, and with auxiliary variables that the squares determine there \
                are 92 solutions";
    assert_eq!(judged(184, defined), words(Verdict::Wrong, "published: OEIS A000170", note));
    // Free variables may have many values, but each solution has a model.
    let free = Some(Auxiliaries::Free);
    assert_eq!(judged(171_966_464, free).0, Verdict::Unchecked);
    assert_eq!(judged(92, free).0, Verdict::Unchecked);
    let note = "91 models were counted, and each of 92 solutions has one at least";
    assert_eq!(judged(91, free), words(Verdict::Wrong, "published: OEIS A000170", note));
    // The kind of the variables is unknown, or the count is unfinished.
    assert_eq!(judged(92, None).0, Verdict::Unchecked);
    let late = AllSolutions { whole: false, auxiliaries: defined, ..counted(7) };
    assert_eq!(verdict(&case(&board.clone().into(), Task::Models, &late)), Verdict::Unchecked);
}
