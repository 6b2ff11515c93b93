//! Solutions by number, budgets, and marks, counts and completions.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use bezzel_count::{Budget, Halt};
use bezzel_queens::knowledge::solutions::{Compiled, Mark, Squares};
use bezzel_queens::{Board, Square};
use bezzel_solve::Interrupt;
use num_bigint::BigUint;

use crate::knowledge::brute::{self, Case};

/// Returns the diagram of a case.
pub(crate) fn compiled(case: &Case) -> Compiled {
    let never = AtomicBool::new(false);
    Compiled::new(&case.board, Budget::unlimited(&never)).unwrap()
}

fn expected(case: &Case, square: Square) -> Mark {
    let board = &case.board;
    if board.placed().contains(&square) {
        Mark::Queen
    } else if board.blocked().contains(&square) {
        Mark::Blocked
    } else if case.is_attacked(square) {
        Mark::Attacked
    } else if case.left().iter().any(|solution| solution.holds(square)) {
        Mark::Free
    } else {
        Mark::Dead
    }
}

/// Compares all results on the squares with the list of all solutions.
fn compare(case: &Case, found: &Squares, seen: &mut BTreeMap<String, u32>) {
    let board = &case.board;
    let left = case.left();
    for (place, square) in board.each_square().enumerate() {
        assert_eq!(found.marks[place], expected(case, square), "{board}: {square}");
        *seen.entry(format!("{:?}", found.marks[place])).or_default() += 1;
        if let Some(counts) = &found.counts {
            let count = left.iter().filter(|solution| solution.holds(square)).count();
            assert_eq!(counts[place], BigUint::from(count), "{board}: {square}");
        }
    }
    if let Some(solutions) = &found.solutions {
        assert_eq!(*solutions, BigUint::from(left.len()), "{board}");
    }
    let missing: Vec<Square> = match left[..] {
        [last] => last.squares().filter(|square| !board.placed().contains(square)).collect(),
        _ => Vec::new(),
    };
    assert_eq!(found.completion.clone().unwrap_or_default(), missing, "{board}");
    assert_eq!(found.completion.is_some(), !missing.is_empty(), "{board}");
}

#[test]
fn a_diagram_tells_what_a_list_of_all_solutions_tells() {
    let mut seen = BTreeMap::new();
    for case in brute::every().iter().chain(&brute::random(30, 1)) {
        let found = Squares::by_diagram(&case.board, &compiled(case));
        assert!(found.solutions.is_some() && found.counts.is_some());
        compare(case, &found, &mut seen);
        seen.entry("filled in".into())
            .and_modify(|count| {
                *count += u32::from(found.completion.is_some());
            })
            .or_insert(0);
    }
    for what in ["Queen", "Blocked", "Attacked", "Dead", "Free", "filled in"] {
        assert!(seen[what] > 100, "{what}: {seen:?}");
    }
}

#[test]
fn a_search_tells_the_same_of_every_square() {
    let mut seen = BTreeMap::new();
    let (mut unknown, mut known) = (0, 0);
    for case in brute::every().iter().step_by(3).chain(&brute::random(10, 2)) {
        let found = Squares::by_search(&case.board, &Interrupt::default());
        compare(case, &found, &mut seen);
        // The search counts only up to one.
        if found.solutions.is_some() {
            known += 1;
        } else {
            assert!(case.left().len() > 1, "{}", case.board);
            unknown += 1;
        }
    }
    assert!(unknown > 50 && known > 50, "{unknown} unknown, {known} known");
    assert!(!seen.contains_key("Unknown"));
}

#[test]
fn a_search_that_is_stopped_says_what_it_does_not_know() {
    let interrupt = Interrupt::default();
    interrupt.raise();
    for case in brute::random(2, 3).into_iter().filter(|case| !case.all.is_empty()) {
        let found = Squares::by_search(&case.board, &interrupt);
        assert_eq!(found.solutions, None);
        for (mark, square) in found.marks.iter().zip(case.board.each_square()) {
            let expected = expected(&case, square);
            let is_open = matches!(expected, Mark::Dead | Mark::Free);
            assert_eq!(*mark, if is_open { Mark::Unknown } else { expected });
        }
    }
}

#[test]
fn solutions_are_numbered_in_reading_order_of_those_that_are_left() {
    for case in brute::every().iter().step_by(5).chain(&brute::random(4, 6)) {
        let compiled = compiled(case);
        let left = case.left();
        let nth = |number: usize| compiled.nth(&BigUint::from(number));
        for (number, &solution) in left.iter().enumerate() {
            assert_eq!(nth(number).as_ref(), Some(solution), "{}", case.board);
        }
        assert_eq!(nth(left.len()), None);
        let (total, each) = compiled.counts();
        assert_eq!(total, BigUint::from(left.len()));
        // Each solution uses one square of each row.
        assert_eq!(each.iter().sum::<BigUint>(), total * case.board.rows(), "{}", case.board);
    }
}

#[test]
fn a_board_too_wide_for_machine_words_has_no_diagram() {
    let never = AtomicBool::new(false);
    let wide = Board::new(65).unwrap();
    let budget = Budget { nodes: 7, ..Budget::unlimited(&never) };
    assert_eq!(Compiled::new(&wide, budget).map(|_| ()), Err(Halt::Nodes(7)));
}
