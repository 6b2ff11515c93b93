//! Experiments on other instances than boards: run, judged, verified, reported.

use bezzel_queens::Board;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;

use bezzel_experiment::packing::Packing;
use bezzel_experiment::{Row, Verdict};
use bezzel_solve::Answer;

use crate::program::{bezzel_in, ended};
use crate::session_files::{change_session, rows_in};

const CONFIG: &str = "\
name: t
question: Does every kind run?
problems:
  - {queens: {size: 5}}
  - {latin-square: {order: 5, holes: 50 %, exactly-one: [1, 3], seeds: 1}}
  - {latin-square: {order: 4, box-rows: 2}}
  - {pigeonhole: {pigeons: 4, holes: [3, 4]}}
  - {graph-colouring: {graph: mycielski, number: 4, colours: [3, 4]}}
  - {graph-colouring: {graph: random, vertices: 7, density: 0.5, colours: 3, seeds: 1..2}}
  - {langford: {n: [4, 5]}}
  - {exact-cover: {file: cover.txt}}
  - {file: ['files/*.knf', files/none.opb.gz]}
encodings: [pairwise, product]
numberings: [{random: {shuffles: 1, clauses: true}}]
task: [solve, enumerate, count, size, propagate]
solvers: [cadical, batsat]
engines: [blocking]
limits: {cpu: 60 s, memory: 1 GiB}
calibration: off
";

/// Writes the files that the config names.
fn write_files(folder: &Path, cover: &str) {
    fs::write(folder.join("cover.txt"), cover).unwrap();
    fs::create_dir(folder.join("files")).unwrap();
    let two = "p knf 5 4\nk 3 -1 -2 -3 -4 0\n1 2 3 4 0\n2 -5 0\nk 1 5 -1 3 0\n";
    fs::write(folder.join("files/two.knf"), two).unwrap();
    fs::write(folder.join("files/one.knf"), "p knf 3 2\nk 2 -1 -2 -3 0\n1 2 0\n").unwrap();
    let file = fs::File::create(folder.join("files/none.opb.gz")).unwrap();
    let mut packed = Packing::Gzip.write(file).unwrap();
    packed.write_all(b"+1 x1 +1 x2 +1 ~x3 = 1 ;\n1 x1 >= 1 ;\n1 x2 1 ~x3 >= 1 ;\n").unwrap();
    packed.finish().unwrap();
}

#[test]
fn every_kind_is_run_judged_verified_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("t.yaml"), CONFIG).unwrap();
    write_files(folder.path(), "a b c | d\na\nb c d\na c\nb\nc d\n");
    ended(&bezzel_in(folder.path(), &["run", "t.yaml"]), 0);
    let rows = rows_in(&folder.path().join("experiments/t"));
    let kinds: BTreeSet<&str> = rows.iter().map(|row| row.job.instance.kind()).collect();
    assert_eq!(kinds.len(), 7, "{kinds:?}");
    for row in &rows {
        let what = format!("{} of {} with {}", row.job.task, row.job.instance, row.job.encoding);
        assert_eq!((row.verdict, &row.note), (Verdict::Verified, &None), "{what}");
        let is_shown = row.status == Answer::Sat && row.all.is_none();
        assert_eq!(row.solution().is_some(), is_shown, "{what}");
        // This process has not read the problem files.
        if let Some(solution) = row.solution().filter(|_| row.job.instance.has_problem()) {
            assert_eq!(row.job.instance.check(&solution), Ok(()), "{what}");
        }
    }
    // Both answers occur outside boards.
    for answer in [Answer::Sat, Answer::Unsat] {
        let is_other = |row: &&Row| Board::of(&row.job.instance).is_none();
        assert!(rows.iter().filter(is_other).any(|row| row.status == answer), "{answer}");
    }
    ended(&bezzel_in(folder.path(), &["verify", "t", "--sample", "1", "--quiet"]), 0);
    let page = fs::read_to_string(folder.path().join("reports/t/index.html")).unwrap();
    assert!(page.contains("langford"), "instances are named");
    let table = fs::read_to_string(folder.path().join("reports/t/table.csv")).unwrap();
    assert!(table.contains("exact-cover cover.txt, 4 items, 5 options (#"), "{table}");
    assert_eq!(rows.len(), rows_in(&folder.path().join("experiments/t")).len());
    ended(&bezzel_in(folder.path(), &["run", "t.yaml"]), 0);
    assert_eq!(rows.len(), rows_in(&folder.path().join("experiments/t")).len(), "all are reused");
}

#[test]
fn a_row_with_a_wrong_solution_of_another_kind_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let config = CONFIG.replace("task: [solve, enumerate, count, size, propagate]\n", "");
    let config =
        config.replace("engines: [blocking]\n", "").replace("  - {queens: {size: 5}}\n", "");
    fs::write(folder.path().join("t.yaml"), config).unwrap();
    write_files(folder.path(), "a\na\n");
    ended(&bezzel_in(folder.path(), &["run", "t.yaml"]), 0);
    change_session(&folder.path().join("experiments/t"), |_, rows| {
        let is_it = |row: &&mut Row| row.job.instance.to_string() == "langford 4";
        rows.iter_mut().find(is_it).unwrap().chosen = Some(vec![1, 2, 3, 4]);
    });
    let output = bezzel_in(folder.path(), &["verify", "t", "--sample", "0", "--quiet"]);
    let printed = ended(&output, 1);
    assert!(printed.contains("the solution breaks the rules"), "{printed}");
}
