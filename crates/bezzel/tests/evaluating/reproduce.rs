use std::fs;

use bezzel_lab::environment::Environment;
use bezzel_lab::store;

use crate::place::{Place, stdout, told};

fn last_line(output: &std::process::Output) -> String {
    stdout(output).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn a_record_is_reproduced_beside_it_and_never_touched() {
    let place = Place::new();
    let files = [store::CONFIG, store::ENVIRONMENT, store::ROWS];
    let bytes = || files.map(|file| fs::read(place.experiment("tiny").join(file)).unwrap());
    let before = bytes();
    let output = place.bezzel(&["reproduce", "tiny", "--minutes", "5", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let line = last_line(&output);
    assert!(line.starts_with("reproduced: 48 of 48 efforts equal, times "), "{line}");
    assert_eq!(bytes(), before);
    let sessions = fs::read(place.experiment("tiny-reproduced").join(store::ENVIRONMENT)).unwrap();
    let sessions: Vec<Environment> = serde_json::from_slice(&sessions).unwrap();
    assert_eq!(sessions[0].reproduces.as_deref(), Some("tiny"));

    // Again there is nothing left to run; with some rows gone, these are.
    let output = place.bezzel(&["reproduce", "tiny", "--minutes", "5", "--quiet"]);
    assert!(stdout(&output).contains("48 of them were run again already"), "{}", told(&output));
    let rows = place.rows("tiny-reproduced");
    place.write_rows("tiny-reproduced", &rows[..30]);
    let output = place.bezzel(&["reproduce", "tiny", "--minutes", "5", "--quiet"]);
    assert!(stdout(&output).contains("30 of them were run again already"), "{}", told(&output));
    assert_eq!(place.rows("tiny-reproduced").len(), 48);
    assert!(last_line(&output).starts_with("reproduced: 48 of 48"), "{}", told(&output));
}

#[test]
fn with_little_time_a_few_jobs_of_every_kind_are_run() {
    let place = Place::new();
    // As if every job had taken a second.
    let mut rows = place.rows("tiny");
    for row in &mut rows {
        row.wall_s = 1.0;
    }
    place.write_rows("tiny", &rows);
    let output = place.bezzel(&["reproduce", "tiny", "--minutes", "0.15", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let text = stdout(&output);
    assert!(text.starts_with("tiny: 8 of 48 jobs drawn, which took 8.1 s"), "{text}");
    let rows = place.rows("tiny-reproduced");
    for (encoding, solver) in [
        ("pairwise", "cadical"),
        ("pairwise", "batsat"),
        ("product", "cadical"),
        ("product", "batsat"),
    ] {
        let here =
            rows.iter().filter(|row| row.job.encoding == encoding && row.job.solver == solver);
        assert_eq!(here.count(), 2, "{encoding} {solver}");
    }
}

#[test]
fn a_record_that_says_otherwise_is_not_reproduced() {
    let place = Place::new();
    let mut rows = place.rows("tiny");
    let row = rows.iter_mut().find(|row| row.effort.decisions.is_some()).unwrap();
    row.effort.decisions = Some(123_456);
    place.write_rows("tiny", &rows);
    let output = place.bezzel(&["reproduce", "tiny", "--quiet", "--as", "again"]);
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    let line = last_line(&output);
    let expected = "NOT reproduced: 1 thing differs that must not; 47 of 48 efforts equal";
    assert!(line.starts_with(expected), "{line}");
    assert!(stdout(&output).contains("FAULT: "), "{}", told(&output));
    let json = place.bezzel(&["reproduce", "tiny", "--quiet", "--as", "again", "--json"]);
    let found: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((json.status.code(), found["faults"].as_array().unwrap().len()), (Some(1), 1));
}

#[test]
fn evidence_is_no_place_for_what_is_run_again() {
    let place = Place::new();
    place.copy_to("other");
    for (name, told_then) in [
        ("tiny", "this is the evidence itself"),
        ("other", "holds something else than jobs of `tiny` that were run again"),
        ("../tiny", "--as ../tiny: it "),
    ] {
        let output = place.bezzel(&["reproduce", "tiny", "--as", name, "--quiet"]);
        assert_eq!(output.status.code(), Some(2), "{}", told(&output));
        assert!(told(&output).contains(told_then), "{}", told(&output));
    }
    let output = place.bezzel(&["reproduce", "tiny", "--minutes", "0"]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    let output = place.bezzel(&["reproduce", "tinny"]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert_eq!(place.rows("other").len(), 48);
}

#[test]
fn what_cannot_be_run_here_is_told() {
    let place = Place::new();
    let mut rows = place.rows("tiny");
    for row in &mut rows {
        row.job.solver = "kissat-of-tomorrow".into();
        row.key = row.job.key(row.encoding_revision, &row.solver_version);
    }
    place.write_rows("tiny", &rows);
    let output = place.bezzel(&["reproduce", "tiny", "--quiet"]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert!(told(&output).contains("no job of `tiny` can be run again"), "{}", told(&output));
    assert!(!place.experiment("tiny-reproduced").exists(), "nothing was begun");
}
