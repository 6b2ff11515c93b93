//! Commands and options that had another name: the old name does the same as the new one, which is printed to stderr.

use std::ffi::OsString;
use std::io::Write;

use crate::terminal;

/// Old names and the words that take their place.
const OLD_NAMES: [(&str, &[&str]); 4] = [
    ("card", &["show"]),
    ("check-proof", &["check", "--proof"]),
    ("count", &["solve", "--count"]),
    ("reproduce", &["run"]),
];

/// Old options of `bezzel solve` and the options that take their place.
const OLD_OPTIONS: [(&str, &str); 1] = [("--most", "--max-solutions")];

/// The command line with the new names of its command and options.
pub(crate) fn replaced(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let named = |(old, _): &&(&str, &[&str])| arguments.get(1).is_some_and(|name| name == old);
    if let Some((old, new)) = OLD_NAMES.iter().find(named) {
        // A closed stderr has no reader.
        let option = if *old == "reproduce" { " --sample MINUTES" } else { "" };
        let _ = writeln!(
            terminal::stderr(),
            "`bezzel {old}` is now `bezzel {}{option}`",
            new.join(" ")
        );
        arguments.splice(1..2, new.iter().map(OsString::from));
        let is_minutes = |word: &OsString| word.to_string_lossy().starts_with("--minutes");
        if !option.is_empty() && !arguments.iter().any(is_minutes) {
            arguments.push("--sample=10".into());
        }
    }
    if arguments.get(1).is_some_and(|command| command == "solve") {
        for argument in
            arguments.iter_mut().skip(2).take_while(|argument| argument.as_os_str() != "--")
        {
            let Some(text) = argument.to_str() else { continue };
            let (name, value) = text.find('=').map_or((text, ""), |equals| text.split_at(equals));
            if let Some((old, new)) = OLD_OPTIONS.iter().find(|(old, _)| *old == name) {
                let _ = writeln!(terminal::stderr(), "`{old}` is now `{new}`");
                *argument = format!("{new}{value}").into();
            }
        }
    }
    arguments
}
