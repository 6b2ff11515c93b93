use bezzel_encode::Auxiliaries;
use bezzel_problem::Candidate;
use bezzel_solve::Answer;

use super::*;
use crate::check::judge::Judge;
use crate::model::row::EvidenceKind;
use crate::tests::judging::{case, counted, judge_case, judge_case_by, listed, words};
use crate::tests::seating::Seating;

/// The source of the numbers of seatings without given and excluded seats.
const PUBLISHED: &str = "published: falling factorials";

fn verdict(case: &Case<'_>) -> Verdict {
    judge_case(case).0
}

#[test]
fn a_number_is_right_if_it_is_published() {
    let seating = Seating::new(5, 5).into();
    let judged = |count| judge_case(&case(&seating, Task::Count, &counted(count)));
    assert_eq!(judged(120), words(Verdict::Verified, PUBLISHED, ""));
    let note = "119 solutions were counted, and the seating has 120 solutions";
    assert_eq!(judged(119), words(Verdict::Wrong, PUBLISHED, note));
    assert_eq!(judged(121).0, Verdict::Wrong);
    let note = "0 solutions were counted, and the seating has 120 solutions";
    assert_eq!(judged(0), words(Verdict::Wrong, PUBLISHED, note));
    // These are too many for the judge's search: 20!.
    let large = Seating::new(20, 20).into();
    let right = judge_case(&case(&large, Task::Count, &counted(2_432_902_008_176_640_000)));
    assert_eq!(right, words(Verdict::Verified, PUBLISHED, ""));
}

#[test]
fn an_unpublished_number_is_compared_with_a_search() {
    let seatings = [
        (Seating::new(5, 5).with_given(&[(1, 2)]), 24),
        (Seating::new(5, 5).with_given(&[(1, 1), (2, 1)]), 0),
        (Seating::new(5, 5).with_excluded(&[(1, 2)]), 96),
        (Seating::new(3, 3).with_excluded(&[(2, 1), (2, 2), (2, 3)]), 0),
        (Seating::new(3, 5).with_given(&[(3, 5)]), 12),
    ];
    for (seating, count) in seatings {
        assert_eq!(seating.solutions().len() as u64, count, "{seating}");
        let instance = seating.clone().into();
        let judged = |count| judge_case(&case(&instance, Task::Count, &counted(count)));
        assert_eq!(judged(count), words(Verdict::Verified, SEARCH, ""), "{seating}");
        assert_eq!(judged(count + 1).0, Verdict::Wrong, "{seating}");
    }
}

#[test]
fn an_unknown_number_is_unchecked() {
    let open = Seating::new(70, 70).with_excluded(&[(1, 1)]).into();
    assert_eq!(judge_case(&case(&open, Task::Count, &counted(4711))).0, Verdict::Unchecked);
}

#[test]
fn a_list_is_right_if_it_is_the_set_that_a_search_finds() {
    let seating = Seating::new(3, 3);
    let all = seating.solutions();
    let judged = |solutions: &[Vec<Candidate>]| {
        let listed = listed(&seating.clone().into(), solutions);
        judge_case(&case(&seating.clone().into(), Task::Enumerate, &listed))
    };
    let source = "published: falling factorials; the set is that of an exhaustive search";
    assert_eq!(judged(&all), words(Verdict::Verified, source, ""));
    let given = Seating::new(4, 5).with_given(&[(2, 3)]);
    let list = listed(&given.clone().into(), &given.solutions());
    let found = words(Verdict::Verified, "exhaustive search, which finds the same set", "");
    assert_eq!(judge_case(&case(&given.clone().into(), Task::Count, &list)), found);

    // The right number, with one solution twice.
    let doubled = [&all[..5], &all[..1]].concat();
    let note = "as many were listed as there are, but not the same: some come twice, and others \
                are missing";
    assert_eq!(judged(&doubled), words(Verdict::Wrong, SEARCH, note));
    let (verdict, _, note) = judged(&[&all[..], &all[..1]].concat());
    assert_eq!(verdict, Verdict::Wrong);
    let more = "7 solutions were listed, some more than once, and the seating has 6 solutions";
    assert_eq!(note, more);
    let (verdict, _, note) = judged(&all[..5]);
    assert_eq!(verdict, Verdict::Wrong);
    assert_eq!(note, "5 solutions were listed, and the seating has 6 solutions");
}

#[test]
fn a_solution_that_breaks_the_rules_spoils_whatever_was_found() {
    let seating = Seating::new(3, 3);
    let right = listed(&seating.clone().into(), &seating.solutions());
    let unfinished = AllSolutions { count: 1_u8.into(), whole: false, ..right.clone() };
    for all in [right, unfinished] {
        let instance = seating.clone().into();
        let case = case(&instance, Task::Count, &all);
        let judged = Judge::new().judge(&Case { violation: Some("seats …"), ..case });
        assert_eq!(judged.verdict, Verdict::Wrong);
        assert_eq!(judged.evidence.unwrap().kind, EvidenceKind::Rules);
        assert_eq!(judged.note.unwrap(), "not every solution is one: seats …");
    }
}

#[test]
fn a_count_at_a_limit_can_be_too_large_and_never_too_small() {
    let instance = Seating::new(4, 4).into();
    let judged = |count: u64| {
        let all = AllSolutions { whole: false, ..counted(count) };
        verdict(&case(&instance, Task::Count, &all))
    };
    for few in [0, 1, 23, 24] {
        assert_eq!(judged(few), Verdict::Unchecked, "{few}");
    }
    assert_eq!(judged(25), Verdict::Wrong);
    // A killed worker has no result.
    let nothing = Case { task: Task::Count, ..Case::new(&instance, Answer::Unknown, None) };
    assert_eq!(verdict(&nothing), Verdict::Unchecked);
}

#[test]
fn as_many_as_were_to_be_are_some_and_fewer_are_all() {
    let seating = Seating::new(3, 3);
    let all = seating.solutions();
    let judged = |solutions: &[Vec<Candidate>], max_solutions| {
        let listed = listed(&seating.clone().into(), solutions);
        judge_case(&Case {
            max_solutions: Some(max_solutions),
            ..case(&seating.clone().into(), Task::Enumerate, &listed)
        })
    };
    let some = words(Verdict::Verified, "rules of the seating, for each solution", "");
    assert_eq!(judged(&all[..3], 3), some);
    // Three of six, although more were required.
    assert_eq!(judged(&all[..3], 5).0, Verdict::Wrong);
    let source = "published: falling factorials; the set is that of an exhaustive search";
    assert_eq!(judged(&all, 7), words(Verdict::Verified, source, ""));
    assert_eq!(judged(&all, 6), words(Verdict::Verified, source, ""));
    assert_eq!(judged(&[&all[..], &all[..]].concat(), 12).0, Verdict::Wrong);
    // The number of solutions of a larger seating is unknown.
    let open = Seating::new(70, 70).with_excluded(&[(1, 1)]).into();
    let ten = AllSolutions { digest: Some("00".into()), ..counted(10) };
    let (case, mut judge) = (case(&open, Task::Enumerate, &ten), Judge::new());
    assert_eq!(judge_case_by(&mut judge, &Case { max_solutions: Some(10), ..case }), some);
    let more = judge_case_by(&mut judge, &Case { max_solutions: Some(11), ..case });
    assert_eq!(more.0, Verdict::Unchecked);
}

#[test]
fn a_count_above_zero_convicts_who_denies_that_there_is_a_solution() {
    // The verified count shows that there is a solution.
    let seating = Seating::new(4, 4).with_excluded(&[(3, 3)]);
    let right = counted(seating.solutions().len() as u64);
    let (instance, mut judge) = (seating.into(), Judge::new());
    let judgement = judge.judge(&case(&instance, Task::Count, &right));
    assert_eq!(judgement.verdict, Verdict::Verified);
    let denial = judge.judge(&Case::new(&instance, Answer::Unsat, None));
    assert_eq!(denial.verdict, Verdict::Wrong);
    assert_eq!(denial.evidence.unwrap().source, "a verified solution of the same seating");
}

#[test]
fn as_many_models_as_solutions_are_right_where_the_candidates_determine_the_others() {
    let seating = Seating::new(4, 4).into();
    let judged = |count, promise| {
        let all = AllSolutions { auxiliaries: promise, ..counted(count) };
        judge_case(&case(&seating, Task::Models, &all))
    };
    let (none, defined) = (Some(Auxiliaries::None), Some(Auxiliaries::Defined));
    let source = "published: falling factorials, with no auxiliary variables";
    assert_eq!(judged(24, none), words(Verdict::Verified, source, ""));
    let source =
        "published: falling factorials, with auxiliary variables that the squares determine";
    assert_eq!(judged(24, defined), words(Verdict::Verified, source, ""));
    let note = "48 models were counted, and with auxiliary variables that the squares determine there \
                are 24 solutions";
    assert_eq!(judged(48, defined), words(Verdict::Wrong, PUBLISHED, note));
    // Free variables may have many values, but each solution has a model.
    let free = Some(Auxiliaries::Free);
    assert_eq!(judged(171_966_464, free).0, Verdict::Unchecked);
    assert_eq!(judged(24, free).0, Verdict::Unchecked);
    let note = "23 models were counted, and each of 24 solutions has one at least";
    assert_eq!(judged(23, free), words(Verdict::Wrong, PUBLISHED, note));
    // The kind of the variables is unknown, or the count is unfinished.
    assert_eq!(judged(24, None).0, Verdict::Unchecked);
    let late = AllSolutions { whole: false, auxiliaries: defined, ..counted(7) };
    assert_eq!(verdict(&case(&seating, Task::Models, &late)), Verdict::Unchecked);
}
