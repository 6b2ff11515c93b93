//! An experiment that is run once, and copies of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

use bezzel_experiment::Row;
use tempfile::TempDir;

use crate::program::{bezzel_in, printed};
use crate::session_files::{copy_sessions, rows_in, write_rows};

pub(crate) const CONFIG: &str = "\
name: tiny
question: Can a tiny experiment be compared and reproduced?
problems: [{queens: {size: [6, 8, 10]}}, {queens: {size: 8, geometry: torus}}]
encodings: [pairwise, product]
solvers: [cadical, batsat]
numberings: [random: {shuffles: 3}]
limits: {cpu: 20 s}
calibration: off
warm_up: 0
";

/// A folder with the experiment `tiny`.
pub(crate) struct Workspace(TempDir);

impl Workspace {
    /// A copy that may be changed.
    pub(crate) fn new() -> Self {
        static RUN: OnceLock<TempDir> = OnceLock::new();
        let run = RUN.get_or_init(|| {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("tiny.yaml"), CONFIG).unwrap();
            let output = bezzel_in(folder.path(), &["run", "tiny.yaml", "--quiet"]);
            assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
            folder
        });
        let workspace = Self(tempfile::tempdir().unwrap());
        copy_sessions(&run.path().join("experiments/tiny"), &workspace.experiment("tiny"));
        workspace
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn experiment(&self, name: &str) -> PathBuf {
        self.path().join("experiments").join(name)
    }

    pub(crate) fn bezzel(&self, arguments: &[&str]) -> Output {
        bezzel_in(self.path(), arguments)
    }

    /// A copy of the experiment under another name.
    pub(crate) fn copy_to(&self, name: &str) {
        copy_sessions(&self.experiment("tiny"), &self.experiment(name));
    }

    pub(crate) fn rows(&self, name: &str) -> Vec<Row> {
        rows_in(&self.experiment(name))
    }

    /// Writes rows with right checksums.
    pub(crate) fn write_rows(&self, name: &str, rows: &[Row]) {
        write_rows(&self.experiment(name), rows);
    }
}
