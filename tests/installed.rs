//! Programs that tests need, and that come from outside.

#![expect(clippy::explicit_write, reason = "`eprintln!` in a passing test is captured")]

use std::io::Write;

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
