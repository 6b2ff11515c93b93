//! Temporary folders that are removed at the end of a command.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A folder of this process among the temporary files of the system. It is removed when this is dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// A new folder for this purpose.
    pub(crate) fn new(purpose: &str) -> Result<Self, Failure> {
        let name = format!("bezzel-{purpose}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        // A killed process with the same number may have left a folder.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(|error| {
            Failure::Work(format!("cannot make the folder `{}`: {error}", folder.display()))
        })?;
        Ok(Self(folder))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that cannot be removed stays among the temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}
