//! Commands with stdout and stderr closed early.

use std::io;
use std::process::{Command, Stdio};

use crate::interruptions::workspace::Workspace;
use crate::program::{BEZZEL, printed};

/// Arguments with which a command has output.
fn arguments(subcommand: &str) -> &'static [&'static str] {
    match subcommand {
        "run" => &["question.yaml"],
        "report" | "verify" => &["small"],
        "solve" | "board" => &["8"],
        // More than a pipe holds.
        "encode" => &["40"],
        "decode" => &["-", "4"],
        "show" | "check" => &["pairwise", "--k", "1"],
        "new-encoding" => &["Not A Name"],
        "list" | "status" => &[],
        _ => &["--help"],
    }
}

#[test]
fn a_closed_output_makes_no_command_panic() {
    let workspace = Workspace::small(1);
    for subcommand in bezzel::commands().iter().filter(|command| *command != "worker") {
        for stderr_too in [false, true] {
            // The pipe has no reader.
            let (reader, writer) = io::pipe().unwrap();
            drop(reader);
            let mut command = Command::new(BEZZEL);
            command.arg(subcommand).args(arguments(subcommand)).current_dir(workspace.path());
            command.stdin(Stdio::null()).stdout(writer.try_clone().unwrap());
            if stderr_too {
                command.stderr(writer);
            } else {
                command.stderr(Stdio::piped());
            }
            let output = command.output().unwrap();
            let printed = printed(&output);
            assert!(!printed.contains("panicked"), "{subcommand}: {printed}");
            let code = output.status.code();
            assert!(
                matches!(code, Some(0 | 1 | 2 | 10 | 20 | 141)),
                "{subcommand}, stderr closed {stderr_too}: {:?} {printed}",
                output.status
            );
        }
    }
}

#[test]
fn a_run_without_a_reader_keeps_its_rows() {
    let workspace = Workspace::small(1);
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let output = workspace.command().stdout(writer).output().unwrap();
    assert!(!printed(&output).contains("panicked"), "{}", printed(&output));
    let output = workspace.run();
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    assert_eq!(workspace.results().len(), 16);
}
