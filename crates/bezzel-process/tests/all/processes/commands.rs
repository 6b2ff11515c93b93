//! Programs with endless output.

use bezzel_process::{Exit, KillReason, Program};

use super::{AMPLE, run, shell};

#[test]
fn a_program_that_writes_more_than_its_limit_is_killed_at_once() {
    for stream in ["1", "2"] {
        let flood = shell(&format!("while :; do echo flood; done >&{stream}"), AMPLE);
        let outcome = run(&Program { output_bytes: 100_000, keep_bytes: 100, ..flood });
        assert_eq!((outcome.exit, outcome.killed_by), (Exit::Signal(9), Some(KillReason::Output)));
        let written = outcome.stdout.written + outcome.stderr.written;
        assert!((100_001..100_000 + (1 << 18)).contains(&written), "{written}");
    }
}
