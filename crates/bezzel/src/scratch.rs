//! Temporary folders that are removed at the end of a command.

use bezzel_experiment::scratch::ScratchFolder;

use crate::failure::Failure;

/// Makes a private folder for this purpose.
pub(crate) fn new(purpose: &str) -> Result<ScratchFolder, Failure> {
    ScratchFolder::new(purpose)
        .map_err(|error| Failure::Work(format!("cannot make a temporary folder: {error}")))
}
