//! Diagrams of boards: solutions by number, and budgets.

use std::sync::atomic::AtomicBool;

use bezzel_count::{Budget, Halt};
use bezzel_problem::Board;
use bezzel_serve::knowledge::compiled::Compiled;
use num_bigint::BigUint;

use crate::knowledge::brute;
use crate::knowledge::squares::compiled;

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
fn a_board_is_compiled_within_its_budget_or_not_at_all() {
    let never = AtomicBool::new(false);
    let free = Budget::unlimited(&never);
    let board = Board::new(12).unwrap();
    let compiled = Compiled::new(&board, free).unwrap();
    assert_eq!(compiled.nodes(), 45_833);
    assert_eq!(compiled.bytes(), 458_330);
    let new = |budget| Compiled::new(&board, budget).map(|made| made.nodes());
    assert_eq!(new(Budget { nodes: 1_000, ..free }), Err(Halt::Nodes(1_000)));
    assert_eq!(new(Budget { bytes: 10_000, ..free }), Err(Halt::Bytes(10_000)));
    let stopped = AtomicBool::new(true);
    assert_eq!(new(Budget { stop: &stopped, ..free }), Err(Halt::Stopped));
    // A board too wide for machine words has no diagram, and the error reports it.
    let wide = Board::new(65).unwrap();
    let budget = Budget { nodes: 7, ..free };
    assert_eq!(Compiled::new(&wide, budget).map(|_| ()), Err(Halt::Nodes(7)));
}
