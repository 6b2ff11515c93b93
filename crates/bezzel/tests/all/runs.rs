//! Whole runs: evidence is kept, found again, and judged, and survives the end of a runner.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bezzel_experiment::experiment::{Call, SessionPart};
use bezzel_experiment::runner::WorkerProcesses;
use bezzel_experiment::{PlannedExperiment, Row, Termination, Verdict};
use bezzel_solve::Answer;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::interruptions::workspace::Workspace;
use crate::program::{bezzel_in, ended, printed, prints, wait_until};
use crate::session_files::{rows_in, sessions_in, starts_in};

const SMALLEST: &str = "\
name: small
problems: [{queens: {size: 8}}]
encodings: [pairwise]
solvers: [cadical]
";

#[test]
fn the_smallest_config_ends_in_a_verified_row_and_a_report() {
    let workspace = Workspace::new(SMALLEST);
    let output = workspace.run();
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    let rows = workspace.rows();
    assert_eq!(rows.len(), 1);
    let row = &rows[0];
    assert_eq!(
        (row.status, row.verdict, row.termination),
        (Answer::Sat, Verdict::Verified, Termination::Finished)
    );
    assert_eq!(row.formula.as_ref().unwrap().clauses, 744);
    assert!(row.memory_peak_bytes.unwrap() > 0);
    let reports = workspace.path().join("reports/small");
    assert!(reports.join("index.html").exists());
    assert!(printed(&output).contains("reports/small/index.html"));

    // The second run has no jobs, and changes nothing.
    let before = fs::read(workspace.session()).unwrap();
    let output = workspace.run();
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    assert!(printed(&output).contains("every job has its row"));
    assert_eq!(fs::read(workspace.session()).unwrap(), before);

    // `bezzel report` alone gives the same report.
    let page = fs::read_to_string(reports.join("table.csv")).unwrap();
    let report = Command::new(&workspace.program)
        .args(["report", "small"])
        .current_dir(workspace.path())
        .output()
        .unwrap();
    assert_eq!(report.status.code(), Some(0), "{}", printed(&report));
    assert_eq!(fs::read_to_string(reports.join("table.csv")).unwrap(), page);
}

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
fn a_plan_is_printed_and_nothing_is_run() {
    let workspace = Workspace::new(SMALLEST);
    prints(&workspace.command().arg("--plan").output().unwrap(), 0, "pairwise");
    assert!(!workspace.path().join("experiments").exists());
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
fn a_damaged_line_is_passed_over_and_reported_and_its_job_run_again() {
    let workspace = Workspace::new(&SMALLEST.replace("size: 8", "size: [6, 7, 8]"));
    assert_eq!(workspace.run().status.code(), Some(0));
    let session = workspace.session();
    let text = fs::read_to_string(&session).unwrap();
    let damaged = text.replacen("{\"row\":{\"key\":", "{\"row\":{\"kez\":", 1);
    fs::write(&session, &damaged).unwrap();
    prints(&workspace.run(), 0, "1 damaged line skipped, the first is line ");
    assert_eq!(fs::read_to_string(&session).unwrap(), damaged, "what was there is not edited");
    let [_, second] = &sessions_in(&workspace.experiment())[..] else { panic!("two sessions") };
    assert_eq!(fs::read_to_string(second).unwrap().matches("{\"row\":").count(), 1);
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

/// A workspace with this config, and a program with wrong encodings.
fn with_wrong_encodings(config: &str) -> Workspace {
    let mut workspace = Workspace::new(config);
    let examples = Path::new(env!("CARGO_BIN_EXE_bezzel")).parent().unwrap().join("examples");
    workspace.program = examples.join("wrong_encoding");
    assert!(workspace.program.exists(), "build the examples first: cargo build --examples");
    workspace
}

#[test]
fn a_wrong_encoder_of_lines_is_refused_with_its_counterexample_before_any_job() {
    let config = SMALLEST.replace("[pairwise]", "[pairwise, forgetful]");
    let workspace = with_wrong_encodings(&config);
    let output = workspace.run();
    let printed = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    let expected = "the encoder `forgetful` is wrong: at most 1 of 3 inputs: it wrongly allows that exactly these \
                    inputs hold: 1, 3; no job was run";
    assert!(printed.contains(expected), "{printed}");
    assert!(printed.contains("    1 2 3\n    1 0 1"), "{printed}");
    assert!(workspace.files().is_empty(), "no session began");
}

/// An encoder of at most k, as a script of awk. It loses its last clause for n ≥ 10 and k ≥ 2.
const LOSES_A_CLAUSE: &str = r#"
function add(clause) { clauses[count++] = clause " 0" }
NR > 1 {
    k = $2; n = $3; count = 0
    for (i = 1; i < n; i++) {
        here = n + (i - 1) * k; before = here - k
        add(-i " " (here + 1))
        if (i == 1) continue
        for (j = 1; j <= k; j++) {
            add("-" (before + j) " " (here + j))
            if (j > 1) add(-i " -" (before + j - 1) " " (here + j))
        }
        add(-i " -" (before + k))
    }
    if (n < 10 || k < 2) add(-n " -" (n + (n - 1) * k))
    print "p cnf", n + (n - 1) * k, count
    for (number = 0; number < count; number++) print clauses[number]
}
"#;

#[test]
fn a_program_that_is_wrong_for_many_inputs_alone_is_found_by_check_show_and_run() {
    let config = "name: small\nquestion: Which is faster?\nproblems: [{file: some.opb}]\n\
                  encodings: [\"totalizer:cut\", {command: \"awk -f encoder.awk\", kind: at-most-k}]\nsolvers: [cadical]\n\
                  calibration: off\n";
    let workspace = Workspace::new(config);
    let folder = workspace.path();
    fs::write(folder.join("encoder.awk"), LOSES_A_CLAUSE).unwrap();
    let group: Vec<String> = (1..=11).map(|x| format!("+1 x{x}")).collect();
    let file = format!("{} <= 3 ;\n{} >= 2 ;\n", group.join(" "), group.join(" "));
    fs::write(folder.join("some.opb"), file).unwrap();
    let output = workspace.run();
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.contains("kind: at-most-k}` is wrong: at most 3 of 11 inputs: it wrongly allows"),
        "{text}"
    );
    assert!(workspace.files().is_empty());
    let name = "{command: \"awk -f encoder.awk\", kind: at-most-k}";
    for (arguments, place) in [
        (
            &["check", name][..],
            "on at most 2 of 10 inputs: it wrongly allows that exactly these inputs hold: ",
        ),
        (&["check", name, "--k", "3"], "WRONG: at most 3 of 10 inputs: it wrongly allows"),
        (&["check", name, "--k", "12"], "WRONG: at most 12 of 13 inputs: it wrongly allows"),
        (&["show", name, "--k", "3"], "WRONG: at most 3 of 10 inputs: it wrongly allows"),
        (&["show", name], "WRONG: at most 2 of 10 inputs: it wrongly allows"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_bezzel"))
            .args(arguments)
            .current_dir(folder)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", printed(&output));
        // Lines are broken anywhere between words.
        let text = printed(&output).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(place), "{arguments:?}: {text}");
    }
}

#[test]
fn a_wrong_encoding_is_found_out_named_and_fails_the_run() {
    let config = SMALLEST.replace("[pairwise]", "[forgetful-board, pairwise]");
    let workspace = with_wrong_encodings(&config);
    prints(&workspace.run(), 1, "WRONG: cadical on 8 with forgetful-board");
    let rows = workspace.rows();
    assert_eq!(rows.len(), 2);
    let verdict = |id: &str| rows.iter().find(|row| row.job.encoding == id).unwrap().verdict;
    assert_eq!(verdict("forgetful-board"), Verdict::Wrong);
    assert_eq!(verdict("pairwise"), Verdict::Verified);
    let page = fs::read_to_string(workspace.path().join("reports/small/report.md")).unwrap();
    assert!(page.contains("forgetful"));
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
    let experiment = planned.open(SessionPart::Whole).unwrap();
    let workers = WorkerProcesses::new(env!("CARGO_BIN_EXE_bezzel"));
    let cancel = AtomicBool::new(false);
    let mut peak = None;
    let observe = |row: &Row| peak = row.memory_peak_bytes;
    let summary = experiment.run(Call::default(), &workers, &cancel, observe).unwrap();
    assert_eq!(summary.added, 1);
    let peak = peak.unwrap();
    assert!(peak < 100 << 20, "a small worker of a large runner claims {peak} bytes");
    assert!(ballast.iter().step_by(4096).all(|&byte| byte == 1));
}
