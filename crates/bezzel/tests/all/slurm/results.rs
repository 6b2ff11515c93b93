//! The results of an experiment, for comparisons of runs.

use std::collections::BTreeMap;
use std::path::Path;

use bezzel_experiment::Row;
use bezzel_experiment::store;

/// The results that must be equal wherever and how often jobs are run, by key. A job of two attempts has the row that
/// counts.
pub(crate) fn results_in(experiment: &Path) -> BTreeMap<String, String> {
    let (_, _, rows) = store::read_folder(experiment).unwrap();
    assert!(rows.disagreeing.is_empty() && rows.damaged.is_empty());
    let settled = rows.by_key.values().filter(|row| row.is_settled());
    let result = |row: &Row| {
        let Row {
            status: answer,
            verdict,
            termination,
            formula,
            clause_digest,
            solver_stats: effort,
            queens,
            ..
        } = row;
        format!(
            "{answer} {verdict:?} {termination:?} {formula:?} {clause_digest:?} {effort:?} {queens:?}"
        )
    };
    settled.map(|row| (row.key.to_string(), result(row))).collect()
}
