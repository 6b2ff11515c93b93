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
    for encoding in bezzel_queens::register(Registry::standard()).at_most_ones() {
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
fn veripb_accepts_the_certificates_of_encoders_of_sums() {
    if !is_installed("veripb") {
        return;
    }
    let printed = certify(&["--sums", "robdd:ite", "generalised-totalizer"]);
    for line in printed.lines() {
        let found = line.split_once("25 threshold functions of up to 4 inputs and ").unwrap().1;
        let (count, end) = found.split_once(" of 10 sums of 20 terms, ").unwrap();
        assert!(count.parse::<usize>().unwrap() > 5, "{line}");
        assert!(end.starts_with("verified by VeriPB, "), "{line}");
    }
    // Each encoder, at sums on both sides of the limit for searches.
    let folder = tempfile::tempdir().unwrap();
    for encoder in bezzel_queens::register(Registry::standard()).sums() {
        let id = encoder.info().id;
        for (weights, bound) in
            [("3,5,7", "9"), ("5,4,3,2,2,1,1", "9"), ("9,7,6,5,5,4,3,2,2,1", "21")]
        {
            // Its clauses do not define outputs and carries in one order.
            if id == "n-level-modulo-totalizer" && weights.len() > 17 {
                continue;
            }
            let file = folder.path().join("sum");
            let show = Command::new(env!("CARGO_BIN_EXE_bezzel"))
                .args(["show", &id, "--weights", weights, "--bound", bound, "--certificate", "-o"])
                .arg(&file)
                .output()
                .unwrap();
            for command in ended(&show, 0).lines() {
                let mut words = command.split(' ');
                let output = Command::new(words.next().unwrap()).args(words).output().unwrap();
                let printed = String::from_utf8_lossy(&output.stdout);
                assert!(
                    printed.contains("s VERIFIED OUTPUT DERIVABLE"),
                    "{id} {weights}: {printed}"
                );
            }
        }
    }
}

/// The program leaves out the first clause that `bezzel encoder` answers.
#[test]
#[ignore = "second tier: it runs programs of others"]
fn a_sum_that_lacks_a_clause_has_no_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let script = r#"
import re, subprocess, sys
requests = sys.stdin.read()
answer = subprocess.run([sys.argv[1], "encoder", "gte"], input=requests, capture_output=True, text=True).stdout
for part in re.split(r"(?m)^(?=p cnf)", answer):
    lines = part.splitlines()
    if len(lines) > 3:
        lines[0] = re.sub(r"\d+$", lambda count: str(int(count.group()) - 1), lines[0])
        lines.pop(1)
    print("\n".join(lines))
"#;
    std::fs::write(folder.path().join("less.py"), script).unwrap();
    assert!(is_installed("python3"));
    let program =
        format!("{{command: \"python3 less.py {}\", kind: sum}}", env!("CARGO_BIN_EXE_bezzel"));
    for weights in ["3,5,7,4", "9,7,6,5,5,4,3,2,2,1"] {
        let output = Command::new(env!("CARGO_BIN_EXE_bezzel"))
            .args([
                "show",
                &program,
                "--weights",
                weights,
                "--bound",
                "9",
                "--certificate",
                "-o",
                "sum",
            ])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(ended(&output, 1).contains("has no certificate"));
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
