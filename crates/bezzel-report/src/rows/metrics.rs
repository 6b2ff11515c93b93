//! Rows as Metrics reads them: a campaign in CSV, and beside it what Scalpel is to know of it in YAML.
//!
//! Metrics knows a time for every run and calls one solved that is below the timeout and that
//! `is-success` lets pass. So a run that was not solved has the limit of CPU time for its time, whichever
//! limit ended it.
//!
//! *Source.* Metrics (CRIL), the documentation of Scalpel's configuration.

use std::io::{self, Write};

use bezzel_lab::ExperimentRecord;
use serde_json::json;

use super::arm::arms;
use super::{LeftOut, Outcome, time_s};

/// What Metrics is to be told of a campaign.
#[derive(Clone, Debug, PartialEq)]
pub struct Campaign {
    /// The configuration for Scalpel, in YAML.
    pub yaml: String,
    /// The rows that are not in the campaign.
    pub left_out: LeftOut,
}

/// Writes the campaign of a record. `path` is how the configuration, in its folder, names the file
/// that `out` is.
///
/// # Errors
///
/// When nothing can be written.
pub fn metrics(record: &ExperimentRecord, path: &str, out: &mut dyn Write) -> io::Result<Campaign> {
    let mut left_out = LeftOut::default();
    let mut out = csv::Writer::from_writer(out);
    out.write_record([
        "input",
        "experiment_ware",
        "cpu_time",
        "wall_time",
        "memory",
        "answer",
        "verdict",
        "stop",
    ])?;
    for arm in arms(&record.rows) {
        for (instance, row) in &arm.rows {
            let outcome = Outcome::of(row);
            if left_out.takes(outcome) {
                continue;
            }
            let solved = time_s(row).filter(|_| outcome == Outcome::Solved);
            let time = solved.unwrap_or(row.job.limits.cpu_s);
            let word = |thing| match thing {
                serde_json::Value::String(word) => word,
                other => other.to_string(),
            };
            out.write_record([
                instance,
                &arm.name,
                &time.to_string(),
                &row.wall_s.to_string(),
                &row.memory_peak_bytes.map(|bytes| bytes.to_string()).unwrap_or_default(),
                &row.answer.to_string(),
                &word(json!(row.verdict)),
                &word(json!(row.stop)),
            ])?;
        }
    }
    out.flush()?;
    Ok(Campaign { yaml: yaml(record, path), left_out })
}

/// Strings in YAML are quoted as in JSON, whose strings are all strings of YAML.
fn yaml(record: &ExperimentRecord, path: &str) -> String {
    let limits = || record.rows.iter().map(|row| row.job.limits);
    let cpu_s = limits().map(|limits| limits.cpu_s).fold(0.0, f64::max);
    let memory_bytes = limits().map(|limits| limits.memory_bytes).max().unwrap_or(0);
    let [name, path, verified, finished] =
        [&record.name, path, "${verdict} == 'verified'", "${stop} == 'finished'"]
            .map(|text| json!(text));
    format!(
        "name: {name}\nsetup:\n  # CPU seconds.\n  timeout: {cpu_s}\n  # Megabytes.\n  memout: {}\n\
         source:\n  path: {path}\n  format: csv\n  is-success:\n  - {verified}\n  - {finished}\n",
        memory_bytes / 1_000_000
    )
}
