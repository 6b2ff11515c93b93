//! Two runners on one experiment.

use std::fs;
use std::process::Stdio;

use crate::interruptions::workspace::{LONG, Workspace, alive, row_lines};
use crate::program::{printed, wait_until};

/// A killed runner is followed by the next one, this number of times.
fn the_second_runner_is_refused_by_the_name_of_the_first(times: usize) {
    let workspace = Workspace::new(LONG);
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap().replace('.', "_");
    for _ in 0..times {
        let mut first = workspace.spawn();
        wait_until("the first runner is at work", || alive(first.id()) > 0);
        let output = workspace.run();
        assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
        let expected = format!(
            "error: another session is running in `experiments/small`, process {} on {}: let it finish, or stop it; \
             `--shard 1/1` runs beside it\n",
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
fn of_many_runners_that_start_together_one_works_or_all_do_beside_each_other() {
    let expected = {
        let undisturbed = Workspace::small(2);
        assert_eq!(undisturbed.run().status.code(), Some(0));
        undisturbed.results()
    };
    for (options, allowed) in [(&[][..], &[0, 2][..]), (&["--shard", "1/1"], &[0])] {
        let workspace = Workspace::small(2);
        let runners = (0..6).map(|_| {
            let mut command = workspace.command();
            command.args(options).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        });
        let runners: Vec<_> = runners.collect();
        let ended = runners.into_iter().map(|mut runner| runner.wait().unwrap().code().unwrap());
        let codes: Vec<_> = ended.collect();
        // A runner that starts after all jobs are done has nothing to do.
        assert!(codes.contains(&0) && codes.iter().all(|code| allowed.contains(code)), "{codes:?}");
        assert_eq!(workspace.results(), expected);
        let is_alone = allowed.contains(&2);
        assert!(
            !is_alone || row_lines(&workspace.experiment()) == expected.len(),
            "a job was done twice"
        );
    }
}
