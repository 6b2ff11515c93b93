use std::fs;
use std::path::Path;
use std::process::Command;

use crate::evaluating::workspace::Workspace;
use crate::program::{ended, printed, stdout};

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
