//! Limits hold in each phase of a command: reading, generating, loading, searching, checking, writing, measuring.
//!
//! The variable `BEZZEL_STOP_IN` makes the time limit pass in a phase, so that no result depends on the speed of the
//! machine. A search of a case would take hours, and no phase follows another one until the command is ended.

use std::fmt::Write as _;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::available_parallelism;

use bezzel_experiment::backend::{InputKind, Query};
use bezzel_experiment::store::{
    FORMAT, NewEntry, RecordedConfig, SessionName, SessionStart, line_of,
};
use bezzel_experiment::{BackendKind, Task};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;
use wait4::Wait4;

use crate::interruptions::workspace::alive;
use crate::program::{BEZZEL, wait_until};

/// The end of a command.
struct End {
    code: Option<i32>,
    stderr: String,
    cpu_s: f64,
}

fn command(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(BEZZEL);
    // A program of an encoder or a solver is one word.
    let words = line.split(' ').map(|word| word.replace('_', " "));
    command.args(words).current_dir(folder).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Waits for the end, and measures the CPU time of the command with its child.
fn end(mut command: Command) -> End {
    let mut child = command.spawn().unwrap();
    let (id, mut stderr) = (child.id(), String::new());
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    let used = child.wait4().unwrap();
    let cpu_s = (used.rusage.utime + used.rusage.stime).as_secs_f64();
    assert_eq!(alive(id), 0, "{stderr}");
    End { code: used.status.code(), stderr, cpu_s }
}

/// The command stops in this phase. It may use three seconds of CPU time with all phases before, in a build without
/// optimisation.
fn stops(folder: &Path, line: &str, phase: &str, option: &str) {
    let mut command = command(folder, line);
    command.env("BEZZEL_STOP_IN", phase);
    let End { code, stderr, cpu_s } = end(command);
    let errors: Vec<_> = stderr.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!((code, errors.len()), (Some(3), 1), "{line} in {phase}: {stderr}");
    assert!(errors[0].contains(&format!(" while {phase}")), "{line} in {phase}: {stderr}");
    assert!(errors[0].contains(option), "{line} in {phase}: {stderr}");
    assert!(cpu_s < 3.0, "{line} in {phase}: {cpu_s} s");
    let left = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().starts_with("out")).collect();
    assert!(left.is_empty(), "{line} in {phase}: {left:?}");
}

/// A folder with files for which each phase takes long.
fn files() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let list = |from: u32, to: u32| {
        (from..=to).map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
    };
    write("half.cnfp", &format!("p cnf+ 600 1\n{} <= 300\n", list(1, 600)));
    let mut groups = String::from("p knf 200000 20000\n");
    for group in 0..20_000 {
        let _ = writeln!(groups, "k 1 {} 0", list(10 * group + 1, 10 * group + 10));
    }
    write("groups.knf", &groups);
    // Thirteen pigeons in twelve holes.
    let mut pigeons = String::from("p knf 156 25\n");
    for pigeon in 0..13 {
        let _ = writeln!(pigeons, "{} 0", list(12 * pigeon + 1, 12 * pigeon + 12));
    }
    for hole in 1..=12 {
        let literals = (0..13).map(|pigeon| format!("-{}", 12 * pigeon + hole));
        let _ = writeln!(pigeons, "k 12 {} 0", literals.collect::<Vec<_>>().join(" "));
    }
    write("pigeons.knf", &pigeons);
    let mut formula = String::from("p cnf 40000 200000\n");
    for number in 0..200_000 {
        let _ = writeln!(formula, "{} -{} 0", number % 40_000 + 1, (number + 1) % 40_000 + 1);
    }
    write("formula.cnf", &formula);
    write("small.cnf", "p cnf 2 2\n1 0\n-1 2 0\n");
    let steps = (3..200_000).map(|step| format!("{step} 2 0 1 2 0\n"));
    write("proof.lrat", &steps.collect::<String>());
    folder
}

/// Commands, with the phases in which they are stopped.
const CASES: [(&str, &[&str]); 17] = [
    ("solve groups.knf", &["reading"]),
    ("solve groups.knf --count", &["reading"]),
    ("solve 150", &["checking"]),
    ("solve pigeons.knf --encoding pairwise --proof out.lrat", &["searching"]),
    ("solve 8 --solver {command:_\"while_:;_do_:;_done\"}", &["searching"]),
    ("solve 16 --random", &["searching"]),
    ("solve 10 --random --max-solutions 1000000 --format json", &["searching"]),
    ("check", &["checking"]),
    ("check product --k 3", &["checking"]),
    ("check product --certify", &["checking"]),
    ("check --cnf formula.cnf --against 60", &["reading", "checking"]),
    ("check --proof small.cnf proof.lrat", &["checking"]),
    ("show groups.knf", &["reading"]),
    ("show pigeons.knf {command:_\"while_:;_do_:;_done\"}", &["generating"]),
    ("show --all", &["checking"]),
    ("encode 8 --encoding {command:_\"while_:;_do_:;_done\"} -o out.cnf", &["generating"]),
    ("encode 400 -o out.cnf.gz", &["writing"]),
];

#[test]
fn every_command_ends_at_its_time_limit_in_every_phase() {
    let folder = files();
    for (line, phases) in CASES {
        for phase in phases {
            stops(folder.path(), &format!("{line} --timeout 600"), phase, "10 min");
        }
    }
}

#[test]
fn every_linked_solver_is_ended_in_every_phase() {
    let folder = files();
    let catalog = bezzel_queens::experiment::catalog();
    for solver in catalog.backends.linked(BackendKind::Solver).map(|solver| solver.name()) {
        let limits = format!("--solver {solver} --timeout 600");
        let half = format!("solve half.cnfp --encoding sequential-counter {limits}");
        stops(folder.path(), &half, "generating", "10 min");
        stops(folder.path(), &half, "loading", "10 min");
        let pigeons = format!("solve pigeons.knf --encoding pairwise {limits}");
        stops(folder.path(), &pigeons, "searching", "10 min");
    }
}

#[test]
fn every_linked_engine_is_ended_in_every_phase() {
    let folder = files();
    let catalog = bezzel_queens::experiment::catalog();
    for engine in catalog.backends.linked(BackendKind::Engine) {
        let limits = format!("--engine {} --timeout 600", engine.name());
        let long = match engine.reads() {
            InputKind::Clauses | InputKind::Formula => "pigeons.knf --encoding pairwise",
            InputKind::Instance | InputKind::Circuit => "16",
        };
        stops(folder.path(), &format!("solve {long} --count {limits}"), "searching", "10 min");
        if engine.capabilities().query(Task::Enumerate) == Some(Query::List) {
            let list = format!("solve {long} --all --format json -o out.json {limits}");
            stops(folder.path(), &list, "searching", "10 min");
        }
        if engine.reads() == InputKind::Clauses {
            let half = format!("solve half.cnfp --encoding sequential-counter --count {limits}");
            stops(folder.path(), &half, "generating", "10 min");
            stops(folder.path(), &half, "loading", "10 min");
        }
    }
}

#[test]
fn tuning_ends_at_its_budget_and_keeps_its_rows() {
    let folder = files();
    stops(folder.path(), "tune groups.knf --budget 7", "reading", "`--budget` allows more");
    let says = "the budget of 7 minutes was spent while measuring; the rows are kept";
    stops(folder.path(), "tune pigeons.knf --budget 7", "measuring", says);
}

/// At the limit at most all cores have worked since the start.
#[test]
fn a_limit_of_the_clock_bounds_the_time_of_the_processor() {
    let folder = files();
    let cores = available_parallelism().map_or(1, usize::from);
    for line in [
        "solve pigeons.knf --encoding pairwise",
        "solve 20 --count",
        "check",
        "show --all",
        "encode 1000",
    ] {
        let End { code, stderr, cpu_s } =
            end(command(folder.path(), &format!("{line} --timeout 0.1")));
        assert_eq!(code, Some(3), "{line}: {stderr}");
        assert!(stderr.contains("error: it took longer than 0.1 s while "), "{line}: {stderr}");
        assert!(cpu_s < 0.1 * cores as f64 + 1.0, "{line}: {cpu_s} s");
    }
}

#[test]
fn a_command_that_needs_more_memory_than_its_limit_is_ended() {
    let folder = files();
    for line in [
        "solve 60 --encoding pairwise --memory 30MiB",
        "solve 60 --count --encoding pairwise --memory 30MiB",
        "check --memory 1MiB",
        "show --all --memory 1MiB",
        "encode groups.knf --memory 1MiB",
        "tune groups.knf --memory 1MiB",
    ] {
        let End { code, stderr, .. } = end(command(folder.path(), line));
        assert_eq!(code, Some(3), "{line}: {stderr}");
        let says = "MiB of memory would be needed while ";
        assert!(stderr.contains(says) && stderr.contains("`--memory` allows more"), "{stderr}");
    }
}

#[test]
fn ctrl_c_ends_a_command_in_the_middle_of_its_work() {
    let folder = files();
    for line in [
        "solve pigeons.knf --encoding pairwise --solver cadical --proof out.lrat",
        "solve 8 --solver {command:_\"while_:;_do_:;_done\"}",
        "check --all",
        "encode 8 --encoding {command:_\"while_:;_do_:;_done\"} -o out.cnf",
    ] {
        let mut child = command(folder.path(), line).spawn().unwrap();
        wait_until("the command has begun", || alive(child.id()) > 0);
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{line}: {stderr}");
        assert_eq!(alive(child.id()), 0, "{line}");
        assert!(
            !folder.path().join("out.lrat").exists() && !folder.path().join("out.cnf").exists()
        );
    }
}

/// The largest resident memory of a command that must refuse, in bytes.
fn peak_of_refusal(folder: &Path, line: &str, says: &str) -> u64 {
    let mut child = command(folder, line).spawn().unwrap();
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    let used = child.wait4().unwrap();
    assert_eq!(used.status.code(), Some(2), "{line}: {stderr}");
    assert!(stderr.contains(says), "{line}: {stderr}");
    used.rusage.maxrss
}

#[test]
fn an_instance_or_a_file_that_is_too_large_is_refused_before_it_takes_memory() {
    let folder = tempfile::tempdir().unwrap();
    let config = "name: big\nproblems: [{latin-square: {order: 1000}}]\nencodings: [pairwise]\nsolvers: [cadical]\n";
    fs::write(folder.path().join("big.yaml"), config).unwrap();
    let experiment = folder.path().join("experiments/big");
    fs::create_dir_all(&experiment).unwrap();
    // A session of this config without a row.
    let config = json!({
        "name": "big",
        "problems": [{"latin-square": {"order": 1000}}],
        "encodings": ["pairwise"],
        "solvers": ["cadical"],
    });
    let Value::Object(config) = config else { unreachable!("it is one") };
    let config = RecordedConfig { config, ..RecordedConfig::default() };
    let name = SessionName::of_file("2026-11-26T12.44.07Z-here-7");
    let start = SessionStart { format: FORMAT, name, config, ..SessionStart::default() };
    fs::write(experiment.join("a.jsonl"), line_of(NewEntry::Session(&start))).unwrap();
    // A file without blocks.
    let sparse = fs::File::create(folder.path().join("sparse.knf")).unwrap();
    sparse.set_len(3 << 30).unwrap();
    let instance = "an instance has at most 4 GiB";
    for (line, says) in [
        ("run big.yaml --plan", instance),
        ("status big", instance),
        ("report big --quiet", instance),
        ("solve sparse.knf", "the limit of 1 GiB"),
        ("show sparse.knf", "the limit of 1 GiB"),
        ("encode sparse.knf", "the limit of 1 GiB"),
    ] {
        let bytes = peak_of_refusal(folder.path(), line, says);
        assert!(bytes < 256 << 20, "{line}: {bytes} bytes");
    }
}
