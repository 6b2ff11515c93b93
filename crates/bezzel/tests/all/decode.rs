//! `bezzel decode` for users: its drawings and its exit codes.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::program::{stderr, stdout};

fn bezzel(arguments: &[&str], stdin: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bezzel"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
    child.wait_with_output().unwrap()
}

/// A file that `bezzel encode` writes.
fn encoded(folder: &TempDir, name: &str, arguments: &[&str]) -> String {
    let path: PathBuf = folder.path().join(name);
    let path = path.to_str().unwrap();
    let output = bezzel(&[&["encode", "-o", path], arguments].concat(), "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    path.to_owned()
}

const DRAWN: &str = "\
. Q . .
. . . Q
Q . . .
. . Q .
a solution (verified: rules of the board)
";

#[test]
fn an_answer_is_drawn_as_solve_draws_it_by_the_file_or_by_names() {
    let folder = tempfile::tempdir().unwrap();
    let cnf = encoded(&folder, "queens.cnf", &["4"]);
    let answer = folder.path().join("answer");
    std::fs::write(&answer, "SAT\n-1 2 8 9 15 0\n").unwrap();
    let answer = answer.to_str().unwrap();
    for (arguments, stdin) in [
        (&["decode", "--cnf", &cnf, answer][..], ""),
        (&["decode", "--cnf", &cnf, "-"], "c by hand\ns SATISFIABLE\nv 2 8 9 15 0\n"),
        (&["decode", "-", "4", "--cnf", &cnf], "2 8 9 15\n"),
        (&["decode", "-", "4"], "sat\n(= p12 true)\n(= p24 true)\n(= p31 true)\n(= p43 true)\n"),
        (&["decode", "-", "4"], "1,2 2,4 3,1 4,3"),
    ] {
        let output = bezzel(arguments, stdin);
        assert_eq!(output.status.code(), Some(10), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), DRAWN, "{arguments:?}");
    }
    let drawing = folder.path().join("board.txt");
    std::fs::write(&drawing, "x...\n....\n....\n....\n").unwrap();
    let by_file = ["decode", "-", "--board", drawing.to_str().unwrap()];
    let output = bezzel(&by_file, "1,2 2,4 3,1 4,3");
    assert!(stdout(&output).starts_with("x Q . .\n"), "{}{}", stdout(&output), stderr(&output));
    // A blocked square is drawn, and must stay empty.
    let blocked = ["decode", "-", "4", "--blocked", "1,1", "--queen", "2,4"];
    let output = bezzel(&blocked, "1,2 2,4 3,1 4,3");
    assert_eq!(output.status.code(), Some(10));
    assert!(stdout(&output).starts_with("x Q . .\n"), "{}", stdout(&output));
}

#[test]
fn the_answers_of_solve_are_decoded_in_every_format_compressed_or_not() {
    let folder = tempfile::tempdir().unwrap();
    for format in ["dimacs", "mcc", "knf", "opb", "smt2", "smt1"] {
        for ending in ["", ".gz", ".xz"] {
            let settings = ["7", "--encoding", "binary", "--shuffle", "3", "--queen", "1,2"];
            let name = format!("queens.{format}{ending}");
            let file = encoded(&folder, &name, &[&["--format", format], &settings[..]].concat());
            let solved = bezzel(&[&["solve", "--dimacs-output"], &settings[..]].concat(), "");
            assert_eq!(solved.status.code(), Some(10));
            let output = bezzel(&["decode", "--cnf", &file, "-"], &stdout(&solved));
            assert_eq!(output.status.code(), Some(10), "{name}: {}", stderr(&output));
            assert!(stdout(&output).starts_with(". Q . . . . .\n"), "{}", stdout(&output));
        }
    }
}

#[test]
fn the_format_is_that_of_the_ending_unless_another_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    for (name, arguments, begin) in [
        ("a.opb", &["4"][..], "* #variable= 16 "),
        ("a.knf", &["4", "--encoding", "native"], "c generator"),
        ("a.smt2", &["4"], "; generator"),
        ("a.smt", &["4"], "; generator"),
        ("a.cnf", &["4"], "c generator"),
        ("a.txt", &["4"], "c generator"),
        ("b.opb", &["4", "--format", "mcc"], "c t pmc\n"),
    ] {
        let text = std::fs::read_to_string(encoded(&folder, name, arguments)).unwrap();
        assert!(text.starts_with(begin), "{name}: {text}");
    }
}

#[test]
fn a_wrong_answer_is_reported_with_the_reason_and_exit_code_1() {
    let folder = tempfile::tempdir().unwrap();
    let cnf = encoded(&folder, "queens.cnf", &["4", "--blocked", "1,2"]);
    let output = bezzel(&["decode", "-", "4"], "1,1 2,2");
    let drawn = "Q . . .\n. Q . .\n. . . .\n. . . .\nnot a solution (WRONG: rules of the board)\n";
    assert_eq!(stdout(&output), drawn);
    for (arguments, stdin, printed) in [
        (
            &["decode", "-", "4"][..],
            "1,1 2,2 3,3 4,4",
            "the queens on 1,1 and 2,2 attack each other",
        ),
        (&["decode", "-", "4"], "1,2 2,4", "2 queens where 4 belong"),
        (&["decode", "-", "4"], "sat\n(= q_1_9 true)\n", "a queen outside the board, on 1,9"),
        (&["decode", "-", "4"], "s UNSATISFIABLE\n", "solution"),
        (&["decode", "--cnf", &cnf, "-"], "v 2 8 9 15 0\n", "a queen on the blocked square 1,2"),
    ] {
        let output = bezzel(arguments, stdin);
        assert_eq!(output.status.code(), Some(1), "{stdin}: {}", stdout(&output));
        let message = stderr(&output);
        assert!(message.starts_with("error: the answer is wrong: "), "{message}");
        assert!(message.contains(printed), "{message}");
    }
}

#[test]
fn the_value_of_the_objective_follows_the_solution() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs/instances/knapsack.opb");
    let output = bezzel(&["decode", "-", file], "s OPTIMUM FOUND\nv -x1 -x2 x3 x4\n");
    assert_eq!(output.status.code(), Some(10), "{}", stderr(&output));
    assert!(stdout(&output).contains("\nvalue 10\n"), "{}", stdout(&output));
}

#[test]
fn that_there_is_no_solution_is_checked_too() {
    let output = bezzel(&["decode", "-", "6", "--torus"], "s UNSATISFIABLE\n");
    assert_eq!(output.status.code(), Some(20), "{}", stderr(&output));
    let drawn = stdout(&output);
    assert!(drawn.starts_with("there is no solution (verified: "), "{drawn}");
    let output = bezzel(&["decode", "-", "8"], "s UNKNOWN\n");
    assert_eq!((output.status.code(), &*stdout(&output)), (Some(0), "the solver did not decide\n"));
}
