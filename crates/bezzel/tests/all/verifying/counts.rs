//! Numbers of solutions.

use std::fs;

use bezzel_experiment::{Row, Task, Termination, Verdict};
use bezzel_solve::Answer;

use crate::program::printed;
use crate::session_files::{change_session, replace_in_start};
use crate::verifying::spoiled::{Copy, Right};

const CONFIG: &str = "\
name: counts
problems: [{queens: {size: [3, 6]}}]
encodings: [pairwise, sequential-counter]
task: [count, enumerate]
engines: [blocking, backtrack]
calibration: off
";

/// An experiment without faults.
static RIGHT: Right = Right::new("counts", CONFIG);

/// Changes the first row of side 6 by blocking with this task, and computes its checksum again. The output of `verify` must contain
/// the message.
fn is_found(task: Task, options: &[&str], change: impl FnOnce(&mut Row), says: &str) {
    let copy = Copy::of(&RIGHT);
    let mut rows = copy.rows();
    let is_it = |row: &Row| {
        row.job.task == task && row.job.solver == "blocking" && row.job.instance.size() == 6
    };
    let at = rows.iter().position(is_it).unwrap();
    change(&mut rows[at]);
    copy.write(&rows);
    let output = copy.verify(options);
    let printed = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{says}: {printed}");
    let found = printed.lines().any(|line| line.starts_with("FAULT: ") && line.contains(says));
    assert!(found, "`{says}` is not in:\n{printed}");
}

fn count(row: &mut Row, count: u8) {
    row.all.as_mut().unwrap().count = count.into();
}

#[test]
fn numbers_that_are_right_have_no_fault_even_when_all_are_found_again() {
    let copy = Copy::of(&RIGHT);
    let rows = copy.rows();
    // Two sides and two tasks; blocking with both encodings, and backtrack without one.
    assert_eq!(rows.len(), 12);
    assert!(rows.iter().all(|row| row.verdict == Verdict::Verified), "{rows:?}");
    let output = copy.verify(&["--all"]);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    assert!(printed(&output).ends_with("no fault was found\n"), "{}", printed(&output));
    let line = |line: &str| line.split_whitespace().eq("jobs run again 12 0 0".split(' '));
    assert!(printed(&output).lines().any(line), "{}", printed(&output));
}

#[test]
fn changed_numbers_are_found_by_judging_anew() {
    let none: &[&str] = &["--sample", "0"];
    let judged = "its verdict is verified, and it is judged wrong: 5 solutions were counted, and the \
                  board has 4 solutions";
    let without_list = |row: &mut Row| {
        count(row, 5);
        row.all.as_mut().unwrap().digest = None;
    };
    is_found(Task::Count, none, without_list, judged);
    let judged = "it is judged wrong: as many were listed as there are, but not the same";
    let digest = |row: &mut Row| row.all.as_mut().unwrap().digest = Some("0".repeat(32));
    is_found(Task::Enumerate, none, digest, judged);
    // Rows of all engines and encodings on one board are compared.
    is_found(Task::Count, none, |row| count(row, 5), "board 6: ");
    is_found(Task::Count, none, |row| count(row, 5), "5 solutions");

    let wrong = |row: &mut Row| row.verdict = Verdict::Wrong;
    is_found(Task::Count, none, wrong, "its verdict is wrong, and it is judged verified");
}

#[test]
fn contradictory_fields_of_a_count_are_found() {
    let none: &[&str] = &["--sample", "0"];
    is_found(Task::Count, none, |row| row.status = Answer::Unsat, "it answers unsat and found 4");
    is_found(Task::Count, none, |row| row.all = None, "it answers sat and reports no number");
    is_found(
        Task::Count,
        none,
        |row| row.places = Some(Vec::new()),
        "the candidates of one solution",
    );
    let whole = |row: &mut Row| row.all.as_mut().unwrap().whole = false;
    is_found(Task::Count, none, whole, "it finished, and did not find all");
    let late = |row: &mut Row| {
        row.all.as_mut().unwrap().whole = false;
        row.termination = Termination::CpuLimit;
    };
    is_found(Task::Count, none, late, "its verdict is verified, and it is judged unchecked");
}

#[test]
fn changed_efforts_are_found_by_running_the_engine_again() {
    let change = |row: &mut Row| row.solver_stats.conflicts = Some(4711);
    is_found(Task::Count, &["--all"], change, "its solver statistics were 4711 conflicts");
    // Only the number of solutions is judged. A repeated run checks the other fields.
    let diagram = |row: &mut Row| {
        row.all.as_mut().unwrap().diagram =
            Some(bezzel_experiment::DiagramSize { nodes: Some(24), ..Default::default() });
    };
    let printed = "its diagram was one of 24 nodes, and is none when it is run again";
    is_found(Task::Count, &["--all"], diagram, printed);
}

#[test]
fn rows_of_unknown_engines_and_encodings_are_read_and_only_running_their_jobs_is_refused() {
    let copy = Copy::of(&RIGHT);
    // The record comes from a version that had other names for two engines and an encoding.
    let names = ["blocking", "backtrack", "sequential-counter"];
    let old = |name: &str| format!("{name}0");
    change_session(&copy.experiment(), |start, rows| {
        for row in rows {
            row.job.solver = old(&row.job.solver);
            if row.job.encoding == names[2] {
                row.job.encoding = old(names[2]);
            }
            row.solver_version = "old 1".into();
            row.key = row.job.key(row.encoding_revision, &row.solver_version);
        }
        let solvers = start.environment.solvers.values_mut();
        solvers.for_each(|solver| solver.version = "old 1".into());
    });
    for name in names {
        replace_in_start(&copy.experiment(), name, &old(name));
    }
    let rows = copy.rows();
    let output = copy.verify(&["--all"]);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    for (answers, name) in [(4, names[1]), (8, names[0])] {
        let remark = format!(
            "{answers} answers not found again here: unknown engine `{name}0`; did you mean `{name}`?"
        );
        assert!(printed(&output).contains(&remark), "{}", printed(&output));
    }
    let output = copy.bezzel(&["status", "counts"]);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    assert!(printed(&output).contains("12"), "{}", printed(&output));
    let output = copy.bezzel(&["report", "counts"]);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    let page = fs::read_to_string(copy.folder.path().join("reports/counts/report.md")).unwrap();
    for word in ["blocking0", "sequential-counter0", "old 1"] {
        assert!(page.contains(word), "{page}");
    }
    let output = copy.bezzel(&["run", "counts", "--only", &rows[0].key.0]);
    assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
    let reason = format!("cannot be run here: unknown engine `{}`", rows[0].job.solver);
    assert!(printed(&output).contains(&reason), "{}", printed(&output));
    fs::write(copy.folder.path().join("question.yaml"), CONFIG.replace("[blocking", "[blocking0"))
        .unwrap();
    let output = copy.bezzel(&["run", "question.yaml", "--plan"]);
    assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
    assert!(printed(&output).contains("did you mean `blocking`?"), "{}", printed(&output));
}
