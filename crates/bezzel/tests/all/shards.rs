//! Shards without a batch system: `bezzel run --shard`, started by other programs.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::interruptions::workspace::{Results, results_in, row_lines};
use crate::program::{BEZZEL, ended, is_missing, wait_until};

const CONFIG: &str = "\
name: cut
problems: {queens: {size: [4, 5, 6]}}
encodings: [pairwise, binary]
solvers: [cadical, batsat]
repeats: 12
limits: {cpu: 600 s, wall: 600 s, memory: 256 MiB}
calibration: off
warm_up: 0
";

const PLANNED: usize = 144;

/// The variable that identifies the processes of a folder. Its value is the folder.
const MARK: &str = "BEZZEL_TEST_FOLDER";

struct Workspace {
    folder: TempDir,
}

impl Workspace {
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

    /// Runs a command that must succeed.
    fn bezzel(&self, arguments: &[&str]) {
        ended(&self.command(BEZZEL).args(arguments).output().unwrap(), 0);
    }

    fn experiment(&self) -> PathBuf {
        self.folder.path().join("experiments/cut")
    }

    /// The processes that were started here, except workers, which have no environment and end with their parents.
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
                // The process may have ended by now.
                let _ = kill_process(*process, Signal::KILL);
            }
            processes.is_empty()
        });
    }
}

/// The results of a run without shards.
fn whole() -> Results {
    let workspace = Workspace::new();
    workspace.bezzel(&["run", "question.yaml", "--quiet"]);
    let results = results_in(&workspace.experiment());
    assert_eq!(results.len(), PLANNED);
    results
}

#[test]
#[ignore = "second tier: it starts GNU parallel"]
fn shards_that_gnu_parallel_starts_survive_kills_and_are_done_by_the_same_command() {
    if !is_parallel_installed() {
        return;
    }
    let workspace = Workspace::new();
    let start = || {
        let mut command = workspace.command("parallel");
        command.env("PARALLEL_HOME", workspace.folder.path().join("parallel"));
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
    fs::create_dir(workspace.folder.path().join("parallel")).unwrap();
    // All processes are killed at once, as in a power failure.
    let mut parallel = start();
    wait_until("shards have some rows", || row_lines(&workspace.experiment()) >= 10);
    workspace.kill_all();
    parallel.wait().unwrap();
    // One shard is killed: the others go on, and parallel reports one failure.
    let mut parallel = start();
    let before = row_lines(&workspace.experiment());
    assert!(before < PLANNED, "the shards were too fast to be disturbed");
    wait_until("shards have more rows", || row_lines(&workspace.experiment()) > before);
    let shard = workspace.processes().into_iter().find(|process| is_shard(*process));
    if let Some(process) = shard {
        // The process may have ended by now.
        let _ = kill_process(process, Signal::KILL);
    }
    parallel.wait().unwrap();
    // The same command runs the rest.
    assert!(start().wait().unwrap().success());

    assert_eq!(results_in(&workspace.experiment()), whole());
}

/// True if the process is a shard, and not the process that started it.
fn is_shard(process: Pid) -> bool {
    let line = fs::read(format!("/proc/{}/cmdline", process.as_raw_nonzero())).unwrap_or_default();
    line.starts_with(BEZZEL.as_bytes())
}

/// True if GNU parallel is installed. Another program has the same name.
fn is_parallel_installed() -> bool {
    let version = Command::new("parallel").arg("--version").stdin(Stdio::null()).output();
    version.is_ok_and(|output| output.stdout.starts_with(b"GNU parallel"))
        || is_missing("GNU parallel")
}
