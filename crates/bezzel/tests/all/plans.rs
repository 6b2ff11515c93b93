//! The printed plan is the plan of the run, in the same order, and its input files are kept.

use std::fs;
use std::process::{Command, Output};

use bezzel_experiment::config::Config;
use bezzel_experiment::job::Task;
use bezzel_experiment::plan::Plan;
use bezzel_experiment::row::Finding;
use bezzel_experiment::{Catalog, ExperimentRecord, Row, Verdict};
use tempfile::TempDir;

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

fn rows(folder: &TempDir, name: &str) -> Vec<Row> {
    let path = folder.path().join("experiments").join(name).join("rows.jsonl");
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const QUESTION: &str = "
name: question
boards: [{size: [6, 5]}, {size: 4, blocked: [1]}]
encodings: [pairwise, binary, \"commander:?\", \"!commander:4\"]
numberings: [as-generated, random: {shuffles: 2}]
solvers: [cadical, batsat]
bva: [off, on]
exclude: [{encoding: binary, solver: batsat}, {board: 6, numbering: random, encoding: \"commander:*\"}]
include: [{boards: {size: 7}, encodings: product, numberings: as-generated}]
calibration: off
";

#[test]
fn the_planned_jobs_are_run_in_their_order() {
    let folder = folder(&[("question.yaml", QUESTION)]);
    let planned = run(&folder, &["--plan", "--json", "question.yaml"]);
    let summary: serde_json::Value = serde_json::from_slice(&planned.stdout).unwrap();
    assert!(!folder.path().join("experiments").exists());
    run(&folder, &["--quiet", "question.yaml"]);

    let catalog = Catalog::standard();
    let config = Config::parse(QUESTION, "question.yaml", &catalog).unwrap();
    let plan = Plan::new(&config, &catalog).unwrap();
    let jobs: Vec<_> = plan.jobs.iter().map(|planned| (&planned.key, &planned.job)).collect();
    let rows = rows(&folder, "question");
    let run: Vec<_> = rows.iter().map(|row| (&row.key, &row.job)).collect();
    assert_eq!(run, jobs);
    assert_eq!(summary["jobs"], rows.len());
    // The plan lists the jobs in another order than the record.
    let path = folder.path().join("experiments/question");
    let record = ExperimentRecord::open(&path, &catalog).unwrap();
    assert_eq!(record.rows.len(), rows.len());
    let shown: Vec<_> = record.rows.iter().map(|row| (&row.key, &row.job)).collect();
    assert_ne!(shown, jobs);
    let arms: Vec<_> = shown[..3].iter().map(|(_, job)| job.solver.as_str()).collect();
    assert_eq!(arms, ["cadical", "cadical", "batsat"]);
}

#[test]
fn the_files_of_an_extended_config_are_kept_with_its_evidence() {
    let folder = folder(&[
        ("child.yaml", "name: child\nextends: common/base.yaml\nrepeats: 2\n"),
        (
            "common/base.yaml",
            "boards: [{file: drawn.txt}]\nencodings: [pairwise]\nsolvers: [batsat]\ncalibration: off\n",
        ),
        ("common/drawn.txt", ".Q..\n....\n....\n....\n"),
    ]);
    run(&folder, &["--quiet", "child.yaml"]);
    let evidence = folder.path().join("experiments/child");
    for name in ["common/base.yaml", "common/drawn.txt"] {
        let kept = fs::read_to_string(evidence.join(name)).unwrap();
        assert_eq!(kept, fs::read_to_string(folder.path().join(name)).unwrap());
    }
    // The record is whole without its input files, and a change to them is another experiment.
    fs::remove_dir_all(folder.path().join("common")).unwrap();
    let record = ExperimentRecord::open(&evidence, &Catalog::standard()).unwrap();
    assert_eq!((record.rows.len(), record.planned), (2, 2));
}

#[test]
fn a_proof_beyond_its_limit_is_left_unchecked_and_the_row_says_so() {
    let folder = folder(&[(
        "proof.yaml",
        "name: proof\nboards: [{size: 8, geometry: torus}]\nencodings: [pairwise]\nsolvers: [cadical]\n\
         limits: {proof: 1 KiB}\ncalibration: off\n",
    )]);
    run(&folder, &["--quiet", "proof.yaml"]);
    let [row] = &rows(&folder, "proof")[..] else { panic!("one row") };
    let proof = row.proof.as_ref().unwrap();
    assert_eq!(proof.finding, Finding::Unchecked);
    assert!(proof.bytes.unwrap() > 1024);
    assert!(proof.note.as_ref().unwrap().ends_with("bytes; up to 1024 are checked"));
}

const ALL: &str = "
name: all
boards: [{size: [5, 6]}]
encodings: [pairwise, sequential-counter]
numberings: [random: {shuffles: 2}]
task: [solve, count, enumerate]
solvers: batsat
engines: [blocking, backtrack, {id: backtrack, options: {threads: 1000}}]
exclude: [{task: enumerate, engine: blocking, encoding: sequential-counter}]
include: [{task: count, engines: backtrack, boards: {size: 7}}]
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
    let rows = rows(&folder, "all");
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
