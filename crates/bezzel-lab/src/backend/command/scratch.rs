//! Where the files of a session lie: in the folder that it was given, or in one of its own.

use std::env;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The folders of their own that sessions of this process have made and not taken away.
static OWN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// How many they were.
static COUNT: AtomicU64 = AtomicU64::new(0);

/// A folder for the files of one session.
#[derive(Debug)]
pub(crate) struct Scratch {
    folder: PathBuf,
    is_own: bool,
}

impl Scratch {
    /// The files in `given`, else in a folder that nobody else can look into.
    pub(crate) fn new(given: Option<&Path>) -> io::Result<Self> {
        if let Some(given) = given {
            return Ok(Self { folder: given.to_owned(), is_own: false });
        }
        let folder = Self::own(&env::temp_dir())?;
        OWN.lock().unwrap_or_else(PoisonError::into_inner).push(folder.clone());
        Ok(Self { folder, is_own: true })
    }

    /// Makes a folder that was not there. One of this name may have been left by a process of the same
    /// number that was killed; it is somebody's, and the next name is taken.
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

    /// Takes the files away, of which there may be none.
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

/// Takes away the folders that sessions of this process have made for themselves: for a process that
/// is about to end in the middle of one.
pub fn give_up() {
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
