//! Progress on a terminal: no line is wider than it, and the end of a run shows its answer.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use bezzel_experiment::quantity::time;
use bezzel_experiment::remaining::{RemainingTime, sample_first};
use bezzel_experiment::{Experiment, PlannedJob, Row, StoredResults, Termination};

const CONFIG: &str = "\
name: watched
problems: [{queens: {size: [6, 7, 8]}}, {queens: {size: 5, geometry: torus}}]
encodings: [pairwise, product, binary, bryant-circuit]
solvers: [cadical, batsat]
numberings: [random: {shuffles: 3}]
calibration: off
warm_up: 0
";

/// The output of a command on a terminal with `columns` columns. Nothing where there is no `script` to make one.
fn on_terminal(columns: usize, arguments: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("question.yaml"), CONFIG).unwrap();
    let line =
        format!("stty cols {columns} rows 24; exec '{}' {arguments}", env!("CARGO_BIN_EXE_bezzel"));
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
        let Some(text) = on_terminal(columns, "run question.yaml") else { return };
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
    let checked = on_terminal(80, "check adder").map(|text| visible(&text));
    let shown = |line: &str| line.contains("/313  ") && line.contains("checking adder: at most ");
    assert!(checked.is_none_or(|text| text.split('\r').any(shown)));
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
                Ok(seconds) if head.ends_with(" (s)") && seconds < 1e-4 => String::new(),
                Ok(seconds) if head.ends_with(" (s)") => time(seconds),
                _ => item.clone(),
            };
            assert!(answer.contains(&shown), "{shown}: {answer}");
        }
    }
    // All boards have a solution. Four encodings are six pairs.
    let sentence = "4 satisfiable instances of 2 families in CaDiCaL: no verdict is possible; 8 are needed for 4 \
                    encodings.";
    assert!(report.contains(sentence), "{report}");
    // Four boards, four encodings, two solvers, three shuffles.
    let evidence = "96 runs; 96 answers verified; 0 wrong; noise of the machine not measured;";
    assert!(report.contains(evidence), "{report}");
    assert!(answer.contains("96 runs; 96 answers verified; 0 wrong;"), "{answer}");
    assert!(printed.lines().all(|line| line.chars().count() <= 100), "{printed}");
    assert!(printed.ends_with("\nreport: reports/watched/index.html\n"), "{printed}");
}

/// The estimates of the run of a record from a tenth of its time on: each as the ratio to the time that was left. CPU times
/// are in the place of a clock. The rows were recorded small instances first.
fn ratios(name: &str) -> Vec<f64> {
    bezzel_queens::add_kinds();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut rows = StoredResults::open(&Experiment::folder(&root, name)).unwrap().rows;
    rows.retain(|row| row.termination != Termination::Skipped);
    sample_first(&mut rows);
    let planned = |row: &Row| {
        PlannedJob::new(row.job.clone(), row.encoding_revision, row.solver_version.clone())
    };
    let jobs: Vec<PlannedJob> = rows.iter().map(planned).collect();
    let all: f64 = rows.iter().map(|row| row.cpu_s).sum();
    let mut left = RemainingTime::new(&jobs, []);
    let (mut gone, mut next, mut ratios) = (0.0, 0.1 * all, Vec::new());
    for row in &rows {
        left.take(&Row { wall_s: row.cpu_s, ..row.clone() });
        gone += row.cpu_s;
        // The last jobs take no time that a user waits for.
        if gone >= next && gone < 0.98 * all {
            next = gone + all / 200.0;
            ratios.push(left.after(gone).unwrap() / (all - gone));
        }
    }
    ratios
}

/// The part of the estimates that are within a factor of 1.5. It is printed.
fn part_within(name: &str) -> Option<f64> {
    let ratios = ratios(name);
    let right = ratios.iter().filter(|ratio| (1.0 / 1.5..=1.5).contains(*ratio)).count();
    let part = right as f64 / ratios.len() as f64;
    let worst = ratios.iter().map(|ratio| ratio.max(ratio.recip())).fold(1.0, f64::max);
    let line = format!("{name}: within a factor of 1.5 {part:.2}; worst factor {worst:.2}");
    let _ = writeln!(std::io::stdout(), "{line}");
    (!ratios.is_empty()).then_some(part)
}

/// Records of several kinds, with jobs of a tenth of a millisecond to seconds.
const RECORDS: [&str; 8] = [
    "first-solution",
    "first-solution-choose",
    "which-encoding-completion-sat",
    "which-encoding-pigeonhole",
    "max-square",
    "order-or-luck-clique",
    "order-or-luck-torus",
    "every-kind-queens-sat",
];

#[test]
fn the_time_left_of_recorded_runs_is_right_from_a_tenth_on_within_a_factor_of_1_5() {
    for name in RECORDS {
        let part = part_within(name).unwrap();
        assert!(part >= 0.95, "{name}: {part}");
    }
}

#[test]
#[ignore = "second tier: it reads every record"]
fn the_time_left_of_most_records_is_right_within_a_factor_of_1_5() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let folders = fs::read_dir(root).unwrap().map(|entry| entry.unwrap());
    let folders = folders.filter(|entry| entry.path().is_dir());
    let names = folders.map(|entry| entry.file_name().into_string().unwrap());
    let parts: Vec<f64> = names.filter_map(|name| part_within(&name)).collect();
    let mean = parts.iter().sum::<f64>() / parts.len() as f64;
    assert!(mean >= 0.8, "{mean}");
}
