//! Control groups of version 2: real ones if they are available, otherwise folders that imitate them.

#![expect(clippy::explicit_write, reason = "`eprintln!` in a passing test is captured")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use bezzel_process::{Cgroups, Exit, IsolationLevel, Program, StopReason};

use super::leftovers::DAEMON;
use super::{AMPLE, Bench, MIB, MISBEHAVE, eventually, survivors, token, words};

/// Returns the control groups of this machine; one value at a time, dropped after the last test that uses it.
fn detected() -> Arc<Cgroups> {
    static HERE: Mutex<Weak<Cgroups>> = Mutex::new(Weak::new());
    let mut here = HERE.lock().unwrap_or_else(PoisonError::into_inner);
    here.upgrade().unwrap_or_else(|| {
        let new = Arc::new(Cgroups::detect());
        *here = Arc::downgrade(&new);
        new
    })
}

/// Returns the control groups of this machine, if there are any.
fn here() -> Option<Arc<Cgroups>> {
    let here = detected();
    let had = here.level() > IsolationLevel::Rlimits;
    if !had {
        let why = here.note().unwrap_or_default();
        writeln!(std::io::stderr(), "skipped: there are no control groups: {why}").unwrap();
    }
    had.then_some(here)
}

#[test]
fn the_level_is_reported_with_the_reason_why_it_is_no_higher() {
    let here = detected();
    assert_eq!(here.note().is_none(), here.level() == IsolationLevel::CgroupV2, "{here:?}");
    assert!(here.job(MIB).level() <= here.level());
    let ids = IsolationLevel::ALL.map(IsolationLevel::id);
    assert_eq!(ids, ["rlimits", "cgroup-v2-no-memory", "cgroup-v2"]);
}

#[test]
fn a_group_is_there_as_long_as_its_job() {
    let Some(here) = here() else { return };
    let job = here.job(256 * MIB);
    let (path, worker) = (job.path().unwrap().to_path_buf(), job.worker().unwrap());
    assert!(path.is_dir() && worker.is_dir() && job.programs().unwrap().is_dir());
    assert_eq!(job.level(), here.level());
    let other = here.job(256 * MIB);
    assert_ne!(other.path(), job.path());
    drop(job);
    assert!(!path.exists() && other.path().unwrap().is_dir());
}

#[test]
fn dropping_a_job_ends_who_is_in_it() {
    let Some(here) = here() else { return };
    let (job, token) = (here.job(256 * MIB), token());
    let path = job.path().unwrap().to_path_buf();
    let status = std::process::Command::new(MISBEHAVE)
        .arg("join")
        .arg(job.worker().unwrap())
        .arg(words(DAEMON, &token))
        .status()
        .unwrap();
    assert!(status.success());
    assert!(eventually(|| survivors(&token) >= 1));
    drop(job);
    assert!(!path.exists());
    assert_eq!(survivors(&token), 0);
}

#[test]
#[ignore = "second tier: it waits for a limit"]
fn a_worker_in_a_group_leaves_no_process_behind() {
    let Some(here) = here() else { return };
    let (job, token) = (here.job(256 * MIB), token());
    let script = words(&format!("{DAEMON}; sleep 0.1; misbehave burn 100; exit 3"), &token);
    let worker = Program {
        args: vec!["join".into(), job.worker().unwrap().into(), script.into()],
        environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
        cgroup: job.path().map(Path::to_path_buf),
        ..Program::new(MISBEHAVE, Duration::from_mins(10))
    };
    let outcome = worker.run(None).unwrap();
    assert_eq!((outcome.exit, survivors(&token)), (Exit::Code(3), 0));
    let used = job.usage().unwrap();
    assert!(used.cpu_s >= 0.1 && used.cpu_s < 10.0, "{used:?}");
    assert_eq!(used.oom_kills.is_some(), job.level() == IsolationLevel::CgroupV2);
}

#[test]
#[ignore = "second tier: it waits for a limit"]
fn the_wall_limit_ends_a_whole_group() {
    let Some(here) = here() else { return };
    let (job, token) = (here.job(256 * MIB), token());
    let script = words(&format!("{DAEMON}; trap '' TERM; while :; do sleep 1000; done"), &token);
    let worker = Program {
        args: vec!["join".into(), job.worker().unwrap().into(), script.into()],
        environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
        grace: Duration::from_millis(50),
        cgroup: job.path().map(Path::to_path_buf),
        ..Program::new(MISBEHAVE, Duration::from_millis(600))
    };
    let outcome = worker.run(None).unwrap();
    assert_eq!((outcome.exit, survivors(&token)), (Exit::Signal(9), 0));
}

#[test]
#[ignore = "second tier: it computes until a limit of CPU time"]
fn a_supervised_program_in_a_group_is_counted_by_it() {
    let Some(here) = here() else { return };
    let job = here.job(256 * MIB);
    // Twice in the same group: the earlier usage is not counted again.
    for _ in 0..2 {
        // If a process ignores CHLD, the kernel drops the account of its children.
        let script = "trap '' CHLD; misbehave burn-in-children 2 150; true";
        let mut bench = Bench::new(script, AMPLE);
        bench.program.cgroup = job.programs();
        let outcome = bench.run();
        assert!(outcome.cpu_s >= 0.3 && outcome.cpu_s < 0.6, "{}", outcome.cpu_s);
        assert_eq!(outcome.oom_kills.is_some(), job.level() == IsolationLevel::CgroupV2);
    }
}

#[test]
fn the_kernel_keeps_the_limit_of_memory_where_it_can() {
    let Some(here) = here().filter(|here| here.level() == IsolationLevel::CgroupV2) else { return };
    let job = here.job(64 * MIB);
    let mut bench = Bench::new("exec misbehave hold 100 600000", AMPLE);
    bench.program.cgroup = job.programs();
    let outcome = bench.run();
    assert_eq!(outcome.stopped, Some(StopReason::Memory));
    assert!(outcome.oom_kills > Some(0) && outcome.memory_peak_bytes > 60 * MIB, "{outcome:?}");
}

#[test]
fn processes_of_a_killed_runner_are_ended_by_the_next_runner() {
    let Some(here) = here() else { return };
    let job = here.job(MIB);
    let base = job.path().unwrap().parent().unwrap().parent().unwrap();
    let space = fs::read_link("/proc/self/ns/pid").unwrap();
    let space: String = space.to_string_lossy().chars().filter(char::is_ascii_digit).collect();
    // The first process began at boot, and not at that tick.
    let stale = base.join(format!("bezzel-{space}-1-999999999999"));
    fs::create_dir_all(stale.join("job-0/worker")).unwrap();
    let token = token();
    let status = std::process::Command::new(MISBEHAVE)
        .arg("join")
        .arg(stale.join("job-0/worker"))
        .arg(words(DAEMON, &token))
        .status()
        .unwrap();
    assert!(status.success());
    assert!(eventually(|| survivors(&token) >= 1));
    drop(Cgroups::below(base, IsolationLevel::CgroupV2NoMemory));
    assert!(!stale.exists() && job.path().unwrap().exists());
    assert_eq!(survivors(&token), 0);
}

/// Returns a folder that imitates a group with these controllers.
fn imitation(controllers: &str, enabled: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |file: &str, text: &str| fs::write(folder.path().join(file), text).unwrap();
    write("cgroup.controllers", controllers);
    write("cgroup.subtree_control", enabled);
    write("cgroup.procs", "");
    folder
}

#[test]
fn with_the_memory_controller_the_kernel_is_given_the_limits() {
    let folder = imitation("cpu memory pids", "");
    let groups = Cgroups::below(folder.path(), IsolationLevel::CgroupV2);
    assert_eq!((groups.level(), groups.note()), (IsolationLevel::CgroupV2, None));
    let job = groups.job(100 * MIB);
    assert_eq!(job.level(), IsolationLevel::CgroupV2);
    let read = |path: &Path, file: &str| fs::read_to_string(path.join(file)).unwrap();
    let (worker, programs) = (job.worker().unwrap(), job.programs().unwrap());
    assert_eq!(read(&programs, "memory.max"), (100 * MIB).to_string());
    assert_eq!(read(&worker, "memory.max"), (164 * MIB).to_string());
    assert_eq!(read(&programs, "memory.swap.max"), "0");
    assert_eq!(read(&programs, "memory.oom.group"), "1");
    assert_eq!(read(&programs, "pids.max"), "4096");
    // The contents that the kernel would write.
    fs::write(job.path().unwrap().join("cpu.stat"), "usage_usec 2500000\nuser_usec 1\n").unwrap();
    fs::write(job.path().unwrap().join("memory.events"), "low 0\noom 2\noom_kill 1\n").unwrap();
    fs::write(programs.join("cpu.stat"), "usage_usec 1\n").unwrap();
    fs::write(programs.join("memory.peak"), "12345\n").unwrap();
    let used = job.usage().unwrap();
    assert_eq!((used.cpu_s, used.oom_kills, used.memory_peak_bytes), (2.5, Some(1), Some(12345)));
}

#[test]
fn without_the_memory_controller_the_level_is_lower_and_nothing_is_limited() {
    let folder = imitation("cpu pids", "cpu pids");
    let groups = Cgroups::below(folder.path(), IsolationLevel::CgroupV2);
    assert_eq!(groups.level(), IsolationLevel::CgroupV2NoMemory);
    assert_eq!(groups.note(), Some("there is no memory controller for control groups here"));
    let job = groups.job(100 * MIB);
    assert!(!job.programs().unwrap().join("memory.max").exists());
    let folder = imitation("cpu memory", "memory");
    let groups = Cgroups::below(folder.path(), IsolationLevel::CgroupV2NoMemory);
    assert_eq!(groups.job(MIB).level(), IsolationLevel::CgroupV2NoMemory);
}

#[test]
fn where_no_group_can_be_made_runs_go_on_without() {
    let groups = Cgroups::below(Path::new("/nowhere"), IsolationLevel::CgroupV2);
    assert_eq!(groups.level(), IsolationLevel::Rlimits);
    assert!(groups.note().unwrap().starts_with("no control group can be made: "));
    let job = groups.job(MIB);
    assert_eq!(
        (job.level(), job.path(), job.usage(), job.worker()),
        (IsolationLevel::Rlimits, None, None, None)
    );
}

#[test]
fn the_environment_can_ask_for_less() {
    let level = |name: &str| {
        let mut command = std::process::Command::new(MISBEHAVE);
        let output = command.arg("level").env("BEZZEL_ISOLATION", name).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(level("rlimits").contains("level: Rlimits"));
    assert!(!level("cgroup-v2-no-memory").contains("level: CgroupV2,"));
    let unknown = level("cgroups");
    let known = "it may be rlimits, cgroup-v2-no-memory, cgroup-v2";
    assert!(unknown.contains("level: Rlimits") && unknown.contains(known), "{unknown}");
}
