//! Command lines that misbehave in every way we could think of, under a supervisor that looks
//! after everything that they start.

mod endings;

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use bezzel_external::{Account, SoftLimits, Supervised};

const MISBEHAVE: &str = env!("CARGO_BIN_EXE_misbehave");

/// More than anything here needs.
const AMPLE: SoftLimits = SoftLimits { cpu_s: 60.0, wall_s: 60.0, memory_bytes: 1 << 30 };

const MIB: u64 = 1 << 20;

/// One run in a folder of its own, all processes of which can be found.
struct Bench {
    folder: tempfile::TempDir,
    token: String,
    program: Supervised,
}

impl Bench {
    /// The command line; `misbehave` in it is the program of that name.
    fn new(command: &str, limits: SoftLimits) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let token = format!("supervised-token-{}-{count}.", std::process::id());
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("output");
        let command = command.replace("misbehave", MISBEHAVE);
        let mut program = Supervised::new(command, folder.path(), limits, output);
        program.supervisor = PathBuf::from(MISBEHAVE);
        program.environment.push(("TOKEN".into(), token.clone().into()));
        program.grace = Duration::from_millis(100);
        Self { folder, token, program }
    }

    /// Runs it, and sees to it that nothing is left.
    #[track_caller]
    fn run(&self) -> Account {
        let account = self.program.run(None).unwrap();
        assert_eq!(survivors(&self.token), 0, "somebody survived: {account:?}");
        account
    }

    fn output(&self) -> Vec<u8> {
        fs::read(self.folder.path().join("output")).unwrap()
    }

    fn text(&self) -> String {
        String::from_utf8(self.output()).unwrap()
    }
}

#[track_caller]
fn run(command: &str, limits: SoftLimits) -> Account {
    Bench::new(command, limits).run()
}

/// The processes whose environment holds `token` now. Who is a zombie has none.
fn survivors(token: &str) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let environments = processes.filter_map(|entry| fs::read(entry.path().join("environ")).ok());
    environments.filter(|environ| String::from_utf8_lossy(environ).contains(token)).count()
}

/// Waits until something is so, or too long has passed.
fn eventually(so: impl Fn() -> bool) -> bool {
    let patience = Instant::now() + Duration::from_secs(5);
    while !so() && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(2));
    }
    so()
}
