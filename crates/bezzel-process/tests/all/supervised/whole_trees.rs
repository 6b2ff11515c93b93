//! Limits hold for the sum of all processes that a command line starts.

use bezzel_process::{Exit, SoftLimits, StopReason};

use super::{AMPLE, Bench, MIB, run};

fn memory(mib: u64) -> SoftLimits {
    SoftLimits { memory_bytes: mib * MIB, ..AMPLE }
}

#[test]
#[ignore = "second tier: it computes until a limit of CPU time"]
fn the_cpu_time_of_all_children_counts() {
    let outcome = run("misbehave burn-in-children 4 60000", SoftLimits { cpu_s: 0.8, ..AMPLE });
    assert_eq!(outcome.stopped, Some(StopReason::Cpu));
    assert!(outcome.cpu_s >= 0.78 && outcome.cpu_s < 60.0, "{}", outcome.cpu_s);
    assert!(outcome.processes >= 5, "{outcome:?}");
}

#[test]
#[ignore = "second tier: it computes until a limit of CPU time"]
fn the_cpu_time_of_who_is_reaped_counts() {
    let outcome = run("for i in 1 2 3 4; do misbehave burn 100; done", AMPLE);
    assert_eq!(outcome.stopped, None);
    // Each child is counted, and none twice.
    assert!(outcome.cpu_s >= 0.4 && outcome.cpu_s < 0.8, "{}", outcome.cpu_s);
    let endless = "while :; do misbehave burn 50; done";
    let outcome = run(endless, SoftLimits { cpu_s: 0.3, ..AMPLE });
    assert_eq!(outcome.stopped, Some(StopReason::Cpu));
    assert!(outcome.cpu_s >= 0.28 && outcome.cpu_s < 60.0, "{}", outcome.cpu_s);
}

#[test]
#[ignore = "second tier: it computes until a limit of CPU time"]
fn the_cpu_time_of_who_is_an_orphan_counts() {
    // The shell waits for the end of what the orphan writes, which costs no time.
    let script = "mkfifo pipe; (setsid misbehave burn 300 > pipe &); read line < pipe; exit 0";
    let outcome = run(script, AMPLE);
    assert_eq!((outcome.exit, outcome.stopped), (Exit::Code(0), None));
    assert!(outcome.cpu_s >= 0.3 && outcome.cpu_s < 0.6, "{}", outcome.cpu_s);
}

#[test]
#[ignore = "second tier: it computes until a limit of CPU time"]
fn children_without_a_waiting_parent_are_counted_as_long_as_they_are_seen() {
    // If a process ignores CHLD, the kernel reaps its children and drops their account. It sleeps after its work,
    // so that a measurement in time includes all of it.
    let outcome = run("trap '' CHLD; misbehave burn 300 2000; true", AMPLE);
    assert!(outcome.cpu_s >= 0.25 && outcome.cpu_s < 0.6, "{}", outcome.cpu_s);
}

#[test]
fn memory_that_grows_is_noticed() {
    let outcome = run("exec misbehave grow", memory(64));
    assert_eq!(outcome.stopped, Some(StopReason::Memory));
    let peak = outcome.memory_peak_bytes;
    assert!(peak > 64 * MIB && peak < 200 * MIB, "{peak}");
}

#[test]
fn memory_that_comes_at_once_is_noticed() {
    let outcome = run("exec misbehave hold 60 0", memory(40));
    assert_eq!(outcome.stopped, Some(StopReason::Memory));
    assert!(outcome.memory_peak_bytes > 40 * MIB);
}

#[test]
#[ignore = "second tier: it fills much memory"]
fn memory_that_children_have_together_is_noticed() {
    let four = "for i in 1 2 3 4; do misbehave hold 40 600000 & done; wait";
    let outcome = run(four, memory(100));
    assert_eq!(outcome.stopped, Some(StopReason::Memory));
    assert!(outcome.memory_peak_bytes > 100 * MIB, "{outcome:?}");
}

#[test]
#[ignore = "second tier: it fills much memory"]
fn memory_that_processes_share_counts_once_against_the_limit() {
    let script = "x=$(misbehave flood 32 97); for i in 1 2 3 4 5 6 7 8; do (sleep 3; :) & done; \
                  wait";
    let outcome = run(script, memory(220));
    assert_eq!((outcome.exit, outcome.stopped), (Exit::Code(0), None), "{outcome:?}");
    assert!(outcome.processes >= 9);
}

#[test]
fn memory_beyond_the_hard_limit_is_refused() {
    let outcome = run("exec misbehave hold 400 0", memory(64));
    assert_eq!(outcome.exit, Exit::Signal(6));
    assert!(outcome.stderr.text().contains("memory allocation"), "{outcome:?}");
}

#[test]
#[ignore = "second tier: it starts very many processes"]
fn a_fork_bomb_is_ended_at_its_limit_of_processes() {
    let mut bench = Bench::new("misbehave bomb 7 TOKEN", AMPLE);
    bench.program.processes = 60;
    let outcome = bench.run();
    assert_eq!(outcome.stopped, Some(StopReason::Processes));
    assert!(outcome.processes > 60 && outcome.processes < 300, "{}", outcome.processes);
}
