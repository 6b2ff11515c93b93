//! Experiments that grow, on the command line. `bezzel-experiment` tests each change of a config over workers without
//! processes.

use std::fs;
use std::path::Path;

use crate::program::{bezzel_in, ended};
use crate::session_files::{change_session, rows_in, sessions_in};

const BASE: &str = "\
name: t
question: Which one?
problems: [{queens: {size: [5, 6]}}]
encodings: [pairwise, product]
solvers: [batsat]
calibration: off
warm_up: 0
";

/// The output of a command, which must succeed.
fn bezzel(folder: &Path, arguments: &[&str]) -> String {
    ended(&bezzel_in(folder, arguments), 0)
}

/// Runs a config, and returns the output.
fn run(folder: &Path, config: &str) -> String {
    fs::write(folder.join("t.yaml"), config).unwrap();
    bezzel(folder, &["run", "t.yaml", "--quiet"])
}

fn status(folder: &Path) -> [u64; 3] {
    let status = bezzel_in(folder, &["status", "t", "--json"]);
    let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
    ["planned", "done", "missing"].map(|key| status[key].as_u64().unwrap())
}

#[test]
fn a_larger_config_runs_its_new_jobs_and_the_first_one_is_still_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    run(path, BASE);
    let rows = rows_in(&path.join("experiments/t"));
    let larger = BASE.replace("[5, 6]", "[5, 6, 7]");
    fs::write(path.join("t.yaml"), &larger).unwrap();
    let plan = bezzel(path, &["run", "t.yaml", "--plan"]);
    assert!(plan.contains("recorded   2 new, 4 reused, 0 no longer planned"), "{plan}");
    assert!(plan.contains("WARNING: too few instances to rank encodings"), "{plan}");
    assert!(!plan.contains("earlier rows were measured on"), "{plan}");
    let printed = run(path, &larger);
    assert!(printed.contains("2 jobs to run; 4 have their rows already"), "{printed}");
    assert_eq!(status(path), [6, 6, 0]);
    assert_eq!(rows_in(&path.join("experiments/t"))[..4], rows, "rows are kept as they are");
    // A session without a row states the first config again, once.
    for _ in 0..2 {
        let printed = run(path, BASE);
        assert!(printed.contains("every job has its row, 4 in all"), "{printed}");
        assert_eq!(sessions_in(&path.join("experiments/t")).len(), 3);
        assert_eq!(status(path), [4, 4, 0]);
    }
    let verified = bezzel(path, &["verify", "t", "--sample", "1", "--quiet"]);
    let remark = "2 rows of jobs that only the config of an earlier session plans";
    assert!(verified.contains(remark), "{verified}");
    assert!(verified.contains("no fault was found"), "{verified}");
}

#[test]
fn new_rows_on_another_machine_are_a_warning_and_another_experiment_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    run(path, BASE);
    let plan = |config: &str| {
        fs::write(path.join("t.yaml"), config).unwrap();
        bezzel(path, &["run", "t.yaml", "--plan"])
    };
    change_session(&path.join("experiments/t"), |start, _| {
        start.environment.cpu_model = Some("Example CPU".into());
    });
    let printed = plan(&BASE.replace("[5, 6]", "[5, 6, 7]"));
    let expected = "WARNING: earlier rows were measured on Example CPU with ";
    assert!(printed.contains(expected), "{printed}");
    let printed = plan(&BASE.replace("[5, 6]", "[9]"));
    assert!(printed.contains("WARNING: a run would be refused"), "{printed}");
    assert!(printed.contains("4 no longer planned"), "{printed}");
    let printed = ended(&bezzel_in(path, &["run", "t.yaml"]), 2);
    assert!(
        printed.contains("this config plans none of their jobs; run it under another name"),
        "{printed}"
    );
}
