//! Shards without a batch system: `bezzel run --shard`, by whoever starts processes.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::program::{BEZZEL, is_missing, told, wait_until};
use crate::slurm::results::results_in;

const CONFIG: &str = "\
name: cut
boards: {size: [4, 5, 6]}
encodings: [pairwise, binary]
solvers: [cadical, batsat]
repeats: 12
limits: {cpu: 600 s, wall: 600 s, memory: 256 MiB}
calibration: off
warm_up: 0
";

const PLANNED: usize = 144;

/// By this variable the processes of a folder are known; its value is the folder.
const MARK: &str = "BEZZEL_TEST_FOLDER";

struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("question.yaml"), CONFIG).unwrap();
        Self { folder }
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path()).env(MARK, self.folder.path());
        command
    }

    /// Runs a verb that must succeed.
    fn bezzel(&self, arguments: &[&str]) {
        let output = self.command(BEZZEL).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "bezzel {arguments:?}: {}", told(&output));
    }

    fn experiment(&self) -> PathBuf {
        self.folder.path().join("experiments/cut")
    }

    /// How many rows the attempts have.
    fn attempted(&self) -> usize {
        let folders = fs::read_dir(self.experiment().join("shards")).into_iter().flatten();
        let files = folders.flat_map(|folder| fs::read_dir(folder.unwrap().path()).unwrap());
        let rows = files
            .map(Result::unwrap)
            .filter(|file| file.file_name().to_string_lossy().starts_with("rows-"));
        let lines = |path: &Path| fs::read_to_string(path).unwrap_or_default().lines().count();
        rows.map(|file| lines(&file.path())).sum()
    }

    /// The processes that were started here, but for workers, which have no environment and end with who
    /// started them.
    fn processes(&self) -> Vec<Pid> {
        let mark = format!("{MARK}={}", self.folder.path().display());
        let processes = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
            let environ = fs::read(entry.path().join("environ")).ok()?;
            let is_here = environ.split(|&byte| byte == 0).any(|entry| entry == mark.as_bytes());
            let id = entry.file_name().to_str()?.parse().ok()?;
            if is_here { Pid::from_raw(id) } else { None }
        });
        processes.collect()
    }

    /// Kills all of them, and waits until none is left.
    fn kill_all(&self) {
        wait_until("all are gone", || {
            let processes = self.processes();
            for process in &processes {
                // Who has ended by now does not mind.
                let _ = kill_process(*process, Signal::KILL);
            }
            processes.is_empty()
        });
    }
}

/// What one run finds that is not cut.
fn whole() -> BTreeMap<String, String> {
    let place = Place::new();
    place.bezzel(&["run", "question.yaml", "--quiet"]);
    let results = results_in(&place.experiment());
    assert_eq!(results.len(), PLANNED);
    results
}

#[test]
fn shards_that_xargs_starts_come_to_what_one_run_finds() {
    let place = Place::new();
    let mut command = place.command("xargs");
    command.args(["-P", "2", "-I{}", BEZZEL, "run", "question.yaml", "--quiet", "--shard", "{}/4"]);
    let mut xargs = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    xargs.stdin.take().unwrap().write_all(b"1\n2\n3\n4\n").unwrap();
    assert!(xargs.wait().unwrap().success());
    // No shard writes where others do.
    assert!(results_in(&place.experiment()).is_empty());
    place.bezzel(&["merge", "cut"]);
    assert_eq!(results_in(&place.experiment()), whole());
    // Once more adds nothing, and nothing is left to be run.
    place.bezzel(&["merge", "cut"]);
    place.bezzel(&["run", "question.yaml", "--quiet"]);
    assert_eq!(results_in(&place.experiment()).len(), PLANNED);
}

#[test]
fn shards_that_gnu_parallel_starts_survive_kills_and_are_done_by_the_same_command() {
    if !is_parallel_installed() {
        return;
    }
    let place = Place::new();
    let start = || {
        let mut command = place.command("parallel");
        command.env("PARALLEL_HOME", place.folder.path().join("parallel"));
        command.args([
            "--will-cite",
            "--quote",
            "--jobs",
            "2",
            "--joblog",
            "log",
            "--resume-failed",
        ]);
        command.args([BEZZEL, "run", "question.yaml", "--quiet", "--shard", "{}/4"]);
        command.args([":::", "1", "2", "3", "4"]).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    fs::create_dir(place.folder.path().join("parallel")).unwrap();
    // Everything at once, as when the machine loses its power.
    let mut parallel = start();
    wait_until("shards have some rows", || place.attempted() >= 10);
    place.kill_all();
    parallel.wait().unwrap();
    // One shard alone: the others go on, and parallel tells that one failed.
    let mut parallel = start();
    let before = place.attempted();
    assert!(before < PLANNED, "the shards were too fast to be disturbed");
    wait_until("shards have more rows", || place.attempted() > before);
    let shard = place.processes().into_iter().find(|process| is_shard(*process));
    if let Some(process) = shard {
        // It may have ended by now.
        let _ = kill_process(process, Signal::KILL);
    }
    parallel.wait().unwrap();
    // What is left, by the same command.
    assert!(start().wait().unwrap().success());

    place.bezzel(&["merge", "cut"]);
    assert_eq!(results_in(&place.experiment()), whole());
}

/// Whether it is a shard at work, rather than who started it.
fn is_shard(process: Pid) -> bool {
    let line = fs::read(format!("/proc/{}/cmdline", process.as_raw_nonzero())).unwrap_or_default();
    line.starts_with(BEZZEL.as_bytes())
}

/// Asks for GNU parallel: another program has the same name.
fn is_parallel_installed() -> bool {
    let version = Command::new("parallel").arg("--version").stdin(Stdio::null()).output();
    version.is_ok_and(|output| output.stdout.starts_with(b"GNU parallel"))
        || is_missing("GNU parallel")
}
