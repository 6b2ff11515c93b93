//! The program under test, its output, and outside programs.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

pub(crate) use crate::installed::{is_installed, is_missing, skip};

pub(crate) const BEZZEL: &str = env!("CARGO_BIN_EXE_bezzel");

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
