//! Golden numbers of the encodings that arrange their inputs in grids, trees, networks, diagrams and
//! graphs.

use std::ops::ControlFlow;

use bezzel_encode::propagate::Propagator;
use bezzel_encode::{AtMostOne, ClauseSink, Formula, Lit, Registry, Size, Var, models, properties};
use bezzel_queens::register;

use crate::published::measure::{at_most_one, models_on_board, on_board};

/// The inputs of a line, and its formula.
fn line(id: &str, n: u32, encode: fn(&dyn AtMostOne, &[Lit], &mut dyn ClauseSink)) -> Formula {
    let mut formula = Formula::new();
    let xs: Vec<Lit> = formula.fresh(n).lits().collect();
    encode(&*at_most_one(id), &xs, &mut formula);
    formula
}

fn formula(id: &str, n: u32) -> Formula {
    line(id, n, |amo, xs, out| amo.encode(xs, out))
}

/// Auxiliary variables and clauses for `n` inputs, counted.
fn cost(id: &str, n: u32) -> (u128, u128) {
    let formula = formula(id, n);
    (u128::from(formula.variables() - n), formula.len() as u128)
}

/// All models of a formula over `n` inputs.
fn count(formula: &Formula, n: u32) -> u128 {
    let inputs: Vec<Var> = (0..n).map(Var::new).collect();
    let mut sum = 0;
    let end: ControlFlow<()> = models::each(formula, &inputs, u128::MAX, |_, models| {
        sum += models;
        ControlFlow::Continue(())
    });
    assert!(end.is_continue());
    sum
}

fn pairs(n: u128) -> u128 {
    n * n.saturating_sub(1) / 2
}

/// The least number whose power is `n` or more.
fn root(n: u128, exponent: u32) -> u128 {
    (1..=n).find(|root| root.pow(exponent) >= n).unwrap()
}

/// Auxiliary variables and clauses of Chen's product, with pairwise up to six inputs.
fn product(n: u128) -> (u128, u128) {
    if n <= 6 {
        return (0, pairs(n));
    }
    let (p, q) = (root(n, 2), n.div_ceil(root(n, 2)));
    let (columns, rows) = (product(p), product(q));
    (p + q + columns.0 + rows.0, 2 * n + columns.1 + rows.1)
}

/// The number of columns and rows of a product of products.
fn lines(n: u128) -> u128 {
    product(n).0
}

/// Auxiliary variables and clauses of the product of `k` dimensions, with pairwise up to six inputs.
fn k_product(k: u32, n: u128) -> (u128, u128) {
    if n <= 6 {
        return (0, pairs(n));
    }
    let (side, times) = (root(n, k), u128::from(k));
    let (variables, clauses) = k_product(k, side);
    (times * (side + variables), times * (n + clauses))
}

#[test]
fn products_have_the_published_recurrences_for_every_length() {
    for n in 0..=149 {
        let (variables, clauses) = product(n.into());
        assert_eq!(cost("product", n), (variables, clauses), "n = {n}");
        let defined = (variables, clauses + lines(n.into()));
        assert_eq!(cost("product+defined", n), defined, "n = {n}");
        for k in 3..=10 {
            let id = format!("k-product:{k}");
            assert_eq!(cost(&id, n), k_product(k, n.into()), "{id}, n = {n}");
        }
    }
}

#[test]
fn products_of_dimensions_that_are_not_listed_have_every_property_too() {
    for k in [4, 7, 10] {
        properties::at_most_one::check(&*at_most_one(&format!("k-product:{k}"))).unwrap();
    }
}

#[test]
fn a_product_of_splits_is_a_split_to_24_inputs_and_has_the_published_clauses_beyond() {
    for n in 0..=24 {
        assert_eq!(cost("product:base-split", n), cost("split:4", n), "n = {n}");
    }
    for (n, clauses) in [(8, 18), (16, 42), (32, 88), (36, 96), (64, 164), (100, 248), (256, 596)] {
        assert_eq!(cost("product:base-split", n).1, clauses, "n = {n}");
    }
}

#[test]
fn a_product_takes_fewer_clauses_than_a_split_from_42_inputs_and_over_splits_at_25_and_from_28() {
    let fewer = |id: &str| -> Vec<u32> {
        (3..=149).filter(|&n| cost(id, n).1 < 3 * u128::from(n) - 6).collect()
    };
    let plain = fewer("product");
    assert_eq!(plain[..2], [42, 47]);
    assert!(plain[1..].iter().copied().eq(47..=149));
    let over_splits = fewer("product:base-split");
    assert_eq!(over_splits[..2], [25, 28]);
    assert!(over_splits[1..].iter().copied().eq(28..=149));
}

#[test]
fn trees_have_the_published_closed_forms_for_every_length() {
    for n in 2..=149 {
        let m = u128::from(n);
        assert_eq!(cost("tree", n), (m - 2, 3 * m - 5), "n = {n}");
        assert_eq!(cost("tree+defined", n), (m - 2, 4 * m - 7), "n = {n}");
    }
}

#[test]
fn trees_on_boards_have_the_published_sizes() {
    for (side, variables, clauses) in [
        (4, 40, 98),
        (8, 232, 562),
        (16, 1096, 2642),
        (32, 4744, 11410),
        (64, 19720, 47378),
        (100, 48808, 117_218),
    ] {
        assert_eq!(on_board("tree", side), (variables, clauses), "n = {side}");
    }
    for side in 2..=64 {
        let n = u128::from(side);
        assert_eq!(on_board("tree", side).1, 12 * n * n + 18 - 28 * n, "n = {side}");
    }
}

#[test]
fn totalizers_have_the_published_sizes_for_powers_of_two() {
    for k in 1_u32..=7 {
        let n = 1 << k;
        let m = u128::from(n);
        assert_eq!(cost("totalizer:cut", n), (2 * (m - 1), 11 * m / 2 - 7), "n = {n}");
        assert_eq!(cost("totalizer:full", n).0, m * u128::from(k), "n = {n}");
    }
    for (n, clauses) in [(8, 53), (16, 185), (32, 657)] {
        assert_eq!(cost("totalizer:full", n).1, clauses, "n = {n}");
    }
}

/// Auxiliary variables and clauses of a totalizer with at most `max` outputs, node by node.
fn totalizer(n: u128, max: u128) -> (u128, u128) {
    if n < 2 {
        return (0, 0);
    }
    let (left, right) = (n.div_ceil(2), n / 2);
    let (a, b) = (totalizer(left, max), totalizer(right, max));
    let sums = (left.min(max) + 1) * (right.min(max) + 1) - 1;
    (a.0 + b.0 + n.min(max), a.1 + b.1 + sums)
}

#[test]
fn totalizers_have_the_size_of_all_their_nodes_for_every_length() {
    for n in 2..=149 {
        for (id, max) in [("totalizer:cut", 2), ("totalizer:full", u128::MAX)] {
            let (variables, sums) = totalizer(n.into(), max);
            assert_eq!(cost(id, n), (variables, sums + 1), "{id}, n = {n}");
        }
    }
}

#[test]
fn sorting_networks_take_the_published_numbers_of_comparators() {
    let small = [(2, 1), (3, 3), (4, 5), (5, 9), (6, 12), (7, 16), (8, 19)];
    let powers = [(16, 63), (32, 191), (64, 543)];
    for (n, comparators) in small.into_iter().chain(powers) {
        let variables = 2 * comparators;
        assert_eq!(cost("sorting-network", n), (variables, 3 * comparators + 1), "n = {n}");
        let defined = (variables, 6 * comparators + 1);
        assert_eq!(cost("sorting-network+defined", n), defined, "n = {n}");
    }
}

#[test]
fn networks_and_totalizers_have_the_sizes_that_pysat_writes() {
    // Inputs; auxiliary variables, clauses and literals of PySAT 1.9 for the bound 1. Its networks fill
    // their inputs up by false ones, so only lengths are compared that need none.
    let table = [
        ("cardinality-network", 4, (10, 16, 36)),
        ("cardinality-network", 6, (18, 28, 64)),
        ("cardinality-network", 8, (26, 40, 92)),
        ("cardinality-network", 16, (58, 88, 204)),
        ("cardinality-network", 32, (122, 184, 428)),
        ("cardinality-network", 64, (250, 376, 876)),
        ("sorting-network", 4, (10, 16, 36)),
        ("sorting-network", 8, (38, 58, 134)),
        ("sorting-network", 16, (126, 190, 442)),
        ("sorting-network", 32, (382, 574, 1338)),
        ("sorting-network", 64, (1086, 1630, 3802)),
        ("totalizer:full", 4, (8, 15, 35)),
        ("totalizer:full", 5, (12, 23, 55)),
        ("totalizer:full", 6, (16, 32, 78)),
        ("totalizer:full", 7, (20, 42, 104)),
        ("totalizer:full", 8, (24, 53, 133)),
        ("totalizer:full", 16, (64, 185, 489)),
        ("totalizer:full", 32, (160, 657, 1809)),
        ("totalizer:full", 64, (384, 2401, 6817)),
    ];
    for (id, n, (variables, clauses, literals)) in table {
        let all = Size::new(variables + u128::from(n), clauses, literals);
        assert_eq!(formula(id, n).size(), all, "{id}, n = {n}");
    }
}

#[test]
fn diagrams_have_the_published_closed_forms_for_every_length() {
    for n in 2..=149 {
        let m = u128::from(n);
        assert_eq!(cost("bdd:monotone", n), (2 * m - 2, 4 * m - 5), "n = {n}");
        assert_eq!(cost("bdd:ite", n), (2 * m - 2, 7 * m - 8), "n = {n}");
        assert_eq!(cost("bdd:ite+redundant", n), (2 * m - 2, 10 * m - 13), "n = {n}");
    }
}

#[test]
fn the_edge_encoding_has_its_closed_form_and_is_larger_than_the_product() {
    for n in 2..=149 {
        let m = (3..150).find(|&m| pairs(m) >= u128::from(n)).unwrap();
        assert_eq!(cost("edge", n), (3 * m - 2, 2 * u128::from(n) + 5 * m - 7), "n = {n}");
    }
    for (n, edge, product) in [(64, 181, 172), (200, 498, 482), (1000, 2223, 2188)] {
        assert_eq!((cost("edge", n).1, cost("product", n).1), (edge, product), "n = {n}");
    }
}

#[test]
fn raw_model_counts_of_sides_4_to_8_are_the_known_ones() {
    let placements = [2, 10, 4, 40, 92];
    let table = [
        ("tree", [18, 80, 400, 19696, 550_592]),
        ("product+defined", placements),
        ("tree+defined", placements),
        ("totalizer:cut+defined", placements),
        ("totalizer:full+defined", placements),
        ("sorting-network+defined", placements),
        ("bdd:ite", placements),
        ("bdd:ite+redundant", placements),
    ];
    for (id, counts) in table {
        for (side, expected) in (4..).zip(counts) {
            assert_eq!(models_on_board(id, side), expected, "{id} at n = {side}");
        }
    }
}

#[test]
fn a_line_alone_has_the_published_number_of_models() {
    for n in 2..=8 {
        let m = u128::from(n);
        assert_eq!(count(&formula("tree", n), n), 2 * m - 1, "n = {n}");
        for id in ["totalizer:cut", "bdd:monotone"] {
            assert_eq!(count(&formula(id, n), n), 2 * m, "{id}, n = {n}");
        }
    }
}

#[test]
fn where_an_input_holds_all_but_three_have_determined_auxiliary_variables() {
    let exactly_one = |id, n| count(&line(id, n, |amo, xs, out| amo.exactly_one(xs, out)), n);
    let determined = ["product", "product:base-split", "k-product:3", "tree", "totalizer:cut"];
    for id in determined.into_iter().chain(["bdd:monotone", "edge"]) {
        for n in 2..=12 {
            assert_eq!(exactly_one(id, n), n.into(), "{id}, n = {n}");
        }
    }
    for id in ["totalizer:full", "sorting-network", "cardinality-network"] {
        assert_eq!(exactly_one(id, 2), 2, "{id}");
        for n in 3..=8 {
            assert!(exactly_one(id, n) > n.into(), "{id}, n = {n}");
        }
    }
}

/// True if unit propagation finds that the first input excludes the second, and true if it refutes both together;
/// inputs are counted from 1.
fn seen(id: &str, n: u32, first: u32, second: u32) -> (bool, bool) {
    let mut propagator = Propagator::new(&formula(id, n));
    let [first, second] = [first, second].map(|input| Lit::positive(input - 1));
    propagator.assume(first).unwrap();
    (propagator.fails(second), propagator.assume(second).is_err())
}

#[test]
fn four_clauses_for_if_then_else_do_not_propagate_and_six_do() {
    assert_eq!(seen("bdd:ite", 3, 3, 1), (false, true));
    assert_eq!(seen("bdd:ite", 3, 3, 2), (false, true));
    assert_eq!(seen("bdd:ite", 4, 3, 4), (false, false));
    assert_eq!(seen("bdd:ite", 4, 4, 3), (false, false));
    for id in ["bdd:ite+redundant", "bdd:monotone"] {
        for (n, first, second) in [(3, 3, 1), (3, 3, 2), (4, 3, 4), (4, 4, 3)] {
            assert_eq!(seen(id, n, first, second), (true, true), "{id}, n = {n}");
        }
    }
}

#[test]
fn names_that_say_too_little_are_refused() {
    for id in ["totalizer", "bdd", "k-product", "k-product:2", "totalizer:2", "bdd:redundant"] {
        assert!(register(Registry::standard()).find(id).is_err(), "{id}");
    }
}
