//! All measurements of a folder: every row, of any revision and version.
//!
//! A report contains the rows that the current program would measure. A comparison of two records needs the rows that
//! were measured, possibly by programs that are not available any more. Therefore nothing is planned, and the config
//! need not be parsable.

use std::collections::HashMap;
use std::path::Path;

use bezzel_problem::Instance;

use crate::model::row::Row;
use crate::results::store::{self, Rows, Sessions, StoreError};

/// The rows of a folder, with the sessions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredResults {
    /// The experiment's name, which is its folder's.
    pub name: String,
    /// The sessions, and the damage of their files.
    pub sessions: Sessions,
    /// The families of instances that the config states, if a caller has read it.
    pub families: HashMap<Instance, String>,
    /// For each [question](crate::Job::question) the latest row of those that settle it, or of all if none does, in the
    /// order of their start times.
    pub rows: Vec<Row>,
    /// The steadiness of the machine: the readings of a fixed formula.
    pub readings: Vec<Row>,
}

impl StoredResults {
    /// Reads the rows in an experiment's folder. It changes nothing.
    ///
    /// # Errors
    ///
    /// When there is no experiment, it cannot be read, or is of a newer version.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let (sessions, rows) = Rows::read(folder)?;
        let mut latest: HashMap<String, Row> = HashMap::with_capacity(rows.by_key.len());
        for row in rows.by_key.into_values() {
            let question = row.job.question();
            match latest.get(&question) {
                Some(known) if !is_later(&row, known) => {}
                _ => drop(latest.insert(question, row)),
            }
        }
        let mut by_start: Vec<Row> = latest.into_values().collect();
        by_start.sort_by(|one, other| {
            let begun = one.started_unix_s.total_cmp(&other.started_unix_s);
            begun.then_with(|| one.key.cmp(&other.key))
        });
        Ok(Self {
            name: store::name_of(folder).unwrap_or_default(),
            sessions,
            families: HashMap::new(),
            rows: by_start,
            readings: rows.readings,
        })
    }
}

/// Returns the rank of a row among the rows of a job: lowest for a run killed from outside, then a job that was not
/// run.
pub(crate) fn rank(row: &Row) -> (bool, bool) {
    (row.is_settled(), row.termination != crate::Termination::Skipped)
}

/// Returns true if a row replaces another row of the same question.
fn is_later(row: &Row, known: &Row) -> bool {
    let order = rank(row).cmp(&rank(known));
    let order = order.then(row.started_unix_s.total_cmp(&known.started_unix_s));
    order.then_with(|| row.key.cmp(&known.key)).is_gt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::cross::tests::count;
    use crate::model::row::Termination;
    use crate::results::store::{FORMAT, SessionStart, SessionWriter};

    /// Returns the row of a count under `revision`, with its key, that began at `begun`.
    fn revised(side: u32, revision: u32, begun: f64) -> Row {
        let mut row = count(side, "blocking", "pairwise", 4);
        row.encoding_revision = revision;
        row.started_unix_s = begun;
        row.key = row.job.key(revision, &row.solver_version);
        row
    }

    fn of(rows: &[Row]) -> StoredResults {
        let folder = tempfile::tempdir().unwrap();
        // The config is none that this version knows.
        let start = SessionStart { format: FORMAT, ..SessionStart::default() };
        let mut writer = SessionWriter::create(folder.path(), &start, &[]).unwrap();
        for row in rows {
            writer.append(row).unwrap();
        }
        StoredResults::open(folder.path()).unwrap()
    }

    #[test]
    fn the_row_that_was_begun_last_stands_for_its_question() {
        let kept = |rows: &[Row]| -> Vec<_> {
            let rows = of(rows).rows.into_iter();
            rows.map(|row| (row.job.instance.size(), row.encoding_revision)).collect()
        };
        let rows = [revised(6, 2, 9.0), revised(7, 1, 2.0), revised(6, 1, 1.0)];
        assert_eq!(kept(&rows), [(7, 1), (6, 2)]);
        // A killed run or a skipped job replaces no answer.
        for termination in [Termination::HostError, Termination::Skipped] {
            let later = Row { termination, ..revised(6, 2, 9.0) };
            assert_eq!(kept(&[later, revised(6, 1, 1.0)]), [(6, 1)]);
        }
    }

    #[test]
    fn limits_are_no_part_of_what_is_asked() {
        let job = revised(6, 1, 1.0).job;
        let mut longer = job.clone();
        longer.limits.cpu_s *= 2.0;
        assert_eq!(job.question(), longer.question());
        let again = crate::Job { repeat: 2, ..job.clone() };
        assert_ne!(job.question(), again.question());
    }
}
