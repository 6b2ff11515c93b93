//! What is told of what command lines used.

use std::time::Instant;

use crate::{AMPLE, MIB, run};

#[test]
fn cpu_time_is_exact_and_without_that_of_the_supervisor() {
    let account = run("exec misbehave burn 300", AMPLE);
    assert!(account.cpu_s >= 0.295 && account.cpu_s < 0.59, "{}", account.cpu_s);
    let nothing = run("exit 0", AMPLE);
    assert!(nothing.cpu_s >= 0.0 && nothing.cpu_s < account.cpu_s / 2.0, "{}", nothing.cpu_s);
}

#[test]
fn the_peak_of_memory_is_the_programs_though_the_caller_holds_500_megabytes() {
    let block = std::hint::black_box(vec![1_u8; 500_000_000]);
    let account = run("exec misbehave hold 32 50", AMPLE);
    let little = run("sleep 0.05", AMPLE);
    assert!(block.iter().step_by(4096).all(|&byte| byte == 1));
    let peak = account.memory_peak_bytes;
    assert!((32 * MIB..40 * MIB).contains(&peak), "{peak}");
    assert!(little.memory_peak_bytes < 6 * MIB, "{}", little.memory_peak_bytes);
}

#[test]
fn memory_that_several_have_at_a_time_is_added_up() {
    let account = run("misbehave hold 32 3000 & misbehave hold 32 3000 & wait", AMPLE);
    let peak = account.memory_peak_bytes;
    assert!((64 * MIB..90 * MIB).contains(&peak), "{peak}");
    let account = run("misbehave hold 32 50; misbehave hold 32 50", AMPLE);
    let peak = account.memory_peak_bytes;
    assert!((32 * MIB..50 * MIB).contains(&peak), "{peak}");
}

#[test]
fn wall_time_is_the_programs() {
    let start = Instant::now();
    let account = run("sleep 0.2", AMPLE);
    let elapsed_s = start.elapsed().as_secs_f64();
    assert!(account.wall_s >= 0.195 && account.wall_s < elapsed_s, "{}", account.wall_s);
    assert!(account.processes >= 1 && account.stragglers == 0);
}
