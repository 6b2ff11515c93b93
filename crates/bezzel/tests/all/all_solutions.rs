//! All solutions by real workers: each in a process of its own, with limits, judged by the runner.

use std::path::Path;

use bezzel_experiment::BackendKind;
use bezzel_experiment::backend::InputKind;
use bezzel_experiment::{
    Assignment, EvidenceKind, Job, JobPart, Limits, NO_ENCODING, ProcessBinding, Row, Task,
    Termination, Verdict,
};
use bezzel_queens::Board;
use bezzel_solve::Answer;

use crate::program::{stderr, stdout, with_input};
use crate::workers::{self, rows};

fn job(side: u32, engine: &str, encoding: &str, task: Task) -> Job {
    Job { solver: engine.into(), ..workers::job(Board::new(side).unwrap(), encoding, task) }
}

fn row(job: Job) -> Row {
    rows(&[job]).swap_remove(0)
}

/// The count, its completeness, the end of the job and the verdict.
fn found(row: &Row) -> (String, bool, Termination, Verdict) {
    let all = row.all.as_ref().unwrap_or_else(|| panic!("{row:?}"));
    (all.count.to_string(), all.whole, row.termination, row.verdict)
}

const VERIFIED: (bool, Termination, Verdict) = (true, Termination::Finished, Verdict::Verified);

#[test]
fn each_task_ends_in_a_verified_number() {
    let ways = [
        ("blocking", "pairwise"),
        ("blocking:batsat", "sequential-counter"),
        ("backtrack", NO_ENCODING),
    ];
    let mut digests = Vec::new();
    for (engine, encoding) in ways {
        let jobs = [Task::Enumerate, Task::Count].map(|task| job(8, engine, encoding, task));
        for row in &rows(&jobs) {
            let (count, whole, termination, verdict) = found(row);
            assert_eq!(
                (count.as_str(), (whole, termination, verdict)),
                ("92", VERIFIED),
                "{row:?}"
            );
            assert_eq!(
                (row.status, row.places.as_ref(), row.note.as_ref()),
                (Answer::Sat, None, None)
            );
            assert!(row.solve_cpu_s.is_some() && row.memory_peak_bytes.is_some());
            let is_formula = encoding != NO_ENCODING;
            assert_eq!(
                (row.formula.is_some(), row.clause_digest.is_some()),
                (is_formula, is_formula)
            );
            let source = &row.checked_by.as_ref().unwrap().source;
            assert!(source.starts_with("published: OEIS A000170"), "{source}");
            let all = row.all.as_ref().unwrap();
            if row.job.task == Task::Enumerate {
                assert!(source.ends_with("; the set is that of an exhaustive search"), "{source}");
                digests.push(all.digest.clone().unwrap());
            }
        }
    }
    digests.dedup();
    assert_eq!(digests.len(), 1, "all list the same solutions");
}

#[test]
fn as_many_are_enumerated_as_are_enough() {
    let enough =
        |max| Job { max_solutions: Some(max), ..job(8, "blocking", "pairwise", Task::Enumerate) };
    for max_solutions in [1, 5, 91] {
        let row = row(enough(max_solutions));
        assert_eq!(
            found(&row),
            (max_solutions.to_string(), true, Termination::Finished, Verdict::Verified)
        );
        let evidence = row.checked_by.unwrap();
        assert_eq!(evidence.kind, EvidenceKind::Rules);
        assert_eq!(evidence.source, "rules of the board, for each solution");
    }
    for max_solutions in [92, 200] {
        let row = row(enough(max_solutions));
        assert_eq!(found(&row), ("92".into(), true, Termination::Finished, Verdict::Verified));
        assert_eq!(row.checked_by.unwrap().kind, EvidenceKind::Cross, "these are all");
    }
}

#[test]
fn a_job_out_of_time_tells_what_it_found_until_then() {
    let late = job(14, "blocking", "pairwise", Task::Enumerate);
    let row = row(Job { limits: Limits { cpu_s: 1.0, ..late.limits }, ..late });
    let (count, whole, termination, verdict) = found(&row);
    assert_eq!(
        (whole, termination, verdict),
        (false, Termination::CpuLimit, Verdict::Unchecked),
        "{row:?}"
    );
    assert!((1..365_596).contains(&count.parse::<u64>().unwrap()), "{count}");
    assert_eq!(row.status, Answer::Sat);
    assert!(row.solver_stats.propagations.is_some(), "{row:?}");
    assert!(!row.solved());
}

#[test]
fn a_job_out_of_memory_is_a_row_and_no_dead_process() {
    let large = job(100, "blocking", "pairwise", Task::Count);
    let row = row(Job { limits: Limits { memory_bytes: 64 << 20, ..large.limits }, ..large });
    assert_eq!(
        (row.termination, row.status),
        (Termination::MemoryLimit, Answer::Unknown),
        "{row:?}"
    );
    assert_eq!(row.verdict, Verdict::Unchecked);
    assert!(row.all.as_ref().is_none_or(|all| !all.whole));
}

#[test]
fn an_engine_that_keeps_nodes_runs_out_of_them_and_reports_it() {
    let mut keepers = 0;
    let catalog = bezzel_queens::experiment::catalog();
    for engine in catalog.backends.linked(BackendKind::Engine) {
        let id = engine.name();
        let encoding = match engine.reads() {
            InputKind::Instance => NO_ENCODING,
            InputKind::Circuit | InputKind::Formula => "bryant-circuit",
            InputKind::Clauses => continue,
        };
        let unlimited = job(6, &id, encoding, Task::Count);
        let free = row(unlimited.clone());
        assert_eq!(
            found(&free),
            ("4".into(), true, Termination::Finished, Verdict::Verified),
            "{id}"
        );
        let Some(size) = free.all.unwrap().diagram else { continue };
        let max = [size.nodes, size.peak_nodes, size.peak_states].into_iter().flatten().max();
        let few = max.unwrap().min(3) - 1;
        let limits = Limits { nodes: Some(few), ..unlimited.limits };
        let limited = row(Job { limits, ..unlimited });
        assert_eq!(limited.status, Answer::Unknown, "{id}");
        assert_eq!(
            found(&limited),
            ("0".into(), false, Termination::NodeLimit, Verdict::Unchecked)
        );
        keepers += 1;
    }
    assert!(keepers > 0);
}

/// The output of a worker for this assignment, and its exit code.
fn run_worker(job: &Job) -> (String, String, Option<i32>) {
    let assignment = Assignment {
        file: None,
        job: job.clone(),
        revision: workers::revision(job),
        solver: None,
        programs: true,
        place: ProcessBinding::default(),
        part: JobPart::Solve { proof: None, scratch: None },
    };
    let text = serde_json::to_vec(&assignment).unwrap();
    let output = with_input(Path::new("."), &["worker"], &text);
    (stdout(&output), stderr(&output), output.status.code())
}

#[test]
fn a_worker_tells_each_step_and_what_it_found() {
    let (out, err, code) = run_worker(&job(6, "blocking", "pairwise", Task::Count));
    assert_eq!(code, Some(0), "{err}");
    let steps: Vec<String> = out
        .lines()
        .map(|line| {
            let step: serde_json::Value = serde_json::from_str(line).unwrap();
            step.as_object().unwrap().keys().next().unwrap().clone()
        })
        .collect();
    assert_eq!(steps, ["measured", "loaded", "solved", "found", "ended"]);
    assert!(out.contains(r#""count":"4","whole":true"#), "{out}");
}

#[test]
fn a_worker_refuses_what_its_engine_cannot_do() {
    for (job, reason) in [
        (
            job(6, "blocking", NO_ENCODING, Task::Count),
            "it reads an encoding, and the job has none",
        ),
        (job(6, "blocked", "pairwise", Task::Count), "unknown engine `blocked`"),
        (job(6, "cadical", "pairwise", Task::Count), "unknown engine `cadical`"),
        (job(6, "blocking", NO_ENCODING, Task::Solve), "has no formula to solve"),
    ] {
        let (_, err, code) = run_worker(&job);
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains(reason), "{err}");
    }
}
