//! The same rows give the same bytes: in another process with other hash seeds, and in every order of the lines of
//! evidence.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::session_files::session_in;

const CONFIG: &str = "\
name: tiny
question: Are the bytes the same?
problems:
- {queens: {size: [6, 8]}, family: plain}
- {queens: {size: [6, 7, 8], geometry: torus}}
- {queens: {size: 8, queens: [2]}}
encodings: [pairwise, product, bryant-circuit]
solvers: [cadical, batsat]
numberings: [as-generated, random: {shuffles: 2}]
include:
- {task: size}
- {task: propagate}
- {task: count, problems: {queens: {size: [4, 5, 6]}}, engines: [backtrack, bdd]}
calibration: off
warm_up: 0
";

fn bezzel(root: &Path, arguments: &[&str]) -> Output {
    let result =
        Command::new(env!("CARGO_BIN_EXE_bezzel")).current_dir(root).args(arguments).output();
    let result = result.unwrap();
    assert_eq!(result.status.code(), Some(0), "{}", String::from_utf8_lossy(&result.stderr));
    result
}

/// Every file below a folder.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_owned();
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}

/// The files of all outputs of an experiment with its lines in this order.
fn made(experiment: &Path, order: impl Fn(&mut Vec<&str>)) -> BTreeMap<PathBuf, Vec<u8>> {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("experiments/tiny");
    fs::create_dir_all(&folder).unwrap();
    for (name, bytes) in files(experiment) {
        fs::write(folder.join(name), bytes).unwrap();
    }
    let session = session_in(&folder);
    let text = fs::read_to_string(&session).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    order(&mut lines);
    fs::write(&session, lines.join("\n") + "\n").unwrap();
    bezzel(root.path(), &["report", "tiny"]);
    bezzel(root.path(), &["report", "tiny", "--rows", "-o", "reports/rows.csv"]);
    files(&root.path().join("reports"))
}

#[test]
fn reports_and_rows_are_the_same_bytes_in_every_process_and_from_lines_in_any_order() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("tiny.yaml"), CONFIG).unwrap();
    bezzel(root.path(), &["run", "tiny.yaml", "--quiet"]);
    let experiment = root.path().join("experiments/tiny");
    let first = made(&experiment, |_| ());
    assert!(first.len() > 40, "{:?}", first.keys());
    for other in [
        made(&experiment, |_| ()),
        made(&experiment, |lines| lines.reverse()),
        made(&experiment, |lines| lines.sort_unstable()),
    ] {
        assert!(other.keys().eq(first.keys()));
        for (name, bytes) in &other {
            assert!(*bytes == first[name], "{} differs", name.display());
        }
    }
}
