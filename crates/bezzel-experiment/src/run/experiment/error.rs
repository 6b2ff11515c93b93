//! Errors of opening an experiment.

use thiserror::Error;

use crate::config::ConfigError;
use crate::model::permission::NotPermitted;
use crate::results::store::StoreError;
use crate::run::submission::{Outdated, SubmissionError};

/// An error of opening an experiment.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The config cannot be read or planned.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The evidence cannot be read or stored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A submission cannot be read.
    #[error(transparent)]
    Submission(#[from] SubmissionError),
    /// A submission has jobs of another version of a solver or an encoding.
    #[error(transparent)]
    Outdated(#[from] Outdated),
    /// A job names a program that may not be started.
    #[error(transparent)]
    NotPermitted(#[from] NotPermitted),
    /// The name, the folder or the record is not suitable.
    #[error("{0}")]
    Refused(String),
}
