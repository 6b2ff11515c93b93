//! Rows of an experiment in the hands of the programs that they are written for: pyarrow, Metrics and
//! BenchExec's table-generator. mkplot is not on `PyPI`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use bezzel_lab::{Row, Stop, Verdict};

use crate::tools::{is_installed, skipped};

const CONFIG: &str = "\
name: rows
boards: [{size: [6, 8]}, {size: 6, geometry: torus}]
encodings: [pairwise, product]
solvers: [cadical, batsat]
numberings: [random: {shuffles: 2}]
limits: {cpu: 10 s, memory: 1 GiB}
proofs: off
calibration: off
warm_up: 0
";

fn bezzel(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bezzel"));
    let told = command.current_dir(folder).args(arguments).output().unwrap();
    assert_eq!(told.status.code(), Some(0), "{}", String::from_utf8_lossy(&told.stderr));
    told
}

/// A folder with an experiment, one of whose runs came to no end, and its rows.
fn experiment() -> (tempfile::TempDir, Vec<Row>) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("rows.yaml"), CONFIG).unwrap();
    bezzel(folder.path(), &["run", "rows.yaml", "--quiet"]);
    let path = folder.path().join("experiments/rows/rows.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let mut rows: Vec<Row> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let late = &mut rows[0];
    (late.stop, late.verdict, late.evidence) = (Stop::CpuLimit, Verdict::Unchecked, None);
    (late.answer, late.queens) = (bezzel_solve::Answer::Unknown, None);
    // Rows of format 1 have no seals.
    let lines = rows.iter().map(|row| {
        let line = serde_json::to_string(&Row { format: 1, ..row.clone() }).unwrap();
        line.replacen("\"format\":1,", "", 1) + "\n"
    });
    fs::write(&path, lines.collect::<String>()).unwrap();
    (folder, rows)
}

/// What a program in Python prints, or nothing where it has not got this module.
fn python(folder: &Path, module: &str, program: &str) -> Option<String> {
    let run = |program: &str| {
        Command::new("python3").current_dir(folder).args(["-c", program]).output().unwrap()
    };
    if !is_installed("python3") {
        return None;
    }
    if !run(&format!("import {module}")).status.success() {
        skipped(&format!("the Python module {module}"));
        return None;
    }
    let told = run(program);
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    Some(String::from_utf8(told.stdout).unwrap())
}

#[test]
fn pyarrow_reads_the_same_from_parquet_as_stands_in_the_csv() {
    let (folder, rows) = experiment();
    let folder = folder.path();
    bezzel(folder, &["rows", "rows", "-o", "rows.csv"]);
    bezzel(folder, &["rows", "rows", "--format", "parquet", "-o", "rows.parquet"]);
    // Every cell, by the types that Parquet tells.
    let program = "
import csv, pyarrow.parquet as parquet
table = parquet.read_table('rows.parquet')
lines = list(csv.DictReader(open('rows.csv', newline='')))
assert table.column_names == list(lines[0]), table.column_names
assert table.num_rows == len(lines)
def same(value, text):
    if value is None or value == '': return text == ''
    if isinstance(value, bool): return text == str(value).lower()
    if isinstance(value, (int, float)): return value == type(value)(text)
    return value == text
kinds = set()
for name in table.column_names:
    kinds.add(str(table.schema.field(name).type))
    for value, line in zip(table[name].to_pylist(), lines):
        assert same(value, line[name]), (name, value, line[name])
print(table.num_rows, *sorted(kinds))
print(sum(table['stop'][i].as_py() == 'cpu-limit' for i in range(table.num_rows)))
print(sum(table['clauses'].to_pylist()))
";
    let Some(told) = python(folder, "pyarrow.parquet", program) else { return };
    let clauses: u64 = rows.iter().map(|row| row.formula.as_ref().unwrap().clauses).sum();
    assert_eq!(told, format!("{} bool double string uint64\n1\n{clauses}\n", rows.len()));
}

#[test]
fn metrics_reads_the_campaign_and_knows_which_runs_are_solved() {
    let (folder, rows) = experiment();
    let folder = folder.path();
    bezzel(folder, &["rows", "rows", "--format", "metrics", "-o", "campaign.csv"]);
    let program = "
from metrics.scalpel import read_campaign
campaign, configuration = read_campaign('campaign.yaml')
print(campaign.name, int(campaign.timeout), campaign.memout)
print(len(campaign.experiments), len(campaign.input_set.inputs), len(campaign.experiment_wares))
success = configuration.get_is_success()
for run in campaign.experiments:
    assert 0 <= float(run.cpu_time) <= 10, run.cpu_time
    assert success(run.__dict__) == (run.stop == 'finished'), run.__dict__
print(sum(bool(success(run.__dict__)) for run in campaign.experiments))
print(sorted(ware.name for ware in campaign.experiment_wares))
";
    let Some(told) = python(folder, "metrics.scalpel", program) else { return };
    let [count, solved] = [rows.len(), rows.len() - 1];
    let arms = "['pairwise, batsat', 'pairwise, cadical', 'product, batsat', 'product, cadical']";
    // Three boards in two shuffles each.
    assert_eq!(told, format!("rows 10 1073\n{count} 6 4\n{solved}\n{arms}\n"));
}

#[test]
fn table_generator_shows_the_results_of_every_arm() {
    let (folder, rows) = experiment();
    let folder = folder.path();
    bezzel(folder, &["rows", "rows", "--format", "benchexec", "-o", "results"]);
    if !is_installed("table-generator") {
        return;
    }
    let files = fs::read_dir(folder.join("results")).unwrap();
    let mut files: Vec<_> = files.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 4, "{files:?}");
    let mut command = Command::new("table-generator");
    let told =
        command.current_dir(folder).args(["-f", "csv", "-n", "table", "-o", "."]).args(files);
    let told = told.output().unwrap();
    let text = String::from_utf8_lossy(&told.stdout) + String::from_utf8_lossy(&told.stderr);
    assert!(told.status.success(), "{text}");
    let table = fs::read_to_string(folder.join("table.table.csv")).unwrap();
    let body: Vec<&str> = table.lines().skip(3).collect();
    assert_eq!(body.len(), rows.len() / 4, "{table}");
    let count = |status: &str| table.split(['\t', '\n']).filter(|cell| *cell == status).count();
    let answered = |answer| rows.iter().filter(|row| row.answer == answer).count();
    assert_eq!(count("true"), answered(bezzel_solve::Answer::Sat), "{table}");
    assert_eq!(count("false"), answered(bezzel_solve::Answer::Unsat), "{table}");
    assert_eq!(count("TIMEOUT"), 1, "{table}");
}
