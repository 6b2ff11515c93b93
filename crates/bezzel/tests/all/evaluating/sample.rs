use std::fs;

use crate::evaluating::workspace::{CONFIG, Workspace};
use crate::program::{printed, prints, stdout};
use crate::session_files::{session_in, sessions_in, starts_in};

fn last_line(output: &std::process::Output) -> String {
    stdout(output).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn a_record_is_reproduced_beside_it_and_never_touched() {
    let workspace = Workspace::new();
    let bytes = || fs::read(session_in(&workspace.experiment("tiny"))).unwrap();
    let before = bytes();
    let output = workspace.bezzel(&["run", "tiny", "--sample", "5", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    let line = last_line(&output);
    assert!(line.starts_with("reproduced: 48 of 48 solver statistics equal, times "), "{line}");
    assert_eq!(bytes(), before);
    let reproduced = workspace.experiment("tiny-reproduced");
    let start = &starts_in(&reproduced)[0];
    assert_eq!(start.environment.reproduces.as_deref(), Some("tiny"));

    // A second sample has nothing left to run, and no session. Without some of its rows, their jobs are run.
    let output = workspace.bezzel(&["run", "tiny", "--sample", "5", "--quiet"]);
    assert!(stdout(&output).contains("48 of them were run again already"), "{}", printed(&output));
    assert_eq!(sessions_in(&reproduced).len(), 1);
    let rows = workspace.rows("tiny-reproduced");
    workspace.write_rows("tiny-reproduced", &rows[..30]);
    let output = workspace.bezzel(&["run", "tiny", "--sample", "5", "--quiet"]);
    assert!(stdout(&output).contains("30 of them were run again already"), "{}", printed(&output));
    assert_eq!(workspace.rows("tiny-reproduced").len(), 48);
    assert!(last_line(&output).starts_with("reproduced: 48 of 48"), "{}", printed(&output));
}

#[test]
fn with_little_time_a_few_jobs_of_every_kind_are_run() {
    let workspace = Workspace::new();
    // Every row takes one second.
    let mut rows = workspace.rows("tiny");
    for row in &mut rows {
        row.wall_s = 1.0;
    }
    workspace.write_rows("tiny", &rows);
    let output = workspace.bezzel(&["run", "tiny", "--sample", "0.15", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    let text = stdout(&output);
    assert!(text.starts_with("tiny: 8 of 48 jobs drawn, which took 8.1 s"), "{text}");
    let rows = workspace.rows("tiny-reproduced");
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
    let workspace = Workspace::new();
    let mut rows = workspace.rows("tiny");
    let row = rows.iter_mut().find(|row| row.solver_stats.decisions.is_some()).unwrap();
    row.solver_stats.decisions = Some(123_456);
    workspace.write_rows("tiny", &rows);
    let output = workspace.bezzel(&["run", "tiny", "--sample", "10", "--quiet", "--name", "again"]);
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    let line = last_line(&output);
    let expected =
        "NOT reproduced: 1 difference that must not occur; 47 of 48 solver statistics equal";
    assert!(line.starts_with(expected), "{line}");
    assert!(
        stdout(&output).contains("\nfull comparison: bezzel report tiny --against again\n"),
        "{}",
        printed(&output)
    );
}

#[test]
fn jobs_that_cannot_be_run_here_are_reported() {
    let workspace = Workspace::new();
    let mut rows = workspace.rows("tiny");
    for row in &mut rows {
        row.job.solver = "kissat-of-tomorrow".into();
        row.key = row.job.key(row.encoding_revision, &row.solver_version);
    }
    workspace.write_rows("tiny", &rows);
    prints(
        &workspace.bezzel(&["run", "tiny", "--sample", "10", "--quiet"]),
        2,
        "no job of `tiny` can be run again",
    );
    assert!(!workspace.experiment("tiny-reproduced").exists(), "nothing was begun");
}

#[test]
fn a_config_names_the_record_of_its_own_name() {
    let workspace = Workspace::new();
    let sample = |config: &str| {
        fs::write(workspace.path().join("mine.yaml"), config).unwrap();
        workspace.bezzel(&["run", "mine.yaml", "--sample", "0.001", "--quiet"])
    };
    let output = sample(CONFIG);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    assert!(stdout(&output).starts_with("tiny: "), "{}", printed(&output));
    assert!(!workspace.rows("tiny-reproduced").is_empty());
    for (config, message) in [
        (
            CONFIG.replace("[6, 8, 10]", "[7, 11]").replace("size: 8, g", "size: 9, g"),
            "another experiment",
        ),
        (CONFIG.replace("name: tiny", "name: new"), "there is no session in `experiments/new`"),
    ] {
        prints(&sample(&config), 2, message);
    }
}
