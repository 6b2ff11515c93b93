//! SIGKILL to runners and to workers at any moment.

use std::fs;
use std::time::{Duration, Instant};

use bezzel_experiment::Termination;
use rustix::process::{Pid, Signal, kill_process};

use crate::interruptions::workspace::{Random, Workspace, alive, are_kept, found_in, row_lines};
use crate::program::{printed, wait_until};

/// The number of kills of runners, and of workers, unless `BEZZEL_KILLS` gives it.
const KILLS: usize = 300;

fn kills_wanted() -> usize {
    let wanted = std::env::var("BEZZEL_KILLS").ok();
    wanted.map_or(KILLS, |number| number.parse().expect("a number of kills"))
}

#[test]
#[ignore = "second tier: it kills many runners"]
fn a_runner_killed_at_any_moment_loses_no_row_and_counts_none_twice() {
    let (undisturbed, begin) = (Workspace::small(12), Instant::now());
    let output = undisturbed.run();
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    // Other tests may delay this run more than later ones.
    let mut half = begin.elapsed().as_micros() as u64 / 2;
    let expected = undisturbed.results();
    assert_eq!(expected.len(), 192);

    let mut random = Random(1848);
    let (mut kills, mut after_rows, wanted) = (0, 0, kills_wanted());
    while kills < wanted {
        let workspace = Workspace::small(12);
        while kills < wanted {
            let (before, rows) = (workspace.files(), row_lines(&workspace.experiment()));
            let mut runner = workspace.spawn();
            // The delay covers moments from before the folder is opened until after many rows.
            std::thread::sleep(Duration::from_micros(random.below(half)));
            let ended = runner.try_wait().unwrap();
            let _ = runner.kill();
            runner.wait().unwrap();
            are_kept(&before, &workspace.experiment());
            wait_until("workers outlive their runner", || alive(runner.id()) == 0);
            if let Some(status) = ended {
                assert!(status.success());
                if rows == 0 {
                    half /= 2;
                }
                break;
            }
            kills += 1;
            after_rows += usize::from(row_lines(&workspace.experiment()) > rows);
        }
        let before = workspace.files();
        let output = workspace.run();
        assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
        are_kept(&before, &workspace.experiment());
        assert_eq!(workspace.results(), expected);
        assert_eq!(row_lines(&workspace.experiment()), expected.len(), "no job was run twice");
        let (sessions, _) = found_in(&workspace.experiment());
        assert_eq!(sessions.damaged, [], "a kill only cuts a file");
    }
    assert!(after_rows > wanted / 10, "{after_rows} of {wanted} kills met a session with rows");
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
    assert_eq!(workspace.results(), undisturbed.results());
    assert_eq!(rows.len() - lost, undisturbed.rows().len(), "no job has two answers");
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
