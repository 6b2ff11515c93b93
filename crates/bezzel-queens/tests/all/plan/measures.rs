//! Tasks without a solver, in plans.

use std::collections::BTreeMap;

use super::*;
use bezzel_experiment::model::job::{NO_SOLVER, Task};
use bezzel_experiment::model::measure::MEASUREMENT;

const BOTH: &str = "\
name: both
problems: [{queens: {size: [4, 70]}}]
encodings: [pairwise, order, bdd:ite]
constraints: [full, minimal]
numberings: [random: {shuffles: 3}, as-generated]
task: [solve, size, propagate]
solvers: [cadical]
limits: {memory: 16 GiB, nodes: 5}
engines: blocking
repeats: 2
";

fn text() -> String {
    BOTH.replace("engines: blocking\n", "").replace(", nodes: 5", "")
}

#[test]
fn a_measure_is_there_once_for_each_encoding_and_its_settings_and_has_a_key_of_its_own() {
    let jobs = plan(&text()).jobs;
    let mut of_task: BTreeMap<&str, usize> = BTreeMap::new();
    for planned in &jobs {
        *of_task.entry(planned.job.task.id()).or_default() += 1;
    }
    // Two boards, five encodings with settings, two repeats; four numberings for the jobs of solvers.
    let expected = BTreeMap::from([("solve", 2 * 5 * 2 * 4), ("size", 20), ("propagate", 20)]);
    assert_eq!(of_task, expected);
    let keys: HashSet<_> = jobs.iter().map(|planned| &planned.key).collect();
    assert_eq!(keys.len(), jobs.len());
    for PlannedJob { job, solver_version, .. } in
        jobs.iter().filter(|it| it.job.task != Task::Solve)
    {
        assert_eq!((job.solver.as_str(), solver_version.as_str()), (NO_SOLVER, MEASUREMENT));
        assert_eq!(job.numbering, Numbering::AS_GENERATED);
        assert!(job.proof.is_none() && job.options.is_empty() && job.limits.nodes.is_none());
    }
    // The jobs of solvers have the same keys as without the other tasks.
    let alone = text().replace("[solve, size, propagate]", "solve");
    let first = jobs.iter().filter(|planned| planned.job.task == Task::Solve);
    let first: HashSet<_> = first.map(|planned| &planned.key).collect();
    assert_eq!(first, plan(&alone).keys());
}

#[test]
fn a_size_is_planned_with_its_closed_form_and_with_nothing_that_was_counted() {
    let jobs = plan(&text()).jobs;
    let registry = bezzel_queens::experiment::catalog().encodings;
    for PlannedJob { job, size, .. } in jobs.iter().filter(|it| it.job.task == Task::Size) {
        let encoding = registry.find(&job.encoding).unwrap().with_settings(job.settings);
        assert_eq!(*size, encoding.size(&job.instance.problem()), "{}", job.encoding_label());
    }
}

#[test]
fn the_summary_tells_measures_as_tasks_and_names_no_solver_for_them() {
    let summary_text = plan(
        &text()
            .replace("[solve, size, propagate]\nsolvers: [cadical]", "size")
            .replace("numberings: [random: {shuffles: 3}, as-generated]\n", ""),
    );
    let summary_text = summary_text.summary().to_string();
    assert!(summary_text.contains("  tasks      size (20)\n"), "{summary_text}");
    for word in ["solvers", "engines", "numberings"] {
        assert!(!summary_text.contains(word), "{summary_text}");
    }
}
