//! Proofs by hand: the accepted proofs of each rule, and the messages of its refusals.

use bezzel_proof::{Limits, LratChecker, ProofStats, Reason, Refusal};

/// Every clause of two variables.
const SQUARE: &[&[i32]] = &[&[1, 2], &[-1, 2], &[1, -2], &[-1, -2]];

/// The example of the paper that defines LRAT, where −1 follows as a first literal only.
const EXAMPLE: &[&[i32]] = &[
    &[1, 2, -3],
    &[-1, -2, 3],
    &[2, 3, -4],
    &[-2, -3, 4],
    &[-1, -3, -4],
    &[1, 3, 4],
    &[-1, 2, 4],
    &[1, -2, -4],
];

fn check(formula: &[&[i32]], proof: impl AsRef<[u8]>) -> Result<ProofStats, Refusal> {
    let mut checker = LratChecker::new(Limits::default());
    for clause in formula {
        checker.clause(clause);
    }
    checker.check(proof.as_ref())
}

#[track_caller]
fn accepted(formula: &[&[i32]], proof: impl AsRef<[u8]>) -> ProofStats {
    check(formula, proof).unwrap_or_else(|refusal| panic!("{refusal}"))
}

#[track_caller]
fn wrong(formula: &[&[i32]], proof: impl AsRef<[u8]>) -> Reason {
    match check(formula, proof) {
        Err(Refusal::Wrong { reason, .. }) => reason,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn incomplete(formula: &[&[i32]], proof: impl AsRef<[u8]>) -> bool {
    match check(formula, proof) {
        Err(Refusal::Incomplete { torn, .. }) => torn,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_formula_with_the_empty_clause_needs_no_proof() {
    let stats = accepted(&[&[1], &[]], "nonsense");
    assert_eq!((stats.steps, stats.bytes, stats.notation), (0, 0, None));
}

#[test]
fn two_units_contradict_each_other() {
    let stats = accepted(&[&[1], &[-1]], "3 0 1 2 0\n");
    assert_eq!((stats.steps, stats.additions, stats.rup(), stats.propagations), (1, 1, 1, 1));
}

#[test]
fn the_example_of_the_paper_is_accepted_with_its_rat_step() {
    let proof = "9 -1 0 -1 5 7 -6 2 7 -8 5 2 0\n9 d 7 5 2 0\n10 2 0 9 1 6 3 0\n11 0 9 10 8 4 6 0\n";
    let stats = accepted(EXAMPLE, proof);
    assert_eq!((stats.steps, stats.additions, stats.rat, stats.deletions), (4, 3, 1, 3));
    assert_eq!(stats.peak_live_clauses, 9);
}

#[test]
fn every_clause_with_the_negated_pivot_must_be_listed() {
    let left_out = Reason::LeftOut { clause: 8, literal: 1 };
    assert_eq!(wrong(EXAMPLE, "9 -1 0 -1 5 7 -6 2 7 0\n"), left_out);
    // A clause that is listed twice does not count for another one.
    assert_eq!(wrong(EXAMPLE, "9 -1 0 -1 5 7 -6 2 7 -6 2 7 0\n"), left_out);
    let proof = "9 -1 0 -1 5 7 -6 2 7 -8 5 0\n";
    assert_eq!(wrong(EXAMPLE, proof), Reason::NoRatConflict { clause: 8 });
    let proof = "9 -1 0 -1 5 7 -6 2 7 -8 5 2 -2 0\n";
    assert_eq!(wrong(EXAMPLE, proof), Reason::NoPivot { clause: 2, literal: 1 });
    let proof = "9 -1 0 -1 5 7 -6 2 7 -8 5 2 -12 0\n";
    assert_eq!(wrong(EXAMPLE, proof), Reason::Absent { hint: 12, ahead: true });
    // A clause that was added after the first such step counts as well.
    let proof = "9 5 6 0 0\n10 -5 6 0 -9 0\n";
    assert!(matches!(check(EXAMPLE, proof), Err(Refusal::Wrong { .. })));
    // A deleted clause no longer counts.
    let proof = "9 5 6 0 0\n9 d 9 0\n10 -5 6 0 0\n11 d 3 0\n";
    assert!(!incomplete(EXAMPLE, proof));
}

#[test]
fn a_clause_whose_resolvent_is_a_tautology_needs_no_hints_but_is_listed() {
    // 5 ↔ 1 ∧ 2: the resolvents on 5 contain 1 and −1, and 2 and −2.
    let proof = "5 5 -1 -2 0 0\n6 -5 1 0 -5 0\n7 -5 2 0 -5 0\n8 1 0 1 3 0\n9 0 8 2 4 0\n";
    let stats = accepted(SQUARE, proof);
    assert_eq!((stats.rat, stats.additions), (3, 5));
    let reason = wrong(SQUARE, "5 5 -1 -2 0 0\n6 -5 1 0 0\n");
    assert_eq!(reason, Reason::LeftOut { clause: 5, literal: 5 });
}

#[test]
fn an_empty_clause_has_no_pivot() {
    assert_eq!(wrong(SQUARE, "99999999 0 0\n"), Reason::NoConflict);
    assert_eq!(wrong(SQUARE, "5 0 -1 0\n"), Reason::NoConflict);
}

#[test]
fn the_pivot_is_the_first_literal() {
    // No clause contains 7 or −7: with 7 first the clause follows, with 1 first it does not.
    assert!(!incomplete(SQUARE, "5 7 1 0 0\n"));
    let reason = wrong(SQUARE, "5 1 7 0 0\n");
    assert_eq!(reason, Reason::LeftOut { clause: 2, literal: -1 });
}

#[test]
fn hints_are_followed_in_their_order_and_to_the_letter() {
    accepted(SQUARE, "5 2 0 1 2 0\n6 0 5 3 4 0\n");
    assert_eq!(wrong(SQUARE, "5 2 0 2 7 0\n"), Reason::Absent { hint: 7, ahead: true });
    assert_eq!(
        wrong(SQUARE, "5 2 0 2 2 0\n6 0 5 3 4 0\n"),
        Reason::LeftOut { clause: 3, literal: -2 }
    );
    assert_eq!(wrong(SQUARE, "5 0 1 0\n"), Reason::NotUnit { hint: 1 });
}

#[test]
fn superfluous_hints_do_no_harm() {
    // Hints after the conflict are not read; before it, clause 6 repeats clause 5.
    accepted(SQUARE, "5 2 0 1 2 99 0\n6 2 0 5 0\n7 0 6 5 3 4 1 0\n");
}

#[test]
fn numbers_of_clauses_increase_with_gaps_and_are_used_once() {
    accepted(
        SQUARE,
        "9223372036854775806 2 0 1 2 0\n9223372036854775807 0 9223372036854775806 3 4 0\n",
    );
    assert_eq!(wrong(SQUARE, "4 2 0 1 2 0\n"), Reason::NotIncreasing { greatest: 4 });
    let again = "5 2 0 1 2 0\n5 d 5 0\n5 2 0 1 2 0\n";
    assert_eq!(wrong(SQUARE, again), Reason::NotIncreasing { greatest: 5 });
    assert_eq!(wrong(SQUARE, "0 2 0 1 2 0\n"), Reason::Id(0));
    assert_eq!(wrong(SQUARE, "-5 2 0 1 2 0\n"), Reason::Id(-5));
    assert_eq!(wrong(SQUARE, "5 2 0 5 0\n"), Reason::Absent { hint: 5, ahead: true });
}

#[test]
fn a_deleted_clause_is_absent_for_hints() {
    let reason = wrong(SQUARE, "5 2 0 1 2 0\n5 d 3 5 0\n6 0 5 3 4 0\n");
    assert_eq!(reason, Reason::Absent { hint: 5, ahead: false });
}

#[test]
fn deleting_what_is_not_there_takes_nothing_away() {
    let stats = accepted(SQUARE, "0 d 17 17 0\n5 2 0 1 2 0\n5 d 0\n5 d 1 1 0\n6 0 5 3 4 0\n");
    assert_eq!((stats.unknown_deletions, stats.deletions), (3, 1));
    assert_eq!(wrong(SQUARE, "5 d -1 0\n"), Reason::Id(-1));
}

#[test]
fn literals_that_occur_twice_count_once_and_tautologies_serve_for_nothing() {
    let formula: &[&[i32]] = &[&[1, 1], &[-1, 2, -1, -1], &[-2, -2], &[3, -3, 1]];
    let stats = accepted(formula, "5 2 2 0 1 2 0\n6 0 5 3 0\n");
    assert_eq!(stats.peak_live_clauses, 6);
    // Any tautology follows; none propagates, and none counts as a clause with a pivot.
    assert_eq!(wrong(formula, "5 8 -8 7 0 0\n6 0 5 0\n"), Reason::NotUnit { hint: 5 });
    assert!(!incomplete(formula, "5 8 -8 7 0 0\n6 8 0 0\n"));
    assert!(!incomplete(formula, "5 8 -8 7 0 0\n6 8 0 -5 0\n"));
    assert!(!incomplete(formula, "5 3 2 0 1 2 0\n5 d 4 5 0\n6 3 0 0\n"));
}

#[test]
fn text_may_have_blanks_comments_and_lines_as_they_come() {
    for proof in [
        "c by hand\n\n  c again\n5 2 0 1 2 0\n6 0 5 3 4 0",
        "5\t2  0 1 2 0 \r\n6 0 5 3 4 0\r\n",
        "\n\n5 2 0 1 2 0\n\n6 0 5 3 4 0\n\n",
        "5 2 0 1 2 0\n6 0 5 3 4 0\n whatever comes after, as \0 or a step 7 0",
    ] {
        accepted(SQUARE, proof);
    }
    let place = check(SQUARE, "c one\n\n5 2 0 1 2 0\n6 0 5 0\n").unwrap_err().to_string();
    let expected = "step 2 (line 4, byte 19): clause 6 []: its hints lead to no conflict";
    assert_eq!(place, expected);
}

#[test]
fn an_invalid_step_is_named_with_its_byte() {
    let error_of = |proof: &str| check(SQUARE, proof).unwrap_err().to_string();
    assert_eq!(
        error_of("5 2 0 1 2 0\n6 x 0\n"),
        "step 2 (line 2, byte 12): `x` cannot stand here: a literal, or 0 after the last is expected"
    );
    assert_eq!(
        error_of("5 2 0 1 2\0 0\n"),
        "step 1 (line 1, byte 0): byte 0x00 cannot stand here: a blank after the number is expected"
    );
    for (proof, reason) in [
        ("5 2 0 1 2 0 7\n", Reason::Byte { byte: b'7', expected: "the end of the line" }),
        ("5 02 0 1 2 0\n", Reason::LeadingZero),
        ("5 -0 0 1 2 0\n", Reason::LeadingZero),
        ("5 2147483648 0 0\n", Reason::TooLarge { kind: "a literal" }),
        ("5 -2147483648 0 0\n", Reason::TooLarge { kind: "a literal" }),
        ("9223372036854775808 0 0\n", Reason::TooLarge { kind: "a number of a clause" }),
        ("5 2 0 1 99999999999999999999 0\n", Reason::TooLarge { kind: "a number of a clause" }),
        ("6 dd 0\n", Reason::Byte { byte: b'd', expected: "a blank after `d`" }),
    ] {
        assert_eq!(wrong(SQUARE, proof), reason, "{proof:?}");
    }
    assert!(matches!(wrong(SQUARE, "5 2 0 1 2\n0\n"), Reason::LineEnds { .. }));
    assert!(matches!(wrong(SQUARE, "\u{feff}5 2 0"), Reason::Byte { byte: 0xef, .. }));
    assert!(matches!(wrong(SQUARE, "p cnf 2 4\n"), Reason::Byte { byte: b'p', .. }));
}

#[test]
fn a_proof_that_ends_early_is_incomplete_and_no_verdict() {
    assert!(!incomplete(SQUARE, ""));
    assert!(!incomplete(SQUARE, "c nothing"));
    assert!(!incomplete(SQUARE, "5 2 0 1 2 0\n"));
    let whole = "5 2 0 1 2 0\n6 0 5 3 4 0";
    for end in 0..whole.len() {
        // Within the first line, after it, or within the second.
        let torn = !whole[..end].trim_end().is_empty() && end != 11 && end != 12;
        assert_eq!(incomplete(SQUARE, &whole[..end]), torn, "{end}");
    }
    let binary = b"a\x0a\x04\x00\x02\x04\x00a\x0c\x00\x0a\x06\x08\x00";
    accepted(SQUARE, binary);
    for end in 0..binary.len() {
        assert_eq!(incomplete(SQUARE, &binary[..end]), end != 0 && end != 7, "{end}");
    }
}

#[test]
fn binary_numbers_are_refused_where_they_are_none() {
    let reason = |bytes: &[u8]| wrong(SQUARE, bytes);
    assert_eq!(reason(b"a\x0b\x00\x00"), Reason::Id(-5));
    assert_eq!(reason(b"a\x00\x00\x00"), Reason::Id(0));
    assert_eq!(reason(b"a\x0a\x01\x00\x00"), Reason::LeadingZero);
    assert_eq!(reason(b"a\x0a\x00\x01\x00"), Reason::LeadingZero);
    assert_eq!(reason(b"a\x0a\xff\xff\xff\xff\xff\x00"), Reason::TooLarge { kind: "a literal" });
    let long = [b"a".as_slice(), &[0xff; 9], b"\x02"].concat();
    assert_eq!(reason(&long), Reason::TooLarge { kind: "a number of a clause" });
    assert_eq!(
        reason(b"d\x02\x00\x00"),
        Reason::Byte { byte: 0, expected: "`a` or `d`, with which a binary step begins," }
    );
    // The largest literal needs 4 GiB for its variable: that is no fault of the proof.
    let refusal = check(SQUARE, b"a\x0a\xff\xff\xff\xff\x0f\x00\x00").unwrap_err();
    assert!(matches!(refusal, Refusal::GaveUp { .. }), "{refusal}");
}

#[test]
fn a_literal_beyond_the_formula_is_reported_by_the_check() {
    for (literal, expected) in [
        (0, "in the formula: clause 2 of the formula contains 0, which is not a literal"),
        (
            i32::MIN,
            "in the formula: clause 2 of the formula contains -2147483648, which is not a literal",
        ),
    ] {
        assert_eq!(check(&[&[1], &[2, literal], &[]], "").unwrap_err().to_string(), expected);
    }
}
