//! Input and output of programs.

use std::time::Duration;

use bezzel_process::{Exit, Program, StopReason};

use super::{AMPLE, run, run_once_begun, shell};

#[test]
fn the_environment_holds_what_is_given_and_the_number_of_the_runner() {
    // The test's own environment contains cargo's variables.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let mut program = Program::new("/usr/bin/env", AMPLE);
    program.environment = vec![("GIVEN".into(), "1".into())];
    let text = run(&program).stdout.text();
    let mut names: Vec<_> = text.lines().filter_map(|line| line.split('=').next()).collect();
    names.sort_unstable();
    assert_eq!(names, ["BEZZEL_RUN", "GIVEN"]);
}

#[test]
fn input_beyond_every_buffer_comes_back_unharmed() {
    let bytes: Vec<u8> = (0..3_000_000_u32).map(|i| (i % 251) as u8).collect();
    let program =
        Program { stdin: bytes.clone(), keep_bytes: usize::MAX, ..Program::new("/bin/cat", AMPLE) };
    let outcome = run(&program);
    assert_eq!(outcome.exit, Exit::Code(0));
    assert!(!outcome.stdout.is_truncated());
    assert!(outcome.stdout.tail == bytes);
}

#[test]
fn input_ends_where_it_ends() {
    assert_eq!(run(&Program::new("/bin/cat", AMPLE)).stdout.text(), "");
    let program = Program { stdin: b"to be read".to_vec(), ..shell("read x; echo \"$x\"", AMPLE) };
    assert_eq!(run(&program).stdout.text(), "to be read\n");
}

#[test]
fn unread_input_blocks_nothing() {
    let stdin = vec![b'x'; 3_000_000];
    let program = Program { stdin: stdin.clone(), ..shell("exit 6", AMPLE) };
    assert_eq!(run(&program).exit, Exit::Code(6));
    let closed = Program { stdin: stdin.clone(), ..shell("exec <&-; sleep 0.05; exit 7", AMPLE) };
    assert_eq!(run(&closed).exit, Exit::Code(7));
    let asleep = Program { stdin, ..shell("sleep 1000", Duration::from_millis(100)) };
    assert_eq!(run(&asleep).killed_by, Some(StopReason::Wall));
}

#[test]
fn a_flood_is_drained_and_its_end_is_kept() {
    let program = Program {
        keep_bytes: 100,
        ..shell("head -c 9000000 /dev/zero >&2; head -c 50000000 /dev/zero; echo end", AMPLE)
    };
    let outcome = run(&program);
    assert_eq!(outcome.exit, Exit::Code(0));
    assert_eq!((outcome.stdout.written, outcome.stderr.written), (50_000_004, 9_000_000));
    assert_eq!((outcome.stdout.tail.len(), outcome.stderr.tail.len()), (100, 100));
    assert!(outcome.stdout.is_truncated() && outcome.stdout.text().ends_with("\0\0end\n"));
}

#[test]
fn an_endless_flood_ends_at_the_wall_limit() {
    let (_, outcome) = run_once_begun(|wall| Program {
        keep_bytes: 10,
        args: vec!["all".into()],
        ..Program::new("/usr/bin/yes", wall)
    });
    assert_eq!(outcome.killed_by, Some(StopReason::Wall));
    assert!(outcome.stdout.is_truncated());
}

#[test]
fn output_that_is_not_text_is_captured() {
    let outcome = run(&shell("printf 'a\\0\\377b'; printf 'words' >&2", AMPLE));
    assert_eq!(outcome.stdout.tail, b"a\0\xffb");
    assert_eq!(outcome.stdout.text(), "a\0\u{fffd}b");
    assert_eq!(outcome.stderr.text(), "words");
}
