//! Programs that misbehave in many ways, under supervision, and worker processes that limit and measure themselves.

mod endings;
mod input_and_output;
mod leftovers;
mod roles;
mod workers;

use std::fs;
use std::time::{Duration, Instant};

use bezzel_process::{Outcome, Program};

/// A limit long enough for any program that ends by itself, and short enough to notice one that does not.
const AMPLE: Duration = Duration::from_mins(10);

/// Returns a shell script as a program.
fn shell(script: &str, wall: Duration) -> Program {
    Program {
        args: vec!["-c".into(), script.into()],
        environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
        ..Program::new("/bin/sh", wall)
    }
}

#[track_caller]
fn run(program: &Program) -> Outcome {
    program.run(None).unwrap()
}

/// Runs with a short wall limit, and a longer one each time until the program has written output.
#[track_caller]
fn run_once_begun(new: impl Fn(Duration) -> Program) -> (Duration, Outcome) {
    let mut wall = Duration::from_millis(100);
    loop {
        let outcome = run(&new(wall));
        if outcome.stdout.written > 0 {
            return (wall, outcome);
        }
        wall *= 4;
        assert!(wall < AMPLE, "it does not begin: {outcome:?}");
    }
}

/// Counts the processes whose environment contains `token`, after waiting for dying ones.
fn survivors(token: &str) -> usize {
    let deadline = Instant::now() + Duration::from_mins(2);
    loop {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let environments =
            processes.filter_map(|entry| fs::read(entry.path().join("environ")).ok());
        let count =
            environments.filter(|environ| String::from_utf8_lossy(environ).contains(token)).count();
        if count == 0 || Instant::now() > deadline {
            return count;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Returns a variable that marks all processes of one test, and is unique.
fn token(test: &str) -> String {
    format!("token-{test}-{}", std::process::id())
}
