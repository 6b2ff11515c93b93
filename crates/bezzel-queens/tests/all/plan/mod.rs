//! The jobs of plans, and their keys.

use std::collections::{BTreeMap, HashSet};

use bezzel_encode::{Constraints, FormulaStats, InputOrder, Numbering, Size};

use bezzel_experiment::Catalog;
use bezzel_experiment::config::{Config, ConfigError};
use bezzel_experiment::model::job::Job;
use bezzel_experiment::model::job::{Key, PlannedJob};
use bezzel_experiment::model::row::Row;
use bezzel_experiment::plan::{Plan, count};

mod engines;
mod fits;
mod measures;
mod rounds;
mod unknown;

fn config(text: &str) -> Config {
    Config::parse(text, "config.yaml", &bezzel_queens::experiment::catalog())
        .unwrap_or_else(|e| panic!("{e}"))
}

fn plan(text: &str) -> Plan {
    Plan::new(&config(text), &bezzel_queens::experiment::catalog())
        .unwrap_or_else(|error| panic!("{error}"))
}

const SMALLEST: &str =
    "name: smallest\nproblems: [{queens: {size: 8}}]\nencodings: [pairwise]\nsolvers: [cadical]\n";

const MIXED: &str = "
name: mixed
problems: [{queens: {size: [10, 5]}}, {queens: {size: 7, geometry: torus}, shuffles: 1}]
encodings: [pairwise, binary]
constraints: [full, minimal]
numberings: [as-generated, random: {shuffles: 3}]
solvers: [cadical, batsat]
repeats: 2
";

#[test]
fn the_smallest_config_plans_one_job() {
    let plan = plan(SMALLEST);
    let [planned] = &plan.jobs[..] else { panic!("one job") };
    assert_eq!(planned.job.encoding, "pairwise");
    assert_eq!(planned.job.settings.constraints, Some(Constraints::Full));
    assert_eq!(planned.job.repeat, 1);
    assert_eq!(planned.size, Some(Size::new(64, 744, 2 * 728 + 16 * 8)));
    assert_eq!(planned.key, planned.job.key(planned.encoding_revision, &planned.solver_version));
    let solver = bezzel_queens::experiment::catalog().solver("cadical").unwrap();
    assert_eq!(planned.solver_version, solver.info().version);
    assert_eq!(*planned.job.options, solver.settings(&BTreeMap::new()).unwrap());
}

#[test]
fn small_boards_come_first_and_each_round_runs_everything_once() {
    let plan = plan(MIXED);
    let sides: Vec<_> = plan.jobs.iter().map(|planned| planned.job.instance.size()).collect();
    assert!(sides.is_sorted());
    // At any point on a board, the numbers of runs of the encodings differ by at most one round.
    let mut runs: BTreeMap<(u32, String, String), i32> = BTreeMap::new();
    for planned in &plan.jobs {
        let job = &planned.job;
        *runs
            .entry((job.instance.size(), job.encoding_label(), job.solver.clone()))
            .or_default() += 1;
        let here: Vec<_> = runs
            .iter()
            .filter(|((side, ..), _)| *side == job.instance.size())
            .map(|(_, count)| *count)
            .collect();
        let complete = here.len() == 6;
        let spread = here.iter().max().unwrap() - here.iter().min().unwrap();
        assert!(spread <= 1 || !complete, "{runs:?}");
    }
    let numberings: Vec<_> = plan
        .jobs
        .iter()
        .filter(|planned| planned.job.instance.size() == 7 && planned.job.repeat == 1)
        .map(|planned| planned.job.numbering)
        .collect();
    assert_eq!(numberings[..6], [Numbering::AS_GENERATED; 6]);
    assert_eq!(numberings[6..], [Numbering::random(1); 6]);
}

#[test]
fn keys_do_not_depend_on_how_the_config_is_written() {
    let rewritten = "
# The same question in other words.
solvers:
  - id: cadical   # with the options it has anyway
  - batsat
repeats: 2
parallel: 2
limits: {memory: 4096 MiB, cpu: 1 min}
numberings:
  - {random: {shuffles: 3, clauses: false}}
  - as-generated
constraints: [minimal, full]
question: Which?
encodings: [binary, binomial]
problems:
  - {queens: {geometry: torus, size: 7}, shuffles: 1}
  - queens: {size: 10}
  - {queens: {piece: queen, size: 5, queens: []}}
name: another-name
";
    let keys = |text: &str| -> HashSet<Key> {
        plan(text).jobs.into_iter().map(|planned| planned.key).collect()
    };
    assert_eq!(keys(MIXED), keys(rewritten));
    assert_ne!(keys(MIXED), keys(&MIXED.replace("size: 7", "size: 11")));
    assert_ne!(keys(MIXED), keys(&format!("{MIXED}limits: {{cpu: 59 s}}\n")));
}

#[test]
fn planning_twice_gives_the_same_plan() {
    assert_eq!(plan(MIXED).jobs, plan(MIXED).jobs);
}

const SETTINGS: &str = "
name: settings
problems: [{queens: {size: 6}}, {queens: {size: 6, blocked: [[1, 1], [1, 6]]}}]
encodings: [pairwise, {rows: product, columns: pairwise, diagonals: bitwise}]
constraints: [full, minimal]
input_order: [as-stated, reversed]
solvers: [cadical]
proofs: off
";

#[test]
fn settings_are_axes_and_labels_tell_them_apart() {
    let plan = plan(SETTINGS);
    assert_eq!(plan.jobs.len(), 2 * 2 * 2 * 2);
    let labels: HashSet<String> =
        plan.jobs.iter().map(|planned| planned.job.encoding_label()).collect();
    assert_eq!(labels.len(), 2 * 2 * 2);
    for label in [
        "pairwise",
        "pairwise (minimal)",
        "pairwise (input order reversed)",
        "pairwise (minimal, input order reversed)",
    ] {
        assert!(labels.contains(label), "{label}");
    }
    for PlannedJob { job, size, .. } in &plan.jobs {
        let found = bezzel_queens::experiment::catalog().encodings.find(&job.encoding).unwrap();
        let mut stats = FormulaStats::new();
        found.with_settings(job.settings).rules(&job.instance.problem(), &mut stats);
        assert_eq!(*size, Some(stats.size()), "{} on {}", job.encoding_label(), job.instance);
    }
}

#[test]
fn settings_at_their_default_leave_no_trace_in_a_key() {
    let fields = |planned: &PlannedJob| -> Vec<String> {
        let serde_json::Value::Object(job) = serde_json::to_value(&planned.job).unwrap() else {
            panic!("a job is a map")
        };
        job.keys().cloned().collect()
    };
    // The fields are those of jobs from before the settings existed.
    let before = "problem encoding constraints numbering solver options task repeat limits";
    let jobs = plan(SETTINGS).jobs;
    for planned in &jobs {
        let is_stated = planned.job.settings.input_order == InputOrder::AsStated;
        assert_eq!(fields(planned).join(" ") == before, is_stated);
        assert_eq!(fields(planned).contains(&"input_order".to_owned()), !is_stated);
    }
    for PlannedJob { job, .. } in jobs {
        let text = serde_json::to_string(&job).unwrap();
        assert_eq!(serde_json::from_str::<Job>(&text).unwrap(), job);
    }
}

#[test]
fn the_summary_counts_jobs_per_axis() {
    let plan = plan(MIXED);
    let summary = plan.summary();
    for axis in &summary.axes {
        let total: usize = axis.values.iter().map(|(_, jobs)| jobs).sum();
        assert_eq!(total, plan.jobs.len(), "{}", axis.name);
    }
    let largest = summary.largest.as_ref().unwrap();
    let max = plan.jobs.iter().filter_map(|planned| planned.size).map(|size| size.literals).max();
    assert_eq!(Some(largest.size.literals), max);
    // The text is that of `bezzel run --plan`.
    assert_eq!(
        summary.to_string(),
        "mixed: 120 jobs
  boards     5 (48), torus 7 (24), 10 (48)
  encodings  pairwise (40), pairwise (minimal) (40), binary (40)
  numberings as-generated (36), random (84)
  solvers    cadical (60), batsat (60)
  largest    board 10, binary: 40 variables, 1,080 clauses, 8,400 literals, at least 61.9 KiB in a solver
  each job   at most 60 s of CPU time, 10 min of wall time, 4 GiB
  proofs     written by 60 jobs, checked up to 4 GiB each
  order      a tenth of the jobs first, the others shuffled in each round, by seed 1
  besides    the first job runs once before, as warm-up, the noise of the machine is measured every 30 s
  in all     at most 20.0 h, one at a time, and 40.2 h more to check proofs"
    );
}

#[test]
fn one_job_is_one() {
    let summary_text = plan(SMALLEST).summary().to_string();
    assert!(summary_text.starts_with("smallest: 1 job\n"), "{summary_text}");
    assert!(summary_text.contains("written by 1 job, checked"), "{summary_text}");
}

#[test]
fn the_clock_bound_counts_jobs_that_run_side_by_side() {
    let last = |lines: &str| {
        let summary = plan(&format!("{SMALLEST}{lines}")).summary().to_string();
        summary.lines().last().unwrap().to_owned()
    };
    let plain = "limits: {cpu: 2, wall: 6}\nrepeats: 10\nproofs: off\nwarm_up: 0\n";
    assert_eq!(last(plain), "  in all     at most 60 s, one at a time");
    assert_eq!(last(&format!("{plain}parallel: 4\n")), "  in all     at most 18 s, 4 at a time");
    // A second for each warm-up job, and 4 · 6 + 10 s for each proof.
    assert_eq!(
        last("limits: {cpu: 2, wall: 6}\nrepeats: 10\nwarm_up: 2\n"),
        "  in all     at most 62 s, one at a time, and 6 min more to check proofs"
    );
}

#[test]
fn simplified_is_part_of_a_job_where_it_is_asked_for() {
    let requested = plan(&format!("{SMALLEST}simplified: on\n")).jobs.remove(0);
    let before = plan(SMALLEST).jobs.remove(0);
    assert!(requested.job.simplified && requested.key != before.key);
    assert_eq!(plan(&format!("{SMALLEST}simplified: off\n")).jobs[0], before);
}

#[test]
fn a_board_may_have_constraints_of_its_own() {
    let text = "
name: own
problems: [{queens: {size: 6}}, {queens: {size: 7, constraints: minimal}}, {queens: {size: 5x4, piece: rook, constraints: no-column-alo}}, {queens: {size: 8, constraints: [minimal, no-column-amo]}}]
encodings: [pairwise, product, implication, bryant-circuit]
constraints: full
solvers: [cadical]
exclude: [{instance: rooks 5x4, encoding: [implication, bryant-circuit]}]
";
    let of = |text: &str| -> BTreeMap<String, Vec<String>> {
        let mut sets: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for planned in plan(text).jobs {
            let set = planned.job.settings.constraints.map(|set| set.to_string());
            let label = format!("{} {}", planned.job.encoding, set.unwrap_or_default());
            sets.entry(planned.job.instance.to_string()).or_default().push(label.trim().to_owned());
        }
        for labels in sets.values_mut() {
            labels.sort();
        }
        sets
    };
    let sets = of(text);
    assert_eq!(sets["6"], ["bryant-circuit", "implication", "pairwise full", "product full"]);
    assert_eq!(sets["7"], ["bryant-circuit", "implication", "pairwise minimal", "product minimal"]);
    assert_eq!(sets["rooks 5x4"], ["pairwise no-column-alo", "product no-column-alo"]);
    assert_eq!(sets["8"].len(), 6);
    assert!(sets["8"].contains(&"product no-column-amo".to_owned()));
    assert_eq!(count(&config(text), &bezzel_queens::experiment::catalog()).unwrap(), 16);
    // An inclusion has its own constraints on boards that state none.
    let include = format!("{text}include: [{{constraints: no-column-amo, encodings: pairwise}}]\n");
    let error = Plan::new(&config(&include), &bezzel_queens::experiment::catalog()).unwrap_err();
    assert!(error.to_string().contains("one job is planned twice"), "{error}");
    let include = format!(
        "{text}include: [{{constraints: no-column-amo, encodings: pairwise, problems: [{{queens: {{size: 6}}}}]}}]\n"
    );
    assert!(of(&include)["6"].contains(&"pairwise no-column-amo".to_owned()));
}
