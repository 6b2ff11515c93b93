//! What encodings see: never more than there is, and each step follows from those before it.

use std::collections::BTreeSet;

use bezzel_encode::propagate::Propagator;
use bezzel_encode::{Formula, Registry};
use bezzel_problem::{Board, Square};
use bezzel_serve::knowledge::encoding;
use bezzel_serve::knowledge::eyes::{Eyes, Sight, look};
use bezzel_serve::knowledge::squares::{Mark, Squares};

use crate::knowledge::brute::{self, Case};
use crate::knowledge::squares::compiled;

fn seen(case: &Case, id: &str) -> Eyes {
    let encoding = encoding(&Registry::standard(), id, &case.board).unwrap();
    let known = Squares::by_diagram(&case.board, &compiled(case)).marks;
    look(&case.board, &*encoding, &known, usize::MAX)
}

fn negation(literal: &str) -> String {
    literal.strip_prefix('¬').map_or_else(|| format!("¬{literal}"), str::to_owned)
}

/// Goes through the steps by the names of literals alone.
fn replay(case: &Case, id: &str, eyes: &Eyes) {
    let mut held: BTreeSet<&str> = BTreeSet::new();
    let mut out: BTreeSet<Square> = BTreeSet::new();
    for (number, step) in eyes.steps.iter().enumerate() {
        let place = format!("{id} on {}: step {number}: {step:?}", case.board);
        let gives = step.gives.as_deref();
        for literal in step.clause.iter().filter(|literal| Some(&literal[..]) != gives) {
            assert!(held.contains(&negation(literal)[..]), "{place}: {literal} is not false");
        }
        match gives {
            Some(literal) => {
                assert!(step.clause.iter().any(|one| one == literal), "{place}");
                assert!(held.insert(literal), "{place}: it held already");
            }
            None => assert!(eyes.conflict && number + 1 == eyes.steps.len(), "{place}"),
        }
        assert!(!step.section.is_empty(), "{place}");
        for &square in &step.rules_out {
            assert!(out.insert(square), "{place}: {square} was ruled out already");
        }
        let only = (step.rules_out.len() == 1).then(|| step.rules_out[0]);
        assert_eq!(step.square, only, "{place}");
    }
    assert_eq!(eyes.steps_left_out, 0);
    if !eyes.conflict {
        for square in case.board.each_square() {
            let sees = eyes.sees[square.row as usize][square.column as usize];
            assert_eq!(sees, out.contains(&square), "{id} on {}: {square}", case.board);
        }
    }
}

fn check(case: &Case, id: &str) -> Eyes {
    let board = &case.board;
    let eyes = seen(case, id);
    replay(case, id, &eyes);
    let left = case.left();
    if eyes.conflict {
        assert!(left.is_empty(), "{id} on {board}");
    }
    let mut numbers = [0; 4];
    for square in board.each_square() {
        let sees = eyes.sees[square.row as usize][square.column as usize];
        let sight = eyes.squares[square.row as usize][square.column as usize];
        let is_used = left.iter().any(|solution| solution.holds(square));
        assert!(!(sees && is_used), "{id} on {board}: {square} is used");
        let expected = if board.placed().contains(&square) {
            Sight::Queen
        } else if board.blocked().contains(&square) {
            Sight::Blocked
        } else if case.is_attacked(square) {
            numbers[0] += 1;
            numbers[1] += usize::from(sees);
            Sight::Attacked
        } else if sees {
            numbers[2] += 1;
            Sight::Propagated
        } else if is_used {
            Sight::Free
        } else {
            numbers[3] += 1;
            Sight::Diagram
        };
        assert_eq!(sight, expected, "{id} on {board}: {square}");
    }
    let counts = eyes.counts;
    let told = [counts.attacked, counts.attacked_seen, counts.propagated, counts.diagram.unwrap()];
    assert_eq!(told, numbers, "{id} on {board}");
    eyes
}

#[test]
fn every_encoding_sees_what_its_propagation_finds_and_says_why() {
    let registry = Registry::standard();
    let cases = brute::random(1, 9);
    let mut conflicts = 0;
    for (number, card) in registry.cards().into_iter().filter(|card| !card.cardinality).enumerate()
    {
        for case in cases.iter().skip(number % 3).step_by(3) {
            let eyes = check(case, &card.id);
            assert_eq!((&eyes.encoding, &eyes.title), (&card.id, &card.title));
            let encoding = encoding(&registry, &card.id, &case.board).unwrap();
            let mut formula = Formula::new();
            let map = encoding.encode(&case.board.problem(), &mut formula);
            let propagator = Propagator::new(&formula);
            assert_eq!(eyes.conflict, propagator.is_refuted());
            assert_eq!(eyes.clauses, formula.len());
            assert_eq!(eyes.variables, propagator.variables());
            conflicts += u32::from(eyes.conflict);
            for square in case.board.each_square().filter(|_| !eyes.conflict) {
                let is_false =
                    map.cube(case.board.candidate(square)).iter().any(|&lit| propagator.fails(lit));
                assert_eq!(eyes.sees[square.row as usize][square.column as usize], is_false);
            }
        }
    }
    assert!(conflicts > 10, "{conflicts} conflicts");
}

#[test]
fn encodings_that_promise_to_propagate_see_every_attack_and_others_miss_some() {
    let mut missed = 0;
    for case in brute::random(2, 10) {
        let eyes = check(&case, "pairwise");
        assert_eq!(eyes.counts.attacked, eyes.counts.attacked_seen, "{}", case.board);
        let weak = check(&case, "bdd:ite");
        missed += weak.counts.attacked - weak.counts.attacked_seen;
    }
    assert!(missed > 20, "{missed} attacked squares were missed");
}

#[test]
fn variables_have_names() {
    let board = Board::new(4).unwrap().with_placed([Square::new(0, 1)]).unwrap();
    let case = Case { all: brute::solutions(&board), board };
    let first = |id: &str| seen(&case, id).steps.into_iter().next().unwrap();
    let step = first("pairwise");
    assert_eq!((&step.clause[..], &*step.section), (&["x(1,2)".to_owned()][..], "queens"));
    // Column 2 is 01, by the bits of the column counted from 0 or from 1.
    let step = first("binary");
    assert_eq!(step.section, "queens");
    assert!(step.clause[0].trim_start_matches('¬').starts_with("b(1,"), "{step:?}");
    let steps = seen(&case, "sequential-counter").steps;
    let names = || steps.iter().flat_map(|step| &step.clause);
    assert!(names().any(|name| name.starts_with('s') && name.ends_with(" (rows)")));
    assert!(names().any(|name| name.starts_with('¬')));
}

#[test]
fn no_more_than_so_many_steps_are_told_and_what_is_not_known_is_not_counted() {
    let board = Board::new(16).unwrap();
    let queens =
        [(0, 0), (1, 2), (2, 4), (3, 1), (4, 3)].map(|(row, column)| Square::new(row, column));
    let board = board.with_placed(queens).unwrap();
    let encoding = encoding(&Registry::standard(), "sequential-counter", &board).unwrap();
    let told = |most| look(&board, &*encoding, &[Mark::Unknown; 256], most);
    let all = told(usize::MAX);
    let number = all.steps.len();
    assert_eq!((all.counts.diagram, all.steps_left_out), (None, 0));
    assert!(number > 300, "{number} steps");
    for most in [0, 1, 200, number - 1, number, number + 1] {
        let some = told(most);
        assert_eq!(some.steps, all.steps[..most.min(number)]);
        assert_eq!(some.steps_left_out, number.saturating_sub(most));
        assert_eq!((&some.sees, some.conflict), (&all.sees, all.conflict));
    }
}
