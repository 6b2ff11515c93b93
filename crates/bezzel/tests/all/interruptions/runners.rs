//! Two runners on one experiment.

use std::fs;

use crate::interruptions::workspace::{LONG, Workspace, alive};
use crate::program::{printed, wait_until};

/// A killed runner is followed by the next one, this number of times.
fn the_second_runner_is_refused_by_the_name_of_the_first(times: usize) {
    let workspace = Workspace::new(LONG);
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    for _ in 0..times {
        let mut first = workspace.spawn();
        wait_until("the first runner is at work", || alive(first.id()) > 0);
        let output = workspace.run();
        assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
        let expected = format!(
            "error: another run is in progress in `experiments/small`, process {} on {}: let it \
             finish, or stop it\n",
            first.id(),
            host.trim()
        );
        assert_eq!(printed(&output), expected);
        // A killed runner cannot tidy up. The next one begins nevertheless.
        first.kill().unwrap();
        first.wait().unwrap();
    }
}

#[test]
fn a_runner_beside_another_one_is_refused_and_no_lock_is_stale() {
    the_second_runner_is_refused_by_the_name_of_the_first(2);
}

#[test]
#[ignore = "second tier: it kills many runners"]
fn of_twenty_runners_that_are_killed_none_leaves_a_stale_lock() {
    the_second_runner_is_refused_by_the_name_of_the_first(20);
}

#[test]
fn of_many_runners_that_start_together_one_works_and_no_job_is_done_twice() {
    let workspace = Workspace::small(2);
    let runners: Vec<_> = (0..6).map(|_| workspace.spawn()).collect();
    let codes: Vec<_> =
        runners.into_iter().map(|mut runner| runner.wait().unwrap().code()).collect();
    assert!(codes.contains(&Some(0)), "{codes:?}");
    // A runner that starts after all jobs are done has nothing to do.
    assert!(codes.iter().all(|code| matches!(code, Some(0 | 2))), "{codes:?}");
    assert_eq!(crate::interruptions::workspace::results(&workspace.rows()).len(), 32);
}
