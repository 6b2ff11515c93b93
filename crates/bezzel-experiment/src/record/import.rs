//! The import of a table of runs: each line becomes a row that is marked as imported, since nothing of it is verified.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use bezzel_problem::kind::imported::Imported;
use bezzel_problem::{Instance, UnknownId};
use bezzel_solve::Answer;
use sha2::{Digest, Sha256};

use crate::config::{FurtherMeasure, ImportMap, Part, StatusRule};
use crate::model::job::{Job, Limits, PlannedJob};
use crate::model::row::{Row, Termination, Verdict};
use crate::results::packing;

/// The separator of the factors in the label of an arm.
pub const FACTORS: &str = " / ";

/// Up to this number a number of the table is read exactly.
const EXACT: u64 = 1 << 53;

/// A table that was read, with the columns of its map.
struct Table<'m> {
    map: &'m ImportMap,
    /// The path, for messages.
    path: String,
    heads: Vec<String>,
    records: Vec<csv::StringRecord>,
}

/// Reads the rows of a table of runs, packed or not.
///
/// # Errors
///
/// One message with the place: the file cannot be read or has another digest, two columns have one heading, a column
/// is missing, a status is unknown, a number is none, a time is over the limit, or a run is there twice.
pub fn rows(table: &Path, map: &ImportMap) -> Result<Vec<Row>, String> {
    let path = table.display().to_string();
    let mut bytes = Vec::new();
    let read = packing::read(table).and_then(|mut file| file.read_to_end(&mut bytes));
    read.map_err(|error| format!("{path} cannot be read: {error}"))?;
    if let Some((stated, place)) = &map.sha256 {
        let digest = Sha256::digest(&bytes);
        let own = digest.iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
        if own != *stated {
            let message = format!("the SHA-256 of {path}, unpacked, is {own}");
            return Err(map.error(*place, &message).to_string());
        }
    }
    let fault = |error: csv::Error| format!("{path}: {error}");
    let mut reader = csv::Reader::from_reader(&bytes[..]);
    let headings = reader.headers().map_err(fault)?;
    let line = headings.position().map_or(1, csv::Position::line);
    let heads: Vec<String> = headings.iter().map(str::to_owned).collect();
    for (at, head) in heads.iter().enumerate().filter(|(_, head)| !head.is_empty()) {
        if heads[..at].contains(head) {
            return Err(format!(
                "{path}:{line}: two columns have the heading `{head}`: rename one"
            ));
        }
    }
    let records = reader.records().collect::<Result<_, _>>().map_err(fault)?;
    Table { map, path, heads, records }.rows()
}

impl Table<'_> {
    fn rows(&self) -> Result<Vec<Row>, String> {
        let map = self.map;
        let status = match &map.status {
            StatusRule::Constant(_) => None,
            StatusRule::Words(part, _) => Some(part),
        };
        let parts = [&map.instance, &map.time].into_iter().chain(&map.family).chain(status);
        let parts = parts.chain(&map.replicate).chain(map.arms.iter().map(|(_, part)| part));
        for part in parts.chain(map.measures.iter().map(|(_, part)| part)) {
            if !self.heads.contains(&part.column) {
                let unknown = UnknownId::new("column", &part.column, &self.heads).to_string();
                let message = format!("{}: {unknown}", self.path);
                return Err(map.error(part.place, &message).to_string());
            }
        }
        let mut lines: HashMap<(Instance, String, u32), u64> = HashMap::new();
        let mut rows = Vec::with_capacity(self.records.len());
        for record in &self.records {
            let row = self.row(record)?;
            let line = record.position().map_or(0, csv::Position::line);
            let cell = (row.job.instance.clone(), row.job.encoding.clone(), row.job.repeat);
            if let Some(first) = lines.insert(cell, line) {
                let message = format!(
                    "{} with {}, replicate {}, is also in line {first}",
                    row.job.instance, row.job.encoding, row.job.repeat
                );
                return Err(self.fault(record, &map.instance, &message));
            }
            rows.push(row);
        }
        if rows.is_empty() {
            return Err(format!("{}: the table has no runs", self.path));
        }
        Ok(rows)
    }

    fn text<'r>(&self, record: &'r csv::StringRecord, part: &Part) -> &'r str {
        let place = self.heads.iter().position(|head| *head == part.column);
        part.of(place.and_then(|place| record.get(place)).unwrap_or_default())
    }

    /// The message of a fault in a column of a line.
    fn fault(&self, record: &csv::StringRecord, part: &Part, message: &str) -> String {
        let line = record.position().map_or(0, csv::Position::line);
        format!("{}:{line}: column `{}`: {message}", self.path, part.column)
    }

    fn number(&self, record: &csv::StringRecord, part: &Part) -> Result<f64, String> {
        let text = self.text(record, part).trim();
        let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
        number.ok_or_else(|| {
            self.fault(record, part, &format!("`{text}` is not a number of at least 0"))
        })
    }

    /// A whole number up to a largest one, stored as it is read.
    fn whole(&self, record: &csv::StringRecord, part: &Part, largest: u64) -> Result<u64, String> {
        let number = self.number(record, part)?;
        let is_whole = number.fract() == 0.0 && number <= largest as f64;
        is_whole.then_some(number as u64).ok_or_else(|| {
            let message = format!("{number} is not a whole number of at most {largest}");
            self.fault(record, part, &message)
        })
    }

    /// The answer; none if the status says that the run ended at the limit.
    fn status(&self, record: &csv::StringRecord) -> Result<Option<Answer>, String> {
        let (part, words) = match &self.map.status {
            StatusRule::Constant(answer) => return Ok(Some(*answer)),
            StatusRule::Words(part, words) => (part, words),
        };
        let text = self.text(record, part);
        let known = words.iter().find(|(word, _)| word == text);
        known.map(|(_, answer)| *answer).ok_or_else(|| {
            let words = words.iter().map(|(word, _)| word.as_str());
            self.fault(record, part, &UnknownId::new("status", text, words).to_string())
        })
    }

    fn row(&self, record: &csv::StringRecord) -> Result<Row, String> {
        let map = self.map;
        let mut factors = Vec::new();
        for (_, part) in &map.arms {
            let text = self.text(record, part);
            if text.is_empty() || text.contains(FACTORS) {
                let message = format!("`{text}` is no level of a factor");
                return Err(self.fault(record, part, &message));
            }
            factors.push(text);
        }
        let name = self.text(record, &map.instance).to_owned();
        let family = map.family.as_ref().map_or("all", |part| self.text(record, part)).to_owned();
        let limits =
            Limits { cpu_s: map.limit_s, wall_s: map.limit_s, memory_bytes: 0, nodes: None };
        let instance = Imported { family, name }.into();
        let mut job = Job::solving(instance, &factors.join(FACTORS), &map.solver, limits);
        if let Some(part) = &map.replicate
            && !self.text(record, part).is_empty()
        {
            job.repeat = self.whole(record, part, u32::MAX.into())? as u32;
        }
        let answer = self.status(record)?;
        let time = self.number(record, &map.time)? * map.unit_s;
        if time > map.limit_s && answer.is_some() && !map.cuts {
            let message = format!(
                "{time} s is over the limit of {} s: `over_limit: cut` counts such runs as ended at the limit",
                map.limit_s
            );
            return Err(self.fault(record, &map.time, &message));
        }
        let answer = answer.filter(|_| !(map.cuts && time >= map.limit_s));
        let end = if answer.is_some() { Termination::Finished } else { Termination::CpuLimit };
        let planned = PlannedJob::new(job, 0, String::new());
        let mut row = Row { verdict: Verdict::Imported, ..Row::blank(planned, end) };
        row.status = answer.unwrap_or(Answer::Unknown);
        row.cpu_s = if answer.is_some() { time.max(map.least_s) } else { map.limit_s };
        (row.solve_cpu_s, row.wall_s) = (Some(row.cpu_s), row.cpu_s);
        for (measure, part) in &map.measures {
            let stats = &mut row.solver_stats;
            let count = match measure {
                FurtherMeasure::Conflicts => &mut stats.conflicts,
                FurtherMeasure::Decisions => &mut stats.decisions,
                FurtherMeasure::Propagations => &mut stats.propagations,
                FurtherMeasure::Preparation => {
                    row.generate_cpu_s = Some(self.number(record, part)? * map.unit_s);
                    continue;
                }
            };
            *count = Some(self.whole(record, part, EXACT)?);
        }
        Ok(row)
    }
}

#[cfg(test)]
#[path = "import_tests.rs"]
mod tests;
