//! VeriPB, the checker of pseudo-Boolean proofs, reads the certificates of encoders.

use std::process::Command;

use bezzel_encode::{Registry, amk};

use crate::program::{ended, is_installed};

fn certify(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_bezzel"))
        .args(["check", "--certify"])
        .args(arguments)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .unwrap();
    ended(&output, 0)
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn veripb_accepts_the_certificates_of_encodings_of_at_most_one() {
    if !is_installed("veripb") {
        return;
    }
    let printed = certify(&[]);
    for encoding in Registry::standard().at_most_ones() {
        let id = encoding.info().id;
        let of_this = |line: &&str| line.starts_with(&format!("{id}: certified for 1"));
        let line = printed.lines().find(of_this).unwrap_or_else(|| panic!("{id}: {printed}"));
        assert!(line.contains(", verified by VeriPB, "), "{line}");
        assert!(id == "adder" || line.contains(" from 2 to 64"), "{line}");
    }
    let program = "{command: \"python3 examples/my_encoder.py\"}";
    assert!(is_installed("python3"));
    assert!(certify(&[program]).contains("from 2 to 64, verified by VeriPB"));
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn veripb_accepts_the_certificates_of_encoders_of_bounds() {
    if is_installed("veripb") {
        let printed = certify(&["--k", "3"]);
        let count = amk::all().len();
        assert_eq!(printed.matches(" from 4 to 8, verified by VeriPB").count(), count, "{printed}");
    }
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn veripb_refuses_a_certificate_that_was_changed() {
    if !is_installed("veripb") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("product");
    let show = Command::new(env!("CARGO_BIN_EXE_bezzel"))
        .args(["show", "product", "--certificate", "9", "-o"])
        .arg(&file)
        .output()
        .unwrap();
    let printed = ended(&show, 0);
    let path = |end: &str| file.with_extension(end);
    let accepts = || {
        let arguments = ["constraint.opb", "to-clauses.pbp", "clauses.opb"].map(path);
        Command::new("veripb").args(arguments).output().unwrap().status.success()
    };
    let command = format!("veripb {} ", path("constraint.opb").display());
    assert!(printed.contains(&command), "{printed}");
    assert!(accepts());
    let proof = std::fs::read_to_string(path("to-clauses.pbp")).unwrap();
    // A definition less: the clauses no longer follow.
    let start = proof.find("red ").unwrap();
    let end = start + proof[start..].find('\n').unwrap() + 1;
    let changed = [&proof[..start], &proof[end..]].concat();
    std::fs::write(path("to-clauses.pbp"), changed).unwrap();
    assert!(!accepts());
}
