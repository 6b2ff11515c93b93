//! A folder with a config in which the program runs, and its files afterwards.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use bezzel_experiment::Row;
use bezzel_experiment::store::{Rows, Sessions};
use bezzel_problem::mixed_hash;
use tempfile::TempDir;

use crate::program::BEZZEL;
use crate::session_files::{rows_in, session_in, sessions_in};

/// Small jobs of every kind: with a solution and without, with proofs and without.
pub(crate) const SMALL: &str = "\
name: small
problems: [{queens: {size: [4, 5, 6]}}, {queens: {size: 6, geometry: torus}}]
encodings: [pairwise, binary]
solvers: [cadical, batsat]
calibration: off
";

/// A job that takes far longer than any test.
pub(crate) const LONG: &str = "\
name: small
problems: [{queens: {size: 16, geometry: torus}}]
encodings: [pairwise]
solvers: [cadical]
limits: {cpu: 600 s, wall: 600 s}
calibration: off
";

pub(crate) struct Workspace {
    folder: TempDir,
    pub(crate) program: PathBuf,
}

impl Workspace {
    pub(crate) fn new(config: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("question.yaml"), config).unwrap();
        Self { folder, program: BEZZEL.into() }
    }

    /// A workspace with the jobs of [`SMALL`], each `repeats` times.
    pub(crate) fn small(repeats: u32) -> Self {
        Self::new(&format!("{SMALL}repeats: {repeats}\n"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(["run", "question.yaml", "--quiet"]).current_dir(self.path());
        command
    }

    pub(crate) fn run(&self) -> Output {
        self.command().output().unwrap()
    }

    /// Starts the run, and discards its output.
    pub(crate) fn spawn(&self) -> std::process::Child {
        self.command().stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    pub(crate) fn experiment(&self) -> PathBuf {
        self.path().join("experiments/small")
    }

    /// The file of the only session.
    pub(crate) fn session(&self) -> PathBuf {
        session_in(&self.experiment())
    }

    /// The files of the sessions.
    pub(crate) fn files(&self) -> Files {
        files_in(&self.experiment())
    }

    /// The rows, each with its checksum.
    pub(crate) fn rows(&self) -> Vec<Row> {
        rows_in(&self.experiment())
    }

    /// The results that a reader finds.
    pub(crate) fn results(&self) -> Results {
        results_in(&self.experiment())
    }
}

/// The parts of rows that must be equal for every disturbance, by the keys of the rows.
pub(crate) type Results = BTreeMap<String, String>;

/// The sessions and the rows that a reader finds in an experiment's folder.
pub(crate) fn found_in(experiment: &Path) -> (Sessions, Rows) {
    bezzel_queens::add_kinds();
    Rows::read(experiment).unwrap()
}

/// The results that a reader finds in an experiment's folder. No two sessions contradict each other.
pub(crate) fn results_in(experiment: &Path) -> Results {
    let (_, rows) = found_in(experiment);
    assert!(rows.disagreeing.is_empty(), "{:?}", rows.disagreeing);
    let settled = rows.by_key.into_values().filter(Row::is_settled);
    settled.map(|row| (row.key.to_string(), result(&row))).collect()
}

/// The parts of a row that do not depend on the machine and the time.
fn result(row: &Row) -> String {
    let Row {
        status: answer,
        verdict,
        checked_by: evidence,
        termination,
        formula,
        clause_digest,
        solver_stats: effort,
        places,
        ..
    } = row;
    let finding = row.proof.as_ref().map(|proof| (proof.finding, proof.steps, proof.bytes));
    format!(
        "{answer} {verdict:?} {evidence:?} {termination:?} {formula:?} {clause_digest:?} {effort:?} {places:?} \
         {finding:?} {:?}",
        row.note
    )
}

/// The number of whole lines with rows in the sessions of an experiment, which may be running.
pub(crate) fn row_lines(experiment: &Path) -> usize {
    let is_row = |line: &&[u8]| line.starts_with(b"{\"row\":") && line.ends_with(b"\n");
    let lines = |path: PathBuf| {
        fs::read(path).unwrap().split_inclusive(|&byte| byte == b'\n').filter(is_row).count()
    };
    sessions_in(experiment).into_iter().map(lines).sum()
}

/// The content of the files of sessions, by their names.
pub(crate) type Files = BTreeMap<OsString, Vec<u8>>;

/// The files of the sessions in an experiment's folder.
pub(crate) fn files_in(experiment: &Path) -> Files {
    let paths = sessions_in(experiment).into_iter();
    paths.map(|path| (path.file_name().unwrap().to_owned(), fs::read(path).unwrap())).collect()
}

/// Checks that files are in an experiment's folder as they were: no session changes the file of another one.
#[track_caller]
pub(crate) fn are_kept(files: &Files, experiment: &Path) {
    for (name, bytes) in files {
        assert!(fs::read(experiment.join(name)).unwrap() == *bytes, "{} differs", name.display());
    }
}

/// The number of running processes of our own program that this process started, by variables of their environment.
pub(crate) fn alive(runner: u32) -> usize {
    let (worker, limited) = (format!("BEZZEL_RUN={runner}"), format!("BEZZEL_LIMITED={runner}:"));
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let carries = |path: &Path| {
        let environ = fs::read(path.join("environ")).unwrap_or_default();
        environ
            .split(|&byte| byte == 0)
            .any(|entry| entry == worker.as_bytes() || entry.starts_with(limited.as_bytes()))
    };
    processes.filter(|process| carries(&process.path())).count()
}

/// Numbers that are the same in every run of the tests (`SplitMix64`; Steele, Lea, Flood, OOPSLA
/// 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, max: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed_hash(self.0) % max
    }
}
