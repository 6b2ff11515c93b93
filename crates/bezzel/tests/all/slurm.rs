//! An experiment on a real Slurm of one node, which `.ci/slurm-node` starts for this test alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::interruptions::workspace::{found_in, results_in, row_lines};
use crate::program::{BEZZEL, bezzel_in, ended, is_installed, printed, skip};

/// The time limit of each step. Slurm requeues after some seconds, and machines may be slow.
const PATIENCE: Duration = Duration::from_mins(2);

/// Many small jobs: a task has some seconds of them, so that it can be killed in the middle.
const CONFIG: &str = "\
name: drill
problems: {queens: {size: [4, 5, 6, 7, 8]}}
encodings: [pairwise, sequential-counter, binary]
solvers: [cadical, batsat]
repeats: 10
limits: {cpu: 10 s, wall: 20 s, memory: 256 MiB}
calibration: off
warm_up: 0
";

const PLANNED: usize = 300;

/// A Slurm that runs until this is dropped, and a folder with the config.
struct Node {
    /// The state of Slurm, in a folder whose name is short enough for that of a socket.
    state: TempDir,
    folder: TempDir,
}

impl Node {
    /// Starts the node, or prints the reason why there is none.
    fn start() -> Option<Self> {
        let programs = ["sbatch", "squeue", "scancel", "slurmctld", "slurmd", "munged"];
        if !programs.iter().all(|program| is_installed(program)) {
            return None;
        }
        // A name that needs quotes in a script, and in Slurm's names of logs.
        let folder = tempfile::Builder::new().prefix("it's a 100%j é ").tempdir().unwrap();
        fs::write(folder.path().join("question.yaml"), CONFIG).unwrap();
        let node = Self { state: tempfile::tempdir().unwrap(), folder };
        let output = node.script("start");
        if output.status.success() {
            return Some(node);
        }
        skip(&format!("Slurm cannot run here: {}", printed(&output).trim()));
        None
    }

    fn script(&self, subcommand: &str) -> Output {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.ci/slurm-node");
        // Two tasks at a time, even on larger machines: others wait, so that a kill meets an unfinished array.
        let mut command = Command::new(script);
        let state = self.state.path().join("slurm");
        command.env("SLURM_NODE_CPUS", "2").arg(subcommand).arg(state).output().unwrap()
    }

    /// Runs the script with this subcommand, which must succeed.
    fn control(&self, subcommand: &str) -> String {
        let output = self.script(subcommand);
        assert!(output.status.success(), "slurm-node {subcommand}: {}", printed(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a program in the folder with this Slurm. It must succeed.
    fn run(&self, program: &str, arguments: &[&str]) -> String {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.state.path().join("slurm/slurm.conf"));
        let output = command.args(arguments).current_dir(self.folder.path()).output().unwrap();
        assert!(output.status.success(), "{program} {arguments:?}: {}", printed(&output));
        printed(&output)
    }

    fn submit(&self, options: &[&str]) {
        let submit = ["run", "question.yaml", "--tasks", "4"];
        let printed = self.run(BEZZEL, &[&submit, options].concat());
        assert!(printed.starts_with("Submitted batch job "), "{printed}");
    }

    fn experiment(&self) -> PathBuf {
        self.folder.path().join("experiments/drill")
    }

    /// Waits until the queue is empty. Resumes the node meanwhile, as an administrator would.
    fn drain(&self) {
        wait_until("the queue is empty", || {
            self.control("resume");
            self.run("squeue", &["--noheader"]).is_empty()
        });
    }

    /// The processes of tasks that run a shard.
    fn shards(&self) -> Vec<Pid> {
        let ids = self.control("processes");
        let is_shard = |id: &i32| {
            let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            line.split(|&byte| byte == 0).any(|word| word == b"--shard")
        };
        let ids = ids.lines().map(|id| id.parse().unwrap());
        ids.filter(is_shard).filter_map(Pid::from_raw).collect()
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let output = self.script("stop");
        let left = self.script("processes").stdout;
        // A panic within a panic would hide the first.
        if !std::thread::panicking() {
            assert!(output.status.success(), "{}", printed(&output));
            assert!(left.is_empty(), "processes of jobs outlive their node");
        }
    }
}

/// Waits until the condition holds. Panics at the time limit.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
#[ignore = "second tier: needs Slurm"]
fn a_task_that_is_killed_requeued_or_run_twice_loses_and_doubles_no_row() {
    let Some(node) = Node::start() else { return };
    node.submit(&[]);
    let mut task = None;
    wait_until("there are some rows, and a task runs", || {
        task = node.shards().pop();
        task.is_some() && row_lines(&node.experiment()) >= 10
    });
    // A task that is killed has failed, and Slurm does not start it again.
    kill_process(task.expect("a task runs"), Signal::KILL).unwrap();
    wait_until("Slurm has seen that a task failed", || {
        !node.run("squeue", &["--noheader", "--states=FAILED"]).is_empty()
    });
    // A task that is lost with the node goes back to the queue, and continues its shard.
    wait_until("another task runs", || !node.shards().is_empty());
    node.control("kill-node");
    assert!(!node.run("squeue", &["--noheader"]).is_empty());
    node.control("start-node");
    node.drain();
    let done = results_in(&node.experiment()).len();
    assert!(0 < done && done < PLANNED, "the killed task has jobs left: {done}");
    let status = node.run(BEZZEL, &["status", "drill", "--json"]);
    assert!(status.contains(&format!("\"done\": {done},")), "{status}");
    let (_, found) = found_in(&node.experiment());
    assert!(found.repeated.is_empty(), "no job has two answers");

    node.submit(&[]);
    node.drain();
    let undisturbed = tempfile::tempdir().unwrap();
    fs::write(undisturbed.path().join("question.yaml"), CONFIG).unwrap();
    ended(&bezzel_in(undisturbed.path(), &["run", "question.yaml", "--quiet"]), 0);
    let expected = results_in(&undisturbed.path().join("experiments/drill"));
    assert_eq!(expected.len(), PLANNED);
    assert_eq!(results_in(&node.experiment()), expected);
    node.run(BEZZEL, &["report", "drill"]);
    node.run(BEZZEL, &["verify", "drill"]);
    let logs = fs::read_dir(node.experiment()).unwrap().map(|file| file.unwrap().file_name());
    let logs = logs.filter(|name| name.to_string_lossy().starts_with("slurm-"));
    assert_eq!(logs.count(), 8, "a log for each task of both arrays");

    // Every shard is run a second time while tasks of the array run.
    node.submit(&["--name", "twice"]);
    let twice = node.experiment().with_file_name("twice");
    wait_until("tasks have some rows", || row_lines(&twice) >= 10);
    let shards = ["1/4", "2/4", "3/4", "4/4"].map(|shard| {
        let mut command = Command::new(BEZZEL);
        command.args(["run", "question.yaml", "--name", "twice", "--quiet", "--shard", shard]);
        command.current_dir(node.folder.path()).stdout(Stdio::null()).spawn().unwrap()
    });
    assert!(shards.map(|mut shard| shard.wait().unwrap().success()) == [true; 4]);
    node.drain();
    assert_eq!(results_in(&twice), expected);
    assert!(!found_in(&twice).1.repeated.is_empty(), "no job was run twice");
    let printed = node.run(BEZZEL, &["report", "twice"]);
    assert!(
        printed.contains("measured by several sessions: the first session counts"),
        "{printed}"
    );
    node.run(BEZZEL, &["verify", "twice"]);
}
