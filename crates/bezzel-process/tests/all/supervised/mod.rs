//! Command lines that misbehave in many ways, under a supervisor of all processes that they start.

mod accounts;
mod beginnings;
mod cgroups;
mod endings;
mod leftovers;
mod output;
mod whole_trees;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use bezzel_process::{ExternalError, SoftLimits, Supervised, SupervisedOutcome};

const MISBEHAVE: &str = env!("CARGO_BIN_EXE_misbehave");

/// Limits above the needs of every test, also on a slow machine.
const AMPLE: SoftLimits = SoftLimits { cpu_s: 600.0, wall_s: 600.0, memory_bytes: 1 << 30 };

const MIB: u64 = 1 << 20;

/// One run in a folder of its own. All its processes can be found.
struct Bench {
    folder: tempfile::TempDir,
    token: String,
    program: Supervised,
}

impl Bench {
    /// Returns a bench for the command line. In it, `misbehave` stands for the program of that name, and `TOKEN`
    /// for a word by which processes with a cleared environment can be found.
    fn new(command: &str, limits: SoftLimits) -> Self {
        let (folder, token) = (tempfile::tempdir().unwrap(), token());
        let output = folder.path().join("output");
        let command = words(command, &token);
        let mut program = Supervised::new(command, folder.path(), limits, output);
        program.supervisor = PathBuf::from(MISBEHAVE);
        program.environment.push(("TOKEN".into(), token.clone().into()));
        program.grace = Duration::from_millis(100);
        Self { folder, token, program }
    }

    /// Runs it, and checks that no process is left.
    #[track_caller]
    fn run(&self) -> SupervisedOutcome {
        match self.try_run() {
            Ok(outcome) => outcome,
            Err(error) => panic!("{error}"),
        }
    }

    /// Runs it, and checks that no process is left.
    #[track_caller]
    fn try_run(&self) -> Result<SupervisedOutcome, ExternalError> {
        let outcome = self.program.run(None);
        assert_eq!(survivors(&self.token), 0, "a process survived: {outcome:?}");
        outcome
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn output(&self) -> Vec<u8> {
        fs::read(self.path().join("output")).unwrap()
    }

    fn text(&self) -> String {
        String::from_utf8(self.output()).unwrap()
    }
}

/// Runs with a short wall limit, and a longer one each time until the command line has made the file `begun`.
#[track_caller]
fn run_once_begun(new: impl Fn(SoftLimits) -> Bench) -> (SoftLimits, Bench, SupervisedOutcome) {
    let mut limits = SoftLimits { wall_s: 0.2, ..AMPLE };
    loop {
        let bench = new(limits);
        let outcome = bench.run();
        if bench.path().join("begun").exists() {
            return (limits, bench, outcome);
        }
        limits.wall_s *= 4.0;
        assert!(limits.wall_s < AMPLE.wall_s, "it does not begin: {outcome:?}");
    }
}

#[track_caller]
fn run(command: &str, limits: SoftLimits) -> SupervisedOutcome {
    Bench::new(command, limits).run()
}

/// Returns a word that no other process has.
fn token() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("supervised-token-{}-{count}.", std::process::id())
}

/// Replaces the placeholders in the command line.
fn words(command: &str, token: &str) -> String {
    command.replace("misbehave", MISBEHAVE).replace("TOKEN", token)
}

/// Counts the processes that have `token` in their environment or their arguments now, except this one. A zombie
/// has neither.
fn survivors(token: &str) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let holds = |file: PathBuf| {
        fs::read(file).is_ok_and(|text| String::from_utf8_lossy(&text).contains(token))
    };
    processes.filter(|path| holds(path.join("environ")) || holds(path.join("cmdline"))).count()
}

/// Waits until `so` has returned true once, or too long has passed. It is not asked again after that: a process that
/// has just been seen has no arguments for a moment while it starts another program.
fn eventually(so: impl Fn() -> bool) -> bool {
    let deadline = Instant::now() + Duration::from_mins(2);
    loop {
        if so() {
            return true;
        }
        if Instant::now() >= deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
