//! Progress on a terminal: no line is wider than it, and the end of a run shows its answer.

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
    let (answer, _) = answer.split_once("\n\nevidence: ").unwrap();
    // The numbers are those of the report's first table.
    let report = fs::read_to_string(folder.path().join("reports/watched/report.md")).unwrap();
    let first = report.split_once("## Computed answer\n").unwrap().1;
    let first = first.split_once("\n\n- ").unwrap().0;
    let rows: Vec<&str> =
        first.lines().filter(|line| line.starts_with("| satisfiable |")).collect();
    assert_eq!(rows.len(), 8, "{first}");
    for row in rows {
        for item in row.split('|').map(str::trim).filter(|item| !item.is_empty()) {
            assert!(answer.contains(item), "{item}: {answer}");
        }
    }
    // All boards have a solution. Four encodings are six pairs.
    let sentence = "4 satisfiable instances of 2 families: no verdict is possible; 8 are needed for 4 encodings.";
    assert!(report.contains(sentence), "{report}");
    // Four boards, four encodings, two solvers, three shuffles.
    let evidence = "96 runs; 96 answers verified; 0 wrong; noise of the machine not measured;";
    assert!(report.contains(evidence), "{report}");
    assert!(answer.contains("96 runs; 96 answers verified; 0 wrong;"), "{answer}");
    assert!(printed.lines().all(|line| line.chars().count() <= 100), "{printed}");
    assert!(printed.contains("reports/watched/index.html"), "{printed}");
}
