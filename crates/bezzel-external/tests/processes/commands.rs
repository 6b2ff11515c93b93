//! Command lines inside fences, and programs that write without end.

use std::time::Duration;

use bezzel_external::{Cause, Exit, Fences, Program};

use crate::{AMPLE, run, shell};

const FENCES: Fences = Fences { cpu_s: 2, memory_bytes: 64 << 20 };

fn fenced(command: &str, wall: Duration) -> Program {
    Program {
        environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
        ..Program::shell(command, &FENCES, wall)
    }
}

#[test]
fn a_command_line_and_what_it_starts_are_inside_the_fences() {
    let limits = "ulimit -S -t; ulimit -H -t; ulimit -d; ulimit -c";
    let outcome = run(&fenced(&format!("({limits}); sh -c '{limits}'"), AMPLE));
    assert_eq!(outcome.stdout.text(), "2\n3\n65536\n0\n".repeat(2), "{}", outcome.stderr.text());
}

#[test]
fn a_command_line_is_the_shells_with_words_quotes_and_exit_code() {
    let outcome = run(&fenced("printf '%s|' a \"b c\"; exit 7", AMPLE));
    assert_eq!((outcome.exit, outcome.stdout.text().as_str()), (Exit::Code(7), "a|b c|"));
    let outcome = run(&fenced("no-such-program-anywhere", AMPLE));
    assert_eq!(outcome.exit, Exit::Code(127));
    assert!(outcome.stderr.text().contains("no-such-program-anywhere: not found"));
}

#[test]
fn a_command_line_that_takes_too_much_memory_or_time_meets_its_fence() {
    let outcome = run(&fenced("x=aaaaaaaa; while :; do x=$x$x; done", AMPLE));
    assert_eq!(outcome.killed_by, None);
    assert_ne!(outcome.exit, Exit::Code(0));
    let outcome = run(&fenced("while :; do :; done", AMPLE));
    assert!(outcome.exit.is_cpu_fence(), "{:?}", outcome.exit);
}

#[test]
fn fences_beyond_all_numbers_are_none() {
    let none = Fences { cpu_s: u64::MAX, memory_bytes: u64::MAX };
    let outcome = run(&Program::shell("echo $((1 + 1))", &none, AMPLE));
    assert_eq!((outcome.stdout.text().as_str(), outcome.stderr.text().as_str()), ("2\n", ""));
}

#[test]
fn who_writes_more_than_it_may_is_killed_at_once() {
    for stream in ["1", "2"] {
        let flood = shell(&format!("while :; do echo flood; done >&{stream}"), AMPLE);
        let outcome = run(&Program { output_bytes: 100_000, keep_bytes: 100, ..flood });
        assert_eq!((outcome.exit, outcome.killed_by), (Exit::Signal(9), Some(Cause::Output)));
        let written = outcome.stdout.written + outcome.stderr.written;
        assert!((100_001..100_000 + (1 << 18)).contains(&written), "{written}");
    }
}
