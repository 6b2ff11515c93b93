//! Failures, as people read them: one clear message on stderr, and an exit code.

use std::io::{self, Write};
use std::process::ExitCode;

use bezzel_encode::format::FormatError;

use crate::interrupt::INTERRUPTED;

/// Why a verb did not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What was asked for makes no sense: exit code 2.
    Input(String),
    /// What was asked for went wrong: exit code 1.
    Work(String),
    /// What was asked for needs more than it may use: exit code 3.
    Spent(String),
    /// Somebody stopped it: exit code 130.
    Interrupted(String),
    /// Whoever read the output has gone.
    Unread,
}

impl Failure {
    /// What was asked for makes no sense.
    #[expect(clippy::needless_pass_by_value, reason = "as `map_err` hands it over")]
    pub(crate) fn input(problem: impl ToString) -> Self {
        Self::Input(problem.to_string())
    }

    /// What was asked for went wrong.
    #[expect(clippy::needless_pass_by_value, reason = "as `map_err` hands it over")]
    pub(crate) fn work(problem: impl ToString) -> Self {
        Self::Work(problem.to_string())
    }

    /// Tells the failure on stderr and gives the exit code.
    pub(crate) fn tell(self) -> ExitCode {
        let (problem, code) = match self {
            Self::Input(problem) => (problem, 2),
            Self::Work(problem) => (problem, 1),
            Self::Spent(problem) => (problem, 3),
            Self::Interrupted(problem) => (problem, INTERRUPTED),
            // As a program does that a closed pipe ends.
            Self::Unread => return ExitCode::from(141),
        };
        // Nobody is left to be told when stderr is closed, too.
        let _ = writeln!(io::stderr(), "error: {}", harmless(&problem));
        ExitCode::from(code)
    }
}

/// The text, with what a terminal would obey as an escape: it may quote a file from anywhere.
pub(crate) fn harmless(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() && !matches!(c, '\n' | '\t') {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
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
            FormatError::ClausesOnly { .. } | FormatError::Shuffled { .. } => Self::input(error),
            other => Self::work(other),
        }
    }
}
