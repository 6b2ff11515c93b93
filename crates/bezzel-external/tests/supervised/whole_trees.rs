//! Limits hold for everything that a command line starts, together.

use bezzel_external::{Exit, SoftLimits, Stopped};

use crate::{AMPLE, Bench, MIB, run};

fn memory(mib: u64) -> SoftLimits {
    SoftLimits { memory_bytes: mib * MIB, ..AMPLE }
}

#[test]
fn the_cpu_time_of_all_children_counts() {
    let account = run("misbehave burn-in-children 4 60000", SoftLimits { cpu_s: 0.8, ..AMPLE });
    assert_eq!(account.stopped, Some(Stopped::Cpu));
    assert!(account.cpu_s >= 0.78 && account.cpu_s < 60.0, "{}", account.cpu_s);
    assert!(account.processes >= 5, "{account:?}");
}

#[test]
fn the_cpu_time_of_who_is_reaped_counts() {
    let account = run("for i in 1 2 3 4; do misbehave burn 100; done", AMPLE);
    assert_eq!(account.stopped, None);
    // Each is counted, and none twice.
    assert!(account.cpu_s >= 0.4 && account.cpu_s < 0.8, "{}", account.cpu_s);
    let endless = "while :; do misbehave burn 50; done";
    let account = run(endless, SoftLimits { cpu_s: 0.3, ..AMPLE });
    assert_eq!(account.stopped, Some(Stopped::Cpu));
    assert!(account.cpu_s >= 0.28 && account.cpu_s < 60.0, "{}", account.cpu_s);
}

#[test]
fn the_cpu_time_of_who_is_an_orphan_counts() {
    // The shell waits for the end of what the orphan writes, which costs no time.
    let script = "mkfifo pipe; (setsid misbehave burn 300 > pipe &); read line < pipe; exit 0";
    let account = run(script, AMPLE);
    assert_eq!((account.exit, account.stopped), (Exit::Code(0), None));
    assert!(account.cpu_s >= 0.3 && account.cpu_s < 0.6, "{}", account.cpu_s);
}

#[test]
fn children_that_nobody_waits_for_are_counted_as_long_as_they_are_seen() {
    // Who ignores CHLD has its children reaped by the kernel, which drops their account.
    // It sleeps after its work, so that a look in time sees all of it.
    let account = run("trap '' CHLD; misbehave burn 300 2000; true", AMPLE);
    assert!(account.cpu_s >= 0.25 && account.cpu_s < 0.6, "{}", account.cpu_s);
}

#[test]
fn memory_that_grows_is_noticed() {
    let account = run("exec misbehave grow", memory(64));
    assert_eq!(account.stopped, Some(Stopped::Memory));
    let peak = account.memory_peak_bytes;
    assert!(peak > 64 * MIB && peak < 200 * MIB, "{peak}");
}

#[test]
fn memory_that_comes_at_once_is_noticed() {
    let account = run("exec misbehave hold 60 0", memory(40));
    assert_eq!(account.stopped, Some(Stopped::Memory));
    assert!(account.memory_peak_bytes > 40 * MIB);
}

#[test]
fn memory_that_children_have_together_is_noticed() {
    let four = "for i in 1 2 3 4; do misbehave hold 40 600000 & done; wait";
    let account = run(four, memory(100));
    assert_eq!(account.stopped, Some(Stopped::Memory));
    assert!(account.memory_peak_bytes > 100 * MIB, "{account:?}");
}

#[test]
fn memory_that_processes_share_counts_once_against_the_limit() {
    let script = "x=$(misbehave flood 32 97); for i in 1 2 3 4 5 6 7 8; do (sleep 3; :) & done; \
                  wait";
    let account = run(script, memory(220));
    assert_eq!((account.exit, account.stopped), (Exit::Code(0), None), "{account:?}");
    assert!(account.processes >= 9);
}

#[test]
fn memory_beyond_the_fence_is_refused() {
    let account = run("exec misbehave hold 400 0", memory(64));
    assert_eq!(account.exit, Exit::Signal(6));
    assert!(account.stderr.text().contains("memory allocation"), "{account:?}");
}

#[test]
fn a_fork_bomb_is_ended_at_its_limit_of_processes() {
    let mut bench = Bench::new("misbehave bomb 7 TOKEN", AMPLE);
    bench.program.processes = 60;
    let account = bench.run();
    assert_eq!(account.stopped, Some(Stopped::Processes));
    assert!(account.processes > 60 && account.processes < 300, "{}", account.processes);
}
