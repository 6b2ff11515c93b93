//! Permission to start programs.
//!
//! Encoders, solvers, counters and the commands that print their versions are command lines in a config or in a row,
//! and evidence may come from any source. A command line is started only with a `Permitted` value, and only a
//! [`Permission`] makes one: this module contains the only calls that make a process of a command line, which the lint
//! `disallowed_methods` enforces. The default permission permits nothing.
//!
//! A permission lists command lines. The permission of the user's own config permits the lines of that config and no
//! others, independent of the evidence beside it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use bezzel_process::{SoftLimits, Supervised};
use thiserror::Error;

/// The command lines that may be started. The default permits none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permission(Granted);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Granted {
    #[default]
    Nothing,
    Lines(Arc<BTreeSet<String>>),
    Everything,
}

/// The rule by which a program is not started, for messages.
pub(crate) const RULE: &str = "programs that evidence names run only with the option --programs of \
                               `verify` and `run`";

/// A command line that is not started.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the program `{line}` is not started: {RULE}")]
pub struct NotPermitted {
    /// The command line.
    pub line: String,
}

/// A command line that may be started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Permitted<'l>(&'l str);

impl Permission {
    /// Returns the permission of no program.
    pub fn none() -> Self {
        Self::default()
    }

    /// Returns the permission of every program: the user gave `--programs`.
    pub fn everything() -> Self {
        Self(Granted::Everything)
    }

    /// Returns the permission of these command lines.
    pub(crate) fn of_lines(lines: impl IntoIterator<Item = String>) -> Self {
        Self(Granted::Lines(Arc::new(lines.into_iter().collect())))
    }

    /// True if this command line may be started.
    pub(crate) fn permits(&self, line: &str) -> bool {
        match &self.0 {
            Granted::Nothing => false,
            Granted::Lines(lines) => lines.contains(line),
            Granted::Everything => true,
        }
    }

    /// The command line as one that may be started.
    pub(crate) fn permit<'l>(&self, line: &'l str) -> Result<Permitted<'l>, NotPermitted> {
        if self.permits(line) {
            Ok(Permitted(line))
        } else {
            Err(NotPermitted { line: line.to_owned() })
        }
    }

    /// Refuses the first of these command lines that may not be started.
    pub(crate) fn refuse_each(&self, lines: Vec<String>) -> Result<(), NotPermitted> {
        lines
            .into_iter()
            .find(|line| !self.permits(line))
            .map_or(Ok(()), |line| Err(NotPermitted { line }))
    }
}

impl Permitted<'static> {
    /// The checker of proofs from files. Evidence names no command line of it, so it needs no permission.
    pub(crate) const VERIPB: Self = Self("veripb");
}

impl Permitted<'_> {
    /// The command line itself.
    pub(crate) fn text(&self) -> &str {
        self.0
    }

    /// Returns the supervised process of the command line `filled`, which is this one with the paths of one formula.
    #[expect(clippy::disallowed_methods, clippy::unused_self, reason = "the gate itself")]
    pub(crate) fn supervised(
        self,
        filled: String,
        directory: PathBuf,
        limits: SoftLimits,
        output: PathBuf,
    ) -> Supervised {
        Supervised::new(filled, directory, limits, output)
    }
}
