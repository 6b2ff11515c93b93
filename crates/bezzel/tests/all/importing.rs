//! A table of runs of others, from `bezzel import` to its report; commands that run jobs refuse its record.

use std::fs;
use std::process::Command;

use bezzel_experiment::Verdict;
use tempfile::TempDir;

use crate::program::{BEZZEL, bezzel_in, ended};
use crate::session_files::{change_session, rows_in};

const MAP: &str = "\
name: theirs
solver: cadical
instance: Name
arms: {encoder: Enc, order: Order}
status: {column: Result, words: {sat: SAT, unsat: UNSAT, limit: TO}}
time: Time
limit: 10 s
measures: {preparation: Made}
";

/// The time of preparation is longer than that of solving, which is the time of the run.
const TABLE: &str = "\
Name,Enc,Order,Result,Time,Made
a,tree,natural,SAT,2,9
a,tree,sorted,SAT,1,9
a,list,natural,SAT,4,9
a,list,sorted,TO,10,9
b,tree,natural,UNSAT,3,9
b,tree,sorted,UNSAT,3,9
b,list,natural,TO,10,9
b,list,sorted,UNSAT,5,9
";

/// A folder with the table, and its map within the project.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("maps")).unwrap();
    fs::write(folder.path().join("maps/theirs.yaml"), MAP).unwrap();
    fs::write(folder.path().join("t.csv"), TABLE).unwrap();
    folder
}

fn imported() -> TempDir {
    let folder = folder();
    let printed =
        ended(&bezzel_in(folder.path(), &["import", "t.csv", "--map", "maps/theirs.yaml"]), 0);
    assert!(printed.starts_with("8 runs imported, not verified here"), "{printed}");
    folder
}

#[test]
fn a_check_of_an_imported_record_has_no_fault_and_says_that_nothing_was_verified() {
    let folder = imported();
    let verify = |code| ended(&bezzel_in(folder.path(), &["verify", "theirs", "--quiet"]), code);
    let found = verify(0);
    let note = "note: 8 rows imported from a table of others, not verified here\n";
    assert!(found.contains(note) && found.contains("no fault was found"), "{found}");
    assert!(
        found.contains("answers judged again                 0         0         8"),
        "{found}"
    );

    // A row of the session cannot claim more, and its other numbers are checked.
    let experiment = folder.path().join("experiments/theirs");
    change_session(&experiment, |_, rows| {
        rows[0].verdict = Verdict::Verified;
        rows[1].wall_s = -1.0;
    });
    let found = verify(1);
    assert!(found.contains("its verdict is verified, and its session imported a table"), "{found}");
    assert!(found.contains("its wall time is -1 s"), "{found}");
    // Nor can a row of an own run escape its check by the verdict.
    change_session(&experiment, |start, _| {
        start.config.config.retain(|key, _| key != "imported");
    });
    let found = verify(1);
    assert!(found.contains("it is imported, and its session ran jobs"), "{found}");
}

#[test]
fn a_report_of_an_imported_record_counts_its_rows_and_has_its_map() {
    let folder = imported();
    let bezzel = |arguments: &[&str]| ended(&bezzel_in(folder.path(), arguments), 0);
    let report = || {
        bezzel(&["report", "theirs", "--quiet"]);
        fs::read_to_string(folder.path().join("reports/theirs/report.md")).unwrap()
    };
    let text = report();
    let trust = "8 runs; 8 imported, none verified here; 2 without an answer; ";
    assert!(text.contains(trust) && !text.contains(" wrong"), "{text}");
    assert!(text.contains("bezzel import TABLE --map maps/theirs.yaml\n"), "{text}");

    // The map on the page makes the same rows. Its own file lies elsewhere, so no path is named.
    let (_, map) = text.split_once("```yaml\n").unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let map_path = elsewhere.path().join("map.yaml");
    fs::write(&map_path, map.split_once("```").unwrap().0).unwrap();
    let experiment = folder.path().join("experiments/theirs");
    let rows = rows_in(&experiment);
    fs::remove_dir_all(&experiment).unwrap();
    bezzel(&["import", "t.csv", "--map", map_path.to_str().unwrap()]);
    assert_eq!(rows_in(&experiment), rows);
    let text = report();
    assert!(text.contains("bezzel import TABLE --map MAP\n"), "{text}");
}

#[test]
fn an_import_that_cannot_be_written_leaves_nothing() {
    let folder = folder();
    // No file may have a byte.
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" import t.csv --map maps/theirs.yaml";
    let output =
        Command::new("sh").args(["-c", script, BEZZEL]).current_dir(folder.path()).output();
    ended(&output.unwrap(), 1);
    assert!(!folder.path().join("experiments").exists());
    let again = bezzel_in(folder.path(), &["import", "t.csv", "--map", "maps/theirs.yaml"]);
    ended(&again, 0);
}
