use std::path::Path;

use bezzel_experiment::ExperimentRecord;
use bezzel_solve::OptionValue;

use super::*;
use crate::tests::analysed;
use crate::tests::sample::{change_kind, of_size, shuffled, solved};
use bezzel_statistics::Relation;

fn found(rows: Vec<Row>) -> Vec<Effect> {
    let mut effects = analysed(rows, |of| effects(of));
    effects.retain(|effect| effect.measure == Measure::Time);
    effects
}

fn with(options: &[(&str, i64)], mut row: Row) -> Row {
    for &(name, value) in options {
        std::sync::Arc::make_mut(&mut row.job.options)
            .insert(name.into(), OptionValue::Integer(value));
    }
    row
}

#[test]
fn an_effect_is_the_mean_over_encodings_of_what_changes() {
    let mut rows = Vec::new();
    for size in 8..14 {
        for (encoding, time) in [("pairwise", 1.0), ("product", 3.0)] {
            let mut generated = of_size(size, solved(time));
            // Twice as long for one encoding, eight times for the other: four times.
            let mut random = of_size(size, shuffled(1, time * if time > 1.0 { 8.0 } else { 2.0 }));
            generated.job.encoding = encoding.into();
            random.job.encoding = encoding.into();
            rows.extend([generated, random]);
        }
    }
    let effects = found(rows);
    let [effect] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!((effect.factor.as_str(), effect.held.as_str()), ("numbering", "batsat"));
    assert_eq!((effect.from.as_str(), effect.to.as_str()), ("as-generated", "random"));
    assert_eq!((effect.outcome.ratio.instances, effect.outcome.relation), (6, Relation::More));
    // 0.1 ms is added to both times.
    assert!((effect.outcome.ratio.estimate.unwrap().low.unwrap() - 4.0).abs() < 1e-3);
}

/// Both numberings on `instances` instances of a family, the random one `times` times as long.
fn both(family: &str, instances: std::ops::Range<u32>, times: f64) -> Vec<Row> {
    let both = |size| [of_size(size, solved(1.0)), of_size(size, shuffled(1, times))];
    let mut rows: Vec<Row> = instances.flat_map(both).collect();
    for row in &mut rows {
        match family {
            "latin-square" => change_kind(row),
            "unsatisfiable" => row.status = Answer::Unsat,
            _ => {}
        }
    }
    rows
}

#[track_caller]
fn summaries(rows: Vec<Row>, expected: &[(&str, usize, &str, Relation)]) {
    let effects = found(rows);
    let read = effects.iter().map(|effect| {
        let ratio = effect.outcome.ratio.estimate.map_or("none".into(), |ratio| ratio.to_string());
        let Outcome { ratio: of, relation, .. } = effect.outcome;
        (effect.families.join(" + "), of.instances, ratio, relation)
    });
    let expected = expected.iter().map(|&(families, instances, ratio, relation)| {
        (families.to_owned(), instances, ratio.to_owned(), relation)
    });
    assert_eq!(read.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

#[test]
fn instances_with_a_solution_and_without_one_have_effects_of_their_own() {
    let rows = [both("langford", 8..14, 2.0), both("unsatisfiable", 14..20, 8.0)].concat();
    let expected = [
        ("langford, satisfiable", 6, "2.00", Relation::More),
        ("langford, unsatisfiable", 6, "8.00", Relation::More),
    ];
    summaries(rows, &expected);
}

#[test]
fn a_summary_weighs_families_alike_and_has_no_ratio_if_the_effect_changes_its_sign() {
    let rows = [both("langford", 8..14, 2.0), both("latin-square", 8..20, 8.0)].concat();
    let expected = [
        ("langford + latin-square", 18, "4.00", Relation::More),
        ("langford", 6, "2.00", Relation::More),
        ("latin-square", 12, "8.00", Relation::More),
    ];
    summaries(rows, &expected);
    let rows = [both("langford", 8..14, 0.5), both("latin-square", 8..20, 8.0)].concat();
    let expected = [
        ("langford + latin-square", 18, "none", Relation::DependsOnFamily),
        ("langford", 6, "0.500", Relation::Less),
        ("latin-square", 12, "8.00", Relation::More),
    ];
    summaries(rows, &expected);
}

#[test]
fn options_are_compared_one_at_a_time() {
    let arms: [&[(&str, i64)]; 4] = [
        &[("elim", 0), ("factor", 0)],
        &[("elim", 0), ("factor", 1)],
        &[("elim", 1), ("factor", 0)],
        &[("elim", 1), ("factor", 1)],
    ];
    let rows = arms.iter().zip([1.0, 2.0, 3.0, 6.0]);
    let effects = found(rows.map(|(options, time)| with(options, solved(time))).collect());
    let texts: Vec<String> = effects
        .iter()
        .map(|effect| {
            let ratio = effect.outcome.ratio.estimate.unwrap();
            let Effect { factor, from, to, held, .. } = effect;
            format!("{factor} {from} to {to}, {held}: {ratio}")
        })
        .collect();
    assert_eq!(
        texts,
        [
            "factor 0 to 1, as-generated, batsat (elim=0): 2.00",
            "elim 0 to 1, as-generated, batsat (factor=0): 3.00",
            "elim 0 to 1, as-generated, batsat (factor=1): 3.00",
            "factor 0 to 1, as-generated, batsat (elim=1): 2.00"
        ]
    );
}

/// A row of an encoding under an input order in a solver.
fn ordered(encoding: &str, order: &str, solver: &str, mut row: Row) -> Row {
    row.job.encoding = encoding.into();
    row.job.solver = solver.into();
    row.job.settings.input_order = order.parse().expect("it is an input order");
    row
}

/// The text of an effect: its change, its fixed settings, its ratio and its verdict.
fn read(effect: &Effect) -> String {
    let ratio = effect.outcome.ratio.estimate.map_or("none".into(), |ratio| ratio.to_string());
    let Effect { from, to, held, outcome, .. } = effect;
    let differ = if outcome.solvers_differ { ", solvers differ" } else { "" };
    format!("{from} to {to}, {held}: {ratio}, {}{differ}", outcome.relation)
}

#[test]
fn the_input_order_has_an_effect_on_each_encoding_of_its_own() {
    let mut rows = Vec::new();
    for size in 8..18 {
        // A random order multiplies the time by this number: of one encoding only under one solver.
        for (encoding, solver, times) in [
            ("pairwise", "batsat", 1.0),
            ("product", "batsat", 50.0),
            ("pairwise", "cadical", 1.0),
            ("product", "cadical", 0.5),
        ] {
            let of = |order, row| ordered(encoding, order, solver, of_size(size, row));
            rows.push(of("as-stated", shuffled(1, 1.0)));
            rows.push(of("random:1", shuffled(1, times)));
            // Under another numbering there is one order alone.
            rows.push(of("as-stated", solved(1.0)));
        }
    }
    let all = found(rows);
    let of_orders = all.iter().filter(|effect| effect.factor == "input order");
    let expected = [
        "as-stated to random:1, pairwise, random, batsat: 1.00, equivalent",
        "as-stated to random:1, product, random, batsat: 50.0, more, solvers differ",
        "as-stated to random:1, pairwise, random, cadical: 1.00, equivalent",
        "as-stated to random:1, product, random, cadical: 0.500, less, solvers differ",
    ];
    assert_eq!(of_orders.clone().map(read).collect::<Vec<_>>(), expected);
    // Four intervals are simultaneous: those of both encodings under both solvers.
    for effect in of_orders {
        let level = effect.outcome.interval.unwrap().level;
        assert!((level - simultaneous(LEVEL, 4)).abs() < 1e-12, "{level}");
    }
    assert!(all.iter().any(|effect| effect.factor == NUMBERING));
}

#[test]
fn the_use_of_at_most_one_groups_has_an_effect_on_each_encoding_that_was_measured_with_both() {
    let mut rows = Vec::new();
    for size in 8..18 {
        for (amo, time) in [("none", 1.0), ("detected", 0.25)] {
            let mut row = of_size(size, shuffled(1, time));
            row.job.settings.amo = amo.parse().expect("it is a use");
            rows.push(row);
        }
        // This encoding takes no parts.
        rows.push(ordered("product", "as-stated", "batsat", of_size(size, shuffled(1, 9.0))));
    }
    let all = found(rows);
    let expected = ["none to detected, pairwise, random, batsat: 0.250, less"];
    assert_eq!(all.iter().map(read).collect::<Vec<_>>(), expected);
    assert_eq!(all[0].factor, "amo");
}

#[test]
fn recorded_pigeonholes_take_longer_in_a_random_order_except_with_pairwise() {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/every-kind-pigeonhole");
    let catalog = bezzel_experiment::Catalog::standard();
    let record = ExperimentRecord::open(&folder, &catalog).expect("the record is whole");
    let effects = effects(&Dataset::new(&record, &catalog.encodings));
    let of_orders = effects
        .iter()
        .filter(|effect| effect.factor == "input order" && effect.measure == Measure::Time);
    // The ratios and the numbers of compared and of censored instances were computed by another program. Bounds are rounded
    // down.
    let read = |effect: &Effect| {
        let Outcome { ratio, relation, .. } = effect.outcome;
        let [encoding, _, solver] = effect.held.splitn(3, ", ").collect::<Vec<_>>()[..] else {
            panic!("{effect:?}")
        };
        let bound = ratio.estimate.map_or("none".into(), |ratio| ratio.to_string());
        format!(
            "{encoding}, {solver}: {bound}, {} of {}, {relation}",
            ratio.bounded, ratio.instances
        )
    };
    let found: Vec<String> = of_orders.map(read).collect();
    assert_eq!(found.len(), 18, "six encodings have an input order, in three solvers");
    for expected in [
        "pairwise, cadical (proofs off): 1.03, 0 of 6, too few instances",
        "sequential-counter, cadical (proofs off): ≥ 75.2, 3 of 12, more",
        "bitwise, cadical (proofs off): ≥ 5.86, 6 of 12, more",
        "bimander:2, cadical (proofs off): ≥ 6.82, 4 of 12, more",
        "commander:3, cadical (proofs off): ≥ 81.6, 4 of 12, more",
        "product, cadical (proofs off): ≥ 60.1, 4 of 12, more",
        "pairwise, kissat: 1.02, 0 of 10, undecided",
    ] {
        assert!(found.iter().any(|known| known == expected), "{expected}: {found:#?}");
    }
}
