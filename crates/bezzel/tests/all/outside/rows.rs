//! Rows of an experiment, read by BenchExec's table-generator.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use bezzel_experiment::{Row, Termination, Verdict};

use crate::program::is_installed;

const CONFIG: &str = "\
name: rows
boards: [{size: [6, 8]}, {size: 6, geometry: torus}]
encodings: [pairwise, product]
solvers: [cadical, batsat]
numberings: [random: {shuffles: 2}]
limits: {cpu: 10 s, memory: 1 GiB}
proofs: off
calibration: off
warm_up: 0
";

fn bezzel(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bezzel"));
    let result = command.current_dir(folder).args(arguments).output().unwrap();
    assert_eq!(result.status.code(), Some(0), "{}", String::from_utf8_lossy(&result.stderr));
    result
}

/// A folder with an experiment, one of whose runs came to no end, and its rows.
fn experiment() -> (tempfile::TempDir, Vec<Row>) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("rows.yaml"), CONFIG).unwrap();
    bezzel(folder.path(), &["run", "rows.yaml", "--quiet"]);
    let path = folder.path().join("experiments/rows/rows.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let mut rows: Vec<Row> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let late = &mut rows[0];
    (late.termination, late.verdict, late.checked_by) =
        (Termination::CpuLimit, Verdict::Unchecked, None);
    (late.status, late.queens) = (bezzel_solve::Answer::Unknown, None);
    // Rows of format 1 have no checksums.
    let lines = rows.iter().map(|row| {
        let line = serde_json::to_string(&Row { format: 1, ..row.clone() }).unwrap();
        line.replacen("\"format\":1,", "", 1) + "\n"
    });
    fs::write(&path, lines.collect::<String>()).unwrap();
    (folder, rows)
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn table_generator_shows_the_results_of_every_arm() {
    let (folder, rows) = experiment();
    let folder = folder.path();
    bezzel(folder, &["rows", "rows", "--format", "benchexec", "-o", "results"]);
    if !is_installed("table-generator") {
        return;
    }
    let files = fs::read_dir(folder.join("results")).unwrap();
    let mut files: Vec<_> = files.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 4, "{files:?}");
    let mut command = Command::new("table-generator");
    let result =
        command.current_dir(folder).args(["-f", "csv", "-n", "table", "-o", "."]).args(files);
    let result = result.output().unwrap();
    let text = String::from_utf8_lossy(&result.stdout) + String::from_utf8_lossy(&result.stderr);
    assert!(result.status.success(), "{text}");
    let table = fs::read_to_string(folder.join("table.table.csv")).unwrap();
    let body: Vec<&str> = table.lines().skip(3).collect();
    assert_eq!(body.len(), rows.len() / 4, "{table}");
    let count = |status: &str| table.split(['\t', '\n']).filter(|cell| *cell == status).count();
    let answered = |answer| rows.iter().filter(|row| row.status == answer).count();
    assert_eq!(count("true"), answered(bezzel_solve::Answer::Sat), "{table}");
    assert_eq!(count("false"), answered(bezzel_solve::Answer::Unsat), "{table}");
    assert_eq!(count("TIMEOUT"), 1, "{table}");
}
