//! Sessions without their first line; rows with numbers that no machine can have measured; and rows of jobs that no plan
//! contains.

use std::fs;

use bezzel_experiment::store::Rows;
use bezzel_experiment::{ExperimentRecord, Row};
use serde_json::Value;

use crate::program::{ended, printed};
use crate::session_files::change_session;
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

/// Runs the config again in the folder of the copy.
fn run(copy: &Copy) {
    fs::write(copy.folder.path().join("question.yaml"), CONFIG).unwrap();
    ended(&copy.bezzel(&["run", "question.yaml", "--quiet"]), 0);
}

#[test]
fn a_session_without_its_first_line_is_left_out_and_every_command_reports_it() {
    let copy = Copy::of(&RIGHT);
    let folder = copy.experiment();
    let (first, rows) = (copy.session(), copy.rows());
    copy.write(&rows[..4]);
    run(&copy);
    let text = fs::read_to_string(&first).unwrap();
    fs::write(&first, text.replacen("\"command\"", "\"commands\"", 1)).unwrap();
    let name = first.file_name().unwrap().display();
    let warning = format!("{name} is left out: its first line");
    for arguments in [
        &["run", "question.yaml", "--plan", "--json"][..],
        &["run", "question.yaml", "--plan"],
        &["run", "question.yaml", "--shard", "1/2", "--quiet"],
        &["run", "question.yaml", "--quiet"],
        &["report", "sessions", "--quiet"],
        &["report", "sessions", "--rows"],
        &["status", "sessions"],
        &["status", "sessions", "--json"],
        &["report", "sessions", "--against", "sessions"],
        &["run", "sessions", "--sample", "0.001", "--quiet"],
    ] {
        let output = copy.bezzel(arguments);
        let printed = printed(&output);
        assert!(printed.contains(&warning), "{arguments:?}: {printed}");
        if arguments.contains(&"--json") {
            assert!(serde_json::from_slice::<Value>(&output.stdout).is_ok(), "{printed}");
        }
    }
    // The jobs of its four rows were run again.
    let (_, found) = Rows::read(&folder).unwrap();
    assert_eq!(found.by_key.len(), 6);
    let is_old = |row: &Row| {
        rows[..4].iter().any(|old| old.started_unix_s.to_bits() == row.started_unix_s.to_bits())
    };
    assert!(!found.by_key.values().any(is_old));
}

#[test]
fn a_row_that_began_before_its_session_is_a_fault() {
    let copy = Copy::of(&RIGHT);
    change_session(&copy.experiment(), |start, _| start.environment.started_unix_s += 1_000);
    let faults = printed(&copy.verify(&["--sample", "0"]));
    assert_eq!(faults.matches("s before its session: ").count(), 6, "{faults}");
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
            printed.contains("no config of a session asks for it") && all(&printed) == 5,
            "{printed}"
        );
    }
    let printed =
        verified(|row| row.job.instance = bezzel_queens::Board::new(30_000).unwrap().into());
    assert!(printed.contains("its key is") && all(&printed) == 5, "{printed}");
}

#[test]
fn a_row_with_a_square_outside_every_board_is_no_row_and_its_job_is_run_again() {
    for square in [(0, 0), (1, 0), (40_001, 1), (u32::MAX, u32::MAX)] {
        let copy = Copy::of(&RIGHT);
        let mut rows = copy.rows();
        rows[0].places.as_mut().unwrap()[0] = square.into();
        copy.write(&rows);
        let faults = ended(&copy.verify(&["--sample", "0"]), 1);
        let name = copy.session().file_name().unwrap().display().to_string();
        let fault = format!("FAULT: line 2 of {name}: it is no entry of a session");
        assert!(faults.contains(&fault), "{square:?}: {faults}");
        run(&copy);
        let catalog = bezzel_queens::experiment::catalog();
        let record = ExperimentRecord::open(&copy.experiment(), &catalog).unwrap();
        let [damage] = &record.damage[..] else { panic!("{:?}", record.damage) };
        assert!(damage.contains("1 damaged line skipped"), "{damage}");
        assert_eq!(record.rows.len(), 6);
    }
}
