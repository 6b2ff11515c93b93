//! Conversion of a worker's messages to its row.

use super::*;
use crate::backend::catalog::Catalog;
use crate::config::Config;
use crate::model::job::Task;
use crate::model::row::Verdict;
use crate::plan::Plan;
use crate::tests::seating::Seating;
use bezzel_process::{Captured, SoftLimits};

const SOLVED: &str = concat!(
    r#"{"measured":{"formula":{"variables":16,"primary":16,"clauses":84,"literals":184,"#,
    r#""sections":[]},"generate_cpu_s":0.1}}"#,
    "\n",
    r#"{"loaded":{"clause_digest":"d","load_cpu_s":0.2}}"#,
    "\n",
    r#"{"solved":{"answer":"sat","solve_cpu_s":0.3,"effort":{"conflicts":0}}}"#,
    "\n",
    r#"{"decoded":{"chosen":[1,7,8,14],"decode_cpu_s":0.4}}"#,
    "\n",
    r#"{"checked":{"violated":[1,-2],"check_cpu_s":0.5}}"#,
    "\n"
);
const ENDED: &str = r#"{"ended":{"stop":"finished","memory_peak_bytes":5}}"#;

/// Returns the row of a worker that prints `stdout` and `stderr` and ends with `exit`.
fn of(stdout: &str, stderr: &str, exit: Exit, cpu_s: f64) -> Result<Row, RefusedJob> {
    of_task(Task::Solve, stdout, stderr, exit, cpu_s)
}

fn of_task(
    task: Task,
    stdout: &str,
    stderr: &str,
    exit: Exit,
    cpu_s: f64,
) -> Result<Row, RefusedJob> {
    let catalog = Catalog::of_tests();
    let text = "{name: t, problems: [{latin-square: {order: 4}}], encodings: [pairwise], solvers: [cadical], \
                limits: {cpu: 2 s}}";
    let config = Config::parse(text, "t.yaml", &catalog).unwrap();
    let mut planned = Plan::new(&config, &catalog).unwrap().jobs.remove(0);
    planned.job.task = task;
    planned.job.instance = Seating::new(4, 4).into();
    let captured = |text: &str| Captured { tail: text.into(), written: text.len() as u64 };
    let outcome = Outcome {
        exit,
        killed_by: None,
        cpu_s,
        wall_s: cpu_s,
        stdout: captured(stdout),
        stderr: captured(stderr),
    };
    let (started, isolation) = (SystemTime::UNIX_EPOCH, Isolation::Rlimits);
    let provenance = Provenance { started, isolation, core: None };
    let limits = SoftLimits { cpu_s: 2.0, wall_s: 6.0, memory_bytes: 4 << 30 };
    let killer = outcome.end_cause(&limits, None, 0);
    read(planned, &provenance, &outcome, killer).map(|output| {
        let checked = output.row.check_cpu_s.is_some() && task == Task::Solve;
        assert_eq!(output.violated.is_some(), checked);
        output.row
    })
}

#[test]
fn a_worker_that_says_all_it_has_to_say_becomes_a_row() {
    let row = of(&format!("{SOLVED}{ENDED}\n"), "", Exit::Code(0), 0.7).unwrap();
    assert_eq!(
        (row.termination, row.verdict, row.note.as_deref()),
        (Termination::Finished, Verdict::Unchecked, None)
    );
    assert_eq!(row.places.as_ref().map(Vec::len), Some(4));
    assert_eq!((row.decode_cpu_s, row.check_cpu_s), (Some(0.4), Some(0.5)));
    let times = (row.generate_cpu_s, row.load_cpu_s, row.solve_cpu_s, row.cpu_s);
    assert_eq!(times, (Some(0.1), Some(0.2), Some(0.3), 0.7));
    assert_eq!(row.memory_peak_bytes, Some(5));
}

#[test]
fn the_end_of_a_worker_follows_from_its_output_exit_and_times() {
    let abort = Exit::Signal(6);
    let panic = "thread 'main' panicked at a.rs:1:\nthe reason\nnote: run with `RUST_BACKTRACE=1`";
    let cases = [
        ("", "", Exit::Signal(9), 3.5, Termination::CpuLimit, "the hard CPU limit"),
        ("", "memory allocation of 8 bytes failed", abort, 1.0, Termination::MemoryLimit, "of 8"),
        ("", "what():  std::bad_alloc", abort, 1.0, Termination::MemoryLimit, "bad_alloc"),
        ("", "kitten: out of memory", Exit::Code(1), 1.0, Termination::MemoryLimit, "kitten"),
        ("", panic, Exit::Code(101), 1.0, Termination::Crashed, "exit code 101: the reason"),
        // Exit code 0 without the last message, and invalid messages, are no answers.
        (SOLVED, "", Exit::Code(0), 1.0, Termination::Crashed, "exit code 0"),
        ("rubbish\n", "", Exit::Code(0), 1.0, Termination::Crashed, "an invalid message"),
        ("\u{0}\u{1}", "", Exit::Code(0), 1.0, Termination::Crashed, "an invalid message"),
    ];
    for (stdout, stderr, exit, cpu_s, termination, note) in cases {
        let row = of(stdout, stderr, exit, cpu_s).unwrap();
        let message = row.note.clone().unwrap_or_default();
        assert_eq!(row.termination, termination, "{stderr:?} {exit:?}: {message}");
        assert!(message.contains(note), "{message}");
        assert!(!row.solved());
    }
}

#[test]
fn an_encoder_that_fails_makes_a_row_that_says_how() {
    let failed = r#"{"failed":{"stop":"wall-limit","note":"the encoder `e` slept"}}"#;
    let row = of(failed, "", Exit::Code(0), 0.1).unwrap();
    assert_eq!((row.termination, row.status), (Termination::WallLimit, Answer::Unknown));
    assert_eq!(row.note.as_deref(), Some("the encoder `e` slept"));
    assert_eq!((row.verdict, row.formula), (Verdict::Unchecked, None));
}

#[test]
fn an_answer_is_kept_when_the_worker_is_lost_after_it_but_does_not_count() {
    let row = of(SOLVED, "", Exit::Signal(11), 1.0).unwrap();
    assert_eq!((row.status, row.termination), (Answer::Sat, Termination::Crashed));
    assert!(!row.solved());
}

#[test]
fn a_worker_that_is_lost_before_it_tells_the_solution_has_given_no_answer() {
    let (before, _) = SOLVED.split_once(r#"{"decoded""#).unwrap();
    for (exit, termination) in
        [(9, Termination::HostError), (24, Termination::CpuLimit), (11, Termination::Crashed)]
    {
        let row = of(before, "", Exit::Signal(exit), 1.0).unwrap();
        assert_eq!((row.status, row.termination), (Answer::Unknown, termination));
        assert_eq!(row.solve_cpu_s, Some(0.3));
    }
}

const COUNTED: &str = concat!(
    r#"{"solved":{"answer":"sat","solve_cpu_s":0.3,"effort":{}}}"#,
    "\n",
    r#"{"found":{"all":{"count":"2","whole":true},"violation":null,"check_cpu_s":null}}"#,
    "\n"
);

/// Returns the row of a worker that counts and prints `stdout`.
fn counting(stdout: &str, exit: Exit) -> Row {
    of_task(Task::Count, stdout, "", exit, 1.0).unwrap()
}

#[test]
fn a_number_of_solutions_is_kept_with_whether_these_are_all() {
    let row = counting(&format!("{COUNTED}{ENDED}"), Exit::Code(0));
    assert_eq!(
        (row.status, row.termination, row.note.as_ref()),
        (Answer::Sat, Termination::Finished, None)
    );
    assert_eq!(row.all.unwrap().count, 2_u8.into());
    let late = COUNTED.replace("true", "false");
    let ended = ENDED.replace("finished", "cpu-limit");
    let row = counting(&format!("{late}{ended}"), Exit::Code(0));
    assert_eq!((row.status, row.termination), (Answer::Sat, Termination::CpuLimit));
    assert!(!row.all.unwrap().whole);
}

#[test]
fn a_worker_that_dies_midway_keeps_the_count_that_it_reported() {
    let row = counting(COUNTED, Exit::Signal(9));
    assert_eq!((row.status, row.termination), (Answer::Sat, Termination::HostError));
    assert!(row.all.is_some() && !row.solved());
    // A worker that did not report the number has no result, for any answer of the engine.
    let (before, _) = COUNTED.split_once(r#"{"found""#).unwrap();
    for answer in ["sat", "unsat"] {
        let row = counting(&before.replace("sat", answer), Exit::Signal(24));
        assert_eq!(
            (row.status, row.termination, row.all),
            (Answer::Unknown, Termination::CpuLimit, None)
        );
        assert_eq!(row.solve_cpu_s, Some(0.3));
    }
}

#[test]
fn the_results_of_a_worker_that_contradicts_itself_are_dropped() {
    let (before, _) = COUNTED.split_once(r#"{"found""#).unwrap();
    let decoded = r#"{"decoded":{"chosen":[1],"decode_cpu_s":0.4}}"#;
    let cases = [
        (COUNTED.replace("\"2\"", "2"), "an invalid message"),
        (COUNTED.replace("\"2\"", "\"-2\""), "`-2` is no count"),
        (COUNTED.replace("\"2\"", "\"two\""), "`two` is no count"),
        (COUNTED.replace("sat", "unsat"), "answers unsat and found 2 solutions in all"),
        (COUNTED.replace("\"2\"", "\"0\""), "answers sat and found 0 solutions in all"),
        (COUNTED.replace("true", "false"), "did not find all"),
        (before.to_owned(), "reports no number"),
        (format!("{COUNTED}{COUNTED}"), "reported its result twice"),
        (format!("{COUNTED}{decoded}\n"), "candidates of one solution"),
    ];
    for (messages, note) in cases {
        let row = counting(&format!("{messages}{ENDED}\n"), Exit::Code(0));
        let message = row.note.clone().unwrap_or_default();
        assert!(message.contains(note), "{message}");
        assert_eq!(row.termination, Termination::Crashed, "{message}");
        assert!(!row.solved() && (row.all.is_none() || message.contains("twice")), "{message}");
    }
    // A worker that was asked for one solution must not report all solutions.
    let row = of(&format!("{COUNTED}{ENDED}"), "", Exit::Code(0), 1.0).unwrap();
    assert_eq!(
        (row.status, row.termination, row.all),
        (Answer::Unknown, Termination::Crashed, None)
    );
}

#[test]
fn a_worker_that_cannot_begin_stops_the_run_and_says_why() {
    for (code, reason) in [(2, "unknown encoding"), (127, "libstdc++.so.6 is missing")] {
        let refused = of("", reason, Exit::Code(code), 0.0).unwrap_err();
        assert_eq!(refused.reason, reason);
    }
}
