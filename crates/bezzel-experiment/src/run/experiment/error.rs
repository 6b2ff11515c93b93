//! Errors of opening an experiment.

use thiserror::Error;

use crate::config::ConfigError;
use crate::model::permission::NotPermitted;
use crate::results::store::StoreError;

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
    /// A job names a program that may not be started.
    #[error(transparent)]
    NotPermitted(#[from] NotPermitted),
    /// The name, the folder or the record is not suitable.
    #[error("{0}")]
    Refused(String),
}
