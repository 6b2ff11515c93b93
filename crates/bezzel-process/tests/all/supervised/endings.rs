//! Ends of command lines: by themselves and by the supervisor.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use bezzel_process::{EndCause, Exit, SoftLimits, StopReason};

use super::{AMPLE, Bench, eventually, run, run_once_begun, survivors};

const KILL: i32 = 9;
const TERM: i32 = 15;

fn wall(wall_s: f64) -> SoftLimits {
    SoftLimits { wall_s, ..AMPLE }
}

fn cpu(cpu_s: f64) -> SoftLimits {
    SoftLimits { cpu_s, ..AMPLE }
}

#[test]
fn codes_and_signals_are_reported_unchanged() {
    for code in [0, 1, 10, 20, 77, 255] {
        let outcome = run(&format!("exit {code}"), AMPLE);
        assert_eq!((outcome.exit, outcome.stopped), (Exit::Code(code), None));
        assert_eq!(outcome.end_cause(&AMPLE), EndCause::Exited);
    }
    for (name, number) in [("ILL", 4), ("ABRT", 6), ("SEGV", 11)] {
        let outcome = run(&format!("kill -{name} $$"), AMPLE);
        assert_eq!((outcome.exit, outcome.stopped), (Exit::Signal(number), None));
        assert_eq!(outcome.end_cause(&AMPLE), EndCause::Fault);
    }
    assert_eq!(run("misbehave abort; exit $?", AMPLE).exit, Exit::Code(134));
}

#[test]
fn a_kill_from_outside_is_reported_as_such() {
    for signal in ["KILL", "TERM"] {
        let outcome = run(&format!("kill -{signal} $$"), AMPLE);
        let host = matches!(outcome.end_cause(&AMPLE), EndCause::Host { .. });
        assert!(host && outcome.stopped.is_none(), "{outcome:?}");
    }
}

#[test]
fn a_sleeper_is_ended_at_its_wall_limit() {
    let start = Instant::now();
    let outcome = run("sleep 1000", wall(0.1));
    let elapsed_s = start.elapsed().as_secs_f64();
    assert_eq!((outcome.exit, outcome.stopped), (Exit::Signal(TERM), Some(StopReason::Wall)));
    assert!(outcome.wall_s >= 0.1 && outcome.wall_s < elapsed_s, "{}", outcome.wall_s);
    assert_eq!(outcome.end_cause(&wall(0.1)), EndCause::Limit(StopReason::Wall));
}

#[test]
#[ignore = "second tier: it computes until a limit of CPU time"]
fn a_busy_loop_is_ended_at_its_cpu_limit() {
    let outcome = run("exec misbehave burn 60000", cpu(1.0));
    assert_eq!((outcome.exit, outcome.stopped), (Exit::Signal(TERM), Some(StopReason::Cpu)));
    assert!(outcome.cpu_s >= 0.98 && outcome.cpu_s < 30.0, "{}", outcome.cpu_s);
}

#[test]
#[ignore = "second tier: it waits for a limit"]
fn a_program_that_ignores_every_request_is_killed_after_the_grace() {
    let outcome = run("trap '' TERM XCPU; exec misbehave burn 60000", cpu(0.3));
    assert_eq!((outcome.exit, outcome.stopped), (Exit::Signal(KILL), Some(StopReason::Cpu)));
    assert!(outcome.wall_s >= 0.38, "{}", outcome.wall_s);
}

/// A shell that stops itself, and a child of it that makes the file `begun` when the shell has stopped.
const FROZEN: &str = "sh -c 'until grep -q \"^State:.T\" /proc/$PPID/status; do sleep 0.01; done; touch begun' & \
                      kill -STOP $$";

#[test]
#[ignore = "second tier: it waits for a limit"]
fn a_frozen_program_is_killed_like_others() {
    let (.., outcome) = run_once_begun(|limits| Bench::new(FROZEN, limits));
    assert_eq!((outcome.exit, outcome.stopped), (Exit::Signal(KILL), Some(StopReason::Wall)));
}

#[test]
#[ignore = "second tier: it waits for a limit"]
fn an_answer_that_comes_after_the_limit_is_none() {
    let mut bench = Bench::new("trap '' TERM; misbehave burn 500; echo late; exit 10", cpu(0.3));
    bench.program.grace = Duration::from_mins(10);
    let outcome = bench.run();
    assert_eq!((outcome.exit, outcome.stopped), (Exit::Code(10), Some(StopReason::Cpu)));
    assert_eq!(bench.text(), "late\n");
}

#[test]
#[ignore = "second tier: it waits for a limit"]
fn a_program_that_a_shell_waits_for_may_say_its_last_words() {
    // The shell ends at TERM; its child takes a while, far less than its grace.
    let script = "(trap 'sleep 0.1; echo bye; exit' TERM; touch begun; while :; do sleep 0.01; \
                  done); true";
    let (_, bench, outcome) = run_once_begun(|limits| {
        let mut bench = Bench::new(script, limits);
        bench.program.grace = Duration::from_mins(10);
        bench
    });
    assert_eq!((outcome.exit, outcome.stopped), (Exit::Signal(TERM), Some(StopReason::Wall)));
    assert_eq!(bench.text(), "bye\n");
    assert!(outcome.wall_s < 300.0, "{outcome:?}");
}

#[test]
fn a_limit_that_is_passed_between_two_checks_is_found() {
    assert_eq!(run("exit 20", cpu(1e-9)).stopped, Some(StopReason::Cpu));
    assert_eq!(run("exit 20", wall(0.0)).stopped, Some(StopReason::Wall));
}

#[test]
fn a_program_that_writes_too_large_a_file_is_ended_by_the_kernel() {
    let mut bench = Bench::new("exec head -c 2000000 /dev/zero > proof", AMPLE);
    bench.program.file_bytes = 1_000_000;
    let outcome = bench.run();
    assert_eq!(outcome.end_cause(&AMPLE), EndCause::FileSize);
    assert_eq!(bench.path().join("proof").metadata().unwrap().len(), 1_000_000);
}

#[test]
fn a_cancelled_run_ends_at_once() {
    let script = "trap '' TERM; touch begun; while :; do sleep 1000; done";
    let bench = Bench::new(script, AMPLE);
    let cancel = AtomicBool::new(false);
    let outcome = thread::scope(|scope| {
        let run = scope.spawn(|| bench.program.run(Some(&cancel)).unwrap());
        assert!(eventually(|| bench.path().join("begun").exists()));
        cancel.store(true, Ordering::Relaxed);
        run.join().unwrap()
    });
    assert_eq!((outcome.exit, outcome.stopped), (Exit::Signal(KILL), Some(StopReason::Cancelled)));
    assert!(outcome.wall_s < 300.0);
    assert_eq!(survivors(&bench.token), 0);
    let outcome = bench.program.run(Some(&AtomicBool::new(true))).unwrap();
    assert_eq!(outcome.stopped, Some(StopReason::Cancelled));
    assert_eq!(survivors(&bench.token), 0);
}

#[test]
fn limits_beyond_all_numbers_are_none() {
    let none = SoftLimits { cpu_s: f64::INFINITY, wall_s: f64::INFINITY, memory_bytes: u64::MAX };
    let outcome = run("exit 4", none);
    assert_eq!((outcome.exit, outcome.stopped), (Exit::Code(4), None));
}
