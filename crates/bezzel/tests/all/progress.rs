//! Progress on a terminal: no line is wider than it, and the end of a run shows its main table.

use std::fs;
use std::process::Command;

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
            text.split(['\r', '\n']).filter(|line| line.contains(" gone")).collect();
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
fn the_end_of_a_run_shows_its_main_table() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("question.yaml"), CONFIG).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bezzel"));
        let output = command.args(arguments).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let printed = run(&["run", "question.yaml", "--quiet"]);
    let table = printed.split_once("\nEncodings\n").unwrap().1.split_once("\n\n").unwrap().0;
    // The numbers are those of the report's first table.
    let report = fs::read_to_string(folder.path().join("reports/watched/report.md")).unwrap();
    let first = report.split_once("## Encodings\n").unwrap().1;
    for encoding in ["pairwise", "product", "binary", "bryant-circuit"] {
        let row = first.lines().find(|line| line.starts_with(&format!("| {encoding} |"))).unwrap();
        let numbers = row.split('|').map(str::trim).filter(|cell| !cell.is_empty());
        for number in numbers {
            assert!(table.split_whitespace().any(|word| word == number), "{number}: {table}");
        }
    }
    assert!(printed.lines().all(|line| line.chars().count() <= 100), "{printed}");
    assert!(printed.contains("reports/watched/index.html"), "{printed}");
}
