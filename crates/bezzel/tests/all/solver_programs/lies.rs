//! A solver that lies is found out, recorded, and named at the end; what is no answer is none.

use bezzel_lab::{Stop, Verdict};
use bezzel_solve::Answer;

use crate::program::ended;
use crate::solver_programs::place::{Place, fakes};

const BOARD: &str = "boards: [{size: 6}]\nencodings: [pairwise]\n";

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
    let place = Place::new(&format!("{BOARD}{}", fakes(&modes)));
    let told = ended(&place.run(), 1);
    for (mode, answer, note) in lies {
        let rows = place.rows_of(mode);
        let [row] = &rows[..] else { panic!("one row of {mode}") };
        assert_eq!((row.stop, row.answer, row.verdict), (Stop::Finished, answer, Verdict::Wrong));
        assert!(row.note.as_ref().unwrap().contains(note), "{row:?}");
        assert!(!row.solved());
        assert!(told.contains(&format!("WRONG: {} on 6", row.job.solver)), "{told}");
    }
    assert!(told.contains("5 answers are wrong"), "{told}");
    let honest = &place.rows_of("right")[0];
    assert_eq!(honest.verdict, Verdict::Verified);
    assert!(!told.contains("WRONG: {command: \"./fake right"), "{told}");
    // Nothing is missing, and the lie is still told.
    assert!(ended(&place.run(), 1).contains("5 answers are wrong"));
    assert_eq!(place.rows().len(), 6);
    place.nothing_is_left();
}

#[test]
fn honest_answers_count_in_every_form() {
    let config = format!(
        "{BOARD}{}  - {{command: \"./fake result-file {{cnf}} {{answer}}\"}}\n  - {{command: \"./fake \
         right /dev/stdin\"}}\n",
        fakes(&["right", "slow", "statistics", "missing-variables", "long-comment"])
    );
    let place = Place::new(&config);
    ended(&place.run(), 0);
    let rows = place.rows();
    assert_eq!(rows.len(), 7);
    for row in &rows {
        let all = (row.stop, row.answer, row.verdict);
        assert_eq!(all, (Stop::Finished, Answer::Sat, Verdict::Verified), "{row:?}");
        assert!(row.solve_cpu_s.is_some() && row.memory_peak_bytes.is_some());
        assert!(row.check_cpu_s.is_some(), "every clause is held against the model");
        assert!(row.solver_version.starts_with("blake3:"));
    }
    let effort = &place.rows_of("statistics")[0].effort;
    assert_eq!((effort.conflicts, effort.decisions), (Some(3), Some(5)));
    assert_eq!((effort.propagations, effort.restarts), (Some(70), Some(0)));
    assert_eq!(place.rows_of("result-file")[0].effort.conflicts, Some(7));
    assert_eq!(place.rows_of("right")[0].effort.conflicts, None);
    // However long a line is, little of it is kept.
    assert!(place.rows_of("long-comment")[0].memory_peak_bytes.unwrap() < 64 << 20);
    // It sleeps, which costs nothing.
    assert!(place.rows_of("slow")[0].wall_s >= 0.3);
    place.nothing_is_left();
}

#[test]
fn what_is_no_answer_is_recorded_as_a_crash_that_says_why() {
    let cases = [
        ("contradictory", "two values to variable 1"),
        ("duplicate", "its value to variable 1 twice"),
        ("out-of-range", "variable 1000000 in a model of a formula that has 36"),
        ("too-short", "not ended by a 0"),
        ("too-long", "goes on after its 0"),
        ("no-model", "`satisfiable` without a model"),
        ("no-verdict", "exit code 10"),
        ("unsat-code-only", "exit code 20"),
        ("two-verdicts", "a second verdict"),
        ("sat-then-unsat", "a second verdict"),
        ("wrong-code", "`satisfiable` and ended with exit code 0, not 10"),
        ("garbage", "`Segmentation fault, or so it says` begins with none of"),
        ("binary", "begins with none of"),
        ("exit-1", "ended with exit code 1"),
        ("exit-77", "ended with exit code 77"),
        ("exit-255", "ended with exit code 255"),
        ("segfault", "signal 11"),
        ("abort", "signal 6"),
        ("flood", "wrote more than any answer has"),
        ("long-line", "answer"),
        ("no-such-mode", "fake_solver: unknown mode `no-such-mode`"),
        ("no-result-file", "without a verdict"),
    ];
    let modes: Vec<&str> = cases.iter().map(|(mode, _)| *mode).collect();
    let place = Place::new(&format!("{BOARD}{}", fakes(&modes)));
    // No answer is no lie.
    ended(&place.run(), 0);
    for (mode, note) in cases {
        let rows = place.rows_of(mode);
        let [row] = &rows[..] else { panic!("one row of {mode}") };
        let all = (row.stop, row.answer, row.verdict);
        assert_eq!(all, (Stop::Crashed, Answer::Unknown, Verdict::Unchecked), "{row:?}");
        let told = row.note.as_ref().unwrap();
        assert!(told.contains(note), "{mode}: {told}");
        assert!(told.len() < 1000 && !told.contains(char::is_control), "{told:?}");
    }
    place.nothing_is_left();
}

#[test]
fn notes_name_files_without_the_folders_of_this_machine() {
    let place =
        Place::new(&format!("{BOARD}solvers: [{{command: \"cat {{cnf}}.missing; exit 3\"}}]\n"));
    ended(&place.run(), 0);
    let note = place.rows().remove(0).note.unwrap();
    assert!(note.contains("exit code 3") && note.contains("formula.cnf.missing"), "{note}");
    assert!(!note.contains("scratch"), "{note}");
    let report = std::fs::read_to_string(place.path().join("reports/theirs/report.md")).unwrap();
    assert!(report.contains("- Failed 1: "), "{report}");
}

#[test]
fn who_does_not_find_out_has_finished() {
    let place = Place::new(&format!("{BOARD}{}", fakes(&["unknown", "silent"])));
    ended(&place.run(), 0);
    for row in place.rows() {
        assert_eq!((row.stop, row.answer), (Stop::Finished, Answer::Unknown), "{row:?}");
    }
}
