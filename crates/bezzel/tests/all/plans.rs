//! Runs by a config: the limit of proofs, and the tasks of solvers and engines.

use std::fs;
use std::process::{Command, Output};

use bezzel_experiment::job::Task;
use bezzel_experiment::{Row, Verdict};
use tempfile::TempDir;

use crate::session_files::rows_in;

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn run(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bezzel"));
    let output = command.arg("run").args(arguments).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

const ALL: &str = "
name: all
problems: [{queens: {size: [5, 6]}}]
encodings: [pairwise, sequential-counter]
numberings: [random: {shuffles: 2}]
task: [solve, count, enumerate]
solvers: batsat
engines: [blocking, backtrack, {id: backtrack, options: {threads: 1000}}]
exclude: [{task: enumerate, solver: blocking, encoding: sequential-counter}]
include: [{task: count, engines: backtrack, problems: {queens: {size: 7}}}]
limits: {nodes: 1000000}
calibration: off
";

#[test]
fn solvers_and_engines_of_one_config_do_what_is_theirs() {
    let folder = folder(&[("all.yaml", ALL)]);
    let planned = run(&folder, &["--plan", "all.yaml"]);
    let printed = String::from_utf8_lossy(&planned.stdout);
    assert!(
        printed.contains("on up to 1000 threads each\nWARNING: a job on up to 1000 threads"),
        "{printed}"
    );
    let ran = run(&folder, &["--quiet", "all.yaml"]);
    let printed = String::from_utf8_lossy(&ran.stdout);
    assert!(printed.contains("WARNING: a job on up to 1000 threads each, and "), "{printed}");
    let rows = rows_in(&folder.path().join("experiments/all"));
    // Boards × encodings × shuffles without the exclusion; and one for each board if the engine reads the board.
    let (first, blocking, backtrack) = (2 * 2 * 2, 2 * 2 * 2 + 2 * 2, 2 * 2 * 2 + 1);
    assert_eq!(rows.len(), first + blocking + backtrack);
    for Row { job, all, formula, core, verdict, .. } in &rows {
        let what = format!("{} of {} on {}", job.task, job.solver, job.instance);
        assert_eq!(*verdict, Verdict::Verified, "{what}");
        assert_eq!(all.is_some(), job.task != Task::Solve, "{what}");
        assert_eq!(formula.is_some(), job.solver != "backtrack", "{what}");
        assert!(core.is_none() || !job.options.contains_key("threads"), "{what}");
        let Some(all) = all else { continue };
        let expected = match job.instance.size() {
            5 => 10,
            6 => 4,
            _ => 40,
        };
        assert_eq!(all.count.to_string(), expected.to_string(), "{what}");
    }
    let again = run(&folder, &["--quiet", "all.yaml"]);
    assert!(
        String::from_utf8_lossy(&again.stdout).starts_with("all: every job has its row, 29 in")
    );
}
