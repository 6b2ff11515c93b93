//! Progress on a terminal: no line is wider than it, and the end of a run shows its answer.

use std::fs;
use std::path::Path;
use std::process::Command;

use bezzel_experiment::quantity::time;
use bezzel_experiment::shard::RemainingTime;
use bezzel_experiment::{Experiment, PlannedJob, Row, StoredResults};

const CONFIG: &str = "\
name: watched
problems: [{queens: {size: [6, 7, 8]}}, {queens: {size: 5, geometry: torus}}]
encodings: [pairwise, product, binary, bryant-circuit]
solvers: [cadical, batsat]
numberings: [random: {shuffles: 3}]
calibration: off
warm_up: 0
";

/// The output of `bezzel run` on a terminal with `columns` columns. Nothing where there is no `script` to make one.
fn on_terminal(columns: usize) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("question.yaml"), CONFIG).unwrap();
    let line = format!(
        "stty cols {columns} rows 24; exec '{}' run question.yaml",
        env!("CARGO_BIN_EXE_bezzel")
    );
    let output = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .env("TERM", "xterm")
        .current_dir(folder.path())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}");
    Some(text)
}

/// The text without the escapes that terminals obey.
fn visible(text: &str) -> String {
    let mut shown = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter == '\u{1b}' {
            // An escape ends with its first letter.
            letters.by_ref().find(char::is_ascii_alphabetic);
        } else {
            shown.push(letter);
        }
    }
    shown
}

#[test]
#[ignore = "second tier: it starts `script`"]
fn the_line_of_progress_fits_the_terminal() {
    for columns in [40, 80] {
        let Some(text) = on_terminal(columns) else { return };
        let text = visible(&text);
        let lines: Vec<&str> =
            text.split(['\r', '\n']).filter(|line| line.contains(" %  ")).collect();
        assert!(lines.len() > 1, "{text}");
        for line in &lines {
            assert!(line.trim_end().chars().count() <= columns, "{columns}: `{line}`");
        }
        // The most important parts are visible.
        assert!(lines.iter().any(|line| line.contains("96/96")), "{lines:?}");
        assert!(lines.iter().any(|line| line.contains(" left")), "{lines:?}");
    }
}

#[test]
fn the_end_of_a_run_shows_its_computed_answer() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("question.yaml"), CONFIG).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bezzel"));
        let output = command.args(arguments).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let printed = run(&["run", "question.yaml", "--quiet"]);
    let (_, answer) = printed.split_once("\nComputed answer\n").unwrap();
    let (answer, _) = answer.split_once("\n\nreport: ").unwrap();
    // The numbers are those of the report's first table.
    let report = fs::read_to_string(folder.path().join("reports/watched/report.md")).unwrap();
    let first = report.split_once("## Computed answer\n").unwrap().1;
    let first = first.split_once("\n\n- ").unwrap().0;
    let rows: Vec<&str> =
        first.lines().filter(|line| line.starts_with("| satisfiable |")).collect();
    assert_eq!(rows.len(), 8, "{first}");
    let cells = |row: &str| row.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let head = first.lines().find(|line| line.contains("PAR2 (s)")).map(cells).unwrap();
    for row in rows {
        for (item, head) in cells(row).iter().zip(&head) {
            // A time has the unit of its size there, and fewer digits if it is short.
            let shown = match item.parse() {
                Ok(seconds) if head == "PAR2 (s)" && seconds < 1e-4 => String::new(),
                Ok(seconds) if head == "PAR2 (s)" => time(seconds),
                _ => item.clone(),
            };
            assert!(answer.contains(&shown), "{shown}: {answer}");
        }
    }
    // All boards have a solution. Four encodings are six pairs.
    let sentence = "4 satisfiable instances of 2 families in cadical + LRAT: no verdict is possible; 8 are needed for 4 \
                    encodings.";
    assert!(report.contains(sentence), "{report}");
    // Four boards, four encodings, two solvers, three shuffles.
    let evidence = "96 runs; 96 answers verified; 0 wrong; noise of the machine not measured;";
    assert!(report.contains(evidence), "{report}");
    assert!(answer.contains("96 runs; 96 answers verified; 0 wrong;"), "{answer}");
    assert!(printed.lines().all(|line| line.chars().count() <= 100), "{printed}");
    assert!(printed.ends_with("\nreport: reports/watched/index.html\n"), "{printed}");
}

/// Records with jobs of a tenth of a millisecond to seconds. The time of instances that are much larger than all that ran
/// before cannot be known.
const RECORDS: [&str; 4] = [
    "first-solution",
    "first-solution-choose",
    "which-encoding-completion-sat",
    "which-encoding-pigeonhole",
];

#[test]
fn the_time_left_of_recorded_runs_is_right_from_a_tenth_on_within_a_factor_of_1_5() {
    bezzel_queens::add_kinds();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for name in RECORDS {
        // In the order of the run, with CPU times in the place of a clock.
        let rows = StoredResults::open(&Experiment::folder(&root, name)).unwrap().rows;
        let planned = |row: &Row| {
            PlannedJob::new(row.job.clone(), row.encoding_revision, row.solver_version.clone())
        };
        let jobs: Vec<PlannedJob> = rows.iter().map(planned).collect();
        let all: f64 = rows.iter().map(|row| row.cpu_s).sum();
        let mut left = RemainingTime::new(&jobs, []);
        let (mut gone, mut judged) = (0.0, 0);
        for row in &rows {
            left.take(&Row { wall_s: row.cpu_s, ..row.clone() });
            gone += row.cpu_s;
            // The last jobs take no time that a user waits for.
            if gone >= 0.1 * all && gone < 0.98 * all {
                let ratio = left.seconds(gone).unwrap() / (all - gone);
                assert!((1.0 / 1.5..=1.5).contains(&ratio), "{name} at {:.2}: {ratio}", gone / all);
                judged += 1;
            }
        }
        assert!(judged > 20, "{name}: {judged}");
    }
}
