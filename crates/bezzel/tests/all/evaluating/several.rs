use std::fs;
use std::path::Path;
use std::process::Command;

use crate::evaluating::workspace::{CONFIG, Workspace};
use crate::program::{ended, printed, prints, stderr, stdout};
use crate::session_files::change_session;

#[test]
fn a_report_over_several_experiments_tells_the_commands_of_each() {
    let workspace = Workspace::new();
    workspace.copy_to("other");
    let folder = workspace.path().join("configs/reports");
    fs::create_dir_all(&folder).unwrap();
    let file = "experiments: [tiny, other]\nquestion: Does it stand in two places?\n";
    fs::write(folder.join("both.yaml"), file).unwrap();
    ended(&workspace.bezzel(&["report", "both"]), 0);
    let report = fs::read_to_string(workspace.path().join("reports/both/report.md")).unwrap();
    assert!(report.contains("Does it stand in two places?"), "{report}");
    for line in ["for name in tiny other; do bezzel verify $name; done", "bezzel report both"] {
        assert!(report.lines().any(|known| known == line), "{line}: {report}");
    }

    // The printed command works.
    let programs = Path::new(env!("CARGO_BIN_EXE_bezzel")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let line = "for name in tiny other; do bezzel verify $name; done";
    let mut shell = Command::new("sh");
    let output = shell.args(["-c", line]).current_dir(workspace.path()).env("PATH", path).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    assert_eq!(stdout(&output).matches("no fault was found").count(), 2, "{}", printed(&output));
}

#[test]
fn left_out_rows_are_reported() {
    let workspace = Workspace::new();
    workspace.write_rows("tiny", &workspace.rows("tiny")[..47]);
    let output = workspace.bezzel(&["report", "tiny", "--rows"]);
    ended(&output, 0);
    assert_eq!(stderr(&output), "WARNING: 1 planned job has no row\n");
    assert_eq!(stdout(&output).lines().count(), 1 + 47);
}

#[test]
fn new_rows_on_another_machine_are_a_warning_and_another_experiment_is_refused() {
    let workspace = Workspace::new();
    change_session(&workspace.experiment("tiny"), |start, _| {
        start.environment.cpu_model = Some("Example CPU".into());
    });
    let plan = |config: &str| {
        fs::write(workspace.path().join("tiny.yaml"), config).unwrap();
        ended(&workspace.bezzel(&["run", "tiny.yaml", "--plan"]), 0)
    };
    let printed = plan(&CONFIG.replace("[6, 8, 10]", "[6, 8, 10, 12]"));
    let expected = "WARNING: earlier rows were measured on Example CPU with ";
    assert!(printed.contains(expected), "{printed}");
    let printed = plan(&CONFIG.replace("[6, 8, 10]", "9").replace("size: 8, g", "size: 9, g"));
    assert!(printed.contains("WARNING: a run would be refused"), "{printed}");
    assert!(printed.contains("48 no longer planned"), "{printed}");
    let refused = "this config plans none of their jobs; run it under another name";
    prints(&workspace.bezzel(&["run", "tiny.yaml"]), 2, refused);
}
