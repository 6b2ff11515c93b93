//! Programs that misbehave in every way we could think of, supervised; and workers that limit and
//! measure themselves.

mod commands;
mod endings;
mod input_and_output;
mod leftovers;
mod roles;
mod workers;

use std::fs;
use std::time::{Duration, Instant};

use bezzel_external::{Outcome, Program};

/// Long enough for anything that is to end by itself, short enough to tell when it does not.
const AMPLE: Duration = Duration::from_mins(10);

/// A shell script as a program.
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

/// Runs with a wall limit that is near, and farther each time until the program has written something.
#[track_caller]
fn run_once_begun(new: impl Fn(Duration) -> Program) -> (Duration, Outcome) {
    let mut wall = Duration::from_millis(150);
    loop {
        let outcome = run(&new(wall));
        if outcome.stdout.written > 0 {
            return (wall, outcome);
        }
        wall *= 4;
        assert!(wall < AMPLE, "it does not begin: {outcome:?}");
    }
}

/// The processes whose environment holds `token`, once the dying have had time to die.
fn survivors(token: &str) -> usize {
    let patience = Instant::now() + Duration::from_mins(2);
    loop {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let environments =
            processes.filter_map(|entry| fs::read(entry.path().join("environ")).ok());
        let count =
            environments.filter(|environ| String::from_utf8_lossy(environ).contains(token)).count();
        if count == 0 || Instant::now() > patience {
            return count;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A variable that marks all processes of one test, and cannot be in another's environment.
fn token(test: &str) -> String {
    format!("token-{test}-{}", std::process::id())
}
