//! `bezzel check --proof` with compressed files and a pipe.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzWriter};

use crate::program::bezzel;

/// Every clause of two variables, and proofs that these contradict each other.
const FORMULA: &str = "c all\np cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n";
const LRAT: &str = "5 2 0 1 2 0\n6 0 5 3 4 0\n";

fn file(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path
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
    let arguments = ["check", "--proof", formula.to_str().unwrap(), lrat.to_str().unwrap()];
    assert_eq!(verdict(&bezzel(&arguments)), ("s VERIFIED", 0));

    let plain = file(folder, "proof", LRAT);
    let piped = Command::new(env!("CARGO_BIN_EXE_bezzel"))
        .args(["check", "--proof"])
        .args([&formula, Path::new("-")])
        .stdin(Stdio::from(File::open(&plain).unwrap()))
        .output()
        .unwrap();
    assert_eq!(verdict(&piped), ("s VERIFIED", 0));
}
