//! One negated literal, which changes no count.

use std::sync::Arc;

use bezzel_encode::encoding::binary::Binary;
use bezzel_encode::encoding::implication::Implication;
use bezzel_encode::{ClauseSink, Constraints, Formula, Lit, Registry, properties};
use bezzel_queens::Board;
use bezzel_queens::encode::properties::board as board_properties;
use bezzel_queens::register;

use super::plant::{Planted, board_of, counter, on_board, pairwise};

/// At-most-ones that stay right with other clauses: networks, totalizers and if-then-else state constraints twice, or
/// state clauses for outputs that are not read, and a ladder may be reversed.
const TOLERANT: [&str; 8] = [
    "ladder:",
    "totalizer:",
    "sorting-network",
    "cardinality-network",
    "bdd:ite",
    "adder",
    "modulo-totalizer",
    "k-modulo-totalizer",
];

#[test]
fn any_literal_negated_in_any_at_most_one_is_caught() {
    let properties = [
        properties::at_most_one::meaning,
        properties::at_most_one::auxiliaries,
        properties::at_most_one::propagation,
    ];
    for at_most_one in register(Registry::standard()).at_most_ones() {
        let id = at_most_one.info().id;
        let mut formula = Formula::new();
        let xs: Vec<Lit> = formula.fresh(8).lits().collect();
        at_most_one.encode(&xs, &mut formula);
        let mut missed = Vec::new();
        for (clause, length) in formula.clauses().map(<[Lit]>::len).enumerate() {
            for literal in 0..length {
                let planted = Planted::with_negated(Arc::clone(at_most_one), clause, literal);
                if properties.iter().all(|property| property(&planted, 8).is_ok()) {
                    missed.push((clause, literal));
                }
            }
        }
        let tolerant = TOLERANT.iter().any(|name| id.starts_with(name));
        let max = if tolerant { formula.size().literals / 2 } else { 0 };
        assert!(missed.len() as u128 <= max, "{id}: clauses and literals {missed:?}");
    }
}

#[test]
fn any_literal_negated_on_a_board_is_caught() {
    // Every square of this board belongs to a solution. With encodings that are not tried here, other lines on so small
    // a board replace a missing constraint of one line.
    let board = [Board::new(5).unwrap()];
    let encodings = [
        on_board(&pairwise(), Constraints::Full),
        on_board(&counter(), Constraints::Full),
        board_of(Implication { later: false }),
        board_of(Binary),
    ];
    let properties =
        [board_properties::solutions, board_properties::auxiliaries, board_properties::propagation];
    for encoding in encodings {
        let mut formula = Formula::new();
        encoding.rules(&board[0].problem(), &mut formula);
        for (clause, length) in formula.clauses().map(<[Lit]>::len).enumerate() {
            for literal in 0..length {
                let planted = Planted::with_negated(Arc::clone(&encoding), clause, literal);
                assert!(
                    properties.iter().any(|property| property(&planted, &board).is_err()),
                    "{}: literal {literal} of clause {clause}",
                    encoding.info().id
                );
            }
        }
    }
}
