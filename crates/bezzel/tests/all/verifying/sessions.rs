//! Lists of sessions that are lost, or replaced by an older copy; rows with numbers that no machine can have measured;
//! and rows of jobs that no plan contains.

use std::fs;

use bezzel_experiment::{Environment, ExperimentRecord, Row, store};
use serde_json::Value;

use crate::program::printed;
use crate::verifying::spoiled::{Copy, Right};

const CONFIG: &str = "\
name: sessions
problems: [{queens: {size: [4, 5, 6]}}]
encodings: [pairwise, binary]
solvers: [cadical]
calibration: off
warm_up: 0
";

static RIGHT: Right = Right::new("sessions", CONFIG);

fn sessions(copy: &Copy) -> Vec<Environment> {
    store::environments(&copy.experiment()).unwrap()
}

/// Runs the config again in the folder of the copy.
fn run(copy: &Copy) -> String {
    fs::write(copy.folder.path().join("question.yaml"), CONFIG).unwrap();
    let output = copy.bezzel(&["run", "question.yaml", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    printed(&output)
}

#[test]
fn a_session_does_not_take_the_number_of_a_lost_one_and_every_command_tells_of_it() {
    let copy = Copy::of(&RIGHT);
    let rows = copy.rows();
    copy.write(&rows[..4]);
    let list = copy.experiment().join(store::ENVIRONMENT);
    fs::remove_file(&list).unwrap();
    let warning = "4 rows name session 0, missing in `environment.json`: their machine";
    assert!(run(&copy).contains(warning));
    let of: Vec<usize> = copy.rows().iter().map(|row| row.session).collect();
    assert_eq!(of, [0, 0, 0, 0, 1, 1]);
    let known: Vec<bool> = sessions(&copy).iter().map(|session| session.lost).collect();
    assert_eq!(known, [true, false]);
    // No session is missing any more, and the warning stays.
    for arguments in [
        &["run", "question.yaml", "--quiet"][..],
        &["run", "question.yaml", "--plan", "--json"],
        &["run", "question.yaml", "--plan"],
        &["run", "question.yaml", "--shard", "1/2", "--quiet"],
        &["report", "sessions", "--quiet"],
        &["rows", "sessions"],
        &["status", "sessions"],
        &["status", "sessions", "--json"],
        &["merge", "sessions"],
        &["compare", "sessions", "sessions"],
        &["run", "sessions", "--sample", "0.001", "--quiet"],
        &["report", "sessions", "sessions-reproduced", "--as", "both", "--quiet"],
    ] {
        let output = copy.bezzel(arguments);
        let printed = printed(&output);
        assert!(printed.contains(warning), "{arguments:?}: {printed}");
        if arguments.contains(&"--json") {
            assert!(serde_json::from_slice::<Value>(&output.stdout).is_ok(), "{printed}");
        }
    }
    let verified = copy.verify(&["--sample", "0"]);
    assert_eq!(verified.status.code(), Some(1));
    let faults = printed(&verified);
    assert_eq!(faults.matches("its session 0 is not in environment.json").count(), 4, "{faults}");
}

#[test]
fn with_an_older_list_a_session_gets_a_new_number() {
    let copy = Copy::of(&RIGHT);
    let list = copy.experiment().join(store::ENVIRONMENT);
    let older = fs::read(&list).unwrap();
    let rows = copy.rows();
    copy.write(&rows[..4]);
    run(&copy);
    assert_eq!(sessions(&copy).len(), 2);
    // The older list is restored and a row is removed. Its job gets a new session.
    fs::write(&list, older).unwrap();
    copy.write(&copy.rows()[..5]);
    assert!(run(&copy).contains("1 row names session 1, missing in"));
    let of: Vec<usize> = copy.rows().iter().map(|row| row.session).collect();
    assert_eq!(of, [0, 0, 0, 0, 1, 2]);
}

#[test]
fn a_row_that_began_before_its_session_is_a_fault() {
    let copy = Copy::of(&RIGHT);
    let list = copy.experiment().join(store::ENVIRONMENT);
    let mut sessions = sessions(&copy);
    sessions[0].started_unix_s += 1_000;
    fs::write(&list, serde_json::to_vec(&sessions).unwrap()).unwrap();
    let faults = printed(&copy.verify(&["--sample", "0"]));
    assert_eq!(faults.matches("s before its session 0").count(), 6, "{faults}");
}

/// Changes the first row, computes its checksum again, and verifies all.
fn verified(change: impl FnOnce(&mut Row)) -> String {
    let copy = Copy::of(&RIGHT);
    let mut rows = copy.rows();
    change(&mut rows[0]);
    copy.write(&rows);
    let output = copy.verify(&["--all", "--encode-for", "5"]);
    let printed = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    printed
}

#[test]
fn numbers_that_no_machine_can_have_measured_are_faults() {
    for (change, says) in [
        ((|row| row.cpu_s = -1.0) as fn(&mut Row), "its CPU time is -1 s"),
        (|row| row.cpu_s = 1e308, "outside of 0 to 315576000 s"),
        (|row| row.wall_s = -0.5, "its wall time is -0.5 s"),
        (|row| row.solve_cpu_s = Some(1e300), "CPU time of solving"),
        (|row| row.cpu_s = 1e6, "s of wall time, on a machine with"),
        (
            |row| row.memory_peak_bytes = Some(u64::MAX),
            "its peak of memory is 18446744073709551615",
        ),
        (|row| row.started_unix_s = 1e300, "s since 1970, outside of 0 to"),
        (|row| row.started_unix_s = -7.0, "s since 1970, outside of 0 to"),
    ] {
        let printed = verified(change);
        assert!(printed.contains(says), "{says}: {printed}");
    }
}

#[test]
fn a_job_that_no_plan_asks_for_or_with_another_key_is_never_run_again() {
    let all = |printed: &str| {
        let line = printed.lines().find(|line| line.starts_with("jobs run again")).unwrap();
        line.split_whitespace().nth(3).unwrap().parse::<usize>().unwrap()
    };
    // No value of a limit causes a panic.
    for seconds in [1e308, -1e308, 0.0, f64::MIN_POSITIVE] {
        let printed = verified(|row| {
            (row.job.limits.cpu_s, row.job.limits.wall_s) = (seconds, seconds);
        });
        assert!(printed.contains("its key is") && all(&printed) == 5, "{printed}");
        let printed = verified(|row| {
            (row.job.limits.cpu_s, row.job.limits.wall_s) = (seconds, seconds);
            row.key = row.job.key(row.encoding_revision, &row.solver_version);
        });
        assert!(
            printed.contains("no version of the config asks for it") && all(&printed) == 5,
            "{printed}"
        );
    }
    let printed =
        verified(|row| row.job.instance = bezzel_queens::Board::new(30_000).unwrap().into());
    assert!(printed.contains("its key is") && all(&printed) == 5, "{printed}");
}

#[test]
fn a_row_with_a_square_outside_every_board_is_no_row() {
    for square in [(0, 0), (1, 0), (40_001, 1), (u32::MAX, u32::MAX)] {
        let printed = verified(|row| row.places.as_mut().unwrap()[0] = square.into());
        assert!(printed.contains("FAULT: line 1: it is not a row"), "{square:?}: {printed}");
    }
}

#[test]
fn a_row_of_a_session_that_cannot_be_is_no_row() {
    let copy = Copy::of(&RIGHT);
    let mut rows = copy.rows();
    rows[0].session = usize::MAX;
    copy.write(&rows);
    let faults = printed(&copy.verify(&["--sample", "0"]));
    assert!(faults.contains("FAULT: line 1: "), "{faults}");
    // The job of the row is missing, and is run again.
    run(&copy);
    let record =
        ExperimentRecord::open(&copy.experiment(), &bezzel_queens::experiment::catalog()).unwrap();
    assert_eq!((record.rows.len(), record.damaged), (6, 1));
}
