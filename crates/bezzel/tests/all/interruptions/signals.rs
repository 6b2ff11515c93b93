//! Signals that ask a run to end: TERM, INT and HUP, and INT twice.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::interruptions::workspace::{LONG, Workspace, alive};
use crate::program::{printed, wait_until};

/// Far less than the time in which the job ends by itself or at its limit, which is 600 s.
const SOON: Duration = Duration::from_mins(5);

/// A runner whose worker is at work.
fn at_work(workspace: &Workspace) -> Child {
    let runner = workspace.command().stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("a worker is at work", || alive(runner.id()) > 0);
    runner
}

fn send(runner: &Child, signal: Signal) {
    kill_process(Pid::from_child(runner), signal).unwrap();
}

#[test]
fn every_signal_that_asks_a_run_to_end_ends_it_soon_and_loses_nothing() {
    let workspace = Workspace::new(LONG);
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let runner = at_work(&workspace);
        let (id, start) = (runner.id(), Instant::now());
        send(&runner, signal);
        let output = runner.wait_with_output().unwrap();
        assert!(start.elapsed() < SOON, "{signal:?}: {:?}", start.elapsed());
        assert_eq!(output.status.code(), Some(130), "{signal:?}: {}", printed(&output));
        let says = "the same command continues";
        assert!(printed(&output).contains(says), "{signal:?}: {}", printed(&output));
        assert_eq!(alive(id), 0, "{signal:?}");
        assert_eq!(workspace.rows().len(), 0, "a job that was stopped has no row");
        let file = workspace.files().pop_last().expect("a session").1;
        assert!(String::from_utf8_lossy(&file).contains("\"kind\":\"stopped\""), "{signal:?}");
    }
}

#[test]
fn asked_twice_a_run_ends_at_once() {
    let workspace = Workspace::new(LONG);
    let runner = at_work(&workspace);
    let (id, start) = (runner.id(), Instant::now());
    send(&runner, Signal::INT);
    send(&runner, Signal::INT);
    let output = runner.wait_with_output().unwrap();
    assert!(start.elapsed() < SOON);
    assert_eq!(output.status.code(), Some(130), "{}", printed(&output));
    wait_until("workers outlive their runner", || alive(id) == 0);
}
