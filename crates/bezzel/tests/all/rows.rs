//! `bezzel report --rows`: its outputs.

use std::fs;

use crate::program::{bezzel_in, ended};
use crate::session_files::change_session;

const CONFIG: &str = "\
name: tiny
problems: [{queens: {size: [6, 8]}}]
encodings: [pairwise, product]
solvers: [batsat]
calibration: off
warm_up: 0
";

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A folder with an experiment.
fn experiment() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tiny.yaml"), CONFIG).unwrap();
    ended(&bezzel_in(folder.path(), &["run", "tiny.yaml", "--quiet"]), 0);
    folder
}

#[test]
fn rows_go_to_standard_output_or_to_a_file() {
    let folder = experiment();
    let rows = |arguments: &[&str]| {
        let output = bezzel_in(folder.path(), &[&["report", "tiny", "--rows"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let printed = rows(&[]);
    assert_eq!(printed.lines().count(), 1 + 4, "{printed}");
    assert!(printed.starts_with("key,instance,"), "{printed}");
    assert_eq!(rows(&["-o", "rows.csv"]), "");
    assert_eq!(fs::read_to_string(folder.path().join("rows.csv")).unwrap(), printed);
}

#[test]
fn left_out_rows_are_reported() {
    let folder = experiment();
    change_session(&folder.path().join("experiments/tiny"), |_, rows| rows.truncate(3));
    let output = bezzel_in(folder.path(), &["report", "tiny", "--rows"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stderr), "WARNING: 1 planned job has no row\n");
    assert_eq!(text(&output.stdout).lines().count(), 1 + 3);
}
