//! Errors of reports.

use std::io;
use std::path::PathBuf;

use bezzel_experiment::ConfigError;
use bezzel_problem::UnknownId;
use thiserror::Error;

/// The reasons why a report cannot be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A file of the report could not be written.
    #[error("writing {path}: {source}")]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The error.
        source: io::Error,
    },
    /// The folder of reports could not be read.
    #[error("reading {path}: {source}")]
    Read {
        /// The folder.
        path: PathBuf,
        /// The error.
        source: io::Error,
    },
    /// The author's file names a figure or table that the report does not have.
    #[error(transparent)]
    Stated(Box<ConfigError>),
    /// There is no such table or column for LaTeX.
    #[error("columns for LaTeX: {0}")]
    Columns(UnknownId),
    /// A figure could not be drawn.
    #[error("drawing figure `{figure}`: {reason}")]
    Draw {
        /// The figure's id.
        figure: String,
        /// The message of the drawing library.
        reason: String,
    },
}

impl From<ConfigError> for ReportError {
    fn from(error: ConfigError) -> Self {
        Self::Stated(Box::new(error))
    }
}
