//! The program under test, its output, and outside programs.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

pub(crate) use crate::installed::{is_installed, is_missing, skip};

pub(crate) const BEZZEL: &str = env!("CARGO_BIN_EXE_bezzel");

/// The program of an example, which `cargo test` builds beside the tests.
pub(crate) fn example(name: &str) -> PathBuf {
    let program = Path::new(BEZZEL).parent().unwrap().join("examples").join(name);
    assert!(program.exists(), "build the examples first: cargo build --examples");
    program
}

/// Runs the program in this folder with this standard input.
pub(crate) fn with_input(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(BEZZEL);
    fed(command.args(arguments).current_dir(folder), input)
}

/// The output of a command with this standard input.
pub(crate) fn fed(command: &mut Command, input: &[u8]) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// Runs the program in the folder of the tests.
pub(crate) fn bezzel(arguments: &[&str]) -> Output {
    Command::new(BEZZEL).args(arguments).output().unwrap()
}

/// Runs the program in this folder.
pub(crate) fn bezzel_in(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(BEZZEL).args(arguments).current_dir(folder).output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Standard output, then standard error.
pub(crate) fn printed(output: &Output) -> String {
    stdout(output) + &stderr(output)
}

/// All output of a program that must end with this exit code and not panic.
#[track_caller]
pub(crate) fn ended(output: &Output, code: i32) -> String {
    let printed = printed(output);
    assert_eq!(output.status.code(), Some(code), "{printed}");
    assert!(!printed.contains("panicked"), "{printed}");
    printed
}

/// The same with a part of the output.
#[track_caller]
pub(crate) fn prints(output: &Output, code: i32, part: &str) -> String {
    let printed = ended(output, code);
    assert!(printed.contains(part), "`{part}` is not in\n{printed}");
    printed
}

/// Waits until the condition holds. Panics after five minutes.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_mins(5), "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}
