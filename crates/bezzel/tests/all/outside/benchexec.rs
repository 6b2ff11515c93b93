//! Exports read by BenchExec, and its results read by Bezzel.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use bezzel_experiment::{EvidenceKind, Row, Termination, Verdict};
use bezzel_solve::Answer;

use crate::outside::tools::output;
use crate::program::{bezzel_in, is_installed, is_missing};

const CONFIG: &str = "\
name: measured
boards: [{size: [6, 8]}, {size: 6, geometry: torus}]
encodings: [pairwise, sequential-counter]
solvers: [cadical-program, minisat, {command: cadical -q -, version: cadical --version}]
numberings: [as-generated, random: {shuffles: 1}]
limits: {cpu: 10 s, memory: 1 GiB}
";

const MEMORY_BYTES: u64 = 1 << 30;

fn both(output: &Output) -> String {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// Runs every benchmark definition of the folder. Returns false where BenchExec has no control groups, by which it
/// limits memory.
fn measure(folder: &Path) -> bool {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    for benchmark in files.filter(|path| path.extension().is_some_and(|ending| ending == "xml")) {
        let benchmark = benchmark.file_name().unwrap();
        let mut command = Command::new("benchexec");
        command.current_dir(folder).env("PYTHONPATH", ".").env_remove("PYTHONHOME");
        // Containers are not available everywhere.
        command.arg("--no-container").arg(benchmark).args(["-o", "results/"]);
        let result = command.output().unwrap();
        let text = both(&result);
        if !result.status.success() && text.to_lowercase().contains("cgroup") {
            return false;
        }
        assert!(result.status.success(), "{text}");
    }
    true
}

#[test]
fn benchexec_measures_what_is_exported_and_every_result_comes_back_verified() {
    if !["benchexec", "cadical", "minisat", "xz"].map(is_installed).iter().all(|&is| is) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("question.yaml"), CONFIG).unwrap();
    let result = bezzel_in(folder.path(), &["benchexec", "export", "question.yaml", "--to", "out"]);
    assert_eq!(result.status.code(), Some(0), "{}", both(&result));
    if !measure(&folder.path().join("out")) {
        is_missing("BenchExec with control groups");
        return;
    }
    let results = fs::read_dir(folder.path().join("out/results")).unwrap();
    let results =
        results.map(|entry| format!("out/results/{}", entry.unwrap().file_name().display()));
    let results: Vec<_> = results.filter(|name| name.ends_with(".xml.bz2")).collect();
    assert_eq!(results.len(), 3, "{results:?}");
    let mut import = vec!["benchexec", "import", "theirs"];
    import.extend(results.iter().map(String::as_str));
    let result = bezzel_in(folder.path(), &import);
    let text = both(&result);
    assert_eq!(result.status.code(), Some(0), "{text}");
    assert!(text.contains("36 rows added; 0 results had a row already"), "{text}");
    assert!(!text.contains("have no row"), "{text}");

    let rows = fs::read_to_string(folder.path().join("experiments/theirs/rows.jsonl")).unwrap();
    let rows: Vec<Row> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut result: BTreeMap<String, (usize, bool)> = BTreeMap::new();
    for row in &rows {
        assert_eq!(
            (row.verdict, row.termination),
            (Verdict::Verified, Termination::Finished),
            "{row:?}"
        );
        assert_eq!(row.note, None);
        let is_torus = row.job.instance.to_string().starts_with("torus");
        let (answer, kind) = if is_torus {
            (Answer::Unsat, EvidenceKind::Cross)
        } else {
            (Answer::Sat, EvidenceKind::Rules)
        };
        assert_eq!((row.status, row.checked_by.as_ref().unwrap().kind), (answer, kind));
        assert!(row.cpu_s > 0.0 && row.cpu_s < 5.0 && row.wall_s > 0.0, "{row:?}");
        let memory = row.memory_peak_bytes.unwrap();
        assert!((100_000..MEMORY_BYTES).contains(&memory), "{memory}");
        assert!(row.started_unix_s > 1.7e9 && row.clause_digest.is_some());
        let (count, tells_effort) = result.entry(row.job.solver.clone()).or_default();
        *count += 1;
        *tells_effort |= row.solver_stats.conflicts.is_some();
        if row.job.solver == "cadical-program" {
            let version = output("cadical", &[], Path::new("--version"));
            assert_eq!(row.solver_version, version.trim());
        }
    }
    assert_eq!(result.values().map(|(count, _)| *count).collect::<Vec<_>>(), [12, 12, 12]);
    // CaDiCaL and MiniSat report their effort. A quiet solver does not.
    assert_eq!(result.values().filter(|(_, tells)| *tells).count(), 2, "{result:?}");
}
