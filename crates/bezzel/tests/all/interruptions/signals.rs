//! Asking a run to end: TERM, INT and HUP, and INT twice.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::interruptions::place::{LONG, Place, alive};
use crate::program::{told, wait_until};

/// Long before the job ends by itself or at its limit, which is 600 s.
const SOON: Duration = Duration::from_mins(5);

/// A runner whose worker is at work.
fn at_work(place: &Place) -> Child {
    let runner = place.command().stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("a worker is at work", || alive(runner.id()) > 0);
    runner
}

fn send(runner: &Child, signal: Signal) {
    kill_process(Pid::from_child(runner), signal).unwrap();
}

#[test]
fn every_signal_that_asks_a_run_to_end_ends_it_soon_and_loses_nothing() {
    let place = Place::new(LONG);
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let runner = at_work(&place);
        let (id, start) = (runner.id(), Instant::now());
        send(&runner, signal);
        let output = runner.wait_with_output().unwrap();
        assert!(start.elapsed() < SOON, "{signal:?}: {:?}", start.elapsed());
        assert_eq!(output.status.code(), Some(130), "{signal:?}: {}", told(&output));
        let says = "the same command goes on from there";
        assert!(told(&output).contains(says), "{signal:?}: {}", told(&output));
        assert_eq!(alive(id), 0, "{signal:?}");
        assert_eq!(place.rows().len(), 0, "a job that was stopped has no row");
        assert!(!place.experiment().join("runner.json").exists());
    }
}

#[test]
fn asked_twice_a_run_ends_at_once() {
    let place = Place::new(LONG);
    let runner = at_work(&place);
    let (id, start) = (runner.id(), Instant::now());
    send(&runner, Signal::INT);
    send(&runner, Signal::INT);
    let output = runner.wait_with_output().unwrap();
    assert!(start.elapsed() < SOON);
    assert_eq!(output.status.code(), Some(130), "{}", told(&output));
    wait_until("workers outlive their runner", || alive(id) == 0);
}
