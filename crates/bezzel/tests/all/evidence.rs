//! The evidence in the repository: it is whole, and the instances of the central comparison are those that its rule
//! chooses.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use bezzel_experiment::{ExperimentRecord, Row, Verdict};
use bezzel_queens::Board;
use bezzel_solve::Answer;

use crate::committed::committed;

fn experiments() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments")
}

fn open(name: &str) -> ExperimentRecord {
    let folder = experiments().join(name);
    ExperimentRecord::open(&folder, &bezzel_queens::experiment::catalog())
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Checks that a record is whole and that nothing in it contradicts, and returns the number of its rows.
fn is_whole(name: &str) -> usize {
    let record = open(name);
    assert_eq!(record.damage, [""; 0], "{name}");
    assert_eq!(record.contradictions, [], "{name}");
    assert_eq!(record.rows.len(), record.planned, "{name}");
    let wrong = record.rows.iter().find(|row| row.verdict == Verdict::Wrong);
    assert_eq!(wrong, None, "{name}");
    // The config of the last session plans the recorded keys, and a key is a function of its job: neither changes.
    for Row { job, key, encoding_revision, solver_version, .. } in &record.rows {
        assert_eq!(job.key(*encoding_revision, solver_version), *key, "{name}");
    }
    record.rows.len()
}

#[test]
fn a_record_is_whole_and_nothing_in_it_contradicts() {
    assert!(is_whole("bryant-table-1") > 100);
}

#[test]
#[ignore = "second tier: it reads every committed record"]
fn every_record_is_whole_and_nothing_in_it_contradicts() {
    let names = committed("experiments").into_iter();
    let names: Vec<String> = names.filter(|name| experiments().join(name).is_dir()).collect();
    assert!(names.len() > 20, "{names:?}");
    let keys: usize = names.iter().map(|name| is_whole(name)).sum();
    assert!(keys >= 29_339, "{keys} keys");
}

/// The median of the conflicts of all encodings and solvers on a board. Above every number if at least half of the runs
/// came to no end.
fn median_conflicts(rows: &[&Row]) -> f64 {
    let mut all: Vec<f64> = rows
        .iter()
        .map(|row| match row.solver_stats.conflicts {
            Some(conflicts) if row.solved() => conflicts as f64,
            _ => f64::INFINITY,
        })
        .collect();
    all.sort_by(f64::total_cmp);
    let half = all.len() / 2;
    if all.len() % 2 == 1 { all[half] } else { f64::midpoint(all[half - 1], all[half]) }
}

#[test]
fn the_instances_of_the_central_comparison_are_those_nearest_to_the_effort_fixed_beforehand() {
    // The value in `configs/which-encoding/choose.yaml`.
    const WANTED: f64 = 5_000.0;
    const INSTANCES: usize = 10;
    let choice = open("which-encoding-choose");
    let mut rows: HashMap<&Board, Vec<&Row>> = HashMap::new();
    for row in &choice.rows {
        rows.entry(Board::of(&row.job.instance).unwrap()).or_default().push(row);
    }
    let distance = |board: &Board| (median_conflicts(&rows[board]).max(1.0) / WANTED).ln().abs();
    let answer = |board: &Board| rows[board].iter().find(|row| row.solved()).map(|row| row.status);
    for family in [
        "completion-sat",
        "completion-unsat",
        "blocked-sat",
        "blocked-unsat",
        "excluded-diagonals-sat",
        "excluded-diagonals-unsat",
        "torus",
        "pigeonhole",
    ] {
        let record = open(&format!("which-encoding-{family}"));
        let mut chosen: Vec<&Board> = Vec::new();
        for board in record.rows.iter().filter_map(|row| Board::of(&row.job.instance)) {
            if !chosen.contains(&board) {
                chosen.push(board);
            }
        }
        assert_eq!(chosen.len(), INSTANCES, "{family}");
        // The pool of these instances: boards of the same kinds with the same answer.
        let kind = |board: &Board| {
            let given = !board.placed().is_empty();
            (board.rows(), board.columns(), board.geometry(), board.piece(), given)
        };
        let kinds: HashSet<_> = chosen.iter().map(|board| kind(board)).collect();
        let wanted: Option<Answer> = match family {
            known if known.ends_with("-unsat") => Some(Answer::Unsat),
            known if known.ends_with("-sat") => Some(Answer::Sat),
            _ => None,
        };
        let of_pool = |board: &&Board| {
            kinds.contains(&kind(board)) && (wanted.is_none() || answer(board) == wanted)
        };
        let mut pool: Vec<&Board> = rows.keys().copied().filter(of_pool).collect();
        assert!(pool.len() > INSTANCES, "{family}");
        pool.sort_by(|one, two| distance(one).total_cmp(&distance(two)));
        let farthest = distance(pool[INSTANCES - 1]);
        for board in chosen {
            assert!(rows.contains_key(board), "{family}: {board} was no candidate");
            assert!(distance(board) <= farthest, "{family}: {board}");
        }
    }
}
