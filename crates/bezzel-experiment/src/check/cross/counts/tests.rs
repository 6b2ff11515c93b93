use bezzel_solve::Answer;

use super::*;
use crate::check::cross::examine;
use crate::check::cross::tests::{count, row, verdict_and_source};
use crate::model::all_solutions::Count;
use crate::model::job::Task;
use crate::model::row::{Evidence, EvidenceKind};

fn verified(row: Row) -> Row {
    let evidence = Evidence { kind: EvidenceKind::Cross, source: "exhaustive search".into() };
    Row { verdict: Verdict::Verified, checked_by: Some(evidence), ..row }
}

fn unfinished(mut row: Row) -> Row {
    row.all.as_mut().unwrap().whole = false;
    row
}

fn with_digest(mut row: Row, digit: char) -> Row {
    row.all.as_mut().unwrap().digest = Some(digit.to_string().repeat(32));
    row
}

fn verdicts(rows: &[Row]) -> Vec<Verdict> {
    rows.iter().map(|row| row.verdict).collect()
}

const UNCHECKED: Verdict = Verdict::Unchecked;
const VERIFIED: Verdict = Verdict::Verified;
const WRONG: Verdict = Verdict::Wrong;

#[test]
fn two_numbers_by_different_ways_verify_each_other() {
    let mut rows = [
        count(6, "blocking", "pairwise", 4),
        count(6, "states", "none", 4),
        count(7, "a", "b", 40),
    ];
    assert_eq!(examine(&mut rows), []);
    let source = "the same number by another way of states, row states-none-6-4";
    assert_eq!(verdict_and_source(&rows[0]), (VERIFIED, source));
    let source =
        "the same number by another way of blocking with pairwise, row blocking-pairwise-6-4";
    assert_eq!(verdict_and_source(&rows[1]), (VERIFIED, source));
    assert_eq!(rows[2].verdict, UNCHECKED);
}

#[test]
fn variants_of_one_engine_or_of_one_encoding_are_not_different_ways() {
    for (one, other) in [
        (("bdd", "pairwise"), ("bdd:rules", "binary")),
        (("bdd", "pairwise"), ("bdd+column", "binary")),
        (("blocking:batsat", "binary"), ("blocking", "pairwise")),
        // An encoding that loses solutions loses them for all engines.
        (("blocking", "binary"), ("bdd", "binary")),
        (("blocking", "commander:2"), ("bdd", "commander:3")),
        (("states", "none"), ("states", "none")),
    ] {
        let mut rows = [count(6, one.0, one.1, 4), count(6, other.0, other.1, 4)];
        assert_eq!(examine(&mut rows), []);
        assert_eq!(verdicts(&rows), [UNCHECKED; 2], "{one:?} {other:?}");
        rows[0] = verified(rows[0].clone());
        examine(&mut rows);
        assert_eq!(verdicts(&rows), [VERIFIED; 2], "{one:?} {other:?}");
    }
}

#[test]
fn numbers_that_differ_are_reported_and_verify_no_row() {
    let mut rows = [
        count(6, "a", "pairwise", 4),
        count(6, "b", "binary", 5),
        count(6, "c", "none", 4),
        count(5, "c", "none", 10),
    ];
    let found = examine(&mut rows);
    assert_eq!(verdicts(&rows), [UNCHECKED; 4]);
    let messages: Vec<_> = found.iter().map(ToString::to_string).collect();
    assert_eq!(
        messages,
        [
            "seating 6: 4 solutions says a with pairwise (row a-pairwise-6-4, unchecked), 5 solutions says b \
          with binary (row b-binary-6-5, unchecked)"
        ]
    );
}

#[test]
fn a_verified_number_convicts_every_other() {
    let mut rows = [
        count(6, "a", "pairwise", 5),
        unfinished(count(6, "b", "pairwise", 6)),
        unfinished(count(6, "c", "pairwise", 3)),
        count(6, "d", "pairwise", 0),
        verified(count(6, "e", "none", 4)),
    ];
    let found = examine(&mut rows);
    assert_eq!(verdicts(&rows), [WRONG, WRONG, UNCHECKED, WRONG, VERIFIED]);
    assert_eq!(rows[0].note.as_deref(), Some("there are 4 solutions"));
    assert_eq!(verdict_and_source(&rows[1]).1, "the verified number of e, row e-none-6-4");
    let messages: Vec<_> = found.iter().map(ToString::to_string).collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(
        messages[0].contains("4 solutions says e (row e-none-6-4, exhaustive search)"),
        "{messages:?}"
    );
    assert!(messages[0].contains("0 solutions says d"), "{messages:?}");
    assert!(messages[1].contains("5 solutions says a"), "{messages:?}");
}

#[test]
fn sets_of_one_size_that_differ_are_a_contradiction() {
    let one = with_digest(count(6, "a", "pairwise", 4), '1');
    let other = with_digest(count(6, "b", "binary", 4), '2');
    let mut rows = [one.clone(), other.clone(), count(6, "c", "none", 4)];
    let found = examine(&mut rows);
    assert_eq!((found.len(), verdicts(&rows)), (1, vec![UNCHECKED; 3]));
    assert!(found[0].to_string().contains("4 solutions (set 11111111…) says a"), "{}", found[0]);
    let mut rows = [verified(one), other];
    assert_eq!(examine(&mut rows).len(), 1);
    assert_eq!(verdicts(&rows), [VERIFIED, WRONG]);
}

#[test]
fn a_denial_of_solutions_contradicts_a_number_and_a_number_a_denial() {
    let denial = row(6, "cadical", Answer::Unsat, Some(EvidenceKind::Proof));
    let mut rows = [denial, count(6, "a", "pairwise", 4)];
    let found = examine(&mut rows);
    assert_eq!(found.len(), 1);
    assert!(found[0].to_string().starts_with("seating 6: 4 solutions says a"), "{}", found[0]);
    assert_eq!(verdicts(&rows), [VERIFIED, UNCHECKED], "a proof is about a formula");

    let mut rows = [row(6, "liar", Answer::Unsat, None), verified(count(6, "a", "pairwise", 4))];
    assert_eq!(examine(&mut rows).len(), 1);
    assert_eq!(verdicts(&rows), [WRONG, VERIFIED]);
    assert!(
        verdict_and_source(&rows[0]).1.starts_with("the verified number of a with"),
        "{:?}",
        verdict_and_source(&rows[0])
    );

    let solution = row(6, "cadical", Answer::Sat, Some(EvidenceKind::Rules));
    let mut rows = [count(6, "a", "pairwise", 0), solution];
    assert_eq!(examine(&mut rows).len(), 1);
    assert_eq!(verdicts(&rows), [WRONG, VERIFIED]);

    // A solution does not determine the number of solutions.
    let mut rows = [count(6, "a", "pairwise", 5), rows[1].clone()];
    assert_eq!(examine(&mut rows), []);
    assert_eq!(verdicts(&rows), [UNCHECKED, VERIFIED]);
    // A proof that there is none gives the number 0.
    let mut rows =
        [count(3, "a", "pairwise", 0), row(3, "cadical", Answer::Unsat, Some(EvidenceKind::Proof))];
    assert_eq!(examine(&mut rows), []);
    assert_eq!(verdicts(&rows), [VERIFIED; 2]);
}

#[test]
fn some_solutions_are_not_their_number() {
    let some = |engine: &str, encoding: &str| {
        let mut row = count(6, engine, encoding, 3);
        (row.job.task, row.job.max_solutions) = (Task::Enumerate, Some(3));
        row
    };
    let mut rows = [some("a", "pairwise"), some("b", "binary"), count(6, "c", "none", 4)];
    assert_eq!(examine(&mut rows), []);
    assert_eq!(verdicts(&rows), [UNCHECKED; 3]);
    // A number above the total is a contradiction.
    rows[2].all.as_mut().unwrap().count = Count::from(2_u8);
    let found = examine(&mut rows);
    assert_eq!(found.len(), 1);
    assert!(found[0].to_string().contains("at least 3 solutions says "), "{}", found[0]);
}

#[test]
fn numbers_of_models_are_compared_with_those_of_the_same_formula_alone() {
    let models = |engine: &str, encoding: &str, number: u64| {
        let mut row = count(6, engine, encoding, number);
        row.job.task = Task::Models;
        row
    };
    let mut rows = [
        models("ganak", "bitwise", 16_384),
        models("components", "bitwise", 16_384),
        // One program under two names.
        models("ganak", "tree", 400),
        models("pyganak", "tree", 400),
        // Another formula, and another number.
        models("ganak", "pairwise", 4),
        count(6, "components", "bitwise", 4),
    ];
    assert_eq!(examine(&mut rows), []);
    let by = "the same number by another way of components with bitwise, \
              row components-bitwise-6-16384";
    assert_eq!(verdict_and_source(&rows[0]), (VERIFIED, by));
    assert_eq!(rows[1].verdict, VERIFIED);
    assert_eq!(verdicts(&rows[2..5]), [UNCHECKED; 3]);
    // Another number of the same formula is a contradiction.
    let mut rows = [models("ganak", "bitwise", 16_384), models("components", "bitwise", 16_385)];
    let [contradiction] = &examine(&mut rows)[..] else { panic!("one contradiction") };
    assert!(contradiction.to_string().contains("16,384 models"), "{contradiction}");
    assert_eq!(verdicts(&rows), [UNCHECKED; 2]);
    // Under another revision it is another formula.
    let mut rows = [models("ganak", "bitwise", 16_384), models("components", "bitwise", 16_385)];
    rows[1].encoding_revision += 1;
    assert_eq!(examine(&mut rows), []);
}
