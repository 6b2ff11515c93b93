//! `bezzel report --rows`: its outputs and its refusals.

use std::fs;

use crate::program::bezzel_in;
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
    let output = bezzel_in(folder.path(), &["run", "tiny.yaml", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
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
fn an_output_that_cannot_be_written_is_refused_with_a_correction() {
    let folder = experiment();
    fs::create_dir(folder.path().join("full")).unwrap();
    let refused = |arguments: &[&str], part: &str| {
        let output = bezzel_in(folder.path(), &[&["report", "--rows"], arguments].concat());
        let error = text(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{error}");
        assert!(error.contains(part), "{error}");
    };
    refused(&["tyni"], "`tiny`");
    refused(&["tiny", "-o", "full"], "name a file");
    refused(&["tiny", "-o", "nowhere/rows.csv"], "nowhere/rows.csv");
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
