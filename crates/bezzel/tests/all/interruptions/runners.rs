//! Two runners on one experiment.

use std::fs;

use crate::interruptions::place::{LONG, Place, alive};
use crate::program::{told, wait_until};

#[test]
fn the_second_runner_is_refused_by_the_name_of_the_first_and_no_lock_is_stale() {
    let place = Place::new(LONG);
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    for _ in 0..20 {
        let mut first = place.spawn();
        wait_until("the first runner is at work", || alive(first.id()) > 0);
        let output = place.run();
        assert_eq!(output.status.code(), Some(2), "{}", told(&output));
        let expected = format!(
            "error: another runner is at work on `experiments/small`, process {} on {}: let it finish, \
             or stop it\n",
            first.id(),
            host.trim()
        );
        assert_eq!(told(&output), expected);
        // It cannot tidy up, and the next one begins all the same.
        first.kill().unwrap();
        first.wait().unwrap();
    }
}

#[test]
fn of_many_runners_that_start_together_one_works_and_no_job_is_done_twice() {
    let place = Place::small(2);
    let runners: Vec<_> = (0..6).map(|_| place.spawn()).collect();
    let codes: Vec<_> =
        runners.into_iter().map(|mut runner| runner.wait().unwrap().code()).collect();
    assert!(codes.contains(&Some(0)), "{codes:?}");
    // Who comes when all is done has nothing to do.
    assert!(codes.iter().all(|code| matches!(code, Some(0 | 2))), "{codes:?}");
    assert_eq!(crate::interruptions::place::results(&place.rows()).len(), 32);
}
