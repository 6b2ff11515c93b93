//! Progress on a terminal: no line is wider than it, and the end of a run shows its answer.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use bezzel_experiment::quantity::time;
use bezzel_experiment::shard::{RemainingTime, TimeLeft};
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
                Ok(seconds) if head.ends_with(" (s)") && seconds < 1e-4 => String::new(),
                Ok(seconds) if head.ends_with(" (s)") => time(seconds),
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

/// The times of the rows of a record in the order of the run, with CPU times in the place of a clock. Calls `judge` with the
/// part of the time that is gone, and the ratio of each estimate to the truth with its factor, from a tenth of the run on.
fn replay(name: &str, mut judge: impl FnMut(f64, f64, f64)) {
    bezzel_queens::add_kinds();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut rows = StoredResults::open(&Experiment::folder(&root, name)).unwrap().rows;
    rows.retain(|row| row.termination != Termination::Skipped);
    let planned = |row: &Row| {
        PlannedJob::new(row.job.clone(), row.encoding_revision, row.solver_version.clone())
    };
    let jobs: Vec<PlannedJob> = rows.iter().map(planned).collect();
    let all: f64 = rows.iter().map(|row| row.cpu_s).sum();
    let mut left = RemainingTime::new(&jobs, []);
    let (mut gone, mut next) = (0.0, 0.1 * all);
    for row in &rows {
        left.take(&Row { wall_s: row.cpu_s, ..row.clone() });
        gone += row.cpu_s;
        // The last jobs take no time that a user waits for.
        if gone >= next && gone < 0.98 * all {
            next = gone + all / 200.0;
            let TimeLeft { seconds, factor } = left.after(gone).unwrap();
            judge(gone / all, seconds / (all - gone), factor);
        }
    }
}

/// Records whose instances resemble those that ran before, with jobs of a tenth of a millisecond to seconds.
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
        let mut judged = 0;
        replay(name, |gone, ratio, _| {
            assert!((1.0 / 1.5..=1.5).contains(&ratio), "{name} at {gone:.2}: {ratio}");
            judged += 1;
        });
        assert!(judged > 20, "{name}: {judged}");
    }
}

/// Records in which instances differ by far, or other kinds follow. A point cannot be right there.
const WIDE: [&str; 5] = [
    "all-solutions",
    "car-sequencing",
    "every-kind-cover-sat",
    "order-or-luck-batsat",
    "tune-regret",
];

/// The parts of the estimates from a tenth of a run on: those whose range has the truth, up to a quarter of it; those that are
/// shown as one time; and those of the latter that are within a factor of 1.5. The worst factor is printed.
fn parts(name: &str) -> [f64; 4] {
    let (mut parts, mut worst) = ([0.0; 4], 1.0_f64);
    replay(name, |_, ratio, factor| {
        let off = ratio.max(ratio.recip());
        worst = worst.max(off);
        parts[0] += 1.0;
        parts[1] += f64::from(u8::from(off <= 1.25 * factor));
        if factor <= 1.5 {
            parts[2] += 1.0;
            parts[3] += f64::from(u8::from(off <= 1.5));
        }
    });
    let [range, one] = [parts[1] / parts[0], parts[2] / parts[0]];
    let line =
        format!("{name}: worst factor {worst:.2}; in the range {range:.2}; one time {one:.2}");
    let _ = writeln!(std::io::stdout(), "{line}");
    parts
}

/// The sum of the parts of all these records. Each counts as much as another one.
fn summed(names: impl IntoIterator<Item = String>) -> [f64; 4] {
    let mut all = [0.0; 4];
    for parts in names.into_iter().map(|name| parts(&name)).filter(|parts| parts[0] > 0.0) {
        (0..4).for_each(|part| all[part] += parts[part] / parts[0]);
    }
    all
}

#[test]
fn a_range_of_the_time_left_has_the_truth_where_instances_differ() {
    let [all, in_range, ..] = summed(WIDE.map(str::to_owned));
    assert!(in_range >= 0.75 * all, "{in_range} of {all}");
}

#[test]
#[ignore = "second tier: it reads every record"]
fn ranges_of_the_time_left_of_all_records_have_the_truth() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let folders = fs::read_dir(root).unwrap().map(|entry| entry.unwrap());
    let folders = folders.filter(|entry| entry.path().is_dir());
    let names = folders.map(|entry| entry.file_name().into_string().unwrap());
    let [all, in_range, one, one_right] = summed(names);
    assert!(in_range >= 0.8 * all, "in the range: {in_range} of {all}");
    assert!(one_right >= 0.8 * one, "within a factor of 1.5: {one_right} of {one}");
}
