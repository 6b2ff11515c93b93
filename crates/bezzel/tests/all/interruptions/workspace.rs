//! A folder with a config in which the program runs, and its files afterwards.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use bezzel_experiment::Row;
use bezzel_experiment::store::{self};
use bezzel_problem::mixed_hash;
use tempfile::TempDir;

use crate::program::{BEZZEL, rows_in};

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

    pub(crate) fn rows_file(&self) -> PathBuf {
        self.experiment().join(store::ROWS)
    }

    /// The whole lines of the file of rows.
    pub(crate) fn lines(&self) -> Vec<u8> {
        let mut bytes = fs::read(self.rows_file()).unwrap_or_default();
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        bytes.truncate(whole);
        bytes
    }

    /// The rows, each with its checksum.
    pub(crate) fn rows(&self) -> Vec<Row> {
        rows_in(&self.experiment())
    }
}

/// The results that must be equal for every disturbance, by key. Checks that every job is settled once.
pub(crate) fn results(rows: &[Row]) -> BTreeMap<String, String> {
    let mut results = BTreeMap::new();
    for row in rows.iter().filter(|row| row.is_settled()) {
        let Row {
            status: answer,
            verdict,
            checked_by: evidence,
            termination,
            formula,
            clause_digest,
            solver_stats: effort,
            places: queens,
            ..
        } = row;
        let finding = row.proof.as_ref().map(|proof| (proof.finding, proof.steps, proof.bytes));
        let result = format!(
            "{answer} {verdict:?} {evidence:?} {termination:?} {formula:?} {clause_digest:?} {effort:?} \
             {queens:?} {finding:?} {:?}",
            row.note
        );
        assert_eq!(results.insert(row.key.to_string(), result), None, "{} twice", row.key);
    }
    results
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
