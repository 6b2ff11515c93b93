//! Settings of encodings, from the command line and in whole runs.

use std::path::Path;
use std::process::Command;

use bezzel_encode::AmoUse;
use bezzel_experiment::Verdict;

use crate::program::{bezzel, ended, stdout};
use crate::session_files::rows_in;

/// Runs a config in a folder.
fn run(folder: &Path, config: &str) {
    std::fs::write(folder.join("question.yaml"), config).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_bezzel"));
    ended(&command.args(["run", "-q", "question.yaml"]).current_dir(folder).output().unwrap(), 0);
}

#[test]
fn a_file_says_in_which_order_its_variables_are() {
    let order = ["--squares", "spiral", "--auxiliaries", "before"];
    let text = stdout(&bezzel(
        &[&["encode", "3", "--encoding", "sequential-counter"], &order[..]].concat(),
    ));
    assert!(text.contains("\nc numbering: spiral with auxiliaries before\n"), "{text}");
    let primary = text.lines().find(|line| line.starts_with("c square 3,2 ")).unwrap();
    let centre = text.lines().find(|line| line.starts_with("c square 2,2 ")).unwrap();
    let number = |line: &str| line.rsplit(' ').next().unwrap().parse::<u32>().unwrap();
    // The square 3,2 is the last but three of the spiral, and the centre is the last.
    assert_eq!(number(centre), number(primary) + 3);
}

#[test]
fn a_run_over_all_settings_is_verified_and_distinguished_in_its_report() {
    let folder = tempfile::tempdir().unwrap();
    let config = "
name: settings
problems: [{queens: {size: 6, blocked: [[1, 1], [1, 6]]}}, {queens: {size: 6, geometry: torus}}]
encodings: [pairwise, product]
input_order: [as-stated, reversed]
numberings: [as-generated, {squares: spiral, auxiliaries: between}]
solvers: [batsat]
";
    run(folder.path(), config);
    let experiment = folder.path().join("experiments/settings");
    let rows = rows_in(&experiment);
    assert_eq!(rows.len(), 2 * 2 * 2 * 2);
    assert!(rows.iter().all(|row| row.verdict == Verdict::Verified));
    let table = folder.path().join("reports/settings/table.md");
    let table = std::fs::read_to_string(table).unwrap();
    for label in ["product (input order reversed)", "spiral with auxiliaries between"] {
        assert!(table.contains(label), "{table}");
    }
    // Each setting has a key of its own, and no job is run twice.
    run(folder.path(), config);
    assert_eq!(rows_in(&experiment), rows);
}

#[test]
fn a_run_over_input_orders_is_verified_and_an_encoding_of_whole_boards_is_there_once() {
    let folder = tempfile::tempdir().unwrap();
    let config = "
name: orders
problems: {queens: {size: 6}}
encodings: [\"commander:3\", binary]
input_order: [as-stated, reversed, random:7]
numberings: [as-generated, random: {shuffles: 1}]
exclude: {input_order: \"random:7\", numbering: random}
solvers: [batsat]
calibration: off
";
    run(folder.path(), config);
    let rows = rows_in(&folder.path().join("experiments/orders"));
    assert!(rows.iter().all(|row| row.verdict == Verdict::Verified), "{rows:?}");
    let rows: Vec<_> = rows.iter().map(|row| serde_json::to_string(row).unwrap()).collect();
    let number = |text: &str| rows.iter().filter(|row| row.contains(text)).count();
    // Of five jobs of `commander:3` two have the default, which no job contains.
    assert_eq!(number("\"encoding\":\"commander:3\""), 5);
    assert_eq!(number("\"encoding\":\"binary\""), 2);
    assert_eq!(number("\"input_order\":\"reversed\",\"numbering\""), 2);
    assert_eq!(number("\"input_order\":\"random:7\",\"numbering\""), 1);
    assert_eq!(number("input_order"), 3);
    let table = std::fs::read_to_string(folder.path().join("reports/orders/table.md")).unwrap();
    assert!(table.contains("| commander:3 (input order random:7) |"), "{table}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_bezzel"));
    let output =
        command.args(["report", "orders", "--rows"]).current_dir(folder.path()).output().unwrap();
    assert!(stdout(&output).contains(",input_order,amo,numbering,"), "{}", stdout(&output));
    assert!(stdout(&output).contains(",random:7,none,as-generated,"), "{}", stdout(&output));
}

#[test]
fn counts_with_and_without_groups_in_sums_are_those_of_an_exhaustive_search() {
    let folder = tempfile::tempdir().unwrap();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs/instances/choices.opb");
    std::fs::copy(file, folder.path().join("choices.opb")).unwrap();
    let config = "
name: parts
problems: {file: choices.opb}
encodings: [robdd, generalised-totalizer, weight-counter, global-watchdog]
amo: [none, detected]
task: count
engines: propagator
calibration: off
";
    run(folder.path(), config);
    let rows = rows_in(&folder.path().join("experiments/parts"));
    assert_eq!(rows.len(), 8);
    for row in &rows {
        let count = row.all.as_ref().unwrap().count.to_string();
        assert_eq!((count.as_str(), row.verdict), ("711", Verdict::Verified));
    }
    let detected = rows.iter().filter(|row| row.job.settings.amo == AmoUse::Detected);
    assert_eq!(detected.count(), 4);
    let table = std::fs::read_to_string(folder.path().join("reports/parts/table.md")).unwrap();
    assert!(table.contains("robdd (amo detected)"), "{table}");
}
