//! The runs of two encodings that are drawn together, from rows to intervals.

use bezzel_encode::Registry;
use bezzel_experiment::ExperimentRecord;

use super::super::*;
use crate::tests::sample::{measured, of_size, shuffled};
use bezzel_statistics::bootstrap::bootstrap;
use bezzel_statistics::{Contrast, Draws, LEVEL};

/// The times of shuffles on every instance. They vary, and are the same for both encodings.
const TIMES: [f64; 5] = [0.5, 1.0, 2.0, 4.0, 8.0];

/// Two encodings on eight instances under the same shuffles, the second three times as long. `formulas` are their
/// numbers of variables. `seeds` are added to the seeds of their shuffles.
fn rows(formulas: [Option<u64>; 2], seeds: [u64; 2]) -> Vec<Row> {
    let mut rows = Vec::new();
    for size in 8..16 {
        for (encoding, factor) in [1.0, 3.0].into_iter().enumerate() {
            for (seed, time) in (1..).zip(TIMES) {
                let mut row = of_size(size, shuffled(seed + seeds[encoding], factor * time));
                row.job.encoding = ["one", "two"][encoding].into();
                row.formula =
                    formulas[encoding].and_then(|variables| measured(variables, 9, 18).formula);
                rows.push(row);
            }
        }
    }
    rows
}

/// Checks that the runs of both are drawn together on all instances if `expected`. The interval of their ratio is then
/// a single number.
#[track_caller]
fn is_joint(rows: Vec<Row>, expected: bool) {
    let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
    let registry = Registry::new();
    let dataset = Dataset::new(&record, &registry);
    let instances: Vec<usize> = (0..8).collect();
    let design =
        paired_design(&dataset, &arms(&encodings(&dataset, 0), 0, 0), Measure::Time, &instances);
    let together = instances.iter().map(|&instance| design.drawn_with(1, instance) == 0);
    assert_eq!(together.collect::<Vec<_>>(), [expected; 8]);
    let draws = Draws { resamples: 1_000, seed: 1 };
    let interval =
        bootstrap(&design, &[Contrast::of(1, 0)], LEVEL, draws)[0].expect("eight instances");
    let (low, high) = interval.low.zip(interval.high).expect("no limit was met");
    assert_eq!(high / low < 1.0 + 1e-9, expected, "{low} to {high}");
}

#[test]
fn runs_of_formulas_with_equal_numbers_of_variables_are_drawn_together() {
    is_joint(rows([Some(64), Some(64)], [0, 0]), true);
}

#[test]
fn runs_of_unlike_formulas_or_other_seeds_are_drawn_apart() {
    is_joint(rows([Some(64), Some(80)], [0, 0]), false);
    is_joint(rows([Some(64), Some(64)], [0, 1]), false);
    is_joint(rows([Some(64), None], [0, 0]), false);
    is_joint(rows([None, None], [0, 0]), false);
}

#[test]
fn formulas_with_other_numbers_of_primary_variables_are_drawn_apart() {
    let mut rows = rows([Some(64), Some(64)], [0, 0]);
    for row in rows.iter_mut().filter(|row| row.job.encoding == "two") {
        row.formula.as_mut().expect("it is measured").primary = 48;
    }
    is_joint(rows, false);
}
