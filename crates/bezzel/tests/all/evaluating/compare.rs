use std::fs;

use bezzel_lab::Row;
use serde_json::Value;

use crate::evaluating::place::{Place, git};
use crate::program::{stdout, told};

fn json(place: &Place, arguments: &[&str], code: i32) -> Value {
    let output = place.bezzel(&[&["compare"], arguments, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(code), "{}", told(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A place with a copy of the experiment under the name `other`, whose rows were changed.
fn changed(change: impl Fn(&mut Row)) -> Place {
    let place = Place::new();
    place.copy_to("other");
    let mut rows = place.rows("tiny");
    rows.iter_mut().for_each(change);
    place.write_rows("other", &rows);
    place
}

#[test]
fn a_record_beside_its_copy_is_equal_in_everything() {
    let place = Place::new();
    place.copy_to("other");
    let found = json(&place, &["tiny", "other"], 0);
    assert_eq!(
        (found["matched"].as_u64(), found["faults"].as_array().unwrap().len()),
        (Some(48), 0)
    );
    assert_eq!(found["overall"]["efforts"]["equal"], 48);
    assert_eq!(found["changes"].as_array().unwrap().len(), 0);
    let output = place.bezzel(&["compare", "experiments/tiny", "experiments/other"]);
    let text = stdout(&output);
    assert!(text.contains("nothing contradicts: 48 of 48 efforts equal"), "{text}");
    let output = place.bezzel(&["compare", "tiny", "other", "--format", "markdown"]);
    assert!(stdout(&output).starts_with("# tiny and other\n"), "{}", told(&output));
}

#[test]
fn another_effort_of_the_same_work_makes_it_fail() {
    let place = changed(|row| {
        if let Some(decisions) = &mut row.effort.decisions {
            *decisions += 1;
        }
    });
    let found = json(&place, &["tiny", "other"], 1);
    assert_eq!(found["faults"].as_array().unwrap().len(), 48);
    assert_eq!(found["faults"][0]["about"], "effort");
    let output = place.bezzel(&["compare", "tiny", "other"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("… and 28 more"), "{}", told(&output));
}

#[test]
fn a_newer_revision_and_version_are_matched_and_told() {
    let place = changed(|row| {
        row.solver_version = "4.0".into();
        row.encoding_revision += 1;
        row.clause_digest = Some("0".repeat(32));
        row.effort.conflicts = Some(1);
        row.key = row.job.key(row.encoding_revision, &row.solver_version);
    });
    let found = json(&place, &["tiny", "other"], 0);
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
fn what_has_nothing_in_common_or_is_not_there_is_refused() {
    let place = changed(|row| row.job.repeat = 2);
    for (arguments, told_then) in [
        (["tiny", "other"], "`tiny` and `other` have no job in common"),
        (["tiny", "tinny"], "`tinny`"),
        (["tiny", "HEAD:experiments/tiny"], "unknown experiment `HEAD:experiments/tiny`"),
    ] {
        let output = place.bezzel(&[&["compare"], &arguments[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{}", told(&output));
        assert!(told(&output).contains(told_then), "{}", told(&output));
    }
}

#[test]
fn a_record_is_read_as_git_has_it() {
    let place = Place::new();
    let added = git(place.path(), &["init", "--quiet"])
        .and_then(|()| git(place.path(), &["add", "experiments"]))
        .and_then(|()| git(place.path(), &["commit", "--quiet", "-m", "evidence"]));
    if added.is_none() {
        return;
    }
    let rows = place.rows("tiny");
    place.write_rows("tiny", &rows[..40]);
    let found = json(&place, &["HEAD:experiments/tiny", "tiny"], 0);
    assert_eq!((found["matched"].as_u64(), found["a"]["alone"].as_u64()), (Some(40), Some(8)));
    assert_eq!(found["a"]["name"], "HEAD:experiments/tiny");
    let output = place.bezzel(&["compare", "HEAD:experiments/none", "tiny"]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    // What was unpacked to be read is gone.
    let left = fs::read_dir(std::env::temp_dir()).unwrap().flatten();
    let left =
        left.filter(|entry| entry.file_name().to_string_lossy().starts_with("bezzel-compare-"));
    assert!(left.count() < 3, "others may be at it");
}
