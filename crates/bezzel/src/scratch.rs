//! Folders for what is thrown away when a verb is done.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A folder of this process's own where the system keeps temporary files, gone when this is dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// A new folder for this purpose.
    pub(crate) fn new(purpose: &str) -> Result<Self, Failure> {
        let name = format!("bezzel-{purpose}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        // A process of the same number that was killed may have left one.
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
        // What cannot be removed is in the folder for what may be removed.
        let _ = fs::remove_dir_all(&self.0);
    }
}
