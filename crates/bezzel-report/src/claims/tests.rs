use bezzel_encode::{AmoUse, Constraints, InputOrder, Registry};
use bezzel_experiment::{ClaimCells, ClaimMeasure, ExperimentRecord, Row, Simultaneous};
use bezzel_solve::Answer;

use super::*;
use crate::tests::sample::{change_kind, measured, of_size, shuffled, solved, timed_out};

mod growth;
mod simulated;

fn claim(relation: ClaimRelation, arms: &[&str], baseline: &str) -> Claim {
    Claim {
        relation,
        arms: arms.iter().map(|arm| Passage::from(*arm)).collect(),
        baseline: baseline.into(),
        cells: Vec::new(),
        between: None,
        measure: None,
        factor: None,
        over_families: false,
    }
}

fn cells(key: &'static str, values: &[&str]) -> ClaimCells {
    ClaimCells { key, values: values.iter().map(|value| Passage::from(*value)).collect() }
}

/// Runs on twelve instances of each of two families in two solvers. The times of `product` are 0.2 of pairwise's on
/// Langford pairs, and 5 times on Latin squares; those of `tree` are the same as pairwise's.
fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for solver in ["batsat", "cadical"] {
        for size in 8..20 {
            for is_other in [false, true] {
                let product = if is_other { 5.0 } else { 0.2 };
                for (encoding, time) in [("pairwise", 1.0), ("product", product), ("tree", 1.0)] {
                    let mut row = of_size(size, shuffled(1, time * f64::from(size)));
                    row.formula =
                        measured(64, if encoding == "tree" { 40 } else { 80 }, 200).formula;
                    row.job.encoding = encoding.into();
                    row.job.solver = solver.into();
                    if is_other {
                        change_kind(&mut row);
                        row.status = Answer::Unsat;
                    }
                    rows.push(row);
                }
            }
        }
    }
    rows
}

fn evaluated(claims: &[Claim], rows: Vec<Row>) -> EvaluatedClaim {
    evaluated_by(claims, &Primary::default(), rows)
}

fn evaluated_by(claims: &[Claim], primary: &Primary, rows: Vec<Row>) -> EvaluatedClaim {
    let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
    let registry = Registry::new();
    let analysis = Analysis::new(&record, &registry);
    let quoted = |text: &Passage| {
        text.parse()
            .map(|value| Quoted { text: text.to_string(), words: Vec::new(), value })
            .map_err(|_| format!("`{text}` is no number"))
    };
    evaluate(&[claims], primary, &analysis, &quoted).remove(0)
}

#[track_caller]
fn sentence(claim: Claim, holds: bool, expected: &str) {
    let found = evaluated(&[claim], rows());
    assert_eq!((found.sentence.as_str(), found.holds), (expected, holds));
}

#[test]
fn each_relation_has_a_template_with_ratio_interval_and_instances() {
    let on = |claim: Claim, family: &str| Claim {
        cells: vec![cells("family", &[family]), cells("solver", &["cadical"])],
        ..claim
    };
    let less = claim(ClaimRelation::TakesLess, &["product"], "pairwise");
    sentence(
        on(less.clone(), "langford"),
        true,
        "product takes less CPU time than pairwise: 0.200 times (0.200 to 0.200; 2.61 against 13.0 s) on 12 \
         satisfiable instances of langford in CaDiCaL.",
    );
    sentence(
        on(less.clone(), "latin-square"),
        false,
        "Not confirmed by these rows: product takes less CPU time than pairwise. Here 5.00 times (5.00 to 5.00; 65.2 \
         against 13.0 s) on 12 unsatisfiable instances of latin-square in CaDiCaL.",
    );
    let more = claim(ClaimRelation::TakesMore, &["product"], "pairwise");
    let more =
        on(Claim { factor: Some(4.0), measure: Some(ClaimMeasure::Time), ..more }, "latin-square");
    sentence(
        more,
        true,
        "product takes more CPU time than pairwise, by a factor of at least 4: 5.00 times (5.00 to 5.00; 65.2 against \
         13.0 s) on 12 unsatisfiable instances of latin-square in CaDiCaL.",
    );
    sentence(
        on(claim(ClaimRelation::Equivalent, &["tree"], "pairwise"), "langford"),
        true,
        "tree is equivalent to pairwise in CPU time, within a factor of 1.1: 1.00 times (1.00 to 1.00; 13.0 against \
         13.0 s; equivalent) on 12 satisfiable instances of langford in CaDiCaL.",
    );
    sentence(
        on(claim(ClaimRelation::NotLess, &["tree"], "pairwise"), "langford"),
        true,
        "tree is not shown to take less CPU time than pairwise: 1.00 times (1.00 to 1.00; 13.0 against 13.0 s; \
         equivalent) on 12 satisfiable instances of langford in CaDiCaL.",
    );
    let counted = Claim {
        measure: Some(ClaimMeasure::Clauses),
        ..claim(ClaimRelation::TakesLess, &["tree"], "pairwise")
    };
    sentence(
        Claim { cells: vec![cells("status", &["sat"])], ..counted },
        true,
        "tree has fewer clauses than pairwise: 0.500 times (40 against 80 on the largest) on 12 instances.",
    );
}

#[test]
fn a_claim_over_cells_prints_both_sides_of_both_ratios() {
    let between = Some(cells("family", &["langford", "latin-square"]));
    let in_cadical = vec![cells("solver", &["cadical"])];
    let reversed = claim(ClaimRelation::Reversed, &["product"], "pairwise");
    sentence(
        Claim { between: between.clone(), cells: in_cadical.clone(), ..reversed },
        true,
        "the comparison of product with pairwise by CPU time is reversed: 0.200 times (0.200 to 0.200; 2.61 against 13.0 s) \
         on 12 satisfiable instances of langford in CaDiCaL, and 5.00 times (5.00 to 5.00; 65.2 against 13.0 s) on 12 \
         unsatisfiable instances of latin-square in CaDiCaL.",
    );
    let depends = claim(ClaimRelation::DependsOn, &["tree"], "pairwise");
    let found = evaluated(&[Claim { between, cells: in_cadical, ..depends }], rows());
    assert_eq!((found.holds, found.is_refuted), (false, true));
    assert!(
        found.sentence.contains("depends on the family. Here 1.00 times"),
        "{}",
        found.sentence
    );
}

#[test]
fn a_list_stands_for_all_its_values_and_the_word_all_for_the_other_encodings() {
    let not_less = claim(ClaimRelation::NotLess, &["all"], "pairwise");
    let not_less = Claim { cells: vec![cells("family", &["latin-square"])], ..not_less };
    sentence(
        not_less,
        true,
        "none of product and tree is shown to take less CPU time than pairwise; the ratios are 1.00 (tree) to 5.00 (product) on \
         unsatisfiable instances of latin-square in BatSat and CaDiCaL (4 comparisons, 12 instances each).",
    );
    let less = claim(ClaimRelation::TakesLess, &["product", "tree"], "pairwise");
    let less = Claim {
        cells: vec![cells("family", &["langford"]), cells("solver", &["cadical"])],
        ..less
    };
    sentence(
        less,
        false,
        "Not confirmed by these rows: product and tree take less CPU time than pairwise. Here it holds in 1 of 2 \
         comparisons; the other: tree 1.00 times (1.00 to 1.00; 13.0 against 13.0 s; equivalent) on 12 satisfiable instances \
         of langford in CaDiCaL.",
    );
}

#[test]
fn a_name_without_rows_and_too_few_rows_confirm_nothing_and_are_no_error() {
    for (arm, cell, expected) in [
        (
            "prodct",
            ("solver", "cadical"),
            "Here unknown encoding `prodct`; did you mean `product`?",
        ),
        (
            "product",
            ("family", "langfort"),
            "Here unknown family `langfort`; did you mean `langford`?",
        ),
        ("product", ("solver", "cadicl"), "Here unknown solver `cadicl`; did you mean `cadical`?"),
    ] {
        let less = claim(ClaimRelation::TakesLess, &[arm], "pairwise");
        let found = evaluated(&[Claim { cells: vec![cells(cell.0, &[cell.1])], ..less }], rows());
        assert!(
            !found.holds && !found.is_refuted && found.sentence.contains(expected),
            "{}",
            found.sentence
        );
    }
    let few: Vec<Row> = rows().into_iter().filter(|row| row.job.instance.size() < 10).collect();
    let found = evaluated(&[claim(ClaimRelation::TakesLess, &["product"], "pairwise")], few);
    assert!(!found.holds && found.sentence.contains("too few instances"), "{}", found.sentence);
    // They do not confirm that nothing is shown, either.
    let few: Vec<Row> = rows().into_iter().filter(|row| row.job.instance.size() < 10).collect();
    let found = evaluated(&[claim(ClaimRelation::NotLess, &["product"], "pairwise")], few);
    assert!(!found.holds && !found.is_refuted, "{}", found.sentence);
    let found = evaluated(&[claim(ClaimRelation::TakesLess, &["product"], "pairwise")], vec![]);
    assert!(found.sentence.contains("Here unknown arm `pairwise`"), "{}", found.sentence);
}

#[test]
fn levels_are_joint_over_cells_and_simultaneous_over_the_declared_comparisons() {
    let record = ExperimentRecord { rows: rows(), ..ExperimentRecord::default() };
    let registry = Registry::new();
    let analysis = Analysis::new(&record, &registry);
    let level = |claim: &Claim, primary: &Primary| {
        let compared = cells::resolve(claim, primary, &analysis).expect("all names are known");
        let cells = cells::count(compared.iter());
        let mut batch = Batch::default();
        let prepared = batch.prepare(&compared, claim, primary, &analysis, cells);
        let found = batch.outcomes();
        let levels = prepared.iter().map(|of| match of.as_ref().map(|of| of.evidence(&found)) {
            Ok(Evidence::Interval(outcome, _)) => outcome.interval.expect("they are enough").level,
            other => panic!("{:?}", other.err()),
        });
        let levels: Vec<f64> = levels.collect();
        assert!(levels.iter().all(|level| (level - levels[0]).abs() < 1e-12));
        (1.0 - levels[0]) / 0.05
    };
    let product = claim(ClaimRelation::TakesLess, &["product"], "pairwise");
    let one = |claim: &Claim| Claim {
        cells: vec![cells("family", &["langford"]), cells("solver", &["cadical"])],
        ..claim.clone()
    };
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found}");
    // Two encodings are compared with the first one; three pairs are there.
    near(level(&one(&product), &Primary::default()), 1.0 / 2.0);
    let pairs = Primary { intervals: Some(Simultaneous::Pairs), ..Primary::default() };
    near(level(&one(&product), &pairs), 1.0 / 3.0);
    let of = evaluated_by(&[one(&product)], &pairs, rows()).intervals;
    assert_eq!((of.simultaneous, of.some_lack), (Some((3, 3)), false));
    // Another baseline than the declared one is in no declared set but that of all pairs.
    let other = claim(ClaimRelation::TakesLess, &["product"], "tree");
    near(level(&one(&other), &Primary::default()), 1.0 / 3.0);
    let declared = Primary { baseline: Some("tree".into()), ..Primary::default() };
    near(level(&one(&other), &declared), 1.0 / 2.0);
    // Two families in two solvers.
    let families = Claim { cells: vec![cells("family", &["langford", "latin-square"])], ..product };
    near(level(&families, &Primary::default()), 1.0 / 8.0);
    // A strict level would confirm a claim of absence.
    let absent = Claim { relation: ClaimRelation::NotMore, ..families };
    near(level(&absent, &Primary::default()), 1.0 / 2.0);
}

/// [`rows`] on Langford pairs under all pairs of two orders, two uses of groups and two sets of constraints. A run takes
/// twice as long in a random order, and `product` a tenth of its time with groups.
fn rows_with_settings() -> Vec<Row> {
    let mut rows = rows();
    rows.retain(|row| row.status != Answer::Unsat && row.job.solver == "cadical");
    let mut all = Vec::new();
    for input_order in [InputOrder::AsStated, InputOrder::Random(1)] {
        for amo in [AmoUse::None, AmoUse::Detected] {
            for constraints in [Constraints::Full, Constraints::Minimal] {
                for row in &rows {
                    let mut row = row.clone();
                    row.job.settings =
                        Settings { constraints: Some(constraints), input_order, amo };
                    let mut factor = if input_order == InputOrder::AsStated { 1.0 } else { 2.0 };
                    if amo == AmoUse::Detected && row.job.encoding == "product" {
                        factor /= 10.0;
                    }
                    row.cpu_s *= factor;
                    row.solve_cpu_s = row.solve_cpu_s.map(|time| time * factor);
                    all.push(row);
                }
            }
        }
    }
    all
}

#[test]
fn cells_have_any_subset_of_the_settings() {
    let known = [
        ("constraints", ["full", "minimal"]),
        ("input_order", ["as-stated", "random:1"]),
        ("amo", ["none", "detected"]),
    ];
    let ratio = |claim: Claim| {
        let found = evaluated(&[claim], rows_with_settings());
        let (_, rest) = found.sentence.rsplit_once(": ").unwrap_or_default();
        let ratio = rest.split(' ').next().unwrap_or_default().to_owned();
        assert!(found.holds && !found.sentence.contains("unknown"), "{}", found.sentence);
        ratio
    };
    // All settings stated: the label without any of them names both arms.
    for place in 0..8_usize {
        let value = |axis: usize| known[axis].1[(place >> axis) & 1];
        let stated = |axis: usize| cells(known[axis].0, &[value(axis)]);
        let claim_ = claim(ClaimRelation::TakesLess, &["product"], "pairwise");
        let cells = (0..3).map(stated).collect();
        let expected = if value(2) == "detected" { "0.0200" } else { "0.200" };
        assert_eq!(ratio(Claim { cells, ..claim_ }), expected, "{place}");
    }
    // Two of three: the other one is at its default, which no label has.
    for left_out in 0..3 {
        let stated = (0..3).filter(|axis| *axis != left_out);
        let cells = stated.map(|axis| cells(known[axis].0, &[known[axis].1[1]])).collect();
        let claim = claim(ClaimRelation::TakesLess, &["product"], "pairwise");
        let expected = if left_out == 2 { "0.200" } else { "0.0200" };
        assert_eq!(ratio(Claim { cells, ..claim }), expected, "{left_out}");
    }
    // A setting is compared under the others.
    for amo in ["none", "detected"] {
        let claim = claim(ClaimRelation::TakesMore, &["random:1"], "as-stated");
        let cells = vec![
            cells("encoding", &["tree"]),
            cells("constraints", &["minimal"]),
            cells("amo", &[amo]),
        ];
        assert_eq!(ratio(Claim { cells, ..claim }), "2.00");
    }
    // No encoding has one of the values.
    let claim = claim(ClaimRelation::TakesLess, &["product"], "pairwise");
    let cells = vec![cells("input_order", &["random:2"]), cells("amo", &["detected"])];
    let found = evaluated(&[Claim { cells, ..claim }], rows_with_settings());
    assert!(!found.holds, "{}", found.sentence);
    let expected =
        "Here no encoding has the input order random:2, at-most-one groups in sums detected.";
    assert!(found.sentence.ends_with(expected), "{}", found.sentence);
}

#[test]
fn a_run_at_the_limit_makes_a_mean_a_bound() {
    let mut rows = rows();
    for row in &mut rows {
        if row.job.encoding == "pairwise" && row.job.instance.size() > 12 {
            let job = row.job.clone();
            *row = Row { job, cpu_s: 5.0, solve_cpu_s: Some(5.0), ..timed_out() };
        }
    }
    let known = claim(ClaimRelation::TakesLess, &["product"], "pairwise");
    let cells = vec![cells("family", &["langford"]), cells("solver", &["cadical"])];
    let found = evaluated(&[Claim { cells, ..known }], rows);
    assert!(found.sentence.contains("against ≥ "), "{}", found.sentence);
}

#[test]
fn numbers_are_compared_as_they_are() {
    let below = claim(ClaimRelation::Below, &["565"], "704");
    let found = evaluated(&[below], vec![solved(1.0)]);
    assert_eq!((found.sentence.as_str(), found.holds), ("565 is less than 704.", true));
    let equal = claim(ClaimRelation::Equal, &["565"], "704");
    let found = evaluated(&[equal], vec![solved(1.0)]);
    assert!(found.is_refuted && found.sentence.ends_with("565 is not equal to 704."));
}

#[test]
fn words_that_both_numbers_have_are_stated_once() {
    let of = |text: &str, words: &[&str]| {
        let words = words.iter().map(ToString::to_string).collect();
        Quoted { text: text.into(), words, value: 0.0 }
    };
    let read = |one: &Quoted, two: &Quoted| told_apart(one, two).join(" and ");
    let (bitwise, pairwise) = (of("6", &["100", "bitwise"]), of("9", &["100", "pairwise"]));
    assert_eq!(read(&bitwise, &pairwise), "6 for bitwise and 9 for pairwise (100)");
    assert_eq!(read(&bitwise, &of("1", &[])), "6 (100, bitwise) and 1");
    assert_eq!(read(&of("6", &["100"]), &pairwise), "6 and 9 for pairwise (100)");
}
