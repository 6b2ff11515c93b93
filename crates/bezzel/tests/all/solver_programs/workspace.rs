//! A folder with a config and the solver that misbehaves.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use bezzel_experiment::Row;
use tempfile::TempDir;

use crate::session_files::rows_in;

/// Limits that no well-behaved program reaches.
pub(crate) const WIDE: &str = "limits: {cpu: 600 s, wall: 600 s, memory: 256 MiB}\n";

/// Settings under which only the planned jobs run.
const REST: &str = "\
warm_up: 0
calibration: off
parallel: 2
";

pub(crate) struct Workspace {
    folder: TempDir,
    /// The folder of programs that is searched first.
    pub(crate) programs: PathBuf,
}

impl Workspace {
    /// A folder with the config `question.yaml` of the experiment `theirs`.
    pub(crate) fn new(config: &str) -> Self {
        Self::limited(config, WIDE)
    }

    /// The same with limits of its own.
    pub(crate) fn limited(config: &str, limits: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let programs = folder.path().join("programs");
        fs::create_dir(&programs).unwrap();
        fs::write(
            folder.path().join("question.yaml"),
            format!("name: theirs\n{config}{limits}{REST}"),
        )
        .unwrap();
        let examples = Path::new(env!("CARGO_BIN_EXE_bezzel")).parent().unwrap().join("examples");
        let fake = examples.join("fake_solver");
        assert!(fake.exists(), "build the examples first: cargo build --examples");
        // A copy of its own identifies its processes.
        fs::copy(fake, folder.path().join("fake")).unwrap();
        Self { folder, programs }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn bezzel(&self, arguments: &[&str]) -> Output {
        let path = std::env::var("PATH").unwrap();
        Command::new(env!("CARGO_BIN_EXE_bezzel"))
            .args(arguments)
            .current_dir(self.path())
            .env("PATH", format!("{}:{path}", self.programs.display()))
            .output()
            .unwrap()
    }

    pub(crate) fn run(&self) -> Output {
        self.bezzel(&["run", "--quiet", "question.yaml"])
    }

    pub(crate) fn experiment(&self) -> PathBuf {
        self.path().join("experiments/theirs")
    }

    pub(crate) fn rows(&self) -> Vec<Row> {
        rows_in(&self.experiment())
    }

    /// The rows of a mode of the misbehaving solver.
    pub(crate) fn rows_of(&self, mode: &str) -> Vec<Row> {
        let mut rows = self.rows();
        rows.retain(|row| row.job.solver.contains(&format!("./fake {mode} ")));
        rows
    }

    /// Checks that no process of the misbehaving solver has outlived the run.
    #[track_caller]
    pub(crate) fn nothing_is_left(&self) {
        let fake = self.path().join("fake");
        for process in fs::read_dir("/proc").unwrap().flatten() {
            if let Ok(program) = fs::read_link(process.path().join("exe")) {
                assert_ne!(program, fake, "{} is still there", process.path().display());
            }
        }
        let scratch = self.experiment().join("scratch");
        assert!(!scratch.exists(), "files are left");
    }
}

/// A list of the misbehaving solver's modes, for a config.
pub(crate) fn fakes(modes: &[&str]) -> String {
    let entry = |mode: &&str| format!("  - {{command: \"./fake {mode} {{cnf}}\"}}\n");
    format!("solvers:\n{}", modes.iter().map(entry).collect::<String>())
}
