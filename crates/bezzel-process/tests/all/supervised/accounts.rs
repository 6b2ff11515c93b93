//! The accounts of the resources of command lines.

use std::time::Instant;

use super::{AMPLE, MIB, run};

#[test]
#[ignore = "second tier: it computes until a limit of CPU time"]
fn cpu_time_is_exact_and_without_that_of_the_supervisor() {
    let outcome = run("exec misbehave burn 300", AMPLE);
    assert!(outcome.cpu_s >= 0.295 && outcome.cpu_s < 0.59, "{}", outcome.cpu_s);
    let nothing = run("exit 0", AMPLE);
    assert!(nothing.cpu_s >= 0.0 && nothing.cpu_s < outcome.cpu_s / 2.0, "{}", nothing.cpu_s);
}

#[test]
#[ignore = "second tier: it fills much memory"]
fn the_peak_of_memory_is_the_programs_though_the_caller_holds_500_megabytes() {
    let block = std::hint::black_box(vec![1_u8; 500_000_000]);
    let outcome = run("exec misbehave hold 32 50", AMPLE);
    let little = run("sleep 0.05", AMPLE);
    assert!(block.iter().step_by(4096).all(|&byte| byte == 1));
    let peak = outcome.memory_peak_bytes;
    assert!((32 * MIB..40 * MIB).contains(&peak), "{peak}");
    assert!(little.memory_peak_bytes < 6 * MIB, "{}", little.memory_peak_bytes);
}

#[test]
#[ignore = "second tier: it fills much memory"]
fn memory_that_several_have_at_a_time_is_added_up() {
    let outcome = run("misbehave hold-beside 32 a b & misbehave hold-beside 32 b a & wait", AMPLE);
    let peak = outcome.memory_peak_bytes;
    assert!((64 * MIB..90 * MIB).contains(&peak), "{peak}");
    let outcome = run("misbehave hold 32 50; misbehave hold 32 50", AMPLE);
    let peak = outcome.memory_peak_bytes;
    assert!((32 * MIB..50 * MIB).contains(&peak), "{peak}");
}

#[test]
fn wall_time_is_the_programs() {
    let start = Instant::now();
    let outcome = run("sleep 0.1", AMPLE);
    let elapsed_s = start.elapsed().as_secs_f64();
    assert!(outcome.wall_s >= 0.095 && outcome.wall_s < elapsed_s, "{}", outcome.wall_s);
    assert!(outcome.processes >= 1);
}
