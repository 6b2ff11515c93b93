//! A solver's options: names and values.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use bezzel_problem::UnknownId;
use serde::{Deserialize, Serialize};

/// A solver's options by name. Names are those of the solver.
pub type Options = BTreeMap<String, OptionValue>;

/// The names of options that take a seed. A solver has at most one of them.
pub const SEEDS: [&str; 2] = ["random_seed", "seed"];

/// The value of an option.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OptionValue {
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Integer(i64),
    /// Any number.
    Number(f64),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(value) => value.fmt(f),
            Self::Integer(value) => value.fmt(f),
            Self::Number(value) => value.fmt(f),
        }
    }
}

/// An option that a solver does not have, or a value that it cannot have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// The solver has no option of this name.
    #[error("{solver} has no option `{option}`{}{instead}", known_instead(.near.as_deref(), .known))]
    Unknown {
        /// The solver's id.
        solver: String,
        /// The option's name.
        option: String,
        /// The nearest name of an option, where one is near.
        near: Option<String>,
        /// The names of all options.
        known: Vec<String>,
        /// Another way to give the option, after a semicolon.
        instead: String,
    },
    /// The option cannot have this value.
    #[error("{solver}: option `{option}` cannot be {value}: {reason}")]
    Value {
        /// The solver's id.
        solver: String,
        /// The option's name.
        option: String,
        /// The impossible value.
        value: String,
        /// The allowed values.
        reason: String,
    },
    /// The proof cannot be written to the path.
    #[error("{solver} cannot write a proof to `{path}`")]
    Proof {
        /// The solver's id.
        solver: String,
        /// The path of the proof.
        path: String,
    },
}

/// At most this many options are listed.
const LISTED: usize = 40;

/// The nearest option, or the options that there are.
fn known_instead(near: Option<&str>, known: &[String]) -> String {
    match (near, known) {
        (Some(near), _) => format!("; did you mean `{near}`?"),
        (None, []) => "; it has none".to_owned(),
        (None, [one]) => format!("; its only option is `{one}`"),
        (None, known) if known.len() <= LISTED => format!("; its options are {}", known.join(", ")),
        (None, known) => format!("; it has {} others", known.len()),
    }
}

impl OptionError {
    /// Reports that `option` is none of the solver's options, and finds the nearest.
    pub fn unknown<S: AsRef<str>>(
        solver: &str,
        option: &str,
        known: impl IntoIterator<Item = S>,
    ) -> Self {
        let known: Vec<String> = known.into_iter().map(|name| name.as_ref().into()).collect();
        let UnknownId { near, .. } = UnknownId::new("option", option, &known);
        Self::Unknown {
            solver: solver.to_owned(),
            option: option.to_owned(),
            near,
            known,
            instead: String::new(),
        }
    }

    /// The error with another way to give an unknown option.
    #[must_use]
    pub fn with_instead(mut self, other: &str) -> Self {
        if let Self::Unknown { instead, .. } = &mut self {
            *instead = format!("; {other}");
        }
        self
    }

    /// Reports that no proof can be written to `path`.
    pub(crate) fn proof(solver: &str, path: &Path) -> Self {
        Self::Proof { solver: solver.to_owned(), path: path.display().to_string() }
    }

    /// Reports that the option cannot be `value`, with the allowed values as the reason.
    pub fn value(
        solver: &str,
        option: &str,
        value: OptionValue,
        reason: impl Into<String>,
    ) -> Self {
        Self::Value {
            solver: solver.to_owned(),
            option: option.to_owned(),
            value: value.to_string(),
            reason: reason.into(),
        }
    }
}
