use std::fs;

use bezzel_experiment::Row;

use crate::evaluating::workspace::{CONFIG, Workspace};
use crate::program::{ended, stderr, stdout};
use crate::session_files::session_in;

#[test]
fn a_job_is_run_again_by_the_beginning_of_its_key_and_nothing_is_stored() {
    let workspace = Workspace::new();
    let rows = workspace.rows("tiny");
    let bytes = || fs::read(session_in(&workspace.experiment("tiny"))).unwrap();
    let before = bytes();
    for row in [&rows[0], &rows[rows.len() - 1]] {
        let only = ["run", "tiny", "--only", &row.key.0[..12]];
        let lines = ended(&workspace.bezzel(&only), 0);
        assert!(lines.lines().count() == 3 && !lines.contains('{'), "{lines}");
        assert!(lines.contains("\nrecorded  ") && lines.contains("\nnow       "), "{lines}");
        let output = workspace.bezzel(&[&only[..], &["--json"]].concat());
        ended(&output, 0);
        let again: Row = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!(again.job.question(), row.job.question());
        assert_eq!((again.status, again.verdict), (row.status, row.verdict));
        assert_eq!(again.clause_digest, row.clause_digest);
        assert_eq!(again.solver_stats.decisions, row.solver_stats.decisions);
    }
    assert_eq!(bytes(), before);
    assert_eq!(fs::read_dir(workspace.path().join("experiments")).unwrap().count(), 1);
    assert!(!workspace.path().join("reports").exists());

    // The user's config means the record of its name.
    fs::write(workspace.path().join("mine.yaml"), CONFIG).unwrap();
    let output = workspace.bezzel(&["run", "mine.yaml", "--only", &rows[0].key.0, "--quiet"]);
    ended(&output, 0);
    assert_eq!(stderr(&output), "");
}

#[test]
fn a_job_that_was_changed_is_not_run_again() {
    let workspace = Workspace::new();
    let mut rows = workspace.rows("tiny");
    let first = rows[0].key.0.clone();
    let key = first.as_str();
    // The job was changed, and the key stayed; then a job that the config does not ask for.
    rows[0].job.repeat = 7;
    workspace.write_rows("tiny", &rows);
    let printed = ended(&workspace.bezzel(&["run", "tiny", "--only", key]), 2);
    assert!(printed.contains("is not run again: its key is "), "{printed}");
    rows[0].key = rows[0].job.key(rows[0].encoding_revision, &rows[0].solver_version);
    workspace.write_rows("tiny", &rows);
    let printed = ended(&workspace.bezzel(&["run", "tiny", "--only", &rows[0].key.0]), 2);
    assert!(printed.contains("the config of `tiny` does not ask for"), "{printed}");
}
