//! Propagation of encodings: it rules out no square of a solution, and each step follows from those before it.

use std::collections::BTreeSet;

use bezzel_encode::propagate::Propagator;
use bezzel_encode::{EncodingInfo, Formula, Propagation, Registry};
use bezzel_queens::knowledge::encoding;
use bezzel_queens::knowledge::propagation::{PropagationView, SquareState, propagation_view};
use bezzel_queens::knowledge::solutions::{Mark, Squares};
use bezzel_queens::{Board, Square};

use crate::knowledge::brute::{self, Case};
use crate::knowledge::solutions::compiled;

fn view_of(case: &Case, id: &str) -> PropagationView {
    let encoding =
        encoding(&bezzel_queens::register(Registry::standard()), id, &case.board).unwrap();
    let known = Squares::by_diagram(&case.board, &compiled(case)).marks;
    propagation_view(&case.board, &*encoding, &known, usize::MAX)
}

fn negation(literal: &str) -> String {
    literal.strip_prefix('¬').map_or_else(|| format!("¬{literal}"), str::to_owned)
}

/// Replays the steps by the names of literals alone.
fn replay(case: &Case, id: &str, view: &PropagationView) {
    let mut held: BTreeSet<&str> = BTreeSet::new();
    let mut out: BTreeSet<Square> = BTreeSet::new();
    for (number, step) in view.steps.iter().enumerate() {
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
            None => assert!(view.conflict && number + 1 == view.steps.len(), "{place}"),
        }
        assert!(!step.section.is_empty(), "{place}");
        for &square in &step.rules_out {
            assert!(out.insert(square), "{place}: {square} was ruled out already");
        }
        let only = (step.rules_out.len() == 1).then(|| step.rules_out[0]);
        assert_eq!(step.square, only, "{place}");
    }
    assert_eq!(view.steps_left_out, 0);
    if !view.conflict {
        for square in case.board.each_square() {
            let sees = view.sees[square.row as usize][square.column as usize];
            let is_out = out.contains(&square) && !case.board.blocked().contains(&square);
            assert_eq!(sees, is_out, "{id} on {}: {square}", case.board);
        }
    }
}

fn check(case: &Case, id: &str) -> PropagationView {
    let board = &case.board;
    let view = view_of(case, id);
    replay(case, id, &view);
    let left = case.left();
    if view.conflict {
        assert!(left.is_empty(), "{id} on {board}");
    }
    let mut numbers = [0; 4];
    for square in board.each_square() {
        let sees = view.sees[square.row as usize][square.column as usize];
        let state = view.squares[square.row as usize][square.column as usize];
        let is_used = left.iter().any(|solution| solution.holds(square));
        assert!(!(sees && is_used), "{id} on {board}: {square} is used");
        let expected = if board.placed().contains(&square) {
            SquareState::Queen
        } else if board.blocked().contains(&square) {
            SquareState::Blocked
        } else if case.is_attacked(square) {
            numbers[0] += 1;
            numbers[1] += usize::from(sees);
            SquareState::Attacked
        } else if sees {
            numbers[2] += 1;
            SquareState::Propagated
        } else if is_used {
            SquareState::Free
        } else {
            numbers[3] += 1;
            SquareState::Diagram
        };
        assert_eq!(state, expected, "{id} on {board}: {square}");
    }
    let counts = view.counts;
    let actual =
        [counts.attacked, counts.attacked_seen, counts.propagated, counts.diagram.unwrap()];
    assert_eq!(actual, numbers, "{id} on {board}");
    view
}

#[test]
fn every_encoding_sees_what_its_propagation_finds_and_says_why() {
    let registry = bezzel_queens::register(Registry::standard());
    let cases = brute::random(1, 9);
    let mut conflicts = 0;
    for (number, info) in registry.infos().into_iter().filter(|info| !info.cardinality).enumerate()
    {
        for case in cases.iter().skip(number % 3).step_by(3) {
            let view = check(case, &info.id);
            assert_eq!((&view.encoding, &view.title), (&info.id, &info.title));
            let encoding = encoding(&registry, &info.id, &case.board).unwrap();
            let mut formula = Formula::new();
            let map = encoding.encode(&case.board.problem(), &mut formula);
            let propagator = Propagator::new(&formula);
            assert_eq!(view.conflict, propagator.is_refuted());
            assert_eq!(view.clauses, formula.len());
            assert_eq!(view.variables, propagator.variables());
            conflicts += u32::from(view.conflict);
            for square in case.board.each_square().filter(|_| !view.conflict) {
                let is_false =
                    map.cube(case.board.candidate(square)).iter().any(|&lit| propagator.fails(lit));
                assert_eq!(view.sees[square.row as usize][square.column as usize], is_false);
            }
        }
    }
    assert!(conflicts > 10, "{conflicts} conflicts");
}

#[test]
fn encodings_that_are_arc_consistent_on_each_line_never_differ() {
    let registry = bezzel_queens::register(Registry::standard());
    let is_one = |info: &EncodingInfo| {
        let has_lines = registry.find(&info.id).unwrap().has_lines();
        has_lines && info.propagation == Propagation::Complete && !info.cardinality
    };
    let ids: Vec<String> =
        registry.infos().into_iter().filter(is_one).map(|info| info.id).collect();
    assert!(ids.len() > 40, "{} encodings", ids.len());
    for case in brute::random(3, 12) {
        let sees = |id: &str| (view_of(&case, id).sees, view_of(&case, id).conflict);
        let pairwise = sees("pairwise");
        for id in &ids {
            assert_eq!(sees(id), pairwise, "{id} on {}", case.board);
        }
    }
}

#[test]
fn given_squares_do_not_count_as_ruled_out() {
    // A blocked square is a unit clause of `pairwise`, and a clause of three bits of `binary`.
    let view = |id: &str, board: &Board| {
        let encoding = encoding(&bezzel_queens::register(Registry::standard()), id, board).unwrap();
        let known = vec![Mark::Unknown; board.squares() as usize];
        propagation_view(board, &*encoding, &known, usize::MAX)
    };
    let hole = Board::new(8).unwrap().with_blocked([Square::new(3, 3)]).unwrap();
    for id in ["pairwise", "binary"] {
        assert!(view(id, &hole).sees.iter().flatten().all(|sees| !sees), "{id}");
    }
    // Two queens leave row 3 no square.
    let given = [Square::new(0, 0), Square::new(1, 2), Square::new(3, 3)];
    let [first, second, blocked] = given;
    let board = Board::new(4).unwrap().with_placed([first, second]).unwrap();
    let board = board.with_blocked([blocked]).unwrap();
    let refuted = view("pairwise", &board);
    assert!(refuted.conflict);
    for square in board.each_square() {
        let sees = refuted.sees[square.row as usize][square.column as usize];
        assert_eq!(sees, !given.contains(&square), "{square}");
    }
}

#[test]
fn variables_have_names() {
    let board = Board::new(4).unwrap().with_placed([Square::new(0, 1)]).unwrap();
    let case = Case { all: brute::solutions(&board), board };
    let first = |id: &str| view_of(&case, id).steps.into_iter().next().unwrap();
    let step = first("pairwise");
    assert_eq!((&step.clause[..], &*step.section), (&["x(1,2)".to_owned()][..], "queens"));
    // Column 2 is 01, by the bits of the column counted from 0 or from 1.
    let step = first("binary");
    assert_eq!(step.section, "queens");
    assert!(step.clause[0].trim_start_matches('¬').starts_with("b(1,"), "{step:?}");
    let steps = view_of(&case, "sequential-counter").steps;
    let names = || steps.iter().flat_map(|step| &step.clause);
    assert!(names().any(|name| name.starts_with('s') && name.ends_with(" (rows)")));
    assert!(names().any(|name| name.starts_with('¬')));
}

#[test]
fn reported_steps_are_limited_and_unknown_squares_are_not_counted() {
    let board = Board::new(16).unwrap();
    let queens =
        [(0, 0), (1, 2), (2, 4), (3, 1), (4, 3)].map(|(row, column)| Square::new(row, column));
    let board = board.with_placed(queens).unwrap();
    let encoding =
        encoding(&bezzel_queens::register(Registry::standard()), "sequential-counter", &board)
            .unwrap();
    let with_limit = |max| propagation_view(&board, &*encoding, &[Mark::Unknown; 256], max);
    let all = with_limit(usize::MAX);
    let number = all.steps.len();
    assert_eq!((all.counts.diagram, all.steps_left_out), (None, 0));
    assert!(number > 300, "{number} steps");
    for max in [0, 1, 200, number - 1, number, number + 1] {
        let some = with_limit(max);
        assert_eq!(some.steps, all.steps[..max.min(number)]);
        assert_eq!(some.steps_left_out, number.saturating_sub(max));
        assert_eq!((&some.sees, some.conflict), (&all.sees, all.conflict));
    }
}
