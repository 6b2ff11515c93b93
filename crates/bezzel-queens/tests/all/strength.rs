//! Encodings that propagate more than others, on seeded boards of side 8 with one to four queens, compared with all
//! consequences of the rules.

use std::collections::BTreeSet;

use bezzel_encode::propagate::Propagator;
use bezzel_encode::{Constraints, Formula, Registry, Var};
use bezzel_queens::register;
use bezzel_queens::search;
use bezzel_queens::{Board, Placement, Square};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A board, all of its solutions, and the squares that no queen attacks.
struct Case {
    board: Board,
    solutions: BTreeSet<Placement>,
    free: Vec<Square>,
}

fn cases(count: u32) -> Vec<Case> {
    let mut random = ChaCha8Rng::seed_from_u64(8);
    let empty = Board::new(8).unwrap();
    let case = |_| {
        let target = random.random_range(1..=4);
        let mut queens: Vec<Square> = Vec::new();
        while queens.len() < target {
            let square = Square::new(random.random_range(0..8), random.random_range(0..8));
            if queens.iter().all(|&queen| queen != square && !empty.attacks(queen, square)) {
                queens.push(square);
            }
        }
        let board = empty.clone().with_placed(queens).unwrap();
        let solutions = search::solutions(&board);
        let attacked = |square| board.placed().iter().any(|&queen| empty.attacks(queen, square));
        let free = board.each_square().filter(|&square| !attacked(square)).collect();
        Case { board, solutions, free }
    };
    (0..count).map(case).collect()
}

/// The consequences of the rules that unit propagation finds, over all cases.
#[derive(Default)]
struct NamedEncoding {
    /// Free squares without a queen in every solution, by case: those excluded.
    empty: BTreeSet<(usize, Square)>,
    /// Free squares with a queen in every solution: those known to hold one.
    queens: BTreeSet<(usize, Square)>,
    /// Primary variables of the same value in every solution: those known.
    variables: BTreeSet<(usize, Var)>,
    /// Boards without a solution: those refuted.
    refuted: BTreeSet<usize>,
}

/// The result of a perfect propagation, and that of this encoding.
fn strength(id: &str, cases: &[Case]) -> [NamedEncoding; 2] {
    let encoding =
        register(Registry::standard()).find(id).unwrap().with_settings(Constraints::Full);
    let [mut all, mut found] = [NamedEncoding::default(), NamedEncoding::default()];
    for (number, Case { board, solutions, free }) in cases.iter().enumerate() {
        let mut formula = Formula::new();
        let map = encoding.encode(&board.problem(), &mut formula);
        let propagator = Propagator::new(&formula);
        if solutions.is_empty() {
            all.refuted.insert(number);
            found.refuted.extend(propagator.is_refuted().then_some(number));
            continue;
        }
        assert!(!propagator.is_refuted(), "{id} on {board}");
        for &square in free {
            let holding = solutions.iter().filter(|solution| solution.holds(square)).count();
            let cube = map.cube(board.candidate(square));
            let ruled_out = cube.iter().any(|&lit| propagator.fails(lit));
            let known = cube.iter().all(|&lit| propagator.holds(lit));
            assert!(!(ruled_out && holding > 0), "{id} on {board}: {square} may hold a queen");
            assert!(
                !(known && holding < solutions.len()),
                "{id} on {board}: {square} may be empty"
            );
            if holding == 0 {
                all.empty.insert((number, square));
                found.empty.extend(ruled_out.then_some((number, square)));
            }
            if holding == solutions.len() {
                all.queens.insert((number, square));
                found.queens.extend(known.then_some((number, square)));
            }
        }
        for var in map.variables() {
            // In an encoding by squares, variables that no queen's cube names are false.
            let value = |solution: &Placement| {
                let mut cubes =
                    solution.squares().flat_map(|square| map.cube(board.candidate(square)));
                cubes.find(|lit| lit.var() == var).is_some_and(|lit| lit.is_pos())
            };
            let values: BTreeSet<bool> = solutions.iter().map(value).collect();
            if values.len() == 1 {
                all.variables.insert((number, var));
                found.variables.extend(propagator.value(var).map(|_| (number, var)));
            }
        }
    }
    [all, found]
}

/// The share in percent.
fn share(found: usize, all: usize) -> usize {
    (200 * found + all) / (2 * all)
}

#[test]
#[ignore = "second tier: 400 boards"]
fn supports_rule_out_more_than_conflicts_and_those_of_columns_still_more() {
    let cases = cases(400);
    let found = |id| {
        let [all, found] = strength(id, &cases);
        let empty = share(found.empty.len(), all.empty.len());
        (empty, share(found.refuted.len(), all.refuted.len()), found)
    };
    let (pairwise, support, both) = (found("pairwise"), found("support"), found("support+columns"));
    assert_eq!((pairwise.0, support.0, both.0), (7, 12, 18), "ruled out, in 100");
    assert_eq!((pairwise.1, support.1, both.1), (74, 82, 87), "refuted, in 100");
    assert!(both.2.empty.is_superset(&support.2.empty));
    assert!(both.2.empty.is_superset(&pairwise.2.empty));
    assert!(both.2.queens.is_superset(&support.2.queens));
    assert!(both.2.refuted.is_superset(&support.2.refuted));
}

#[test]
#[ignore = "second tier: 400 boards"]
fn implications_of_the_value_of_a_bit_make_more_bits_known() {
    let cases = cases(400);
    let [[all, plain], [_, stronger]] =
        ["binary+selectors", "binary+bits+selectors"].map(|id| strength(id, &cases));
    let known = [&plain, &stronger];
    let known = known.map(|found| share(found.variables.len(), all.variables.len()));
    assert!(stronger.variables.is_superset(&plain.variables));
    assert!(stronger.empty.is_superset(&plain.empty));
    assert!(known[1] >= known[0] + 6, "bits known, in 100: {known:?}");
    assert_eq!(stronger.refuted, plain.refuted);
    let known = |id| {
        let [all, found] = strength(id, &cases);
        share(found.variables.len(), all.variables.len())
    };
    assert_eq!(known("binary"), 46);
    assert_eq!(known("bryant-circuit:binary"), 57);
}

fn check_columns(count: u32) {
    let cases = cases(count);
    for id in ["bryant-circuit", "bryant-circuit:binary"] {
        let [_, plain] = strength(id, &cases);
        let [_, columns] = strength(&format!("{id}+columns"), &cases);
        assert!(columns.empty.is_superset(&plain.empty) && columns.empty.len() > plain.empty.len());
        assert!(columns.queens.len() > plain.queens.len());
        assert!(columns.refuted.len() > plain.refuted.len());
    }
}

#[test]
fn columns_required_to_hold_a_queen_make_more_known_in_the_circuit() {
    check_columns(160);
}

#[test]
#[ignore = "second tier: 400 boards"]
fn columns_make_more_known_in_the_circuit_on_400_boards() {
    check_columns(400);
}
