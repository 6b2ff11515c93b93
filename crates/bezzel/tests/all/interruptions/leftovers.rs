//! No process is left when a command with programs of others has ended, by any end.

use std::process::{Command, Stdio};

use bezzel_process::IsolationLevel;
use rustix::process::{Pid, Signal, kill_process};

use crate::interruptions::workspace::{Workspace, alive};
use crate::program::{BEZZEL, wait_until};
use crate::programs::called;

/// A solver that never answers. It starts a process in a session of its own, an orphan that ignores TERM and has no
/// environment. Both processes have this number of seconds as an argument.
fn solver(seconds: &str) -> String {
    format!(
        "{{command: \"(trap '' TERM HUP; env -i setsid sleep {seconds} > /dev/null 2>&1 &); sleep {seconds}; : {{cnf}}\"}}"
    )
}

fn has_begun(seconds: &str) {
    wait_until("the solver has begun", || called(seconds) >= 2);
}

fn is_over(command: u32, seconds: &str) {
    wait_until("a process outlives the command", || alive(command) + called(seconds) == 0);
}

#[test]
#[ignore = "second tier: it kills runners"]
fn nothing_survives_a_killed_runner_with_and_without_control_groups() {
    for (number, isolation) in IsolationLevel::ALL.map(IsolationLevel::id).iter().enumerate() {
        let seconds = format!("{}.{number}", 7000 + std::process::id());
        let config = format!(
            "name: small\nproblems: [{{queens: {{size: 6}}}}]\nencodings: [pairwise]\nsolvers: [{}]\ncalibration: off\nwarm_up: 0\n",
            solver(&seconds)
        );
        let workspace = Workspace::new(&config);
        let mut command = workspace.command();
        command.stdout(Stdio::null()).stderr(Stdio::null()).env("BEZZEL_ISOLATION", isolation);
        let mut runner = command.spawn().unwrap();
        has_begun(&seconds);
        assert!(alive(runner.id()) > 0);
        runner.kill().unwrap();
        runner.wait().unwrap();
        is_over(runner.id(), &seconds);
    }
}

#[test]
#[ignore = "second tier: it kills commands"]
fn nothing_survives_a_command_that_is_killed_or_interrupted() {
    for (number, signal) in [Signal::INT, Signal::TERM, Signal::KILL].into_iter().enumerate() {
        let seconds = format!("{}.{number}", 8000 + std::process::id());
        let mut command = Command::new(BEZZEL)
            .args(["solve", "8", "--solver", &solver(&seconds)])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        has_begun(&seconds);
        kill_process(Pid::from_child(&command), signal).unwrap();
        command.wait().unwrap();
        is_over(command.id(), &seconds);
    }
}
