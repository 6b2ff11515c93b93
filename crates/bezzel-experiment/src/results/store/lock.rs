//! The locks of sessions. The operating system locks the file of a session while it is written. The lock ends with the
//! process, so that no lock is ever stale.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use super::disk::{Disk, RealDisk};
use super::error::{StoreError, failed};
use super::name::LockHolder;
use super::{session_files, whole};
use crate::results::input;

/// The number of tries to take a lock that another process holds for a moment, and the delay between them.
const TRIES: u32 = 50;
const RETRY_DELAY: Duration = Duration::from_millis(20);

/// Takes a lock. Others hold it for a moment: a reader that looks for a runner, and a process that a runner starts,
/// until it executes its program. Returns false if it stays held.
pub(super) fn take(mut lock: impl FnMut() -> io::Result<bool>) -> io::Result<bool> {
    for _ in 0..TRIES {
        if lock()? {
            return Ok(true);
        }
        thread::sleep(RETRY_DELAY);
    }
    Ok(false)
}

/// Returns true if a process writes the session in this file.
pub(super) fn is_held(path: &Path) -> bool {
    let Ok(file) = input::open(path) else { return false };
    matches!(flock(&file, FlockOperation::NonBlockingLockShared), Err(Errno::WOULDBLOCK))
}

/// The permission to run the whole of an experiment: no second session has it at the same time. It ends with this value,
/// or with the process.
#[derive(Debug)]
pub struct FolderClaim {
    folder: PathBuf,
    /// The locked folder; none if the file system has no such locks.
    locked: Option<File>,
}

impl FolderClaim {
    /// Claims the experiment in a folder, which is made if there is none.
    ///
    /// # Errors
    ///
    /// When a session is running in it, or the folder cannot be made.
    pub fn new(folder: &Path) -> Result<Self, StoreError> {
        let disk: &dyn Disk = &RealDisk;
        whole::make_folder(disk, folder)?;
        let file = File::open(folder).map_err(failed("open", folder))?;
        let lock = || match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(true),
            Err(Errno::WOULDBLOCK) => Ok(false),
            Err(other) => Err(other.into()),
        };
        let busy = |holder| StoreError::Busy { folder: folder.to_owned(), holder };
        let sessions = || session_files(folder);
        let holder = || -> Result<Option<LockHolder>, StoreError> {
            Ok(sessions()?.iter().find(|file| file.is_held()).and_then(|file| file.name.holder()))
        };
        // A file system of a network may lock files only. Sessions hold the locks of their files there.
        let locked = match lock() {
            Ok(true) => Some(file),
            Ok(false) if take(lock).unwrap_or(false) => Some(file),
            Ok(false) => return Err(busy(holder()?)),
            Err(_) => None,
        };
        if let Some(running) = sessions()?.iter().find(|file| file.is_held()) {
            return Err(busy(running.name.holder()));
        }
        Ok(Self { folder: folder.to_owned(), locked })
    }
}

impl Drop for FolderClaim {
    fn drop(&mut self) {
        if self.locked.is_some() {
            // A folder in which nothing was written is removed; one with files stays.
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_is_held_for_a_moment_is_waited_for() {
        let mut tries = 0;
        let free_at = |number: u32, tries: &mut u32| {
            *tries += 1;
            Ok(*tries >= number)
        };
        assert!(take(|| free_at(2, &mut tries)).unwrap());
        assert_eq!(tries, 2);
        let failed = take(|| Err(io::Error::other("no locks")));
        assert_eq!(failed.unwrap_err().to_string(), "no locks");
    }

    #[test]
    fn a_folder_is_claimed_once_and_an_empty_one_is_removed() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("experiments").join("t");
        let claim = FolderClaim::new(&folder).unwrap();
        assert!(folder.is_dir());
        drop(claim);
        assert!(!folder.exists());
    }
}
