//! Files for model counters, read by Ganak, the winner of the competition of this format, and by `CryptoMiniSat`, which
//! lists the solutions.

use std::process::Command;

use bezzel_encode::Numbering;
use bezzel_encode::format::Format;
use bezzel_experiment::{ExperimentRecord, Task, Verdict};
use bezzel_queens::Board;

use crate::outside::tools::{encodings, file, output};
use crate::program::{is_installed, is_missing};

/// Ganak as a Python module takes clauses, so the script parses the file. Prints one count for each file.
const GANAK: &str = "
import sys
from pyganak import Counter
for name in sys.argv[1:]:
    counter, shown, projected = Counter(), [], False
    for line in open(name):
        words = line.split()
        if words[:3] == ['c', 't', 'pmc']:
            projected = True
        elif words[:3] == ['c', 'p', 'show']:
            assert words[-1] == '0'
            shown += map(int, words[3:-1])
        elif words[:2] == ['p', 'cnf']:
            counter.new_vars(int(words[2]))
        elif words[0] != 'c':
            counter.add_clause([int(word) for word in words[:-1]])
    assert projected and shown
    counter.set_sampling_set(shown)
    print(counter.count())
";

/// True if Python and its module are installed. Otherwise a message names the missing one.
fn has_pyganak() -> bool {
    let imported = || Command::new("python3").args(["-c", "import pyganak"]).output().unwrap();
    is_installed("python3") && (imported().status.success() || is_missing("pyganak"))
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn ganak_counts_the_solutions_of_the_board_for_every_encoding() {
    if !has_pyganak() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [small, usual] = [5, 8].map(|side| Board::new(side).unwrap());
    let all = encodings(Format::Mcc);
    let mut cases: Vec<_> = all.iter().map(|encoding| (encoding, &small, "10")).collect();
    let pairwise = all.iter().find(|encoding| encoding.info().id == "pairwise").unwrap();
    cases.push((pairwise, &usual, "92"));
    let mut files = Vec::new();
    for (index, (encoding, board, _)) in cases.iter().enumerate() {
        let path = folder.path().join(format!("{index}.cnf"));
        let text = file(Format::Mcc, encoding.as_ref(), board, &Numbering::random(5));
        std::fs::write(&path, text).unwrap();
        files.push(path);
    }
    let result = Command::new("python3").args(["-c", GANAK]).args(&files).output().unwrap();
    assert!(result.status.success(), "{}", String::from_utf8_lossy(&result.stderr));
    let counts = String::from_utf8(result.stdout).unwrap();
    let counts: Vec<&str> = counts.lines().collect();
    assert_eq!(counts.len(), cases.len());
    for ((encoding, board, expected), count) in cases.iter().zip(counts) {
        assert_eq!(count, *expected, "{} on {board}", encoding.info().id);
    }
}

const SIDES: [u32; 2] = [5, 8];

/// Numbers of raw models of the two sides, found by another program for formulas that it wrote itself.
const KNOWN: [(&str, [u64; 2]); 5] = [
    ("pairwise", [10, 92]),
    ("sequential-counter", [930, 32_760_320]),
    ("bitwise", [1536, 171_966_464]),
    ("tree", [80, 550_592]),
    ("product", [10, 269_192]),
];

#[test]
#[ignore = "second tier: it runs programs of others"]
fn ganak_and_components_count_the_models_that_are_known_and_verify_each_other() {
    if !has_pyganak() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let config = "name: models\nproblems: {queens: {size: [5, 8]}}\n\
                  encodings: [pairwise, sequential-counter, bitwise, tree, product]\n\
                  task: [models, count]\nengines: [pyganak, components]\ncalibration: off\n";
    std::fs::write(folder.path().join("models.yaml"), config).unwrap();
    let result = Command::new(env!("CARGO_BIN_EXE_bezzel"))
        .args(["run", "models.yaml", "--quiet"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(result.status.success(), "{}", String::from_utf8_lossy(&result.stderr));
    let experiment = folder.path().join("experiments/models");
    let record =
        ExperimentRecord::open(&experiment, &bezzel_queens::experiment::catalog()).unwrap();
    assert_eq!((record.rows.len(), record.contradictions.len()), (40, 0));
    for row in &record.rows {
        let side = row.job.instance.size();
        let at = SIDES.iter().position(|known| *known == side).unwrap();
        let (id, known) = KNOWN.iter().find(|(id, _)| *id == row.job.encoding).unwrap();
        let expected = match row.job.task {
            Task::Models => known[at],
            _ => KNOWN[0].1[at],
        };
        let what = format!("{} of {id} at n = {side} by {}", row.job.task, row.job.solver);
        assert_eq!(row.all.as_ref().map(|all| &all.count), Some(&expected.into()), "{what}");
        assert_eq!(row.verdict, Verdict::Verified, "{what}");
    }
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn cryptominisat_lists_as_many_solutions_as_the_board_has() {
    if !is_installed("cryptominisat5") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("queens.cnf");
    let board = Board::new(6).unwrap();
    for encoding in encodings(Format::Mcc) {
        let text = file(Format::Mcc, encoding.as_ref(), &board, &Numbering::AS_GENERATED);
        // Its version in Debian knows only the older keyword.
        let text = text.replace("\nc p show ", "\nc ind ");
        std::fs::write(&path, text).unwrap();
        let options = ["--verb", "0", "--onlysampling", "--maxsol", "100"];
        let result = output("cryptominisat5", &options, &path);
        let solutions = result.lines().filter(|line| *line == "s SATISFIABLE").count();
        assert_eq!(solutions, 4, "{}: {result}", encoding.info().id);
    }
}
