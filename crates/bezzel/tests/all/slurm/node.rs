//! A node: Slurm on this machine, for this test alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::program::{is_installed, skip};

/// The time limit of all operations of Slurm. It requeues after some seconds, and machines may be slow.
const PATIENCE: Duration = Duration::from_mins(2);

/// A Slurm that runs until this is dropped.
pub(crate) struct Node {
    /// The state of the node, in a folder whose name is short enough for that of a socket.
    folder: TempDir,
}

/// A line of the queue.
#[derive(Debug)]
pub(crate) struct Queued {
    pub(crate) job: String,
    pub(crate) name: String,
}

impl Node {
    /// Starts the node, or prints the reason why there is none.
    pub(crate) fn start() -> Option<Self> {
        for program in ["sbatch", "squeue", "scancel", "slurmctld", "slurmd", "munged"] {
            if !is_installed(program) {
                return None;
            }
        }
        let node = Self { folder: tempfile::tempdir().unwrap() };
        let output = node.script("start");
        if output.status.success() {
            return Some(node);
        }
        let why = String::from_utf8_lossy(&output.stderr);
        skip(&format!("Slurm cannot run here: {}", why.trim()));
        None
    }

    fn state(&self) -> PathBuf {
        self.folder.path().join("slurm")
    }

    fn script(&self, subcommand: &str) -> Output {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.ci/slurm-node");
        let mut command = Command::new(script);
        // Two tasks at a time, even on larger machines: others wait, so that a kill meets an unfinished array.
        command.env("SLURM_NODE_CPUS", "2").arg(subcommand).arg(self.state()).output().unwrap()
    }

    /// Runs the script with this subcommand, which must succeed.
    pub(crate) fn run(&self, subcommand: &str) -> String {
        let output = self.script(subcommand);
        let printed = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "slurm-node {subcommand}: {printed}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// A command whose program uses this Slurm.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.state().join("slurm.conf"));
        command
    }

    /// Runs one of Slurm's programs, and returns its output.
    pub(crate) fn ask(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.command(program).args(arguments).output().unwrap();
        let printed = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{program} {arguments:?}: {printed}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The tasks in the queue that have not ended, each by itself.
    pub(crate) fn queue(&self) -> Vec<Queued> {
        self.ask("squeue", &["--noheader", "--array", "--format=%i|%j"])
            .lines()
            .map(|line| {
                let (job, name) = line.split_once('|').unwrap();
                Queued { job: job.to_owned(), name: name.to_owned() }
            })
            .collect()
    }

    /// Waits until the queue is empty. Resumes the node meanwhile, as an administrator would.
    pub(crate) fn drain(&self) {
        wait_until("the queue is empty", || {
            self.run("resume");
            self.queue().is_empty()
        });
    }

    /// Cancels all tasks in the queue, and waits until they are gone.
    pub(crate) fn cancel_all(&self) {
        let jobs = self.queue().into_iter().map(|queued| queued.job);
        // A task that has ended by now cannot be cancelled.
        self.command("scancel").arg("--quiet").args(jobs).output().unwrap();
        self.drain();
    }

    /// The processes of jobs with this word on their command line.
    pub(crate) fn processes(&self, word: &str) -> Vec<Pid> {
        let ids = self.run("processes");
        let ids = ids.lines().map(|id| id.parse::<i32>().unwrap());
        let has_word = |id: &i32| {
            let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            line.split(|&byte| byte == 0).any(|found| found == word.as_bytes())
        };
        ids.filter(has_word).filter_map(Pid::from_raw).collect()
    }

    /// Kills a process of a job, if it still exists.
    pub(crate) fn kill(process: Pid) {
        let _ = kill_process(process, Signal::KILL);
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let output = self.script("stop");
        let left = self.script("processes").stdout;
        // A panic within a panic would hide the first.
        if !std::thread::panicking() {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            assert!(left.is_empty(), "processes of jobs outlive their node");
        }
    }
}

/// Waits until the condition holds. Panics at the time limit.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
