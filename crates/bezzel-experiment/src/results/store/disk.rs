//! The few file operations that the store needs, as a trait, so that a test can let each operation fail.

use std::fmt::Debug;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::FlockOperation;
use rustix::io::Errno;

use crate::results::input;

/// The mode in which a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OpenMode {
    /// For writing from the beginning; the old content is removed.
    New,
    /// For appending; refused if it exists.
    Fresh,
}

/// The identity of a file, independent of its name.
pub(super) type FileIdentity = (u64, u64);

/// Operations on folders and names of files.
pub(super) trait Disk: Debug + Send + Sync {
    /// Creates a folder in an existing one. An existing folder is no error.
    fn make_folder(&self, path: &Path) -> io::Result<()>;
    /// Opens a regular file for writing, without waiting, if its name is not a symbolic link.
    fn open(&self, path: &Path, how: OpenMode) -> io::Result<Box<dyn FileHandle>>;
    /// Returns the content of a regular file.
    fn content(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// Renames a file, and replaces the file that had the new name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Returns when the names in a folder survive a power failure.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
    /// Returns the identity of the file that has this name now.
    fn identity(&self, path: &Path) -> io::Result<FileIdentity>;
}

/// An open file.
pub(super) trait FileHandle: Debug + Send + Write {
    /// Returns when the written bytes survive a power failure.
    fn sync(&mut self) -> io::Result<()>;
    /// Truncates the file to `bytes` bytes.
    fn set_length(&mut self, bytes: u64) -> io::Result<()>;
    /// Takes the lock, which ends with the process. Returns false if another process has it.
    fn lock(&mut self) -> io::Result<bool>;
    /// Returns the identity of this file.
    fn identity(&self) -> io::Result<FileIdentity>;
}

/// The file system of this machine.
#[derive(Debug)]
pub(super) struct RealDisk;

impl Disk for RealDisk {
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        match fs::create_dir(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
            made => made,
        }
    }

    fn open(&self, path: &Path, how: OpenMode) -> io::Result<Box<dyn FileHandle>> {
        let mut options = OpenOptions::new();
        match how {
            OpenMode::New => options.create(true).write(true).truncate(true),
            OpenMode::Fresh => options.create_new(true).append(true),
        };
        Ok(Box::new(input::open_to_write(&mut options, path)?))
    }

    fn content(&self, path: &Path) -> io::Result<Vec<u8>> {
        input::read(path, input::LARGEST_DOCUMENT)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    fn identity(&self, path: &Path) -> io::Result<FileIdentity> {
        fs::metadata(path).map(|data| (data.dev(), data.ino()))
    }
}

impl FileHandle for File {
    fn sync(&mut self) -> io::Result<()> {
        // This syncs the length too, the only metadata that an append changes and a reader needs.
        self.sync_data()
    }

    fn set_length(&mut self, bytes: u64) -> io::Result<()> {
        self.set_len(bytes)
    }

    fn lock(&mut self) -> io::Result<bool> {
        match rustix::fs::flock(self, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(true),
            Err(Errno::WOULDBLOCK) => Ok(false),
            Err(other) => Err(other.into()),
        }
    }

    fn identity(&self) -> io::Result<FileIdentity> {
        self.metadata().map(|data| (data.dev(), data.ino()))
    }
}
