//! Golden numbers of the encodings that arrange their inputs in grids, trees, networks, diagrams and
//! graphs.

use bezzel_encode::propagate::Propagator;
use bezzel_encode::{Lit, Registry, Size, properties};
use bezzel_queens::register;

use crate::published::measure::{at_most_one, cost, line, pairs};

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
fn count_lines(n: u128) -> u128 {
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
        let defined = (variables, clauses + count_lines(n.into()));
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
    // n, with pairwise at the base, with split there.
    let table = [
        (8, 22, 18),
        (16, 44, 42),
        (32, 94, 88),
        (36, 102, 96),
        (64, 172, 164),
        (100, 258, 248),
        (256, 600, 596),
    ];
    for (n, over_pairwise, over_split) in table {
        assert_eq!(cost("product", n).1, over_pairwise, "n = {n}");
        assert_eq!(cost("product:base-split", n).1, over_split, "n = {n}");
    }
}

#[test]
fn a_product_takes_fewer_clauses_than_a_split_from_42_inputs_and_over_splits_at_25_and_from_28() {
    let fewer = |id: &str| -> Vec<u32> {
        (3..=200).filter(|&n| cost(id, n).1 < 3 * u128::from(n) - 6).collect()
    };
    let plain = fewer("product");
    assert_eq!(plain[..2], [42, 47]);
    assert!(plain[1..].iter().copied().eq(47..=200));
    let over_splits = fewer("product:base-split");
    assert_eq!(over_splits[..2], [25, 28]);
    assert!(over_splits[1..].iter().copied().eq(28..=200));
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
        assert_eq!(line(id, n, false).1.size(), all, "{id}, n = {n}");
    }
}

/// True if unit propagation finds that the first input excludes the second, and true if it refutes both together;
/// inputs are counted from 1.
fn seen(id: &str, n: u32, first: u32, second: u32) -> (bool, bool) {
    let mut propagator = Propagator::new(&line(id, n, false).1);
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
