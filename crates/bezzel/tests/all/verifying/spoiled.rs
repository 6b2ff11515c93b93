//! Experiments without faults, and copies of them for planted faults.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

use bezzel_experiment::Row;
use tempfile::TempDir;

use crate::program::{bezzel_in, printed};
use crate::session_files::{copy_sessions, rows_in, session_in, write_rows};

/// An experiment without faults, made once.
pub(crate) struct Right {
    name: &'static str,
    config: &'static str,
    folder: OnceLock<TempDir>,
}

impl Right {
    /// The experiment of this config, which has this name.
    pub(crate) const fn new(name: &'static str, config: &'static str) -> Self {
        Self { name, config, folder: OnceLock::new() }
    }

    /// The folder of the experiment.
    pub(crate) fn folder(&self) -> &Path {
        let folder = self.folder.get_or_init(|| {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("question.yaml"), self.config).unwrap();
            let output = bezzel_in(folder.path(), &["run", "question.yaml", "--quiet"]);
            assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
            folder
        });
        folder.path()
    }

    fn experiment(&self) -> PathBuf {
        self.folder().join("experiments").join(self.name)
    }
}

/// A copy of an experiment, for planted faults.
pub(crate) struct Copy {
    pub(crate) folder: TempDir,
    name: &'static str,
}

impl Copy {
    pub(crate) fn of(right: &Right) -> Self {
        let copy = Self { folder: tempfile::tempdir().unwrap(), name: right.name };
        copy_sessions(&right.experiment(), &copy.experiment());
        copy
    }

    pub(crate) fn experiment(&self) -> PathBuf {
        self.folder.path().join("experiments").join(self.name)
    }

    /// The file of the only session.
    pub(crate) fn session(&self) -> PathBuf {
        session_in(&self.experiment())
    }

    pub(crate) fn rows(&self) -> Vec<Row> {
        rows_in(&self.experiment())
    }

    pub(crate) fn write(&self, rows: &[Row]) {
        write_rows(&self.experiment(), rows);
    }

    pub(crate) fn bezzel(&self, arguments: &[&str]) -> Output {
        bezzel_in(self.folder.path(), arguments)
    }

    pub(crate) fn verify(&self, options: &[&str]) -> Output {
        self.bezzel(&[&["verify", self.name], options].concat())
    }
}
