//! A solver with wrong answers is recorded and named at the end. An unreadable answer is no answer.

use bezzel_experiment::{Termination, Verdict};
use bezzel_solve::Answer;

use crate::program::ended;
use crate::solver_programs::workspace::{Workspace, fakes};

const BOARD: &str = "problems: [{queens: {size: 6}}]\nencodings: [pairwise]\n";

#[test]
fn a_lying_solver_is_found_out_recorded_as_wrong_and_named_at_the_end() {
    let lies = [
        ("wrong-model", Answer::Sat, "the solution breaks the rules"),
        ("moved-queen", Answer::Sat, "the solution breaks the rules"),
        ("partial-model", Answer::Sat, "the solution breaks the rules"),
        ("empty-model", Answer::Sat, "the solution breaks the rules"),
        ("unsat", Answer::Unsat, "the board has a solution"),
    ];
    let modes: Vec<&str> = lies.iter().map(|(mode, ..)| *mode).chain(["right"]).collect();
    let workspace = Workspace::new(&format!("{BOARD}{}", fakes(&modes)));
    let printed = ended(&workspace.run(), 1);
    for (mode, answer, note) in lies {
        let rows = workspace.rows_of(mode);
        let [row] = &rows[..] else { panic!("one row of {mode}") };
        assert_eq!(
            (row.termination, row.status, row.verdict),
            (Termination::Finished, answer, Verdict::Wrong)
        );
        assert!(row.note.as_ref().unwrap().contains(note), "{row:?}");
        assert!(!row.solved());
        assert!(printed.contains(&format!("WRONG: {} on 6", row.job.solver)), "{printed}");
    }
    assert!(printed.contains("5 answers are wrong"), "{printed}");
    let honest = &workspace.rows_of("right")[0];
    assert_eq!(honest.verdict, Verdict::Verified);
    assert!(!printed.contains("WRONG: {command: \"./fake right"), "{printed}");
    // No job is missing, and the wrong answers are still reported.
    assert!(ended(&workspace.run(), 1).contains("5 answers are wrong"));
    assert_eq!(workspace.rows().len(), 6);
    workspace.nothing_is_left();
}

#[test]
fn honest_answers_count_in_every_form() {
    let config = format!(
        "{BOARD}{}  - {{command: \"./fake result-file {{cnf}} {{answer}}\"}}\n  - {{command: \"./fake \
         right /dev/stdin\"}}\n",
        fakes(&["right", "statistics", "missing-variables", "long-comment"])
    );
    let workspace = Workspace::new(&config);
    ended(&workspace.run(), 0);
    let rows = workspace.rows();
    assert_eq!(rows.len(), 6);
    for row in &rows {
        let all = (row.termination, row.status, row.verdict);
        assert_eq!(all, (Termination::Finished, Answer::Sat, Verdict::Verified), "{row:?}");
        assert!(row.solve_cpu_s.is_some() && row.memory_peak_bytes.is_some());
        assert!(row.check_cpu_s.is_some(), "every clause is checked under the model");
        assert!(row.solver_version.starts_with("blake3:"));
    }
    let effort = &workspace.rows_of("statistics")[0].solver_stats;
    assert_eq!((effort.conflicts, effort.decisions), (Some(3), Some(5)));
    assert_eq!((effort.propagations, effort.restarts), (Some(70), Some(0)));
    assert_eq!(workspace.rows_of("result-file")[0].solver_stats.conflicts, Some(7));
    assert_eq!(workspace.rows_of("right")[0].solver_stats.conflicts, None);
    // Little of a line is kept, even if it is long.
    assert!(workspace.rows_of("long-comment")[0].memory_peak_bytes.unwrap() < 64 << 20);
    workspace.nothing_is_left();
}

#[test]
#[ignore = "second tier: the solver sleeps for 0.3 s"]
fn the_answer_of_a_solver_that_sleeps_counts_and_its_wall_time_is_measured() {
    let workspace = Workspace::new(&format!("{BOARD}{}", fakes(&["slow"])));
    ended(&workspace.run(), 0);
    let row = &workspace.rows_of("slow")[0];
    assert_eq!((row.termination, row.verdict), (Termination::Finished, Verdict::Verified));
    assert!(row.wall_s >= 0.3, "{row:?}");
}

#[test]
fn an_invalid_answer_is_recorded_as_a_crash_with_the_reason() {
    // `bezzel-experiment` tests what is refused in the text of an answer.
    let cases = [
        ("no-verdict", "exit code 10"),
        ("garbage", "`Segmentation fault, or so it says` begins with none of"),
        ("binary", "begins with none of"),
        ("exit-1", "ended with exit code 1"),
        ("exit-77", "ended with exit code 77"),
        ("exit-255", "ended with exit code 255"),
        ("segfault", "signal 11"),
        ("abort", "signal 6"),
        ("flood", "wrote more than an answer may have"),
        ("long-line", "answer"),
        ("no-such-mode", "fake_solver: unknown mode `no-such-mode`"),
        ("no-result-file", "without a verdict"),
    ];
    let modes: Vec<&str> = cases.iter().map(|(mode, _)| *mode).collect();
    let workspace = Workspace::new(&format!("{BOARD}{}", fakes(&modes)));
    // A missing answer is not a wrong answer, and is named with its reason.
    let printed = ended(&workspace.run(), 1);
    assert!(printed.contains("12 jobs failed"), "{printed}");
    for (mode, note) in cases {
        let rows = workspace.rows_of(mode);
        let [row] = &rows[..] else { panic!("one row of {mode}") };
        let all = (row.termination, row.status, row.verdict);
        assert_eq!(all, (Termination::Crashed, Answer::Unknown, Verdict::Unchecked), "{row:?}");
        let printed = row.note.as_ref().unwrap();
        assert!(printed.contains(note), "{mode}: {printed}");
        assert!(printed.len() < 1000 && !printed.contains(char::is_control), "{printed:?}");
    }
    workspace.nothing_is_left();
}

#[test]
fn notes_name_files_without_the_folders_of_this_machine() {
    let workspace = Workspace::new(&format!(
        "{BOARD}solvers: [{{command: \"cat {{cnf}}.missing; exit 3\"}}]\n"
    ));
    ended(&workspace.run(), 1);
    let note = workspace.rows().remove(0).note.unwrap();
    assert!(note.contains("exit code 3") && note.contains("formula.cnf.missing"), "{note}");
    assert!(!note.contains("scratch"), "{note}");
    let report =
        std::fs::read_to_string(workspace.path().join("reports/theirs/report.md")).unwrap();
    assert!(report.contains("- Failed 1: "), "{report}");
}

#[test]
fn a_solver_that_answers_unknown_has_finished() {
    let workspace = Workspace::new(&format!("{BOARD}{}", fakes(&["unknown", "silent"])));
    ended(&workspace.run(), 0);
    for row in workspace.rows() {
        assert_eq!(
            (row.termination, row.status),
            (Termination::Finished, Answer::Unknown),
            "{row:?}"
        );
    }
}
