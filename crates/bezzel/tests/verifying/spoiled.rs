//! Experiments that are right, and copies of them to be spoiled.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use bezzel_lab::Row;
use bezzel_lab::store::{self, Content, seal};
use tempfile::TempDir;

/// An experiment that is right, made once.
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

    /// Where it is.
    pub(crate) fn folder(&self) -> &Path {
        let folder = self.folder.get_or_init(|| {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("question.yaml"), self.config).unwrap();
            let output = bezzel(folder.path(), &["run", "question.yaml", "--quiet"]);
            assert_eq!(output.status.code(), Some(0), "{}", told(&output));
            folder
        });
        folder.path()
    }

    fn experiment(&self) -> PathBuf {
        self.folder().join("experiments").join(self.name)
    }
}

pub(crate) fn bezzel(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bezzel"));
    command.args(arguments).current_dir(folder).output().unwrap()
}

pub(crate) fn told(output: &Output) -> String {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// A copy of an experiment, to be spoiled.
pub(crate) struct Copy {
    pub(crate) folder: TempDir,
    name: &'static str,
}

impl Copy {
    pub(crate) fn of(right: &Right) -> Self {
        let copy = Self { folder: tempfile::tempdir().unwrap(), name: right.name };
        let own = copy.experiment();
        fs::create_dir_all(&own).unwrap();
        for file in [store::CONFIG, store::ENVIRONMENT, store::ROWS] {
            fs::copy(right.experiment().join(file), own.join(file)).unwrap();
        }
        copy
    }

    pub(crate) fn experiment(&self) -> PathBuf {
        self.folder.path().join("experiments").join(self.name)
    }

    pub(crate) fn rows(&self) -> Vec<Row> {
        let row = |line: std::io::Result<store::Line>| match line.unwrap().content {
            Content::Row(row, true) => *row,
            other => panic!("{other:?}"),
        };
        store::lines(&self.experiment()).unwrap().map(row).collect()
    }

    pub(crate) fn write(&self, rows: &[Row]) {
        let text: Vec<u8> = rows.iter().flat_map(seal::sealed).collect();
        fs::write(self.experiment().join(store::ROWS), text).unwrap();
    }

    pub(crate) fn bezzel(&self, arguments: &[&str]) -> Output {
        bezzel(self.folder.path(), arguments)
    }

    pub(crate) fn verify(&self, options: &[&str]) -> Output {
        self.bezzel(&[&["verify", self.name], options].concat())
    }
}
