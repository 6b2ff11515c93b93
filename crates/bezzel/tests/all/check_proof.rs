//! `bezzel check --proof`: files in, one verdict out.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzWriter};

/// Every clause of two variables, and proofs that these contradict each other.
const FORMULA: &str = "c all\np cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n";
const LRAT: &str = "5 2 0 1 2 0\n6 0 5 3 4 0\n";

fn file(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path
}

fn check(arguments: &[&str], paths: [&Path; 2]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bezzel"));
    command.args(["check", "--proof"]).args(arguments).args(paths).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The lines of the verdict, after the facts.
#[track_caller]
fn verdict(output: &Output) -> (&str, i32) {
    let lines: Vec<&str> = text(&output.stdout).lines().collect();
    assert_eq!(text(&output.stderr), "");
    let verdicts = lines.iter().filter(|line| !line.starts_with("c ")).count();
    assert_eq!(verdicts, 1, "{lines:?}");
    (lines.last().unwrap(), output.status.code().unwrap())
}

#[test]
fn a_right_proof_is_verified() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let formula = file(folder, "formula.cnf", FORMULA);
    let lrat = file(folder, "proof", LRAT);
    let output = check(&[], [&formula, &lrat]);
    assert_eq!(verdict(&output), ("s VERIFIED", 0));
    let facts = text(&output.stdout);
    assert!(facts.contains("c formula: 2 variables, 4 clauses\n"), "{facts}");
    assert!(facts.contains("c proof: LRAT in text, 2 steps in 23 bytes\n"), "{facts}");
    assert!(facts.contains("c 2 clauses added, 0 of them by their first literal"), "{facts}");
}

#[test]
fn a_proof_in_drat_is_refused_with_the_command_that_converts_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let formula = file(folder, "formula.cnf", FORMULA);
    for name in ["proof.drat", "proof.drup.gz"] {
        let proof = folder.join(name);
        let output = check(&[], [&formula, &proof]);
        assert_eq!((text(&output.stdout), output.status.code()), ("", Some(2)));
        let command =
            format!("`drat-trim {} {} -L proof.lrat`", formula.display(), proof.display());
        assert!(text(&output.stderr).contains(&command), "{}", text(&output.stderr));
    }
}

#[test]
fn formula_and_proof_may_be_compressed_and_the_proof_come_from_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let gzip = |content: &str| {
        let mut out = GzEncoder::new(Vec::new(), Compression::default());
        out.write_all(content.as_bytes()).unwrap();
        out.finish().unwrap()
    };
    let mut xz = XzWriter::new(Vec::new(), XzOptions::with_preset(1)).unwrap();
    xz.write_all(FORMULA.as_bytes()).unwrap();
    let formula = file(folder, "formula.cnf.xz", xz.finish().unwrap());
    let lrat = file(folder, "proof.lrat.gz", gzip(LRAT));
    assert_eq!(verdict(&check(&[], [&formula, &lrat])), ("s VERIFIED", 0));

    let plain = file(folder, "proof", LRAT);
    let piped = Command::new(env!("CARGO_BIN_EXE_bezzel"))
        .args(["check", "--proof"])
        .args([&formula, Path::new("-")])
        .stdin(Stdio::from(File::open(&plain).unwrap()))
        .output()
        .unwrap();
    assert_eq!(verdict(&piped), ("s VERIFIED", 0));
}

/// A formula without clauses whose header declares 4 billion of them, which would need 16 GB.
#[test]
fn nothing_is_allocated_for_what_a_header_says() {
    let folder = tempfile::tempdir().unwrap();
    let formula = file(folder.path(), "formula.cnf", "p cnf 2147483647 4000000000\n1 0\n");
    let proof = file(folder.path(), "proof", "");
    let output = check(&["--memory", "64KiB"], [&formula, &proof]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("there are 1 clauses"), "{}", text(&output.stderr));
}
