use bezzel_experiment::Row;
use serde_json::Value;

use crate::evaluating::workspace::Workspace;
use crate::program::{printed, stdout};

fn json(workspace: &Workspace, arguments: &[&str], code: i32) -> Value {
    let output = workspace.bezzel(&[&["compare"], arguments, &["--json"]].concat());
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
    assert_eq!(
        (found["matched"].as_u64(), found["faults"].as_array().unwrap().len()),
        (Some(48), 0)
    );
    assert_eq!(found["overall"]["efforts"]["equal"], 48);
    assert_eq!(found["changes"].as_array().unwrap().len(), 0);
    let output = workspace.bezzel(&["compare", "experiments/tiny", "experiments/other"]);
    let text = stdout(&output);
    assert!(text.contains("nothing contradicts: 48 of 48 solver statistics equal"), "{text}");
    let output = workspace.bezzel(&["compare", "tiny", "other", "--format", "markdown"]);
    assert!(stdout(&output).starts_with("# tiny and other\n"), "{}", printed(&output));
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
    assert_eq!(found["faults"][0]["about"], "effort");
    let output = workspace.bezzel(&["compare", "tiny", "other"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("… and 28 more"), "{}", printed(&output));
}

#[test]
fn a_newer_revision_and_version_are_matched_and_reported() {
    let workspace = changed(|row| {
        row.solver_version = "4.0".into();
        row.encoding_revision += 1;
        row.clause_digest = Some("0".repeat(32));
        row.solver_stats.conflicts = Some(1);
        row.key = row.job.key(row.encoding_revision, &row.solver_version);
    });
    let found = json(&workspace, &["tiny", "other"], 0);
    assert_eq!(
        (found["matched"].as_u64(), found["overall"]["efforts"]["compared"].as_u64()),
        (Some(48), Some(0))
    );
    let changes = found["changes"].as_array().unwrap();
    let what: Vec<&str> = changes.iter().map(|change| change["what"].as_str().unwrap()).collect();
    assert_eq!(
        what,
        ["revision of pairwise", "revision of product", "version of batsat", "version of cadical"]
    );
}

#[test]
fn unknown_records_and_records_without_a_common_job_are_refused() {
    let workspace = changed(|row| row.job.repeat = 2);
    for (arguments, told_then) in [
        (["tiny", "other"], "`tiny` and `other` have no job in common"),
        (["tiny", "tinny"], "`tinny`"),
    ] {
        let output = workspace.bezzel(&[&["compare"], &arguments[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
        assert!(printed(&output).contains(told_then), "{}", printed(&output));
    }
}
