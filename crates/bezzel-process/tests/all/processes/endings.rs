//! Ends of programs: by themselves and by the runner.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use bezzel_process::{Exit, ExternalError, Program, StopReason};

use super::{AMPLE, run, run_once_begun, shell};

const SOON: Duration = Duration::from_millis(100);

const KILL: i32 = 9;
const TERM: i32 = 15;

#[test]
fn codes_and_signals_are_reported_unchanged() {
    for code in [0, 1, 10, 20, 77, 255] {
        let outcome = run(&shell(&format!("exit {code}"), AMPLE));
        assert_eq!((outcome.exit, outcome.killed_by), (Exit::Code(code), None));
    }
    for (name, number) in [("ILL", 4), ("ABRT", 6), ("SEGV", 11), ("KILL", KILL), ("TERM", TERM)] {
        let outcome = run(&shell(&format!("kill -{name} $$"), AMPLE));
        assert_eq!((outcome.exit, outcome.killed_by), (Exit::Signal(number), None));
    }
}

#[test]
fn a_program_that_is_not_there_is_an_error_with_its_name() {
    let error = Program::new("/nowhere/solver", AMPLE).run(None).unwrap_err();
    assert!(matches!(error, ExternalError::Start { .. }));
    assert!(error.to_string().starts_with("cannot start /nowhere/solver: "), "{error}");
    let error = Program::new("/etc/passwd", AMPLE).run(None).unwrap_err();
    assert!(matches!(error, ExternalError::Start { .. }), "{error}");
}

#[test]
fn a_sleeper_is_ended_at_its_wall_limit() {
    let outcome = run(&shell("sleep 1000", SOON));
    assert_eq!((outcome.exit, outcome.killed_by), (Exit::Signal(TERM), Some(StopReason::Wall)));
    assert!(outcome.wall_s >= 0.1);
}

#[test]
#[ignore = "second tier: it waits for a limit"]
fn a_program_that_ignores_the_request_to_end_is_killed_after_the_grace() {
    let script = "trap '' TERM; echo begun; while :; do sleep 1000; done";
    let grace = Duration::from_millis(100);
    let (wall, outcome) = run_once_begun(|wall| Program { grace, ..shell(script, wall) });
    assert_eq!((outcome.exit, outcome.killed_by), (Exit::Signal(KILL), Some(StopReason::Wall)));
    assert!(outcome.wall_s >= (wall + grace).as_secs_f64());
}

#[test]
fn without_grace_the_wall_limit_kills() {
    let program = Program { grace: Duration::ZERO, ..shell("trap '' TERM; sleep 1000", SOON) };
    assert_eq!(run(&program).exit, Exit::Signal(KILL));
}

#[test]
fn a_request_to_end_may_be_answered_by_a_clean_exit() {
    let script = "trap 'echo bye; exit 3' TERM; echo begun; while :; do sleep 0.01; done";
    let (_, outcome) = run_once_begun(|wall| Program { grace: AMPLE, ..shell(script, wall) });
    assert_eq!((outcome.exit, outcome.killed_by), (Exit::Code(3), Some(StopReason::Wall)));
    assert_eq!(outcome.stdout.text(), "begun\nbye\n");
}

#[test]
#[ignore = "second tier: it waits for a limit"]
fn a_frozen_program_is_killed_like_others() {
    // A child of the shell detects that the shell has stopped.
    let script = "sh -c 'until grep -q \"^State:.T\" /proc/$PPID/status; do sleep 0.01; done; \
                  echo begun' & kill -STOP $$";
    let (_, outcome) = run_once_begun(|wall| Program { grace: SOON, ..shell(script, wall) });
    assert_eq!((outcome.exit, outcome.killed_by), (Exit::Signal(KILL), Some(StopReason::Wall)));
}

#[test]
fn a_cancelled_run_ends_though_it_had_time_left() {
    let cancel = AtomicBool::new(false);
    let outcome = thread::scope(|scope| {
        let program = shell("trap '' TERM; while :; do sleep 1000; done", AMPLE);
        let cancel = &cancel;
        let run = scope.spawn(move || program.run(Some(cancel)).unwrap());
        thread::sleep(SOON);
        cancel.store(true, Ordering::Relaxed);
        run.join().unwrap()
    });
    assert_eq!(
        (outcome.exit, outcome.killed_by),
        (Exit::Signal(KILL), Some(StopReason::Cancelled))
    );
    assert!(outcome.wall_s < AMPLE.as_secs_f64());
}

#[test]
fn a_run_that_is_cancelled_beforehand_ends_at_once() {
    let outcome = shell("sleep 1000", AMPLE).run(Some(&AtomicBool::new(true))).unwrap();
    assert_eq!(
        (outcome.exit, outcome.killed_by),
        (Exit::Signal(KILL), Some(StopReason::Cancelled))
    );
}

#[test]
fn a_limit_later_than_the_clock_can_say_is_none() {
    assert_eq!(run(&shell("exit 4", Duration::MAX)).exit, Exit::Code(4));
}
