//! Errors of constraint files.

use thiserror::Error;

use crate::position::Position;

/// A file that cannot be read, or that is not the one that an instance names.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{message}", position.map(|position| format!("{position}: ")).unwrap_or_default())]
pub struct FileError {
    /// The place of the fault; none if it is not at one place.
    pub position: Option<Position>,
    /// The fault, and how to mend it.
    pub message: String,
}

impl FileError {
    /// A fault of the whole file.
    pub(super) fn whole(message: impl Into<String>) -> Self {
        Self { position: None, message: message.into() }
    }

    /// A fault at a place.
    pub(super) fn at(position: Position, message: impl Into<String>) -> Self {
        Self { position: Some(position), message: message.into() }
    }
}
