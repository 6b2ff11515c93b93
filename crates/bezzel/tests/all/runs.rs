//! Whole runs: evidence is kept, found again, and judged, and survives the end of a runner.

use std::fs;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bezzel_experiment::experiment::Call;
use bezzel_experiment::runner::WorkerProcesses;
use bezzel_experiment::{PlannedExperiment, Row, Termination};
use bezzel_solve::Answer;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::interruptions::workspace::Workspace;
use crate::program::{bezzel_in, ended, wait_until};
use crate::session_files::{rows_in, sessions_in, starts_in};

const SMALLEST: &str = "\
name: small
problems: [{queens: {size: 8}}]
encodings: [pairwise]
solvers: [cadical]
";

#[test]
fn a_session_states_its_command_and_its_config_with_every_limit() {
    let workspace = Workspace::new(SMALLEST);
    assert_eq!(workspace.run().status.code(), Some(0));
    let start = starts_in(&workspace.experiment()).remove(0);
    assert!(start.command.ends_with("run question.yaml --quiet"), "{}", start.command);
    let mut expected = json!({
        "name": "small",
        "problems": [{"queens": {"size": 8}}],
        "encodings": ["pairwise"],
        "solvers": ["cadical"],
        "limits": {"cpu": "60 s", "wall": "600 s"},
    });
    let limits = workspace.rows()[0].job.limits;
    assert_eq!((limits.cpu_s, limits.wall_s), (60.0, 600.0));
    expected["limits"]["memory"] = format!("{} bytes", limits.memory_bytes).into();
    assert_eq!(Value::from(start.config.config), expected);

    // The folder stands for this config: to go on, or to run it under another name. The author's part stays.
    let answer = format!("{SMALLEST}repeats: 2\nanswer: It is so.\n");
    fs::write(workspace.path().join("question.yaml"), answer).unwrap();
    assert_eq!(workspace.run().status.code(), Some(0));
    fs::remove_file(workspace.path().join("question.yaml")).unwrap();
    let bezzel = |arguments: &[&str]| {
        ended(&bezzel_in(workspace.path(), &[&["run", "experiments/small"], arguments].concat()), 0)
    };
    let printed = bezzel(&[]);
    assert!(printed.contains("every job has its row, 2 in all"), "{printed}");
    assert_eq!(sessions_in(&workspace.experiment()).len(), 2);
    bezzel(&["--name", "again", "--quiet"]);
    for name in ["small", "again"] {
        let folder = workspace.path().join("experiments").join(name);
        assert_eq!(rows_in(&folder).len(), 2, "{name}");
        let last = starts_in(&folder).pop().unwrap();
        assert_eq!(last.config.report["answer"], "It is so.", "{name}");
        let report = workspace.path().join("reports").join(name).join("report.md");
        assert!(fs::read_to_string(report).unwrap().contains("It is so."), "{name}");
    }
    bezzel(&["--shard", "1/2", "--programs", "--quiet"]);
}

#[test]
fn a_run_that_is_stopped_leaves_no_empty_folder_for_its_report() {
    let endless = SMALLEST.replace("size: 8", "size: 20, geometry: torus");
    let workspace = Workspace::new(&endless);
    let mut command = workspace.command();
    let runner = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("the run begins", || !workspace.files().is_empty());
    kill_process(Pid::from_child(&runner), Signal::INT).unwrap();
    assert_eq!(runner.wait_with_output().unwrap().status.code(), Some(130));
    assert!(!workspace.path().join("reports").exists());
    let session = fs::read_to_string(workspace.session()).unwrap();
    assert!(session.lines().last().unwrap().contains("\"kind\":\"stopped\""), "{session}");
}

#[test]
fn ctrl_c_leaves_no_half_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_bezzel"));
    command
        .args(["encode", "400", "--encoding", "pairwise", "-o", "vast.cnf.xz"])
        .current_dir(folder.path());
    let mut writer = command.spawn().unwrap();
    let is_begun =
        || folder.path().join("vast.cnf.xz.part").metadata().is_ok_and(|file| file.len() > 0);
    while !is_begun() {
        assert_eq!(writer.try_wait().unwrap(), None, "it ended too early");
        std::thread::sleep(Duration::from_millis(5));
    }
    kill_process(Pid::from_child(&writer), Signal::INT).unwrap();
    assert_eq!(writer.wait().unwrap().code(), Some(130));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_job_out_of_time_is_a_row_that_keeps_its_effort() {
    // The torus of side 16 has no solution, and takes far longer than the limit.
    let config = SMALLEST.replace("size: 8", "size: 16, geometry: torus")
        + "limits: {cpu: 400 ms, wall: 600 s}\nnumberings: [as-generated]\n";
    let config = config.replace("[cadical]", "[cadical, batsat]");
    let workspace = Workspace::new(&config);
    ended(&workspace.run(), 0);
    let rows = workspace.rows();
    assert_eq!(rows.len(), 2);
    for row in rows {
        assert_eq!(
            (row.status, row.termination),
            (Answer::Unknown, Termination::CpuLimit),
            "{row:?}"
        );
        assert!(row.solver_stats.conflicts.unwrap() > 0);
        assert!(row.solve_cpu_s.unwrap() > 0.1);
        assert!(!row.solved());
    }
}

#[test]
fn a_job_out_of_memory_is_a_row_too() {
    let config = SMALLEST.replace("size: 8", "size: 100");
    // The plan refuses only jobs that certainly do not fit. CaDiCaL needs three times as much.
    let workspace = Workspace::new(&(config + "limits: {memory: 64 MiB}\n"));
    ended(&workspace.run(), 0);
    let rows = workspace.rows();
    assert_eq!(
        (rows[0].status, rows[0].termination),
        (Answer::Unknown, Termination::MemoryLimit),
        "{rows:?}"
    );
    assert!(rows[0].memory_peak_bytes.unwrap() < 128 << 20);
    assert_eq!(rows[0].formula.as_ref().unwrap().clauses, 1_646_900);
}

#[test]
fn a_large_runner_does_not_make_its_workers_look_large() {
    let mut ballast = vec![0_u8; 200 << 20];
    for page in ballast.chunks_mut(4096) {
        page[0] = 1;
    }
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("question.yaml");
    fs::write(&config, format!("{SMALLEST}calibration: off\n")).unwrap();
    let catalog = bezzel_queens::experiment::catalog();
    let planned = PlannedExperiment::read(folder.path(), &config, None, &catalog).unwrap();
    let experiment = planned.open(None).unwrap();
    let workers = WorkerProcesses::of_linked_solvers(env!("CARGO_BIN_EXE_bezzel"));
    let cancel = AtomicBool::new(false);
    let mut peak = None;
    let observe = |row: &Row| peak = row.memory_peak_bytes;
    let summary = experiment.run(Call::default(), &workers, &cancel, None, observe).unwrap();
    assert_eq!(summary.added, 1);
    let peak = peak.unwrap();
    assert!(peak < 100 << 20, "a small worker of a large runner claims {peak} bytes");
    assert!(ballast.iter().step_by(4096).all(|&byte| byte == 1));
}
