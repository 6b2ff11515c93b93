//! The sizes of finished diagrams: those that are published, and the check that they depend on the kind and the order
//! only.

use bezzel_count::apply::{Method, Order, OxiddKind, Schedule};
use bezzel_queens::Board;

use super::{build, reading};

/// Nodes of a BDD and of a ZBDD, a variable for each square, row by row; from Minato 1993 and from Ossowski's thesis on
/// JINC, which count terminals too, and checked by a direct construction.
const ONE_HOT: [(u32, u64, u64); 7] = [
    (4, 29, 8),
    (5, 167, 40),
    (6, 129, 24),
    (7, 1099, 186),
    (8, 2451, 373),
    (9, 9557, 1309),
    (10, 25945, 3120),
];

fn check_one_hot(last: u32) {
    for (side, bdd, zbdd) in ONE_HOT.into_iter().filter(|(side, ..)| *side <= last) {
        let reading = reading("bryant-circuit", &Board::new(side).unwrap());
        for (kind, nodes) in [(OxiddKind::Bdd, bdd), (OxiddKind::Zbdd, zbdd)] {
            let built = build(Method::new(kind), &reading);
            assert_eq!(built.nodes, nodes, "{kind} on {side}");
            assert_eq!(built.diagram.nodes() as u64, nodes, "the copy of {kind} on {side}");
            assert!(built.widest >= nodes && built.peak >= built.widest, "{kind} on {side}");
        }
        let complement = build(Method::new(OxiddKind::Bcdd), &reading);
        // One less where some solution has a queen on the last square and some has none.
        let one_less = u64::from(side == 5 || side >= 7);
        assert_eq!(complement.nodes, bdd - one_less, "bcdd on {side}");
        assert_eq!(complement.diagram.nodes() as u64, bdd, "the copy of bcdd on {side}");
    }
}

#[test]
fn one_hot_diagrams_have_the_published_sizes() {
    check_one_hot(8);
}

#[test]
#[ignore = "second tier: up to side 10"]
fn one_hot_diagrams_have_the_published_sizes_up_to_side_10() {
    check_one_hot(10);
}

fn check_codes(last: u32) {
    for (side, bdd, zbdd) in
        [(4, 14, 7), (8, 879, 442)].into_iter().filter(|(side, ..)| *side <= last)
    {
        for id in ["bryant-circuit:binary", "bryant-circuit:binary+columns", "binary"] {
            let reading = reading(id, &Board::new(side).unwrap());
            for (kind, nodes) in [(OxiddKind::Bdd, bdd), (OxiddKind::Zbdd, zbdd)] {
                assert_eq!(build(Method::new(kind), &reading).nodes, nodes, "{id}, {kind} {side}");
            }
        }
    }
}

#[test]
fn diagrams_of_codes_have_the_sizes_of_their_codes() {
    check_codes(6);
}

#[test]
#[ignore = "second tier: up to side 9"]
fn diagrams_of_codes_have_the_sizes_of_their_codes_up_to_side_9() {
    check_codes(9);
}

fn check_same(last: u32) {
    for side in 4..=last {
        let board = Board::new(side).unwrap();
        let mut readings = vec![bezzel_queens::count::by_square::rules(&board).unwrap()];
        let ids = ["bryant-circuit+columns", "pairwise", "implication", "native"];
        readings.extend(ids.map(|id| reading(id, &board)));
        let layered = reading("bryant-circuit", &board);
        for kind in OxiddKind::ALL {
            for order in Order::ALL {
                let method = Method { kind, order, schedule: Schedule::Layers };
                let expected = build(method, &layered);
                let mut others: Vec<_> =
                    readings.iter().map(|reading| build(method, reading)).collect();
                let together = Method { schedule: Schedule::TopTogether, ..method };
                others.push(build(together, &layered));
                for other in others {
                    assert_eq!(other.nodes, expected.nodes, "{kind}, {order}, {side}");
                    let (other, expected) = (other.diagram, &expected.diagram);
                    assert_eq!(other.order(), expected.order());
                    assert_eq!(other.nodes_per_level(), expected.nodes_per_level());
                }
            }
        }
    }
}

#[test]
fn a_diagram_is_the_same_whatever_it_is_built_from() {
    check_same(4);
}

#[test]
#[ignore = "second tier: up to side 6"]
fn a_diagram_is_the_same_whatever_it_is_built_from_up_to_side_6() {
    check_same(6);
}
