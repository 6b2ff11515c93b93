//! No process of a command line is left when its run is over, by any end of the run.

use std::fs;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use bezzel_process::{Exit, Program, SoftLimits, StopReason};

use super::{AMPLE, Bench, MISBEHAVE, eventually, run, survivors, token, words};

/// A process in a session of its own: an orphan that ignores TERM, with an empty environment.
pub(crate) const DAEMON: &str =
    "(trap '' TERM HUP; env -i setsid misbehave sleep TOKEN > /dev/null 2>&1 &)";

#[test]
fn a_process_that_leaves_everything_behind_is_killed_after_the_programs_end() {
    let outcome = run(&format!("{DAEMON}; {DAEMON}; sleep 0.1; exit 10"), AMPLE);
    assert_eq!((outcome.exit, outcome.stopped), (Exit::Code(10), None));
}

#[test]
#[ignore = "second tier: it waits for a limit"]
fn a_limit_ends_all_of_them_too() {
    let limits = SoftLimits { wall_s: 0.3, ..AMPLE };
    let outcome = run(&format!("{DAEMON}; sleep 1000 & wait"), limits);
    assert_eq!(outcome.stopped, Some(StopReason::Wall));
}

#[test]
fn a_chain_of_successors_is_caught() {
    let outcome = run("misbehave comet 5000 TOKEN; sleep 0.1", AMPLE);
    assert_eq!((outcome.exit, outcome.stopped), (Exit::Code(0), None));
}

#[test]
#[ignore = "second tier: it starts very many processes"]
fn a_bomb_is_no_more_when_its_program_ends() {
    let outcome = run("misbehave bomb 6 TOKEN & sleep 0.15; exit 3", AMPLE);
    assert_eq!(outcome.exit, Exit::Code(3));
}

#[test]
fn a_child_that_holds_the_output_open_is_not_waited_for() {
    let bench = Bench::new("(setsid sleep 1000 &); echo done; exit 0", AMPLE);
    let outcome = bench.run();
    assert!(outcome.wall_s < 300.0);
    assert_eq!((outcome.exit, bench.text().as_str()), (Exit::Code(0), "done\n"));
}

/// Returns a separate process that runs `command`.
fn somebody(way: &str, bench: &Bench, command: &str) -> Command {
    let mut somebody = Command::new(MISBEHAVE);
    somebody
        .arg(way)
        .arg(bench.path())
        .arg(words(command, &bench.token))
        .env("TOKEN", &bench.token)
        .stdout(Stdio::null());
    somebody
}

#[test]
fn nothing_survives_a_supervisor_that_is_killed() {
    let bench = Bench::new("", AMPLE);
    let script = format!(
        "{DAEMON}; (setsid sleep 1000 &); sleep 1000 & sleep 0.1; kill -KILL $PPID; sleep 1000"
    );
    // A process of its own, since it ends all processes that it has adopted.
    let output = somebody("run", &bench, &script).stdout(Stdio::piped()).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("SupervisorDied { exit: Signal(9)"), "{printed}");
    assert_eq!(survivors(&bench.token), 0);
}

#[test]
fn nothing_survives_a_worker_and_a_supervisor_that_are_killed_together() {
    let bench = Bench::new("", AMPLE);
    let script = format!(
        "{DAEMON}; (setsid sleep 1000 &); sleep 1000 & sleep 0.1; \
         read -r _ _ _ worker _ < /proc/$PPID/stat; kill -KILL $worker $PPID; sleep 1000"
    );
    let output =
        somebody("run-in-worker", &bench, &script).stdout(Stdio::piped()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "Ok(Signal(9))\n");
    assert_eq!(survivors(&bench.token), 0);
}

/// Returns the child of a process, as soon as it has one.
fn child_of(pid: &str) -> Option<String> {
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).ok()?;
    children.split_whitespace().next().map(str::to_owned)
}

#[test]
#[ignore = "second tier: it starts very many processes"]
fn nothing_survives_a_kill_at_any_moment() {
    for round in 0..120 {
        let bench = Bench::new("", AMPLE);
        let mut worker = somebody("run", &bench, &busy()).spawn().unwrap();
        let number = worker.id().to_string();
        let (kills_worker, pause) = (round % 2 == 0, Duration::from_micros(150 * round));
        assert!(eventually(|| child_of(&number).is_some()));
        thread::sleep(pause);
        let victim = if kills_worker { Some(number.clone()) } else { child_of(&number) };
        let victim = victim.expect("the supervisor runs as long as its program");
        assert!(Command::new("kill").args(["-KILL", &victim]).status().unwrap().success());
        worker.wait().unwrap();
        assert!(eventually(|| survivors(&bench.token) == 0), "after {pause:?}");
    }
}

/// Returns a command line with daemons and other processes that continue, and a file that reports their start.
fn busy() -> String {
    format!("{DAEMON}; (setsid sleep 1000 &); sleep 0.1; touch begun; sleep 1000")
}

#[test]
fn nothing_survives_a_runner_that_is_killed() {
    let bench = Bench::new("", AMPLE);
    let mut runner = somebody("run", &bench, &busy()).spawn().unwrap();
    assert!(eventually(|| bench.path().join("begun").exists()));
    assert!(survivors(&bench.token) >= 3);
    runner.kill().unwrap();
    runner.wait().unwrap();
    assert!(eventually(|| survivors(&bench.token) == 0));
}

#[test]
fn nothing_survives_a_runner_that_is_interrupted() {
    let bench = Bench::new("", AMPLE);
    let status = somebody("interrupted", &bench, &busy()).status().unwrap();
    assert!(status.success());
    assert_eq!(survivors(&bench.token), 0);
}

#[test]
fn nothing_survives_a_worker_that_is_killed_by_its_runner() {
    let token = token();
    let folder = tempfile::tempdir().unwrap();
    let command = words(&busy(), &token);
    let worker = Program {
        args: ["run".into(), folder.path().into(), command.into()].into(),
        environment: vec![
            ("PATH".into(), "/usr/bin:/bin".into()),
            ("TOKEN".into(), token.clone().into()),
        ],
        grace: Duration::ZERO,
        ..Program::new(MISBEHAVE, Duration::from_mins(10))
    };
    let cancel = AtomicBool::new(false);
    let outcome = thread::scope(|scope| {
        let run = scope.spawn(|| worker.run(Some(&cancel)).unwrap());
        assert!(eventually(|| folder.path().join("begun").exists()));
        cancel.store(true, Ordering::Relaxed);
        run.join().unwrap()
    });
    assert_eq!(outcome.exit, Exit::Signal(9));
    // The supervisor of the program ends it when its worker has ended.
    assert!(eventually(|| survivors(&token) == 0));
}
