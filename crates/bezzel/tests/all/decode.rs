//! `bezzel decode` for users: its drawings and its exit codes.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::program::{ended, stderr, stdout};

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
    ended(&bezzel(&[&["encode", "-o", path], arguments].concat(), ""), 0);
    path.to_owned()
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
        ("b.opb", &["4", "--format", "mcc"], "c t pmc\n"),
    ] {
        let text = std::fs::read_to_string(encoded(&folder, name, arguments)).unwrap();
        assert!(text.starts_with(begin), "{name}: {text}");
    }
}
