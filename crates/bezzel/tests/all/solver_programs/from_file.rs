//! Answers of an experiment proved from the constraints of the file, by VeriPB and by programs in its place.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use bezzel_experiment::{EvidenceKind, Finding, Row, Verdict};
use bezzel_solve::{Answer, ProofFormat};

use crate::program::{BEZZEL, ended, is_installed};
use crate::solver_programs::workspace::Workspace;

/// Three pigeons and two holes, in plain OPB; with a pigeon less there is a solution.
const HOLES: &str = "\
1 x1 1 x2 >= 1 ;
1 x3 1 x4 >= 1 ;
1 x5 1 x6 >= 1 ;
-1 x1 -1 x3 -1 x5 >= -1 ;
-1 x2 -1 x4 -1 x6 >= -1 ;
";

/// A workspace with proofs from files on these problems.
fn workspace(problems: &str) -> Workspace {
    let workspace = Workspace::new(&format!(
        "problems: [{problems}]\nencodings: [sequential-counter, product]\nnumberings: [{{random: {{shuffles: 2, clauses: \
         true}}}}]\nsolvers: [cadical]\nproofs: file\n"
    ));
    fs::write(workspace.path().join("holes.opb"), HOLES).unwrap();
    fs::write(workspace.path().join("other.opb"), HOLES.replacen(">= 1", ">= 0", 1)).unwrap();
    workspace
}

/// Puts a script in the place of VeriPB.
fn install(workspace: &Workspace, script: &str) {
    let file = workspace.programs.join("veripb");
    fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
}

fn source(row: &Row) -> (EvidenceKind, &str) {
    let evidence = row.checked_by.as_ref().unwrap();
    (evidence.kind, &evidence.source)
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn veripb_proves_the_answers_of_each_arm_and_the_report_states_what_is_trusted() {
    if !is_installed("veripb") {
        return;
    }
    let workspace =
        workspace("{file: holes.opb}, {pigeonhole: {pigeons: 5, holes: 4}}, {file: other.opb}");
    ended(&workspace.run(), 0);
    workspace.nothing_is_left();
    let rows = workspace.rows();
    assert_eq!(rows.len(), 12);
    for row in &rows {
        assert_eq!((row.verdict, row.job.proof), (Verdict::Verified, Some(ProofFormat::Veripb)));
        if row.status == Answer::Sat {
            assert_eq!(source(row).0, EvidenceKind::Rules);
            continue;
        }
        let proof = row.proof.as_ref().unwrap();
        assert_eq!(proof.translated, row.job.instance.file().is_none());
        let from = if proof.translated { "its translation to OPB" } else { "the file" };
        assert_eq!(source(row), (EvidenceKind::Proof, &*format!("veripb, from {from}")), "{row:?}");
        let version = proof.checker_version.as_deref().unwrap();
        assert!(version.starts_with(|digit: char| digit.is_ascii_digit()), "{version}");
        assert!(proof.steps > Some(5) && proof.bytes > Some(100) && proof.check_cpu_s > Some(0.0));
    }
    let report = fs::read_to_string(workspace.path().join("reports/theirs/report.md")).unwrap();
    let report = report.split_whitespace().collect::<Vec<_>>().join(" ");
    for trust in [
        "4 answers proved from the constraints of the file by VeriPB: encoder and solver are not trusted",
        "4 answers proved by VeriPB from a translation of the instance to OPB: the translation is trusted",
    ] {
        assert!(report.contains(trust), "{report}");
    }
    ended(&workspace.bezzel(&["verify", "theirs", "--all"]), 0);
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn a_proof_that_veripb_refuses_makes_the_answer_wrong() {
    if !is_installed("veripb") {
        return;
    }
    let workspace = workspace("{file: holes.opb}");
    // The proof is one of another file.
    install(&workspace, "PATH=${PATH#*:}; exec veripb --opb \"${2%/*}/other.opb\" \"$3\"");
    ended(&workspace.run(), 1);
    for row in workspace.rows() {
        let found = (row.verdict, row.proof.as_ref().unwrap().finding);
        assert_eq!(found, (Verdict::Wrong, Finding::Refused), "{row:?}");
        assert!(row.note.as_ref().unwrap().contains("Verification error at"), "{row:?}");
    }
}

#[test]
fn only_its_verdict_counts() {
    for (script, finding, note) in [
        (
            "test -s \"$2\" && test -s \"$3\" && echo s VERIFIED UNSATISFIABLE",
            Finding::Accepted,
            "",
        ),
        (
            "echo Error: Verification error at proof.pbp:7 >&2; exit 1",
            Finding::Refused,
            "proof.pbp:7",
        ),
        ("echo s VERIFIED UNSATISFIABLE; exit 1", Finding::Unchecked, "exit code 1 and no verdict"),
        ("echo s VERIFIED SATISFIABLE", Finding::Unchecked, "exit code 0 and no verdict"),
        ("kill -SEGV $$", Finding::Unchecked, "by signal 11"),
    ] {
        let workspace = workspace("{file: holes.opb}");
        install(&workspace, script);
        ended(&workspace.run(), i32::from(finding == Finding::Refused));
        for row in workspace.rows() {
            let proof = row.proof.as_ref().unwrap();
            let expected = match finding {
                Finding::Accepted => (Verdict::Verified, EvidenceKind::Proof),
                Finding::Refused => (Verdict::Wrong, EvidenceKind::Proof),
                // A search finds no solution.
                Finding::Unchecked => (Verdict::Verified, EvidenceKind::Cross),
            };
            assert_eq!(
                (proof.finding, row.verdict, source(&row).0),
                (finding, expected.0, expected.1)
            );
            assert!(proof.note.as_deref().unwrap_or_default().contains(note), "{row:?}");
        }
    }
}

#[test]
fn without_veripb_nothing_is_run() {
    let workspace = workspace("{file: holes.opb}");
    let mut bezzel = Command::new(BEZZEL);
    bezzel.args(["run", "--quiet", "question.yaml"]).current_dir(workspace.path());
    let printed = ended(&bezzel.env("PATH", &workspace.programs).output().unwrap(), 2);
    let why = "`proofs: file` needs VeriPB, which checks the proofs: there is no program `veripb` in the folders of PATH; \
               to get it: cargo install veripb; or state `proofs: on`";
    assert!(printed.contains(why), "{printed}");
    assert!(!workspace.experiment().exists());
}
