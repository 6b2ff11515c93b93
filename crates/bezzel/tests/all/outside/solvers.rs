//! Real solvers as programs, each under its preset: kissat, CaDiCaL 1.5.3, MiniSat, Glucose, PicoSAT, CryptoMiniSat,
//! clasp; and Yices through an example of a program.

use std::fs;
use std::process::Command;

use bezzel_experiment::{EvidenceKind, Finding, Row, Termination, Verdict};
use bezzel_solve::{Answer, ProofFormat};
use tempfile::TempDir;

use crate::program::is_installed;
use crate::session_files::rows_in;

/// The presets, with the program of each. Glucose in parallel is not tried: version 4.2.1 sometimes waits
/// for its own threads for ever.
const PRESETS: [(&str, &str); 7] = [
    ("kissat", "kissat"),
    ("cadical-program", "cadical"),
    ("minisat", "minisat"),
    ("glucose", "glucose"),
    ("picosat", "picosat"),
    ("cryptominisat5", "cryptominisat5"),
    ("clasp", "clasp"),
];

/// Runs a config to its end. Returns its rows.
fn rows(config: &str) -> (TempDir, Vec<Row>) {
    let folder = tempfile::tempdir().unwrap();
    let rest = "limits: {cpu: 30 s, wall: 90 s, memory: 2 GiB}\nwarm_up: 0\ncalibration: off\n";
    fs::write(folder.path().join("question.yaml"), format!("name: theirs\n{config}{rest}"))
        .unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_bezzel"))
        .args(["run", "--quiet", "question.yaml"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{printed}");
    let rows = rows_in(&folder.path().join("experiments/theirs"));
    (folder, rows)
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn yices_reads_zantemas_format_as_a_solver_of_an_experiment() {
    if !is_installed("yices-smt") || !is_installed("python3") {
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/yices_smt.py");
    let (_folder, rows) = rows(&format!(
        "problems: [{{queens: {{size: 12}}}}, {{queens: {{size: 6, geometry: torus}}}}]\nencodings: [pairwise]\nsolvers:\n  - \
         {{command: \"python3 {script} {{cnf}}\", version: \"yices-smt --version | head -n 1\"}}\n"
    ));
    // The rows are in shuffled order.
    let mut found: Vec<_> = rows
        .iter()
        .map(|row| (row.job.instance.size(), row.status, row.termination, row.verdict))
        .collect();
    found.sort_unstable_by_key(|(side, ..)| *side);
    let expected = [(6, Answer::Unsat), (12, Answer::Sat)]
        .map(|(side, answer)| (side, answer, Termination::Finished, Verdict::Verified));
    assert_eq!(found, expected);
}

#[test]
#[ignore = "second tier: needs drat-trim"]
fn every_preset_solves_boards_with_and_without_a_solution_and_every_answer_is_verified() {
    let there: Vec<&str> =
        PRESETS.iter().filter(|(_, program)| is_installed(program)).map(|(id, _)| *id).collect();
    if there.is_empty() || !is_installed("drat-trim") {
        return;
    }
    let (_folder, rows) = rows(&format!(
        "problems: [{{queens: {{size: 12}}}}, {{queens: {{size: 10, geometry: torus}}}}]\nencodings: \
         [sequential-counter]\nsolvers: [{}]\n",
        there.join(", ")
    ));
    assert_eq!(rows.len(), 2 * there.len());
    for row in &rows {
        let solver = &row.job.solver;
        assert_eq!(
            (row.termination, row.verdict),
            (Termination::Finished, Verdict::Verified),
            "{row:?}"
        );
        assert_ne!(row.solver_version, "not installed");
        assert!(row.solve_cpu_s.unwrap() > 0.0 && row.memory_peak_bytes.unwrap() > 0);
        let kind = row.checked_by.as_ref().unwrap().kind;
        if row.status == Answer::Sat {
            assert_eq!(kind, EvidenceKind::Rules);
            assert!(row.check_cpu_s.is_some(), "every clause is checked under the model");
            continue;
        }
        assert_eq!(row.status, Answer::Unsat);
        // The instances need conflicts, and each solver reports its number.
        assert!(row.solver_stats.conflicts.unwrap() > 100, "{solver}: {:?}", row.solver_stats);
        assert!(row.solver_stats.decisions.unwrap() > 100, "{solver}: {:?}", row.solver_stats);
        let proves = ["kissat", "cadical-program", "glucose"].contains(&solver.as_str());
        assert_eq!(row.job.proof, proves.then_some(ProofFormat::Drat), "{solver}");
        if proves {
            let record = row.proof.as_ref().unwrap();
            assert_eq!(record.finding, Finding::Accepted, "{solver}: {record:?}");
            assert_eq!(kind, EvidenceKind::Proof);
        } else {
            assert_eq!(kind, EvidenceKind::Cross);
        }
    }
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn a_seed_changes_the_search_and_the_same_seed_does_not() {
    if !is_installed("kissat") || !is_installed("picosat") {
        return;
    }
    let solvers = ["kissat", "picosat"].map(|id| {
        format!("{{id: {id}, options: {{seed: 1}}}}, {{id: {id}, options: {{seed: 2}}}}")
    });
    let (_folder, rows) = rows(&format!(
        "problems: [{{queens: {{size: 10, geometry: torus}}}}]\nencodings: [product]\nsolvers: [{}]\nrepeats: \
         2\nproofs: off\n",
        solvers.join(", ")
    ));
    assert_eq!(rows.len(), 8);
    let conflicts = |solver: &str, seed: i64| {
        let of = rows.iter().filter(|row| {
            row.job.solver == solver && row.job.options["seed"].to_string() == seed.to_string()
        });
        let found: Vec<u64> = of.map(|row| row.solver_stats.conflicts.unwrap()).collect();
        let [first, second] = found[..] else { panic!("two of each: {found:?}") };
        assert_eq!(first, second, "{solver} with seed {seed}");
        first
    };
    assert_ne!(conflicts("kissat", 1), conflicts("kissat", 2));
    assert_ne!(conflicts("picosat", 1), conflicts("picosat", 2));
}

#[test]
#[ignore = "second tier: needs drat-trim"]
fn a_command_line_has_the_same_result_as_its_preset() {
    if !["minisat", "cadical", "drat-trim"].into_iter().all(is_installed) {
        return;
    }
    let (_folder, rows) = rows(
        "problems: [{queens: {size: 10, geometry: torus}}]\nencodings: [product]\nsolvers:\n  - minisat\n  - \
         {command: \"minisat {cnf} {answer}\"}\n  - cadical-program\n  - {command: \"cadical - \
         {proof}\", version: cadical --version, proof: {format: drat, convert: \"drat-trim {cnf} \
         {proof} -L {lrat}\"}}\n",
    );
    let effort = |solver: &str| {
        let row = rows.iter().find(|row| row.job.solver.contains(solver)).unwrap();
        (row.solver_stats, row.verdict)
    };
    assert_eq!(effort("minisat {cnf}"), effort("minisat"));
    // The formula on standard input, and with a proof.
    assert_eq!(effort("cadical - {proof}"), effort("cadical-program"));
    assert!(rows.iter().all(|row| row.verdict == Verdict::Verified));
}
