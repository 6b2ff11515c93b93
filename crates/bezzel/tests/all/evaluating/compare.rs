use bezzel_experiment::Row;
use serde_json::Value;

use crate::evaluating::workspace::Workspace;
use crate::program::{printed, prints, stdout};

fn json(workspace: &Workspace, arguments: &[&str], code: i32) -> Value {
    let output = workspace
        .bezzel(&[&["report", arguments[0], "--against"], &arguments[1..], &["--json"]].concat());
    assert_eq!(output.status.code(), Some(code), "{}", printed(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A workspace with a copy of the experiment under the name `other`, whose rows were changed.
fn changed(change: impl Fn(&mut Row)) -> Workspace {
    let workspace = Workspace::new();
    workspace.copy_to("other");
    let mut rows = workspace.rows("tiny");
    rows.iter_mut().for_each(change);
    workspace.write_rows("other", &rows);
    workspace
}

#[test]
fn a_record_beside_its_copy_is_equal_in_everything() {
    let workspace = Workspace::new();
    workspace.copy_to("other");
    let found = json(&workspace, &["tiny", "other"], 0);
    let jobs = &found["jobs"];
    assert_eq!((&jobs["both"], &jobs["equal_statistics"]), (&48.into(), &48.into()));
    assert_eq!(found["faults"].as_array().unwrap().len(), 0);
    let tables = found["tables"].as_array().unwrap();
    let ids: Vec<&str> = tables.iter().map(|table| table["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["jobs", "times"]);
    let output =
        workspace.bezzel(&["report", "experiments/tiny", "--against", "experiments/other"]);
    let text = stdout(&output);
    assert!(text.contains("nothing contradicts: 48 of 48 solver statistics equal"), "{text}");
}

#[test]
fn another_effort_of_the_same_work_makes_it_fail() {
    let workspace = changed(|row| {
        if let Some(decisions) = &mut row.solver_stats.decisions {
            *decisions += 1;
        }
    });
    let found = json(&workspace, &["tiny", "other"], 1);
    assert_eq!(found["faults"].as_array().unwrap().len(), 48);
    prints(&workspace.bezzel(&["report", "tiny", "--against", "other"]), 1, "… and 8 more");
}

#[test]
fn a_newer_revision_and_version_are_matched() {
    let workspace = changed(|row| {
        row.solver_version = "4.0".into();
        row.encoding_revision += 1;
        row.clause_digest = Some("0".repeat(32));
        row.solver_stats.conflicts = Some(1);
        row.key = row.job.key(row.encoding_revision, &row.solver_version);
    });
    let found = json(&workspace, &["tiny", "other"], 0);
    assert_eq!((&found["jobs"]["both"], &found["jobs"]["statistics"]), (&48.into(), &0.into()));
    assert_eq!(found["tables"][1]["id"], "sizes");
}

#[test]
fn records_without_a_common_job_are_refused() {
    let workspace = changed(|row| row.job.repeat = 2);
    let output = workspace.bezzel(&["report", "tiny", "--against", "other"]);
    prints(&output, 2, "`tiny` and `other` have no job in common");
}
