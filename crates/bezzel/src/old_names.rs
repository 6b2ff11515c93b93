//! Commands that had another name: the old name runs the new command, and the new name is printed to stderr.

use std::ffi::OsString;
use std::io::{self, Write};

/// Old names and the words that take their place.
const OLD_NAMES: [(&str, &[&str]); 6] = [
    ("card", &["show"]),
    ("check-proof", &["check", "--proof"]),
    ("count", &["solve", "--count"]),
    ("export", &["benchexec", "export"]),
    ("import", &["benchexec", "import"]),
    ("reproduce", &["run"]),
];

/// The command line with the new name of its command.
pub(crate) fn replaced(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let named = |(old, _): &&(&str, &[&str])| arguments.get(1).is_some_and(|name| name == old);
    if let Some((old, new)) = OLD_NAMES.iter().find(named) {
        // A closed stderr has no reader.
        let option = if *old == "reproduce" { " --sample MINUTES" } else { "" };
        let _ = writeln!(io::stderr(), "`bezzel {old}` is now `bezzel {}{option}`", new.join(" "));
        arguments.splice(1..2, new.iter().map(OsString::from));
        let is_minutes = |word: &OsString| word.to_string_lossy().starts_with("--minutes");
        if !option.is_empty() && !arguments.iter().any(is_minutes) {
            arguments.push("--sample=10".into());
        }
    }
    arguments
}
