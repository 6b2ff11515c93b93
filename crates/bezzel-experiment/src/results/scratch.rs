//! Folders for files that are removed at the end. Other users cannot foresee their names, read them or put anything
//! into them.

use std::env;
use std::fs::{self, DirBuilder, Permissions};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustix::process::geteuid;

/// The mode of a folder that other users cannot read.
const PRIVATE: u32 = 0o700;

/// The folders of this process that are not removed yet.
static OWN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A private folder. It is removed when this is dropped.
#[derive(Debug)]
pub struct ScratchFolder(PathBuf);

impl ScratchFolder {
    /// Makes a new folder among the temporary files of the system. `purpose` is a part of its name.
    ///
    /// # Errors
    ///
    /// When it cannot be made.
    pub fn new(purpose: &str) -> io::Result<Self> {
        Self::within(&env::temp_dir(), purpose)
    }

    fn within(folder: &Path, purpose: &str) -> io::Result<Self> {
        // The keys of each state are random.
        let [one, two] = [0, 1].map(|number: u8| RandomState::new().hash_one(number));
        let path = folder.join(format!("bezzel-{purpose}-{one:016x}{two:016x}"));
        make(&path)?;
        Ok(Self::own(path))
    }

    /// Makes a folder of this name, in place of one that a killed process has left.
    ///
    /// # Errors
    ///
    /// When the former one cannot be removed, or the new one cannot be made.
    pub fn at(path: &Path) -> io::Result<Self> {
        remove(path)?;
        make(path)?;
        Ok(Self::own(path.to_owned()))
    }

    fn own(path: PathBuf) -> Self {
        OWN.lock().unwrap_or_else(PoisonError::into_inner).push(path.clone());
        Self(path)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        // A folder that cannot be removed stays among the temporary files.
        let _ = remove(&self.0);
        OWN.lock().unwrap_or_else(PoisonError::into_inner).retain(|own| *own != self.0);
    }
}

/// Removes the folders of this process, before it ends in the middle of its work.
pub fn remove_scratch_folders() {
    for folder in OWN.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let _ = remove(&folder);
    }
}

/// Makes a private folder. Nothing of this name may exist.
pub(crate) fn make(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(PRIVATE).create(path)
}

/// Empties a private folder, so that files of one program do not affect the next one. A link, a file or a folder of
/// another user in its place is not emptied: a new folder takes its place.
pub(crate) fn empty(path: &Path) -> io::Result<()> {
    let is_own = |there: fs::Metadata| there.is_dir() && there.uid() == geteuid().as_raw();
    if !path.symlink_metadata().is_ok_and(is_own) {
        remove(path)?;
        return make(path);
    }
    fs::set_permissions(path, Permissions::from_mode(PRIVATE))?;
    for entry in fs::read_dir(path)? {
        // A file that cannot be removed causes an error when its name is needed.
        let _ = remove(&entry?.path());
    }
    Ok(())
}

/// Removes a file, a link or a folder with its content. Links are not followed.
fn remove(path: &Path) -> io::Result<()> {
    let removed = match path.symlink_metadata() {
        Ok(there) if there.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn mode(path: &Path) -> u32 {
        path.symlink_metadata().unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn a_folder_is_new_private_and_gone_at_the_end() {
        let within = tempfile::tempdir().unwrap();
        let names: std::collections::HashSet<PathBuf> = (0..50)
            .map(|_| {
                let folder = ScratchFolder::within(within.path(), "test").unwrap();
                assert_eq!(mode(folder.path()), PRIVATE);
                fs::write(folder.path().join("file"), "x").unwrap();
                folder.path().to_owned()
            })
            .collect();
        assert_eq!(names.len(), 50);
        let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        assert!(names.iter().all(|path| name(path).len() == "bezzel-test-".len() + 32));
        assert_eq!(fs::read_dir(within.path()).unwrap().count(), 0);
        assert!(ScratchFolder::within(&within.path().join("nowhere"), "test").is_err());
    }

    #[test]
    fn nothing_that_is_there_is_taken_over() {
        let within = tempfile::tempdir().unwrap();
        let precious = within.path().join("precious");
        fs::create_dir(&precious).unwrap();
        fs::write(precious.join("thesis.tex"), "x").unwrap();
        let path = within.path().join("scratch");
        symlink(&precious, &path).unwrap();
        assert_eq!(make(&path).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        let folder = ScratchFolder::at(&path).unwrap();
        assert!(path.symlink_metadata().unwrap().is_dir());
        assert_eq!(mode(&path), PRIVATE);
        // A program replaces its own folder by a link, and puts a link into it.
        fs::remove_dir(&path).unwrap();
        symlink(&precious, &path).unwrap();
        empty(&path).unwrap();
        assert!(path.symlink_metadata().unwrap().is_dir());
        symlink(&precious, path.join("link")).unwrap();
        fs::write(path.join("file"), "x").unwrap();
        fs::create_dir(path.join("folder")).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o777)).unwrap();
        empty(&path).unwrap();
        assert_eq!((fs::read_dir(&path).unwrap().count(), mode(&path)), (0, PRIVATE));
        symlink(&precious, path.join("link")).unwrap();
        drop(folder);
        assert!(path.symlink_metadata().is_err());
        // A folder that a killed process has left is replaced.
        fs::create_dir(&path).unwrap();
        fs::write(path.join("old"), "x").unwrap();
        let folder = ScratchFolder::at(&path).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(precious.join("thesis.tex").exists());
    }
}
