//! Failures of commands: a message on stderr and an exit code.

use std::borrow::Cow;
use std::env;
use std::fmt::Display;
use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::ExitCode;

use bezzel_encode::format::FormatError;
use bezzel_experiment::packing;
use bezzel_problem::harmless_line;

use crate::terminal;
pub(crate) use bezzel_problem::harmless;

/// The exit code of a program that Ctrl-C stopped.
pub(crate) const INTERRUPTED: u8 = 130;

/// The exit code of a command, or the reason of its failure.
pub(crate) type CommandResult = Result<ExitCode, Failure>;

/// A path as messages and output show it: on one line. Nothing else shows paths (`.ci/lints.py`).
pub(crate) fn shown(path: &Path) -> String {
    harmless_line(&path.to_string_lossy())
}

/// Opens a file to be read, compressed or not.
pub(crate) fn open(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    packing::read(path).map_err(cannot("read", path))
}

/// The failure to read or to write a file, of its error.
pub(crate) fn cannot<E: Display>(doing: &str, path: &Path) -> impl Fn(E) -> Failure {
    move |error| Failure::Input(format!("cannot {doing} `{}`: {error}", shown(path)))
}

/// The reasons why a command fails.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The request is invalid: exit code 2.
    Input(String),
    /// The work failed: exit code 1.
    Work(String),
    /// The work needs more than its limits: exit code 3.
    Spent(String),
    /// A user stopped the command: exit code 130.
    Interrupted(String),
    /// The reader of the output has closed it.
    Unread,
}

impl Failure {
    /// The failure of an invalid request.
    #[expect(clippy::needless_pass_by_value, reason = "as `map_err` hands it over")]
    pub(crate) fn input(problem: impl ToString) -> Self {
        Self::Input(problem.to_string())
    }

    /// The failure of the work.
    #[expect(clippy::needless_pass_by_value, reason = "as `map_err` hands it over")]
    pub(crate) fn work(problem: impl ToString) -> Self {
        Self::Work(problem.to_string())
    }

    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Work(_) => 1,
            Self::Input(_) => 2,
            Self::Spent(_) => 3,
            Self::Interrupted(_) => INTERRUPTED,
            // The exit code of a program that SIGPIPE ends.
            Self::Unread => 141,
        }
    }

    /// Prints the failure to stderr, and returns the exit code.
    pub(crate) fn report(self) -> ExitCode {
        let code = ExitCode::from(self.code());
        let (Self::Input(problem)
        | Self::Work(problem)
        | Self::Spent(problem)
        | Self::Interrupted(problem)) = self
        else {
            return code;
        };
        // A closed stderr has no reader.
        let _ = writeln!(terminal::stderr(), "error: {}", shortened(&with_whole_words(problem)));
        code
    }
}

/// The text with each word of the command line, and the value in it, on one line: line breaks in it are escaped.
pub(crate) fn with_whole_words(text: String) -> String {
    let words = env::args_os().map(|word| word.to_string_lossy().into_owned());
    words.filter(|word| word.contains('\n')).fold(text, |text, word| {
        let value = word.split_once('=').map_or("", |(_, value)| value);
        let beside_letter = word.strip_prefix('-').and_then(|rest| rest.get(1..)).unwrap_or("");
        let parts =
            [&word, value, beside_letter].into_iter().filter(|part| !part.trim().is_empty());
        parts.fold(text, |text, part| text.replace(part, &harmless_line(part)))
    })
}

/// The text without the middle of every long line. If there are many lines, the middle of the text is left out too.
fn shortened(text: &str) -> String {
    /// The longest line and the longest text that are shown whole, in characters.
    const LINE: usize = 2_000;
    const TEXT: usize = 20_000;
    let lines: Vec<_> = text.split('\n').map(|line| without_middle(line, LINE)).collect();
    without_middle(&lines.join("\n"), TEXT).into_owned()
}

/// The beginning and the end of the text, if it has more than `max` characters. Otherwise the text.
fn without_middle(text: &str, max: usize) -> Cow<'_, str> {
    let length = text.chars().count();
    if length <= max {
        return text.into();
    }
    let (begin, end) = (max / 2, max / 4);
    let left_out = length - begin - end;
    let chars = || text.chars();
    let mut shown: String = chars().take(begin).collect();
    // Writing to a string cannot fail.
    let _ = write!(shown, "… ({left_out} characters left out) …");
    shown.extend(chars().skip(length - end));
    shown.into()
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::Unread
        } else {
            Self::Work(format!("cannot write the output: {error}"))
        }
    }
}

impl From<FormatError> for Failure {
    fn from(error: FormatError) -> Self {
        match error {
            FormatError::Write(error) => error.into(),
            FormatError::Unsteady { .. } => Self::work(error),
            other => Self::input(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_value_is_cut_in_its_middle() {
        let value = "é".repeat(100_000);
        let shown = shortened(&format!("`{value}` is no size\nline 2"));
        assert!(shown.chars().count() < 2_000, "{shown}");
        assert!(shown.starts_with("`é") && shown.ends_with("` is no size\nline 2"), "{shown}");
        assert!(shown.contains("characters left out"), "{shown}");
        let lines = "line\n".repeat(100_000);
        assert!(shortened(&lines).chars().count() < 20_000);
        assert_eq!(shortened("short\nlines"), "short\nlines");
    }
}
