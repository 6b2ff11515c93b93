//! Programs that misbehave in a way that the first argument names, for the tests of this crate, and their
//! supervisor.

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, abort, exit};
use std::thread;
use std::time::Duration;

use bezzel_process::{
    Cgroups, Program, SoftLimits, Supervised, adopt_orphans, cgroup, end_all, end_orphans,
    supervisor, usage,
};

const MIB: usize = 1 << 20;

/// The longest time of a way without an end, also after a failed test.
const FOREVER: Duration = Duration::from_mins(20);

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let word = |at: usize| arguments.get(at).map_or("", String::as_str);
    let number = |at: usize| word(at).parse::<u64>().unwrap_or(1);
    let again = || Ok::<_, io::Error>(Command::new(env::current_exe()?));
    match word(0) {
        "supervise" => supervisor::serve(&mut io::stdout().lock())?,
        // Uses CPU time, and then sleeps; both arguments are numbers of milliseconds.
        "burn" => {
            burn(number(1));
            thread::sleep(Duration::from_millis(word(2).parse().unwrap_or(0)));
        }
        // Runs `burn` in a number of children at the same time, each for a number of milliseconds.
        "burn-in-children" => {
            let children: Vec<_> = (0..number(1))
                .map(|_| again()?.args(["burn", word(2)]).spawn())
                .collect::<io::Result<_>>()?;
            for mut child in children {
                child.wait()?;
            }
        }
        // Holds a number of MiB for a number of milliseconds.
        "hold" => {
            let block = vec![1_u8; number(1) as usize * MIB];
            thread::sleep(Duration::from_millis(number(2)));
            assert!(block.iter().step_by(4096).all(|&byte| byte == 1));
        }
        // Holds a number of MiB, makes a file, waits for another one, and holds them for a second more.
        "hold-beside" => {
            let block = vec![1_u8; number(1) as usize * MIB];
            assert!(block.iter().step_by(4096).all(|&byte| byte == 1));
            std::fs::write(word(2), "")?;
            while !PathBuf::from(word(3)).exists() {
                thread::sleep(Duration::from_millis(1));
            }
            thread::sleep(Duration::from_secs(1));
            assert!(block.iter().step_by(4096).all(|&byte| byte == 1));
        }
        // Allocates one more MiB every millisecond.
        "grow" => {
            let mut blocks = Vec::new();
            for _ in 0..4096 {
                blocks.push(std::hint::black_box(vec![1_u8; MIB]));
                thread::sleep(Duration::from_millis(1));
            }
        }
        // Writes a number of MiB of one byte, without a line end.
        "flood" => {
            let block = vec![number(2) as u8; MIB];
            let mut out = io::stdout().lock();
            for _ in 0..number(1) {
                out.write_all(&block)?;
            }
        }
        // Sleeps; the other arguments are for searches only.
        "sleep" => thread::sleep(FOREVER),
        // Doubles the number of processes, a number of times.
        "bomb" => {
            let depth = number(1);
            for _ in 0..if depth > 0 { 2 } else { 0 } {
                let depth = (depth - 1).to_string();
                again()?.args(["bomb", &depth, word(2)]).spawn()?;
            }
            thread::sleep(FOREVER);
        }
        // Starts a successor in a session of its own, and ends; a number of times.
        "comet" => {
            if let Some(left) = number(1).checked_sub(1) {
                Command::new("setsid")
                    .arg(env::current_exe()?)
                    .args(["comet", &left.to_string(), word(2)])
                    .spawn()?;
            }
        }
        // Runs a command line in the folder, and prints the result.
        "run" => writeln!(io::stdout(), "{:?}", supervised(word(1), word(2)).run(None))?,
        // Runs a command line in a worker of its own, as a runner does.
        "run-in-worker" => run_in_worker(word(1), word(2))?,
        // Runs a command line, and is interrupted meanwhile.
        "interrupted" => {
            let program = supervised(word(1), word(2));
            thread::spawn(move || program.run(None));
            while !PathBuf::from(word(1)).join("begun").exists() {
                thread::sleep(Duration::from_millis(1));
            }
            end_all();
        }
        // Joins a control group before it executes a command line.
        "join" => {
            use std::os::unix::process::CommandExt;
            cgroup::join(&PathBuf::from(word(1))).map_err(io::Error::other)?;
            return Err(Command::new("/bin/sh").args(["-c", word(2)]).exec());
        }
        // Executes a command line in its own group.
        "stay" => {
            use std::os::unix::process::CommandExt;
            return Err(Command::new("/bin/sh").args(["-c", word(1)]).exec());
        }
        // Prints the available control groups.
        "level" => writeln!(io::stdout(), "{:?}", Cgroups::detect())?,
        "abort" => abort(),
        other => {
            writeln!(io::stderr(), "misbehave: no way `{other}`")?;
            exit(99);
        }
    }
    Ok(())
}

fn run_in_worker(folder: &str, command: &str) -> io::Result<()> {
    adopt_orphans();
    let worker = Program {
        args: ["run", folder, command].map(Into::into).to_vec(),
        environment: env::vars_os().collect(),
        ..Program::new(env::current_exe()?, FOREVER)
    };
    let outcome = worker.run(None);
    end_orphans();
    writeln!(io::stdout(), "{:?}", outcome.map(|outcome| outcome.exit))
}

#[expect(clippy::disallowed_methods, reason = "the crate that starts processes tests its own ways")]
fn supervised(folder: &str, command: &str) -> Supervised {
    let limits = SoftLimits { cpu_s: 600.0, wall_s: 600.0, memory_bytes: 1 << 30 };
    let output = PathBuf::from(folder).join("output");
    let mut program = Supervised::new(command, folder, limits, output);
    program.environment.extend(env::var_os("TOKEN").map(|token| ("TOKEN".into(), token)));
    program
}

fn burn(milliseconds: u64) {
    // The CPU time before the execution of this program is not included.
    let end = usage::cpu_s() + milliseconds as f64 * 1e-3;
    let mut x = 1_u64;
    while usage::cpu_s() < end {
        for _ in 0..10_000 {
            x = std::hint::black_box(x.wrapping_mul(3));
        }
    }
}
