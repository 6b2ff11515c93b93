//! The program under test, its output, and outside programs.

#![expect(clippy::explicit_write, reason = "`eprintln!` in a passing test is captured")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use bezzel_experiment::Row;
use bezzel_experiment::store::{self, LineContent};

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

/// The rows in an experiment's folder, each with its checksum.
pub(crate) fn rows_in(experiment: &Path) -> Vec<Row> {
    bezzel_queens::add_kinds();
    let row = |line: Result<store::Line, store::StoreError>| match line.unwrap().content {
        LineContent::Row(row, true) => *row,
        other => panic!("{other:?}"),
    };
    store::lines(experiment).unwrap().map(row).collect()
}

/// Waits until the condition holds. Panics after five minutes.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_mins(5), "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Prints that a test cannot be run here, past the capture of passing tests' output.
pub(crate) fn skip(what: &str) {
    writeln!(std::io::stderr(), "skipped: {what}").unwrap();
}

/// Prints that a program is missing, which is a failure where no test may be skipped. Returns `false`.
pub(crate) fn is_missing(program: &str) -> bool {
    let what = format!("{program} is not installed");
    assert!(std::env::var_os("BEZZEL_REQUIRE_OUTSIDE").is_none(), "{what}");
    skip(&what);
    false
}

/// Searches the folders of `PATH` for the program, and those of daemons. Prints a message if it is missing.
pub(crate) fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path).chain(["/usr/sbin".into(), "/sbin".into()]);
    folders.any(|folder| folder.join(program).is_file()) || is_missing(program)
}
