//! The few operations on files that the store needs: the real ones, behind a waist narrow enough
//! that a test can let each of them fail in turn.

use std::fmt::Debug;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::FlockOperation;
use rustix::io::Errno;

use crate::results::input;

/// How a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// To read what is there.
    Read,
    /// To read it and add to its end; made if it is not there.
    Append,
    /// To write it from its beginning; what was there is gone.
    New,
    /// To add to its end; refused if it is there.
    Fresh,
}

/// What tells a file from every other one, whatever it is called.
pub(super) type Identity = (u64, u64);

/// Folders and names of files.
pub(super) trait Disk: Debug + Send + Sync {
    /// Makes a folder in one that is there; no failure if it is there already.
    fn make_folder(&self, path: &Path) -> io::Result<()>;
    /// Opens a regular file, without waiting; to write it, only by its own name and through no symbolic link.
    fn open(&self, path: &Path, how: How) -> io::Result<Box<dyn Handle>>;
    /// Gives a file another name, in place of the file that had it.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Returns when the names in a folder survive a power cut.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
    /// Which file has this name now.
    fn identity(&self, path: &Path) -> io::Result<Identity>;
}

/// An open file.
pub(super) trait Handle: Debug + Send + Read + Write {
    /// Returns when what was written survives a power cut.
    fn sync(&mut self) -> io::Result<()>;
    /// Cuts what lies beyond so many bytes.
    fn set_length(&mut self, bytes: u64) -> io::Result<()>;
    /// Takes the lock that goes with the process, however that ends; false if another has it.
    fn lock(&mut self) -> io::Result<bool>;
    /// Which file this is.
    fn identity(&self) -> io::Result<Identity>;
}

/// The disk of this machine.
#[derive(Debug)]
pub(super) struct Real;

impl Disk for Real {
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        match fs::create_dir(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
            made => made,
        }
    }

    fn open(&self, path: &Path, how: How) -> io::Result<Box<dyn Handle>> {
        let mut options = OpenOptions::new();
        match how {
            How::Read => return Ok(Box::new(input::open_with(options.read(true), path)?)),
            How::Append => options.create(true).read(true).append(true),
            How::New => options.create(true).write(true).truncate(true),
            How::Fresh => options.create_new(true).read(true).append(true),
        };
        Ok(Box::new(input::open_to_write(&mut options, path)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    fn identity(&self, path: &Path) -> io::Result<Identity> {
        fs::metadata(path).map(|data| (data.dev(), data.ino()))
    }
}

impl Handle for File {
    fn sync(&mut self) -> io::Result<()> {
        // What changes with an append and is needed to read it, the length, is kept by this too.
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

    fn identity(&self) -> io::Result<Identity> {
        self.metadata().map(|data| (data.dev(), data.ino()))
    }
}
