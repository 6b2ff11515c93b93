//! Rows as mkplot reads them: a JSON file for each arm.
//!
//! An instance is solved or not, with its time; what else stands beside these is for people, and for
//! `--key`. An instance that is not solved has no time: mkplot takes the one of `--timeout`.
//!
//! *Source.* A. Ignatiev, mkplot, its README and `load.py`.

use std::path::Path;

use bezzel_lab::ExperimentRecord;
use serde_json::{Map, Value, json};

use super::arm::{Arm, arms};
use super::{Outcome, Written, time_s};
use crate::error::ReportError;
use crate::files;

/// Writes a file for each arm of a record into a folder, which is made if it is not there.
///
/// # Errors
///
/// When a file cannot be written.
pub fn mkplot(record: &ExperimentRecord, folder: &Path) -> Result<Written, ReportError> {
    files::folder(folder)?;
    let mut written = Written::default();
    for arm in arms(&record.rows) {
        let mut stats = Map::new();
        for (instance, row) in &arm.rows {
            let outcome = Outcome::of(row);
            if written.left_out.takes(outcome) {
                continue;
            }
            let mut entry = Map::new();
            entry.insert("status".into(), (outcome == Outcome::Solved).into());
            if outcome == Outcome::Solved {
                entry.insert("rtime".into(), json!(time_s(row)));
                entry.insert("answer".into(), json!(row.answer));
            }
            entry.insert("stop".into(), json!(row.stop));
            let effort = row.effort.conflicts.map(|number| ("conflicts".into(), json!(number)));
            entry.extend(effort);
            stats.insert(instance.clone(), entry.into());
        }
        if stats.is_empty() {
            continue;
        }
        let all = json!({ "preamble": preamble(&record.name, &arm), "stats": stats });
        let text = format!("{all:#}\n");
        let name = format!("{}.json", arm.file);
        written.files.push(files::write(folder, &name, text.as_bytes())?);
    }
    Ok(written)
}

fn preamble(experiment: &str, arm: &Arm<'_>) -> Value {
    json!({
        "program": arm.encoding.as_ref().unwrap_or(&arm.solver),
        "prog_args": format!("{}, {}", arm.solver, arm.numbering),
        "prog_alias": arm.name,
        "benchmark": experiment,
        // Where several files are joined by a key, mkplot looks for it.
        "runsolver_args": "",
    })
}
