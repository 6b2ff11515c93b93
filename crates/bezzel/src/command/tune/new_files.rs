//! Files and folders that a command makes, and removes again if it fails. Nothing that exists is written: links neither.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bezzel_experiment::input;

use crate::failure::{Failure, cannot};

/// The new files and folders, in the order in which they were made. They are removed when this is dropped, unless they
/// are kept.
#[derive(Default)]
pub(super) struct NewFiles(Vec<PathBuf>);

impl NewFiles {
    /// Makes a folder and the folders above it, where they are missing. The folder itself may exist, but is no link.
    pub(super) fn folder(&mut self, folder: &Path) -> Result<(), Failure> {
        if let Some(above) = folder.parent().filter(|above| !above.as_os_str().is_empty())
            && !above.is_dir()
        {
            self.folder(above)?;
        }
        match fs::create_dir(folder) {
            Ok(()) => self.0.push(folder.to_owned()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && is_own_folder(folder) => {
            }
            Err(error) => return Err(refused("make the folder", folder, &error)),
        }
        Ok(())
    }

    /// Makes a file with this content. A file that exists must have this content.
    pub(super) fn file(&mut self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        let is_there = path.symlink_metadata().is_ok_and(|there| there.is_file());
        if is_there && input::read(path, bytes.len() as u64).is_ok_and(|there| there == bytes) {
            return Ok(());
        }
        self.new_file(path)?.replace(bytes)
    }

    /// Makes a file, whose content follows.
    pub(super) fn new_file(&mut self, path: &Path) -> Result<NewFile, Failure> {
        let made = OpenOptions::new().write(true).create_new(true).open(path);
        let file = made.map_err(|error| refused("write", path, &error))?;
        self.0.push(path.to_owned());
        Ok(NewFile { file, path: path.to_owned() })
    }

    /// Keeps all of them.
    pub(super) fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for NewFiles {
    fn drop(&mut self) {
        for path in self.0.iter().rev() {
            // A file that cannot be removed does no harm.
            let _ = fs::remove_file(path).or_else(|_| fs::remove_dir(path));
        }
    }
}

/// A file that is made by this command.
pub(super) struct NewFile {
    file: File,
    path: PathBuf,
}

impl NewFile {
    /// Replaces the content.
    pub(super) fn replace(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let replaced = || {
            self.file.set_len(0)?;
            self.file.seek(SeekFrom::Start(0))?;
            self.file.write_all(bytes)
        };
        let mut replaced = replaced;
        replaced().map_err(|error| refused("write", &self.path, &error))
    }
}

fn is_own_folder(folder: &Path) -> bool {
    folder.symlink_metadata().is_ok_and(|there| there.is_dir())
}

fn refused(doing: &str, path: &Path, error: &io::Error) -> Failure {
    let is_link = path.symlink_metadata().is_ok_and(|there| there.is_symlink());
    let reason = if is_link {
        "it is a symbolic link, which may lead to any file: remove it, or give --name".to_owned()
    } else if error.kind() == io::ErrorKind::AlreadyExists {
        "it exists, and is not replaced: remove it, or give --name".to_owned()
    } else {
        error.to_string()
    };
    cannot(doing, path)(reason)
}
