//! Encodings with wrong declarations.

use std::sync::Arc;

use bezzel_encode::encoding::binary::Binary;
use bezzel_encode::encoding::implication::{Auxiliary, Implication};
use bezzel_encode::properties::{self, Property};
use bezzel_encode::{AtMostOne, Auxiliaries, ClauseSink, Constraints, Lit, Propagation};

use super::plant::{
    Declaration, Planted, board_of, caught, caught_at_most_one, counter, on_board, pairwise,
};

#[test]
fn wrong_declarations_of_auxiliary_variables_are_refuted() {
    let none: Declaration = |info| info.auxiliaries = Auxiliaries::None;
    let defined: Declaration = |info| info.auxiliaries = Auxiliaries::Defined;
    let free: Declaration = |info| info.auxiliaries = Auxiliaries::Free;
    let wrong =
        [(pairwise(), defined), (pairwise(), free), (counter(), none), (counter(), defined)];
    for (at_most_one, declaration) in wrong {
        let planted = Planted::with_info(Arc::clone(&at_most_one), declaration);
        assert_eq!(caught_at_most_one(&planted).0, Property::Auxiliaries);
        let planted = Planted::with_info(on_board(&at_most_one, Constraints::Full), declaration);
        assert_eq!(caught(&planted).0, Property::Auxiliaries);
    }
    for declaration in [none, free] {
        let encoding = board_of(Auxiliary { plaisted_greenbaum: true });
        assert_eq!(caught(&Planted::with_info(encoding, declaration)).0, Property::Auxiliaries);
    }
}

#[test]
fn wrong_declarations_of_propagation_are_refuted() {
    let complete: Declaration = |info| info.propagation = Propagation::Complete;
    let refuting: Declaration = |info| info.propagation = Propagation::Refuting;
    let weak: Declaration = |info| info.propagation = Propagation::Weak;
    for declaration in [refuting, weak] {
        assert_eq!(
            caught_at_most_one(&Planted::with_info(counter(), declaration)).0,
            Property::Propagation
        );
        let planted = Planted::with_info(board_of(Implication { later: false }), declaration);
        assert_eq!(caught(&planted).0, Property::Propagation);
    }
    for declaration in [complete, weak] {
        let planted = Planted::with_info(board_of(Binary), declaration);
        assert_eq!(caught(&planted).0, Property::Propagation);
    }
    for constraints in [Constraints::NoColumnAmo, Constraints::Minimal] {
        for declaration in [complete, refuting] {
            let planted = Planted::with_info(on_board(&pairwise(), constraints), declaration);
            assert_eq!(caught(&planted).0, Property::Propagation);
        }
    }
}

#[test]
fn propagation_is_measured_and_not_taken_from_the_declaration() {
    // A conflict behind one new variable is found once both inputs hold; behind two, only by search.
    let behind_one = |_, clause: &[Lit], out: &mut dyn ClauseSink| {
        let z = out.fresh(1).lit(0);
        for z in [z, !z] {
            out.clause(&[clause, &[z]].concat());
        }
    };
    let behind_two = |_, clause: &[Lit], out: &mut dyn ClauseSink| {
        let (y, z) = (out.fresh(1).lit(0), out.fresh(1).lit(0));
        for hidden in [[y, z], [y, !z], [!y, z], [!y, !z]] {
            out.clause(&[clause, &hidden].concat());
        }
    };
    let declarations: [(Propagation, Declaration); 3] = [
        (Propagation::Complete, |info| info.propagation = Propagation::Complete),
        (Propagation::Refuting, |info| info.propagation = Propagation::Refuting),
        (Propagation::Weak, |info| info.propagation = Propagation::Weak),
    ];
    for (declared, info) in declarations {
        let refuting = Planted { info, ..Planted::with_clauses(pairwise(), behind_one) };
        let weak = Planted { info, ..Planted::with_clauses(pairwise(), behind_two) };
        let property =
            |planted: &dyn AtMostOne| properties::at_most_one::propagation(planted, 4).is_ok();
        assert_eq!(property(&refuting), declared == Propagation::Refuting, "{declared}");
        assert_eq!(property(&weak), declared == Propagation::Weak, "{declared}");
    }
}
