//! Reasons to read a report with care, computed from its rows.

use bezzel_experiment::calibration::{Noise, TOO_HIGH, noise};
use bezzel_solve::Answer;

use crate::counter_runs::CounterCell;
use crate::dataset::Dataset;
use crate::distinct::distinct;
use crate::machine_groups;
use crate::machines::MachineKind;
use crate::row_statistics::replicates::ReplicateCount;
use bezzel_statistics::median;

/// The least number of shuffles or seeds for an estimate of the spread.
const ENOUGH_SEARCHES: usize = 10;
/// Times below this, in CPU seconds, are too short for a reliable comparison.
const SHORT_S: f64 = 0.1;

fn extremes(numbers: &[f64]) -> Option<(f64, f64)> {
    let low = numbers.iter().copied().reduce(f64::min)?;
    let high = numbers.iter().copied().reduce(f64::max)?;
    Some((low, high))
}

/// Reasons to read the report with care.
pub(crate) fn cautions(dataset: &Dataset<'_>) -> Vec<String> {
    let mut cautions = Vec::new();
    let mut add_if = |when: bool, text: &str| {
        if when {
            cautions.push(text.to_owned());
        }
    };
    if dataset.record.rows.is_empty() {
        return vec!["Nothing was run yet: there are no rows.".into()];
    }
    add_if(
        dataset.solvers.len() == 1,
        "Only one solver was run: another one may rank the encodings differently.",
    );
    let searches = dataset.cells.iter().map(|cell| ReplicateCount::of_searches(&cell.rows));
    if let Some(largest) = searches.max_by_key(|searches| searches.number) {
        add_if(
            largest.number < ENOUGH_SEARCHES,
            &format!(
                "No cell has more than {largest}; repetitions are not counted. Times to a first solution \
                 vary widely; an estimate of their spread needs at least {ENOUGH_SEARCHES} {}.",
                largest.kind.several()
            ),
        );
    }
    let answers: Vec<_> =
        dataset.instances.iter().map(|instance| dataset.answer(instance)).collect();
    // The next two cautions are on times to a first solution, not on counts.
    let first = !dataset.cells.is_empty();
    add_if(
        first && !answers.contains(&Some(Answer::Unsat)),
        "No instance was found to be unsatisfiable: satisfiable instances alone are weak evidence on \
             encodings.",
    );
    let mut medians = dataset.cells.iter().filter_map(|cell| median(&cell.times())).peekable();
    add_if(
        medians.peek().is_some()
            && medians.all(|time| time.measured().is_some_and(|seconds| seconds < SHORT_S)),
        &format!("All median times are below {SHORT_S} s, too short for a reliable comparison."),
    );
    let mut medians = dataset.counter_runs.cells.iter().filter_map(CounterCell::cpu_s).peekable();
    add_if(
        medians.peek().is_some()
            && medians.all(|time| time.measured().is_some_and(|seconds| seconds < SHORT_S)),
        &format!(
            "All median times of engines are below {SHORT_S} s, too short to show how times grow."
        ),
    );
    let environments = &dataset.record.environments;
    add_if(
        environments.iter().any(|session| !session.build.optimised),
        "Some rows were measured by a build without optimisation.",
    );
    add_if(
        environments.iter().any(|environment| environment.build.git_dirty == Some(true)),
        "Some rows were measured by a build with uncommitted changes.",
    );
    add_if(
        environments.iter().any(|environment| environment.parallel > 1),
        "Jobs ran at the same time, and may have slowed each other down.",
    );
    let noises = noise(&dataset.record.readings);
    add_if(
        noises.iter().any(Noise::is_too_high),
        "The machine was noisy: times of the same work differed by more than a tenth. An effect on times \
         is reported only if its interval excludes 1 by more than the noise of the sessions that measured \
         it.",
    );
    add_if(
        noises.iter().any(Noise::is_shared),
        "Other processes may have used the same core: runs of the fixed formula took over 1.25 times as \
         much wall time as CPU time.",
    );
    add_if(
        noises.iter().any(|noise| !noise.same_effort),
        "Runs of the fixed formula in one session had different answers or different numbers of \
         conflicts, decisions or propagations. They should be deterministic.",
    );
    let kind = |noise: &Noise| dataset.machines.kind(noise.session);
    let changed = |one: &MachineKind| {
        let alike = noises.iter().filter(|noise| kind(noise) == *one);
        let medians: Vec<f64> = alike.filter_map(|noise| noise.median_s).collect();
        extremes(&medians).is_some_and(|(low, high)| high > low * (1.0 + TOO_HIGH))
    };
    // `machine_groups::warning` has the differences between unlike machines.
    add_if(
        distinct(noises.iter().map(kind)).iter().any(changed),
        "The machine was not equally fast in all sessions: the fixed formula took more than a tenth \
         longer in one than in another.",
    );
    cautions.extend(machine_groups::warning(dataset));
    cautions
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    use crate::tests::sample::{counted, seeded, shuffled, solved};
    use bezzel_encode::Registry;
    use bezzel_experiment::calibration::CalibrationJob;
    use bezzel_experiment::{ExperimentRecord, NO_ENCODING, Row, Termination};

    fn warnings(rows: Vec<Row>) -> Vec<String> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        let registry = Registry::new();
        cautions(&Dataset::new(&record, &registry))
    }

    #[test]
    fn a_noisy_machine_and_one_that_changed_between_sessions_have_cautions() {
        let fixed = CalibrationJob::new(&crate::tests::sample::catalog(), Duration::ZERO).unwrap();
        let cautions_of = |sessions: &[&[f64]]| {
            let times = (0..)
                .zip(sessions)
                .flat_map(|(session, times)| times.iter().map(move |&time| (session, time)));
            let readings = times.map(|(session, time)| Row {
                status: Answer::Unsat,
                solve_cpu_s: Some(time),
                session,
                ..Row::blank(fixed.planned.clone(), Termination::Finished)
            });
            let record = ExperimentRecord {
                rows: vec![solved(1.0)],
                readings: readings.collect(),
                ..ExperimentRecord::default()
            };
            let cautions = cautions(&Dataset::new(&record, &Registry::new()));
            ["was noisy", "not equally fast"]
                .map(|words| cautions.iter().any(|caution| caution.contains(words)))
        };
        assert_eq!(cautions_of(&[]), [false, false]);
        assert_eq!(cautions_of(&[&[1.0; 5], &[1.05; 5]]), [false, false]);
        assert_eq!(cautions_of(&[&[1.0; 5], &[1.2; 5]]), [false, true]);
        assert_eq!(cautions_of(&[&[1.0, 1.0, 1.0, 1.2, 1.2]]), [true, false]);
    }

    #[test]
    fn a_small_experiment_is_reported_as_small() {
        let cautions = warnings(vec![solved(0.01)]);
        let has_caution = |text: &str| cautions.iter().any(|caution| caution.starts_with(text));
        assert!(has_caution("Only one solver was run"));
        assert!(has_caution("No cell has more than 1 run;"));
        assert!(has_caution("No instance was found to be unsatisfiable"));
        assert!(has_caution("All median times are below"));
        assert!(!has_caution("Some rows"));
    }

    #[test]
    fn engines_are_reported_as_quick_only_if_all_of_them_are() {
        let quick = counted("backtrack", NO_ENCODING, 0.01);
        let found = warnings(vec![quick.clone()]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("All median times of engines are below"), "{found:?}");
        assert!(warnings(vec![quick, counted("blocking", "pairwise", 2.0)]).is_empty());
    }

    #[test]
    fn seeds_show_the_spread_as_shuffles_do_and_repetitions_do_not() {
        let few = |rows: Vec<Row>| {
            let warnings = warnings(rows);
            warnings.iter().find(|text| text.contains("No cell has more than")).cloned()
        };
        let seeds = |number| (0..number).map(|seed| seeded(seed, 1.0)).collect::<Vec<_>>();
        assert_eq!(few(seeds(10)), None);
        assert!(few(seeds(9)).unwrap().starts_with("No cell has more than 9 seeds;"));
        assert_eq!(few((0..10).map(|seed| shuffled(seed, 1.0)).collect()), None);
        let mut repeats = vec![solved(1.0); 20];
        (1..).zip(&mut repeats).for_each(|(repeat, row)| row.job.repeat = repeat);
        assert!(few(repeats).unwrap().starts_with("No cell has more than 1 run;"));
    }
}
