//! The folder for the files of a session: a given folder, or one of its own.

use std::env;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The folders that sessions of this process have made and not removed.
static OWN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The number in the name of the next such folder.
static COUNT: AtomicU64 = AtomicU64::new(0);

/// A folder for the files of one session.
#[derive(Debug)]
pub(crate) struct Scratch {
    folder: PathBuf,
    is_own: bool,
}

impl Scratch {
    /// Returns `given`, else a new folder that other users cannot read.
    pub(crate) fn new(given: Option<&Path>) -> io::Result<Self> {
        if let Some(given) = given {
            return Ok(Self { folder: given.to_owned(), is_own: false });
        }
        let folder = Self::own(&env::temp_dir())?;
        OWN.lock().unwrap_or_else(PoisonError::into_inner).push(folder.clone());
        Ok(Self { folder, is_own: true })
    }

    /// Makes a new folder. An older process with the same id may have been killed and have left a folder of this
    /// name; then the next name is used.
    fn own(within: &Path) -> io::Result<PathBuf> {
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let folder = within.join(format!("bezzel-{}-{number}", process::id()));
            match DirBuilder::new().mode(0o700).create(&folder) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| folder),
            }
        }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn formula(&self) -> PathBuf {
        self.folder.join("formula.cnf")
    }

    pub(crate) fn output(&self) -> PathBuf {
        self.folder.join("output")
    }

    pub(crate) fn answer(&self) -> PathBuf {
        self.folder.join("answer")
    }

    /// Removes the files, if there are any.
    pub(crate) fn clear(&self) {
        for file in [self.formula(), self.output(), self.answer()] {
            let _ = fs::remove_file(file);
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.clear();
        if self.is_own {
            let _ = fs::remove_dir_all(&self.folder);
            OWN.lock().unwrap_or_else(PoisonError::into_inner).retain(|own| *own != self.folder);
        }
    }
}

/// Removes the folders that sessions of this process have made, before the process ends in the middle of a session.
pub fn remove_scratch_folders() {
    for folder in OWN.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let _ = fs::remove_dir_all(folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_a_killed_process_of_the_same_number_left_is_passed_over() {
        let within = tempfile::tempdir().unwrap();
        let next = COUNT.load(Ordering::Relaxed);
        for number in next..next + 40 {
            let left = within.path().join(format!("bezzel-{}-{number}", process::id()));
            fs::create_dir(left).unwrap();
        }
        let own = Scratch::own(within.path()).unwrap();
        assert!(own.is_dir() && fs::read_dir(own).unwrap().next().is_none());
        assert_eq!(fs::read_dir(within.path()).unwrap().count(), 41);
        assert!(Scratch::own(&within.path().join("nowhere")).is_err());
    }
}
