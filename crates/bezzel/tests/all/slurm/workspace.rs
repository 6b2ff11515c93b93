//! A folder with a config, the commands in it, and its files afterwards.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use bezzel_experiment::store::{self};
use serde_json::Value;
use tempfile::TempDir;

use crate::program::{printed, rows_in};
use crate::slurm::node::{Node, wait_until};
use crate::slurm::results::results_in;

const BEZZEL: &str = env!("CARGO_BIN_EXE_bezzel");

/// Many small jobs: a task has some seconds of them, so that it can be killed in the middle.
const CONFIG: &str = "\
name: drill
boards: {size: [4, 5, 6, 7, 8]}
encodings: [pairwise, sequential-counter, binary]
solvers: [cadical, batsat]
repeats: 10
limits: {cpu: 10 s, wall: 20 s, memory: 256 MiB}
calibration: off
warm_up: 0
";

/// The number of these jobs.
pub(crate) const PLANNED: usize = 300;

/// Tasks of a whole submission.
const TASKS: &str = "4";

/// The number of rows at which an attempt is in the middle of its work.
const SOME: usize = 10;

/// The folder of a submitted experiment.
pub(crate) struct Workspace<'a> {
    pub(crate) node: &'a Node,
    folder: TempDir,
}

impl<'a> Workspace<'a> {
    pub(crate) fn new(node: &'a Node) -> Self {
        Self { node, folder: folder() }
    }

    pub(crate) fn bezzel(&self, arguments: &[&str]) -> Output {
        let mut command = self.node.command(BEZZEL);
        command.args(arguments).current_dir(self.folder.path()).output().unwrap()
    }

    /// Runs a command that must succeed, and returns its output.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        let output = self.bezzel(arguments);
        let printed = printed(&output);
        assert_eq!(output.status.code(), Some(0), "bezzel {arguments:?}: {printed}");
        printed
    }

    /// Submits the missing jobs.
    pub(crate) fn submit(&self) -> String {
        self.run(&["submit", "question.yaml", "--slurm", "--time", "10min", "--array-size", TASKS])
    }

    /// A number of `bezzel status --json`.
    pub(crate) fn status(&self, field: &str) -> usize {
        let output = self.bezzel(&["status", "drill", "--json"]);
        assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
        let status: Value = serde_json::from_slice(&output.stdout).unwrap();
        let number = |field: &str| {
            let number = status[field].as_u64().unwrap_or_else(|| panic!("{field}: {status}"));
            usize::try_from(number).unwrap()
        };
        assert!(status["expected_s"].as_f64().is_some_and(|seconds| seconds >= 0.0), "{status}");
        let all = ["done", "running", "waiting", "missing"].map(number).iter().sum::<usize>();
        assert_eq!((number("planned"), all), (PLANNED, PLANNED), "{status}");
        assert_eq!(number("failed"), 0, "{status}");
        number(field)
    }

    pub(crate) fn experiment(&self) -> PathBuf {
        self.folder.path().join("experiments/drill")
    }

    /// The folders of submissions, in order of time.
    pub(crate) fn submissions(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.experiment().join("shards")).into_iter().flatten();
        let mut folders: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        folders.sort_unstable();
        folders
    }

    /// The number of jobs of a submission.
    pub(crate) fn submitted(submission: &Path) -> usize {
        lines(&submission.join("manifest.jsonl"))
    }

    /// The number of rows of the attempts of all submissions.
    pub(crate) fn attempted(&self) -> usize {
        let attempts = self.submissions().into_iter().flat_map(|folder| {
            let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
            entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("rows-"))
        });
        attempts.map(|entry| lines(&entry.path())).sum()
    }

    /// Waits until tasks are in the middle of their work.
    pub(crate) fn wait_for_some(&self) {
        wait_until("tasks have some rows", || self.attempted() >= SOME);
        assert!(self.attempted() < PLANNED, "the tasks were too fast to be disturbed");
    }

    /// Removes the job that merges from the queue.
    pub(crate) fn cancel_merge(&self) {
        let merge = self.node.queue().into_iter().find(|queued| queued.name.ends_with("-merge"));
        self.node.ask("scancel", &[&merge.expect("a job merges").job]);
    }

    /// Checks that all jobs are done, with the results of a local run.
    pub(crate) fn is_as(&self, local: &BTreeMap<String, String>) {
        assert_eq!(self.status("done"), PLANNED);
        assert_eq!(&results_in(&self.experiment()), local);
        // Each row names its attempt, its machine, and its task in Slurm.
        let sessions = store::environments(&self.experiment()).unwrap();
        for row in rows_in(&self.experiment()) {
            let session = &sessions[row.session];
            assert!(session.attempt.is_some() && session.host.is_some(), "{session:?}");
            let task = session.cluster.as_ref().expect("Slurm ran it");
            assert_eq!(task.scheduler, "slurm");
            assert!(task.job > 0 && task.task.is_some(), "{task:?}");
            assert_eq!(task.node.as_deref(), Some("n1"));
        }
        self.run(&["verify", "drill"]);
    }
}

/// The results of a run on this machine alone.
pub(crate) fn local() -> BTreeMap<String, String> {
    let folder = folder();
    let mut command = Command::new(BEZZEL);
    let command = command.args(["run", "question.yaml", "--quiet"]).current_dir(folder.path());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    let results = results_in(&folder.path().join("experiments/drill"));
    assert_eq!(results.len(), PLANNED);
    results
}

/// A folder with the config, and with a name that needs quotes in Slurm.
fn folder() -> TempDir {
    let folder = tempfile::Builder::new().prefix("it's a 100%j é ").tempdir().unwrap();
    fs::write(folder.path().join("question.yaml"), CONFIG).unwrap();
    folder
}

fn lines(file: &Path) -> usize {
    fs::read_to_string(file).unwrap_or_default().lines().count()
}
