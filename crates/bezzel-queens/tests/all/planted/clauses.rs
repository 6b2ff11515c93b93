//! Streams of clauses that are malformed, for any meaning.

use bezzel_encode::encoding::binary::Binary;
use bezzel_encode::encoding::implication::Implication;
use bezzel_encode::properties::Property;
use bezzel_encode::{ClauseSink, Lit, Size};

use super::plant::{Planted, board_of, caught, caught_at_most_one, counter, pairwise};

#[test]
fn a_repeated_literal_is_not_well_formed() {
    let planted = Planted::with_clauses(pairwise(), |_, clause, out| {
        out.clause(&[clause[0], clause[1], clause[0]]);
    });
    let (property, what) = caught_at_most_one(&planted);
    assert_eq!(
        (property, &*what),
        (Property::WellFormed, "clause 1, `-1 -2 -1`, repeats a literal")
    );
}

#[test]
fn a_clause_that_is_always_true_is_not_well_formed() {
    let always = |_, clause: &[Lit], out: &mut dyn ClauseSink| out.clause(&[clause[0], !clause[0]]);
    let (property, what) = caught_at_most_one(&Planted::with_clauses(pairwise(), always));
    assert_eq!((property, &*what), (Property::WellFormed, "clause 1, `-1 1`, is always true"));
}

#[test]
fn a_variable_that_was_not_made_is_not_well_formed() {
    let unmade = |_, clause: &[Lit], out: &mut dyn ClauseSink| {
        let next = out.fresh(0).start();
        out.clause(&[clause[0], Lit::positive(next)]);
    };
    let (property, what) = caught_at_most_one(&Planted::with_clauses(pairwise(), unmade));
    let expected = "clause 1, `-1 3`, uses a variable that was not made";
    assert_eq!((property, &*what), (Property::WellFormed, expected));
    let (property, _) =
        caught(&Planted::with_clauses(board_of(Implication { later: false }), unmade));
    assert_eq!(property, Property::WellFormed);
}

#[test]
fn an_encoder_with_moods_is_not_deterministic() {
    assert_eq!(caught_at_most_one(&Planted::with_moods(pairwise())).0, Property::Determinism);
    assert_eq!(caught(&Planted::with_moods(board_of(Binary))).0, Property::Determinism);
}

#[test]
fn a_wrong_closed_form_is_caught_in_each_of_its_numbers() {
    let mistakes: [fn(&mut Size); 3] =
        [|size| size.variables += 1, |size| size.clauses += 1, |size| size.literals += 1];
    for mistake in mistakes {
        assert_eq!(caught_at_most_one(&Planted::with_size(counter(), mistake)).0, Property::Size);
    }
    let (_, what) = caught_at_most_one(&Planted::with_size(pairwise(), |size| size.clauses += 1));
    let expected = "stated 0 variables, 1 clauses and 0 literals, \
                    counted 0 variables, 0 clauses and 0 literals";
    assert_eq!(what, expected);
}
