//! The output of command lines.

use bezzel_process::{EndCause, Exit, StopReason};

use super::{AMPLE, Bench, MIB};

#[test]
fn the_output_of_a_program_is_in_its_file() {
    let bench = Bench::new("echo s SATISFIABLE; echo words >&2", AMPLE);
    let outcome = bench.run();
    assert_eq!(bench.text(), "s SATISFIABLE\n");
    assert_eq!((outcome.output_bytes, outcome.stderr.text().as_str()), (14, "words\n"));
}

#[test]
#[ignore = "second tier: it fills much memory"]
fn one_line_of_a_hundred_megabytes_is_kept_whole_in_little_memory() {
    let script = "misbehave flood 100 0; grep VmHWM /proc/$PPID/status >&2";
    let bench = Bench::new(script, AMPLE);
    let outcome = bench.run();
    assert_eq!((outcome.exit, outcome.output_bytes), (Exit::Code(0), 100 * MIB));
    let output = bench.output();
    assert!(output.len() as u64 == 100 * MIB && output.iter().all(|&byte| byte == 0));
    let line = outcome.stderr.text();
    let supervisor: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(supervisor < 20_000, "{line}");
}

#[test]
fn a_gigabyte_is_cut_off_and_its_program_ended() {
    let mut bench = Bench::new("exec misbehave flood 1024 97", AMPLE);
    bench.program.output_bytes = 3_000_000;
    let outcome = bench.run();
    assert_eq!(outcome.stopped, Some(StopReason::Output));
    assert_eq!(outcome.end_cause(&AMPLE), EndCause::Limit(StopReason::Output));
    assert!(outcome.output_bytes > 3_000_000);
    assert!(bench.output() == vec![97; 3_000_000]);
}

#[test]
fn a_program_ended_for_its_output_may_still_write_discarded_bytes() {
    let script = "trap 'echo bye >&2; exit 5' TERM; while :; do echo flood; done";
    let mut bench = Bench::new(script, AMPLE);
    bench.program.output_bytes = 1000;
    bench.program.grace = std::time::Duration::from_mins(10);
    let outcome = bench.run();
    assert_eq!((outcome.exit, outcome.stopped), (Exit::Code(5), Some(StopReason::Output)));
    assert_eq!((bench.output().len(), outcome.stderr.text().as_str()), (1000, "bye\n"));
}

#[test]
fn output_over_the_limit_at_the_very_end_is_over_it() {
    let mut bench = Bench::new("echo 0123456789", AMPLE);
    bench.program.output_bytes = 10;
    assert_eq!(bench.run().stopped, Some(StopReason::Output));
    assert_eq!(bench.text(), "0123456789");
    bench.program.output_bytes = 11;
    assert_eq!(bench.run().stopped, None);
}

#[test]
fn of_its_errors_the_end_is_kept() {
    let mut bench = Bench::new("misbehave flood 20 97 >&2; echo end >&2", AMPLE);
    bench.program.keep_bytes = 10;
    let outcome = bench.run();
    assert_eq!(
        (outcome.stderr.text().as_str(), outcome.stderr.written),
        ("aaaaaaend\n", 20 * MIB + 4)
    );
}
