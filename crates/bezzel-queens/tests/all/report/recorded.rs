//! The joint draw on recorded rows, against intervals that were computed by another program.
//!
//! The other program pooled all instances, used a plain level of 95 % and drew 4,000 times or more. The tolerance
//! covers these draws. Reports give instances with a solution and instances without one apart.

use std::path::Path;

use bezzel_experiment::ExperimentRecord;

use bezzel_report::comparison::{Arm, Measure, paired_design};
use bezzel_report::dataset::Dataset;
use bezzel_statistics::bootstrap::bootstrap;
use bezzel_statistics::{Contrast, DRAWS, LEVEL};

/// The interval of the ratio of the second arm to the first of each pair, over all instances pooled.
fn pooled(
    experiment: &str,
    measure: Measure,
    pairs: impl Fn(&Dataset<'_>) -> Vec<[Arm; 2]>,
) -> [f64; 2] {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments").join(experiment);
    let catalog = bezzel_queens::experiment::catalog();
    let record = ExperimentRecord::open(&folder, &catalog).expect("the record is whole");
    let dataset = Dataset::new(&record, &catalog.encodings);
    let instances: Vec<usize> = (0..dataset.instances.len()).collect();
    let arms = pairs(&dataset).concat();
    let design =
        paired_design(&dataset, &arms, measure, &instances).pooled().shifted(measure.offset());
    let contrast =
        Contrast { pairs: (0..arms.len()).step_by(2).map(|one| (one + 1, one)).collect() };
    let interval = bootstrap(&design, &[contrast], LEVEL, DRAWS)[0].expect("an interval");
    [interval.low, interval.high].map(|end| end.expect("no limit was met"))
}

fn place(names: &[String], name: &str) -> usize {
    names.iter().position(|known| known.starts_with(name)).expect("it was measured")
}

#[track_caller]
fn near(found: [f64; 2], expected: [f64; 2]) {
    let apart = found.iter().zip(expected).map(|(found, expected)| (found / expected).ln().abs());
    assert!(apart.fold(0.0, f64::max) < 0.03, "{found:?} for {expected:?}");
}

#[test]
fn implications_take_longer_than_pairs_under_both_solvers() {
    for (solver, expected) in [("cadical", [1.06, 1.42]), ("batsat", [1.06, 1.17])] {
        let found = pooled("cook-two-approaches-2", Measure::Time, |dataset| {
            let arm = |encoding: &str| Arm {
                encoding: place(&dataset.encodings, encoding),
                numbering: place(&dataset.numberings, "random"),
                solver: place(&dataset.solvers, solver),
                record: 0,
            };
            vec![[arm("pairwise"), arm("implication")]]
        });
        near(found, expected);
    }
}

#[test]
fn bounded_variable_addition_changes_no_effort_of_shuffled_formulas() {
    let found = pooled("does-the-solver-repair-it", Measure::Conflicts, |dataset| {
        let arm = |encoding, solver| Arm {
            encoding,
            numbering: place(&dataset.numberings, "random"),
            solver: place(&dataset.solvers, solver),
            record: 0,
        };
        let each = 0..dataset.encodings.len();
        each.map(|of| [arm(of, "cadical (factor=0)"), arm(of, "cadical (factor=1)")]).collect()
    });
    near(found, [0.99, 1.02]);
}
