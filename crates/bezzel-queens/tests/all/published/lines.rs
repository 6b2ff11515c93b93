//! Golden numbers of lines: published closed forms, counted for every length to 149, and numbers of models.

use crate::published::measure::{bits, cost, line, pairs, raw_models};

/// Auxiliary variables and clauses of a number of inputs.
type Form = fn(u128) -> (u128, u128);

#[test]
fn lines_have_the_published_closed_forms_for_every_length() {
    // The encoding, its least number of inputs, its auxiliary variables and its clauses.
    let forms: [(&str, u32, Form); 12] = [
        ("commander:2", 2, |n| (n - 2, 4 * n - 7)),
        ("commander:2+one-way", 2, |n| (n - 2, 3 * n - 5)),
        ("bimander:2", 1, |n| (bits(n.div_ceil(2)), n / 2 + n * bits(n.div_ceil(2)))),
        ("split:4", 3, |n| ((n - 3) / 2, 3 * n - 6)),
        ("split:3", 3, |n| (n - 3, 3 * n - 6)),
        ("nested:3", 3, |n| (n - 3, 3 * n - 6)),
        ("tree", 2, |n| (n - 2, 3 * n - 5)),
        ("tree+defined", 2, |n| (n - 2, 4 * n - 7)),
        ("bdd:monotone", 2, |n| (2 * n - 2, 4 * n - 5)),
        ("bdd:ite", 2, |n| (2 * n - 2, 7 * n - 8)),
        ("bdd:ite+redundant", 2, |n| (2 * n - 2, 10 * n - 13)),
        ("edge", 2, |n| {
            let nodes = (3..150).find(|&nodes| pairs(nodes) >= n).unwrap();
            (3 * nodes - 2, 2 * n + 5 * nodes - 7)
        }),
    ];
    for (id, least, form) in forms {
        for n in least..=149 {
            assert_eq!(cost(id, n), form(n.into()), "{id}, n = {n}");
        }
    }
    assert!((3..=149).all(|n| cost("nested:4", n).1 == 3 * u128::from(n) - 6));
    assert_eq!((cost("nested:4", 16).0, cost("nested:3", 16).0), (7, 13));
    for (n, edge, product) in [(64, 181, 172), (200, 498, 482), (1000, 2223, 2188)] {
        assert_eq!((cost("edge", n).1, cost("product", n).1), (edge, product), "n = {n}");
    }
}

#[test]
fn raw_models_of_one_line_are_the_known_numbers() {
    let defined = ["2", "3", "4", "2+flat", "3+flat", "4+flat"].map(|id| format!("commander:{id}"));
    let others =
        ["sequential-counter+defined", "ladder:at-most-one", "ladder:regular", "ladder:slack"];
    let groups = |n: u128, size| if n > size { 1 << bits(n.div_ceil(size)) } else { 1 };
    for n in 2..=8 {
        let models = |id: &str| raw_models(&line(id, n, false).1, n);
        let m = u128::from(n);
        for id in defined.iter().map(String::as_str).chain(others) {
            assert_eq!(models(id), m + 1, "{id}, n = {n}");
        }
        for (id, expected) in [
            ("pairwise", m + 1),
            ("bitwise", m + (1 << bits(m))),
            ("sequential-counter", 2 * m),
            ("sequential-counter:simplified", if n < 4 { m + 1 } else { 2 * m - 2 }),
            ("ladder:relaxed", 2 * m),
            ("commander:2+one-way", 2 * m - 1),
            ("bimander:2", m + groups(m, 2)),
            ("bimander:4", m + groups(m, 4)),
            ("tree", 2 * m - 1),
            ("totalizer:cut", 2 * m),
            ("bdd:monotone", 2 * m),
        ] {
            assert_eq!(models(id), expected, "{id}, n = {n}");
        }
    }
    assert_eq!(raw_models(&line("commander:3+one-way", 9, false).1, 9), 13);
}

#[test]
fn where_an_input_holds_all_but_three_have_determined_auxiliary_variables() {
    let models = |id, n| raw_models(&line(id, n, true).1, n);
    let determined = [
        "sequential-counter",
        "sequential-counter:simplified",
        "sequential-counter+defined",
        "ladder:relaxed",
        "ladder:at-most-one",
        "ladder:regular",
        "ladder:slack",
        "product",
        "product:base-split",
        "k-product:3",
        "tree",
        "totalizer:cut",
        "bdd:monotone",
        "edge",
    ];
    for (id, n) in determined.iter().flat_map(|id| (2..=12).map(move |n| (id, n))) {
        assert_eq!(models(id, n), n.into(), "{id}, n = {n}");
    }
    for id in ["totalizer:full", "sorting-network", "cardinality-network"] {
        assert_eq!(models(id, 2), 2, "{id}");
        assert!((3..=8).all(|n| models(id, n) > n.into()), "{id}");
    }
}
