//! Worker processes that limit, watch and measure themselves.

use bezzel_process::{Exit, Program};

use super::roles::role;
use super::{AMPLE, run, shell, survivors, token};

/// Returns the output of a role.
#[track_caller]
fn answer(role_name: &str) -> String {
    let outcome = run(&role(role_name, AMPLE));
    assert_eq!(outcome.exit, Exit::Code(0), "{}", outcome.stderr.text());
    outcome.stderr.text().trim_end().to_owned()
}

#[test]
#[ignore = "second tier: it computes until a limit of CPU time"]
fn a_busy_loop_runs_into_the_hard_cpu_limit() {
    let outcome = run(&role("burn", AMPLE));
    assert!(outcome.exit.is_cpu_limit(), "{outcome:?}");
    assert_eq!(outcome.killed_by, None);
    // The kernel counts ticks, and not exactly.
    assert!(outcome.cpu_s >= 0.5 && outcome.cpu_s < 60.0, "{}", outcome.cpu_s);
}

#[test]
#[ignore = "second tier: it computes until a limit of CPU time"]
fn a_program_that_ignores_the_hard_cpu_limit_is_killed_a_second_later() {
    let exe = std::env::current_exe().unwrap();
    let burn = role("burn", AMPLE);
    let script = "trap '' XCPU; exec \"$0\" \"$@\"";
    let args = ["-c".into(), script.into(), exe.into()].into_iter().chain(burn.args);
    let program =
        Program { args: args.collect(), environment: burn.environment, ..shell("", AMPLE) };
    let outcome = run(&program);
    assert_eq!((outcome.exit, outcome.killed_by), (Exit::Signal(9), None));
    assert!(outcome.cpu_s >= 1.0 && outcome.cpu_s < 60.0, "{}", outcome.cpu_s);
}

#[test]
fn an_allocation_beyond_the_hard_memory_limit_fails() {
    let outcome = run(&role("devour", AMPLE));
    assert_eq!(outcome.exit, Exit::Signal(6));
    assert!(outcome.stderr.text().contains("memory allocation of 1073741824 bytes failed"));
}

#[test]
#[ignore = "second tier: it computes until a limit of CPU time"]
fn the_kernel_counts_the_cpu_time_of_the_child() {
    let outcome = run(&role("burn a little", AMPLE));
    assert!(outcome.cpu_s >= 0.2 && outcome.cpu_s < 2.0, "{}", outcome.cpu_s);
}

#[test]
#[ignore = "second tier: it fills much memory"]
fn a_worker_measures_its_own_peak_though_its_parent_holds_500_megabytes() {
    let block = std::hint::black_box(vec![1_u8; 500_000_000]);
    let peak: u64 = answer("tell the peak").parse().unwrap();
    assert!(block.iter().step_by(4096).all(|&byte| byte == 1));
    assert!((100_000..50_000_000).contains(&peak), "{peak} bytes");
}

#[test]
#[ignore = "second tier: it computes until a limit of CPU time"]
fn each_soft_limit_is_noticed_from_within() {
    assert_eq!(answer("watch the clock"), "Some(Wall)");
    assert_eq!(answer("watch the CPU"), "Some(Cpu)");
    assert_eq!(answer("watch the memory"), "Some(Memory)");
}

#[test]
fn a_watch_over_what_keeps_its_limits_has_nothing_to_tell() {
    assert_eq!(answer("watch nothing"), "None");
}

#[test]
fn a_peak_between_two_looks_counts() {
    assert_eq!(answer("watch a spike"), "Some(Memory)");
}

#[test]
fn a_worker_dies_with_its_supervisor() {
    let token = token("orphan");
    let mut program = role("start its killer", AMPLE);
    program.environment.push(("TOKEN".into(), token.clone().into()));
    assert_eq!(run(&program).exit, Exit::Signal(9));
    assert_eq!(survivors(&token), 0);
}

#[test]
fn a_worker_whose_supervisor_ended_before_it_began_does_not_begin() {
    let exe = std::env::current_exe().unwrap();
    let late = role("enter late", AMPLE);
    let script = "BEZZEL_RUN=999999999 exec \"$0\" \"$@\"";
    let args = ["-c".into(), script.into(), exe.into()].into_iter().chain(late.args);
    let program =
        Program { args: args.collect(), environment: late.environment, ..shell("", AMPLE) };
    let outcome = run(&program);
    assert_eq!(outcome.stderr.text(), "the process that started this worker has ended\n");
    assert_eq!(answer("enter late"), "entered");
}
