//! SIGKILL to runners and to workers at any moment.

use std::fs;
use std::time::Duration;

use bezzel_experiment::Termination;
use rustix::process::{Pid, Signal, kill_process};

use crate::interruptions::workspace::{Random, Workspace, alive, results};
use crate::program::{printed, wait_until};

/// The number of kills of runners, and of workers, unless `BEZZEL_KILLS` gives it.
const KILLS: usize = 40;

fn kills_wanted() -> usize {
    let wanted = std::env::var("BEZZEL_KILLS").ok();
    wanted.map_or(KILLS, |number| number.parse().expect("a number of kills"))
}

#[test]
#[ignore = "second tier: it kills many runners"]
fn a_runner_killed_at_any_moment_loses_no_row_and_counts_none_twice() {
    let undisturbed = Workspace::small(12);
    let output = undisturbed.run();
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    let expected = results(&undisturbed.rows());
    assert_eq!(expected.len(), 192);

    let mut random = Random(1848);
    let (mut kills, mut finished, wanted) = (0, 0, kills_wanted());
    while kills < wanted {
        let workspace = Workspace::small(12);
        let mut known = Vec::new();
        loop {
            let mut runner = workspace.spawn();
            // The delay covers moments from before the folder is opened until after some rows.
            std::thread::sleep(Duration::from_micros(random.below(60_000)));
            let ended = runner.try_wait().unwrap();
            let _ = runner.kill();
            runner.wait().unwrap();
            let lines = workspace.lines();
            assert!(lines.starts_with(&known), "what was recorded has changed");
            known = lines;
            wait_until("workers outlive their runner", || alive(runner.id()) == 0);
            if let Some(status) = ended {
                assert!(status.success());
                break;
            }
            kills += 1;
            if kills == wanted {
                break;
            }
        }
        let output = workspace.run();
        assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
        assert!(workspace.lines().starts_with(&known), "what was recorded has changed");
        assert_eq!(results(&workspace.rows()), expected);
        finished += 1;
    }
    assert!(finished > 0);
}

#[test]
#[ignore = "second tier: it kills many workers"]
fn workers_killed_again_and_again_leave_rows_that_are_right_in_the_end() {
    let workspace = Workspace::small(12);
    let mut random = Random(8);
    let (mut kills, wanted) = (0, kills_wanted());
    loop {
        let mut runner = workspace.spawn();
        let status = loop {
            if let Some(status) = runner.try_wait().unwrap() {
                break status;
            }
            if kills < wanted {
                for worker in children(runner.id()) {
                    // Some workers are spared.
                    if random.below(3) > 0 && kill_process(worker, Signal::KILL).is_ok() {
                        kills += 1;
                    }
                }
            }
            std::thread::sleep(Duration::from_micros(200 + random.below(3_000)));
        };
        // A job that cannot be settled in a session is reported, and tried again by the next one.
        assert!(matches!(status.code(), Some(0 | 1)), "{status}");
        assert_eq!(alive(runner.id()), 0);
        if status.success() && kills >= wanted {
            break;
        }
        if status.success() {
            // All jobs were done before the number of kills was reached. The experiment begins again.
            fs::remove_dir_all(workspace.experiment()).unwrap();
        }
    }
    let rows = workspace.rows();
    let lost = rows.iter().filter(|row| row.termination == Termination::HostError).count();
    assert!(lost > 0, "no kill met a worker at work");
    let undisturbed = Workspace::small(12);
    assert_eq!(undisturbed.run().status.code(), Some(0));
    assert_eq!(results(&rows), results(&undisturbed.rows()));
}

/// The processes that a process has started, in any of its threads.
fn children(parent: u32) -> Vec<Pid> {
    let tasks = fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let words = lists.flat_map(|list| {
        list.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<i32>>()
    });
    words.filter_map(Pid::from_raw).collect()
}
