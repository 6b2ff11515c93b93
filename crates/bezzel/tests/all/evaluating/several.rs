use std::fs;
use std::path::Path;
use std::process::Command;

use crate::evaluating::workspace::Workspace;
use crate::program::{printed, stdout};

#[test]
fn a_report_over_several_experiments_tells_the_commands_of_each() {
    let workspace = Workspace::new();
    workspace.copy_to("other");
    let question = "Does it stand in two places?";
    let output =
        workspace.bezzel(&["report", "tiny", "other", "--as", "both", "--question", question]);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    let report = fs::read_to_string(workspace.path().join("reports/both/report.md")).unwrap();
    assert!(report.contains(question), "{report}");
    for line in [
        "for name in tiny other; do bezzel verify $name; done",
        "bezzel report tiny other --as both --question 'Does it stand in two places?'",
    ] {
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
fn a_report_over_several_experiments_has_a_name_of_its_own() {
    let workspace = Workspace::new();
    workspace.copy_to("other");
    for (arguments, message) in [
        (&["tiny", "other"][..], "needs a name: --as NAME"),
        (&["tiny", "--as", "both"], "one experiment has its own name"),
        (&["tiny", "other", "--as", "other"], "there is an experiment of this name"),
        (&["tiny", "tiny", "--as", "both"], "is given twice"),
        (&["tiny", "otter", "--as", "both"], "other"),
    ] {
        let output = workspace.bezzel(&[&["report"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", printed(&output));
        assert!(printed(&output).contains(message), "{}", printed(&output));
    }
}
