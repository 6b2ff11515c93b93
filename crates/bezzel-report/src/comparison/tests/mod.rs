//! From rows to intervals and verdicts.

use bezzel_experiment::Termination;
use bezzel_problem::kind::langford::Langford;

use super::Observation::{AtLeast, Exact};
use super::*;
use crate::tests::analysed;
use crate::tests::sample::{at_wall_limit, of_size, shuffled, solved, timed_out, unchecked, wrong};

mod paired;
mod simulated;

fn with_dataset<T>(rows: Vec<Row>, look: impl Fn(&Dataset<'_>) -> T) -> T {
    analysed(rows, |of| look(of))
}

/// The number of instances on which the first two arms were measured.
fn both(design: &PairedDesign) -> usize {
    let medians = design.medians(0).into_iter().zip(design.medians(1));
    medians.filter(|(one, two)| one.is_some() && two.is_some()).count()
}

const FIRST: Arm = Arm { encoding: 0, numbering: 0, solver: 0, record: 0 };

#[test]
fn a_run_without_an_answer_took_at_least_its_own_time_and_a_wrong_answer_is_not_there() {
    let of = |late: Row| {
        let rows = vec![solved(1.2), wrong(0.1), late];
        let design =
            with_dataset(rows, |dataset| paired_design(dataset, &[FIRST], Measure::Time, &[0]));
        design.replicates(0, 0).to_vec()
    };
    // Of a CPU limit of 5 s, 0.1 s went into making the formula.
    assert_eq!(of(timed_out()), [Exact(1.2), AtLeast(4.9)]);
    let mut alone = at_wall_limit(1.6);
    alone.wall_s = 1.7;
    assert_eq!(of(alone.clone()), [Exact(1.2), AtLeast(1.6)]);
    assert_eq!(
        of(Row { termination: Termination::MemoryLimit, ..alone.clone() }),
        [Exact(1.2), AtLeast(1.6)]
    );
    assert_eq!(
        of(Row { termination: Termination::Crashed, ..alone.clone() }),
        [Exact(1.2), AtLeast(1.6)]
    );
    // A killed run has no time of solving: its process has used it.
    let killed = Row {
        generate_cpu_s: Some(0.125),
        load_cpu_s: Some(0.25),
        solve_cpu_s: None,
        cpu_s: 1.875,
        ..alone
    };
    assert_eq!(of(killed.clone()), [Exact(1.2), AtLeast(1.5)]);
    // A run that had not begun to solve still counts as longer than the runs beside it.
    let loading = Row { load_cpu_s: None, ..killed };
    assert_eq!(of(loading.clone()), [Exact(1.2), AtLeast(1.2)]);
    let design = with_dataset(vec![loading], |dataset| {
        paired_design(dataset, &[FIRST], Measure::Time, &[0])
    });
    assert_eq!(design.replicates(0, 0), [AtLeast(0.0)]);
}

#[test]
fn an_instance_on_which_a_run_shared_its_core_leaves_comparisons_of_times() {
    let second = Arm { encoding: 1, ..FIRST };
    let of_second = |row: Row| {
        let mut row = row;
        row.job.encoding = "product".into();
        row.solver_stats.conflicts = Some(7);
        row
    };
    let instances = |late: Row, measure: Measure| {
        let rows = vec![
            solved(1.0),
            of_second(late),
            of_size(9, solved(1.0)),
            of_second(of_size(9, solved(2.0))),
        ];
        with_dataset(rows, |dataset| {
            let design = paired_design(dataset, &[FIRST, second], measure, &[0, 1]);
            let names = design.instances().iter().map(|instance| instance.name.clone());
            (names.collect::<Vec<_>>(), count_disturbed(dataset, 0, &[0, 1]))
        })
    };
    let shared = at_wall_limit(1.6);
    assert_eq!(instances(shared.clone(), Measure::Time), (vec!["langford 9".into()], 1));
    // The conflicts until then are a lower bound, as under every other limit.
    assert_eq!(instances(shared.clone(), Measure::Conflicts).0.len(), 2);
    // A run with nine tenths of a core is undisturbed.
    let alone = Row { cpu_s: 9.0, ..shared.clone() };
    assert_eq!(
        instances(alone, Measure::Time),
        (vec!["langford 8".into(), "langford 9".into()], 0)
    );
    let elsewhere = Row { termination: Termination::MemoryLimit, ..shared };
    assert_eq!(instances(elsewhere, Measure::Time).1, 0);
}

#[test]
fn a_time_out_took_at_least_the_conflicts_that_it_tells() {
    let mut rows = vec![solved(2.0), timed_out(), solved(1.0)];
    rows[0].solver_stats.conflicts = Some(0);
    rows[1].solver_stats.conflicts = Some(700);
    let design =
        with_dataset(rows, |dataset| paired_design(dataset, &[FIRST], Measure::Conflicts, &[0]));
    // The run whose row has no number of conflicts is missing.
    assert_eq!(design.replicates(0, 0), [Exact(0.0), AtLeast(700.0)]);
    let silent = vec![solved(2.0), timed_out()];
    let design =
        with_dataset(silent, |dataset| paired_design(dataset, &[FIRST], Measure::Conflicts, &[0]));
    assert!(design.instances().is_empty());
}

#[test]
fn a_cell_with_an_unchecked_answer_is_left_out_whole() {
    let rows = vec![solved(2.0), unchecked(1.0), of_size(9, solved(3.0))];
    let design = with_dataset(rows, |dataset| {
        paired_design(dataset, &[FIRST], Measure::Time, &[0, 1][..dataset.instances.len()])
    });
    let names: Vec<_> = design.instances().iter().map(|instance| instance.name.as_str()).collect();
    assert_eq!(names, ["langford 9"]);
    assert_eq!(design.instances()[0].family, "langford");
}

#[test]
fn encodings_meet_under_one_numbering_and_in_each_solver() {
    let mut rows = vec![solved(1.0), solved(2.0), solved(3.0), shuffled(1, 4.0)];
    rows[1].job.encoding = "product".into();
    rows[2].job.solver = "cadical:plain".into();
    rows[3].job.instance = Langford::new(9).unwrap().into();
    let (generated, random) = with_dataset(rows, |dataset| {
        (
            comparison(dataset, 0, Measure::Time, &[0, 1]),
            comparison(dataset, 1, Measure::Time, &[0, 1]),
        )
    });
    let generated = generated.unwrap();
    assert_eq!(generated.arms, ["pairwise", "product"]);
    let solvers: Vec<_> =
        generated.solvers.iter().map(|solver_design| solver_design.program.as_str()).collect();
    assert_eq!(solvers, ["batsat"], "a solver with one encoding compares nothing");
    assert_eq!(both(&generated.solvers[0].design), 1);
    assert!(!has_replication(&generated));
    assert!(random.is_none(), "one encoding is compared with none");
}
