//! The folder for the files of a session: a given folder, or one of its own.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::results::scratch::ScratchFolder;

/// A folder for the files of one session.
#[derive(Debug)]
pub(crate) enum Scratch {
    Given(PathBuf),
    Own(ScratchFolder),
}

impl Scratch {
    /// Returns `given`, else a new folder that other users cannot read.
    pub(crate) fn new(given: Option<&Path>) -> io::Result<Self> {
        match given {
            Some(given) => Ok(Self::Given(given.to_owned())),
            None => ScratchFolder::new("session").map(Self::Own),
        }
    }

    pub(crate) fn folder(&self) -> &Path {
        match self {
            Self::Given(folder) => folder,
            Self::Own(own) => own.path(),
        }
    }

    pub(crate) fn formula(&self) -> PathBuf {
        self.folder().join("formula.cnf")
    }

    pub(crate) fn output(&self) -> PathBuf {
        self.folder().join("output")
    }

    pub(crate) fn answer(&self) -> PathBuf {
        self.folder().join("answer")
    }

    /// The proof in LRAT that a converter writes.
    pub(crate) fn lrat(&self) -> PathBuf {
        self.folder().join("lrat")
    }

    /// Removes the files, if there are any.
    pub(crate) fn clear(&self) {
        for file in [self.formula(), self.output(), self.answer(), self.lrat()] {
            let _ = fs::remove_file(file);
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.clear();
    }
}
