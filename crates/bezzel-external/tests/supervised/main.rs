//! Command lines that misbehave in every way we could think of, under a supervisor that looks
//! after everything that they start.

#![expect(
    clippy::disallowed_methods,
    reason = "the crate that starts processes tests its own ways"
)]

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

use bezzel_external::{Account, ExternalError, SoftLimits, Supervised};

const MISBEHAVE: &str = env!("CARGO_BIN_EXE_misbehave");

/// More than anything here needs, on a machine however slow.
const AMPLE: SoftLimits = SoftLimits { cpu_s: 600.0, wall_s: 600.0, memory_bytes: 1 << 30 };

const MIB: u64 = 1 << 20;

/// One run in a folder of its own, all processes of which can be found.
struct Bench {
    folder: tempfile::TempDir,
    token: String,
    program: Supervised,
}

impl Bench {
    /// The command line; in it, `misbehave` is the program of that name, and `TOKEN` a word by
    /// which processes can be found that have given up their environment.
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

    /// Runs it, and sees to it that nothing is left.
    #[track_caller]
    fn run(&self) -> Account {
        match self.try_run() {
            Ok(account) => account,
            Err(error) => panic!("{error}"),
        }
    }

    /// Runs it, and sees to it that nothing is left.
    #[track_caller]
    fn try_run(&self) -> Result<Account, ExternalError> {
        let account = self.program.run(None);
        assert_eq!(survivors(&self.token), 0, "somebody survived: {account:?}");
        account
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

/// Runs with a wall limit that is near, and farther each time until the command line came as far as to make
/// the file `begun`.
#[track_caller]
fn run_once_begun(new: impl Fn(SoftLimits) -> Bench) -> (SoftLimits, Bench, Account) {
    let mut limits = SoftLimits { wall_s: 0.2, ..AMPLE };
    loop {
        let bench = new(limits);
        let account = bench.run();
        if bench.path().join("begun").exists() {
            return (limits, bench, account);
        }
        limits.wall_s *= 4.0;
        assert!(limits.wall_s < AMPLE.wall_s, "it does not begin: {account:?}");
    }
}

#[track_caller]
fn run(command: &str, limits: SoftLimits) -> Account {
    Bench::new(command, limits).run()
}

/// A word that no other process has.
fn token() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("supervised-token-{}-{count}.", std::process::id())
}

/// The command line with the words in it replaced that stand for others.
fn words(command: &str, token: &str) -> String {
    command.replace("misbehave", MISBEHAVE).replace("TOKEN", token)
}

/// The processes that hold `token` in their environment or their arguments now, but for this one.
/// Who is a zombie has neither.
fn survivors(token: &str) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let holds = |file: PathBuf| {
        fs::read(file).is_ok_and(|text| String::from_utf8_lossy(&text).contains(token))
    };
    processes.filter(|path| holds(path.join("environ")) || holds(path.join("cmdline"))).count()
}

/// Waits until something is so, or too long has passed. Returns whether it is.
fn eventually(so: impl Fn() -> bool) -> bool {
    let patience = Instant::now() + Duration::from_mins(2);
    while !so() && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(2));
    }
    so()
}
