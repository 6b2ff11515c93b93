//! The overhead of a run beyond the program itself: `cargo bench -p bezzel-process`.
//!
//! Each line is the mean of many runs of a program that does nothing: wall time, and CPU time of this process and
//! all processes that it started and reaped, in milliseconds.

#![expect(
    clippy::disallowed_methods,
    reason = "the crate that starts processes tests its own ways"
)]

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bezzel_process::{Cgroups, IsolationLevel, Program, SoftLimits, Supervised};
use nix::sys::resource::{UsageWho, getrusage};

const RUNS: u32 = 300;

fn main() -> io::Result<()> {
    // Cargo passes `--bench`; any other argument is the path of a supervisor to be started instead of ours.
    let given = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let supervisor = given.unwrap_or_else(|| env!("CARGO_BIN_EXE_misbehave").to_owned());
    let limits = SoftLimits { cpu_s: 60.0, wall_s: 60.0, memory_bytes: 1 << 30 };
    let program = Program::new("/bin/true", Duration::from_mins(1));
    let mut supervised = Supervised::new("exec true", "/tmp", limits, "/dev/null");
    supervised.supervisor = PathBuf::from(supervisor);
    measure("a program", || drop(program.run(None).unwrap()))?;
    measure("a supervised program", || drop(supervised.run(None).unwrap()))?;
    let groups = Cgroups::detect();
    writeln!(io::stdout(), "isolation: {} ({:?})", groups.level().id(), groups.note())?;
    if groups.level() > IsolationLevel::Rlimits {
        measure("a control group", || drop(groups.job(1 << 30)))?;
        measure("a program in a control group", || {
            let job = groups.job(1 << 30);
            let program = Program { cgroup: job.path().map(Path::to_path_buf), ..program.clone() };
            drop(program.run(None).unwrap());
        })?;
        let through = |args: &[&OsStr]| Program {
            args: args.iter().map(|&arg| arg.to_owned()).collect(),
            path: PathBuf::from(env!("CARGO_BIN_EXE_misbehave")),
            ..program.clone()
        };
        measure("a program that begins outside of one", || {
            let job = groups.job(1 << 30);
            drop(through(&["stay".as_ref(), "exec true".as_ref()]).run(None).unwrap());
            drop(job);
        })?;
        measure("a program that joins one", || {
            let job = groups.job(1 << 30);
            let worker = job.worker().unwrap_or_default();
            let program = through(&["join".as_ref(), worker.as_ref(), "exec true".as_ref()]);
            drop(program.run(None).unwrap());
        })?;
        measure("a supervised program in a control group", || {
            let job = groups.job(1 << 30);
            let supervised = Supervised { cgroup: job.programs(), ..supervised.clone() };
            drop(supervised.run(None).unwrap());
        })?;
    }
    let supervised = Supervised { command: "exec sleep 2".to_owned(), ..supervised };
    let (start, before) = (Instant::now(), cpu_s()?);
    supervised.run(None).unwrap();
    let share = (cpu_s()? - before) / start.elapsed().as_secs_f64() * 100.0;
    writeln!(io::stdout(), "watching a program that sleeps: {share:.2} % of a core")
}

fn measure(what: &str, mut run: impl FnMut()) -> io::Result<()> {
    run();
    let (start, before) = (Instant::now(), cpu_s()?);
    for _ in 0..RUNS {
        run();
    }
    let each = 1e3 / f64::from(RUNS);
    let (wall, cpu) = (start.elapsed().as_secs_f64() * each, (cpu_s()? - before) * each);
    writeln!(io::stdout(), "{what}: {wall:.3} ms wall, {cpu:.3} ms CPU")
}

fn cpu_s() -> io::Result<f64> {
    let mut sum = 0.0;
    for who in [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN] {
        let used = getrusage(who)?;
        for time in [used.user_time(), used.system_time()] {
            sum += time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6;
        }
    }
    Ok(sum)
}
