//! All solutions of a board: by number, in order, and at random.

use std::collections::BTreeMap;

use bezzel_count::Halt;
use bezzel_queens::count::instance::{draw, draw_uniform, uniform};
use bezzel_queens::count::pool::Pool;
use bezzel_queens::count::{DrawError, RequiredAnswer};
use bezzel_queens::{Board, Geometry, Placement, Recipe, Square, search};
use num_bigint::BigUint;

fn pool(board: &Board) -> Pool {
    Pool::within(board, u64::MAX).unwrap().unwrap()
}

#[test]
fn solutions_are_numbered_in_reading_order() {
    let plane = |side| Board::new(side).unwrap();
    let boards = [
        plane(1),
        plane(3),
        plane(6),
        plane(8),
        plane(7).with_geometry(Geometry::Torus),
        Board::rectangle(4, 6).unwrap(),
        Board::rectangle(6, 4).unwrap(),
        plane(8).with_placed([Square::new(2, 3)]).unwrap(),
        plane(7).with_blocked([Square::new(0, 0), Square::new(3, 3)]).unwrap(),
    ];
    for board in boards {
        let pool = pool(&board);
        let mut picker = pool.picker();
        // In reading order, by another method.
        let searched: Vec<Placement> = search::solutions(&board).into_iter().collect();
        assert_eq!(picker.total(), BigUint::from(searched.len()), "{board}");
        let picked = (0..searched.len() + 2).map_while(|k| picker.nth(&BigUint::from(k)));
        assert_eq!(picked.collect::<Vec<_>>(), searched, "{board}");
    }
}

#[test]
fn each_solution_is_drawn_about_as_often_as_any_other() {
    let board = Board::new(8).unwrap();
    let pool = pool(&board);
    let mut drawn: BTreeMap<Placement, u32> = BTreeMap::new();
    for placement in pool.picker().shuffled(11).take(92 * 200) {
        *drawn.entry(placement).or_default() += 1;
    }
    assert_eq!(drawn.len(), 92);
    // Chi-squared with 91 degrees of freedom: beyond 138 in one of a thousand runs.
    let chi: f64 = drawn.values().map(|&times| (f64::from(times) - 200.0).powi(2) / 200.0).sum();
    assert!(chi < 138.0, "{chi}");
    let again = |seed| pool.picker().shuffled(seed).take(5).collect::<Vec<_>>();
    assert_eq!(again(11), again(11));
    assert_ne!(again(11), again(12));
}

#[test]
fn a_board_that_is_too_large_is_refused_and_one_of_many_rows_is_not() {
    assert_eq!(Pool::within(&Board::new(8).unwrap(), 100).unwrap_err(), Halt::Nodes(100));
    assert!(Pool::within(&Board::new(65).unwrap(), 100).unwrap().is_none());
    let tall = Board::rectangle(2000, 64).unwrap();
    assert_eq!(pool(&tall).picker().total(), BigUint::ZERO);
}

#[test]
fn instances_are_drawn_around_each_solution_with_the_same_chance() {
    let board = Board::new(6).unwrap();
    let recipe = Recipe::Completion { queens: 6 };
    let pool = uniform(&board).unwrap();
    let mut picker = pool.picker();
    let mut drawn: BTreeMap<Vec<Square>, u32> = BTreeMap::new();
    for seed in 0..400 {
        let instance = draw_uniform(&recipe, &board, &mut picker, seed).unwrap();
        assert_eq!(instance, draw(&recipe, &board, RequiredAnswer::Uniform, seed).unwrap());
        *drawn.entry(instance.placed().to_vec()).or_default() += 1;
    }
    // Four solutions: a hundred times each, and 35 more or less in one of ten thousand runs.
    assert_eq!(drawn.len(), 4);
    assert!(drawn.values().all(|times| (65..=135).contains(times)), "{drawn:?}");

    let none = draw(&recipe, &Board::new(3).unwrap(), RequiredAnswer::Uniform, 1);
    assert_eq!(none, Err(DrawError::Impossible("3".into())));
    let large = draw(&recipe, &Board::new(40).unwrap(), RequiredAnswer::Uniform, 1);
    assert_eq!(large, Err(DrawError::TooMany("40".into())));
}
