//! Claims that a ratio grows with the size of the instances.

use bezzel_problem::kind::pigeonhole::Pigeonhole;

use super::*;

/// Runs on eight instances of each of three sizes: pigeonholes of one number of pigeons. The ratio of product to pairwise
/// in conflicts is 2, 4 and 12, that of tree 2, 2.2 and 12.
fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (place, pigeons) in [12_u32, 13, 15].into_iter().enumerate() {
        for holes in 2..10 {
            let ratios =
                [("pairwise", [1, 1, 1]), ("product", [20, 40, 120]), ("tree", [20, 22, 120])];
            for (encoding, of_sizes) in ratios {
                let conflicts = if encoding == "pairwise" { 10 } else { of_sizes[place] };
                let mut row = shuffled(1, 1.0);
                row.job.instance = Pigeonhole::new(pigeons, holes).expect("small numbers").into();
                row.job.encoding = encoding.into();
                row.job.solver = "cadical".into();
                row.status = Answer::Unsat;
                row.formula = measured(64, conflicts, 200).formula;
                row.solver_stats.conflicts = Some(conflicts * 100_000);
                rows.push(row);
            }
        }
    }
    rows
}

fn grows(arm: &str, factor: Option<f64>) -> Claim {
    let measure = Some(ClaimMeasure::Conflicts);
    Claim { measure, factor, ..claim(ClaimRelation::Grows, &[arm], "pairwise") }
}

#[track_caller]
fn found(claim: Claim, rows: Vec<Row>, holds: bool, is_refuted: bool, expected: &str) {
    let found = evaluated(&[claim], rows);
    assert_eq!(
        (found.sentence.as_str(), found.holds, found.is_refuted),
        (expected, holds, is_refuted)
    );
}

#[test]
fn a_claim_on_growth_prints_the_ratio_of_each_size() {
    let ratios = "size 12 2.00 times (2.00 to 2.00; 8 instances), size 13 4.00 times (4.00 to 4.00; 8 instances), \
                  size 15 12.0 times (12.0 to 12.0; 8 instances), smallest rise from size 12 to 13 (2.00 times, 2.00 to \
                  2.00) on unsatisfiable instances in CaDiCaL.";
    let product = "the ratio of product to pairwise in conflicts rises at each further size by at least 1.5 times: ";
    found(grows("product", Some(1.5)), rows(), true, false, &[product, ratios].concat());
    // The rise from 12 to 13 is shown to be smaller.
    found(
        grows("product", Some(2.5)),
        rows(),
        false,
        true,
        &format!(
            "Not confirmed by these rows: the ratio of product to pairwise in conflicts rises at each further size by at \
             least 2.5 times. Here {ratios}"
        ),
    );
    let tree = evaluated(&[grows("tree", None)], rows());
    assert!(
        tree.holds && tree.sentence.contains("from size 12 to 13 (1.10 times"),
        "{}",
        tree.sentence
    );
    let both = Claim { arms: vec!["product".into(), "tree".into()], ..grows("product", Some(1.5)) };
    let both = evaluated(&[both], rows());
    assert!(both.is_refuted, "{}", both.sentence);
    assert!(
        both.sentence.contains("Here it holds in 1 of 2 comparisons; the other: tree size 12"),
        "{}",
        both.sentence
    );
    let counted = Claim { measure: Some(ClaimMeasure::Clauses), ..grows("product", Some(1.9)) };
    assert!(evaluated(&[counted], rows()).holds);
}

#[test]
fn sizes_of_one_kind_with_intervals_are_needed() {
    let one = |size: u32| rows().into_iter().filter(move |row| row.job.instance.size() == size);
    let reason = |rows: Vec<Row>| {
        let found = evaluated(&[grows("product", None)], rows);
        assert!(!found.holds && !found.is_refuted, "{}", found.sentence);
        found.sentence.split(" Here ").nth(1).unwrap_or_default().to_owned()
    };
    assert_eq!(reason(one(12).collect()), "no two sizes are measured.");
    let mut mixed: Vec<Row> = one(12).chain(one(13)).collect();
    mixed.extend(one(15).map(|row| of_size(15, row)));
    let several = "sizes of several kinds are not compared (pigeonhole, langford): name a family.";
    assert_eq!(reason(mixed), several);
    // One instance of a size has no interval.
    let few = reason(one(12).chain(one(13).take(3)).collect());
    assert!(few.contains("size 13 4.00 times (too few instances; 1 instance)"), "{few}");
    // Two sizes make one step: its level is that of one comparison.
    let of = evaluated(&[grows("product", None)], one(12).chain(one(13)).collect());
    assert_eq!(of.intervals.simultaneous, Some((2, 2)));
    let of = evaluated(&[grows("product", None)], rows());
    assert_eq!(of.intervals.simultaneous, Some((4, 4)));
}

#[test]
fn a_run_over_the_limit_leaves_the_end_open() {
    let mut rows = rows();
    // Pairwise is over the limit on most large instances: the ratio there has an upper bound alone.
    for row in &mut rows {
        if row.job.encoding == "pairwise" && row.job.instance.size() == 15 {
            let job = row.job.clone();
            *row = Row { job, cpu_s: 5.0, solve_cpu_s: Some(5.0), ..timed_out() };
        }
    }
    let claim = Claim { measure: Some(ClaimMeasure::Time), ..grows("product", None) };
    let found = evaluated(&[claim], rows);
    assert!(!found.holds, "{}", found.sentence);
}
