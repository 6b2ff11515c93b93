//! What was measured, as it stands: every row of a folder, whatever its revision and version.
//!
//! A report shows the rows that this program would measure today. Whoever compares two records wants
//! those that were measured then, by programs that may not be there any more: nothing is planned, and
//! the config need not even be understood.

use std::collections::HashMap;
use std::path::Path;

use bezzel_problem::Instance;

use crate::model::environment::Environment;
use crate::model::row::Row;
use crate::results::store::{self, StoreError, Unlisted};

/// The rows of a folder, with what was asked and on which machines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// The experiment's name, which is its folder's.
    pub name: String,
    /// The frozen config, as it was written.
    pub config: String,
    /// The families of boards that the config states, where a caller has read it.
    pub families: HashMap<Instance, String>,
    /// The sessions in which rows were made.
    pub environments: Vec<Environment>,
    /// For each [question](crate::Job::question) the row that was begun last of those that settle it,
    /// or of all if none does; in the order in which they were begun.
    pub rows: Vec<Row>,
    /// Rows that a later one of the same question takes the place of.
    pub superseded: usize,
    /// Lines of evidence that are no rows, or not what was written; they are left out.
    pub damaged: usize,
    /// Rows whose sessions are not in `environment.json`.
    pub unlisted: Unlisted,
    /// How steady the machine was: the readings of a fixed formula.
    pub readings: Vec<Row>,
}

impl Measured {
    /// Reads what is in an experiment's folder. Changes nothing.
    ///
    /// # Errors
    ///
    /// When there is no experiment, it cannot be read, or is of a newer version.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let (config, environments, rows) = store::look(folder)?;
        let (damaged, unlisted) = (rows.damaged.len(), rows.unlisted);
        let all = rows.by_key.len();
        let mut latest: HashMap<String, Row> = HashMap::with_capacity(all);
        for row in rows.by_key.into_values() {
            let question = row.job.question();
            match latest.get(&question) {
                Some(known) if !is_later(&row, known) => {}
                _ => drop(latest.insert(question, row)),
            }
        }
        let mut rows: Vec<Row> = latest.into_values().collect();
        rows.sort_by(|one, other| {
            let begun = one.started_unix_s.total_cmp(&other.started_unix_s);
            begun.then_with(|| one.key.cmp(&other.key))
        });
        Ok(Self {
            name: store::name_of(folder).unwrap_or_default(),
            config,
            families: HashMap::new(),
            environments,
            superseded: all - rows.len(),
            rows,
            damaged,
            unlisted,
            readings: store::readings(folder)?,
        })
    }

    /// The sessions that rows are of.
    pub fn sessions(&self) -> Vec<&Environment> {
        let has_rows = |session: usize| self.rows.iter().any(|row| row.session == session);
        let sessions = self.environments.iter().enumerate();
        sessions.filter(|(number, _)| has_rows(*number)).map(|(_, session)| session).collect()
    }
}

/// How much a row says of its job: nothing if somebody killed it, little if nobody ran it.
pub(crate) fn rank(row: &Row) -> (bool, bool) {
    (row.is_settled(), row.stop != crate::Stop::Skipped)
}

/// Whether a row takes the place of another one that asks for the same.
fn is_later(row: &Row, known: &Row) -> bool {
    let order = rank(row).cmp(&rank(known));
    let order = order.then(row.started_unix_s.total_cmp(&known.started_unix_s));
    order.then_with(|| row.key.cmp(&known.key)).is_gt()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::check::cross::tests::count;
    use crate::model::row::Stop;
    use crate::results::store::seal::sealed;

    /// The row of a count under another revision, with its key, begun then.
    fn revised(side: u32, revision: u32, begun: f64) -> Row {
        let mut row = count(side, "blocking", "pairwise", 4);
        row.encoding_revision = revision;
        row.started_unix_s = begun;
        row.key = row.job.key(revision, &row.solver_version);
        row
    }

    fn of(rows: &[Row]) -> Measured {
        let folder = tempfile::tempdir().unwrap();
        let lines: Vec<u8> = rows.iter().flat_map(sealed).collect();
        fs::write(folder.path().join(store::ROWS), lines).unwrap();
        fs::write(folder.path().join(store::CONFIG), "of no version that is known\n").unwrap();
        Measured::open(folder.path()).unwrap()
    }

    #[test]
    fn the_row_that_was_begun_last_stands_for_its_question() {
        let told = |rows: &[Row]| {
            let measured = of(rows);
            let rows = measured.rows.iter();
            let told: Vec<_> =
                rows.map(|row| (row.job.instance.size(), row.encoding_revision)).collect();
            (told, measured.superseded)
        };
        let rows = [revised(6, 2, 9.0), revised(7, 1, 2.0), revised(6, 1, 1.0)];
        assert_eq!(told(&rows), (vec![(7, 1), (6, 2)], 1));
        // What somebody killed, or nobody ran, takes no answer's place.
        for stop in [Stop::HostError, Stop::Skipped] {
            let later = Row { stop, ..revised(6, 2, 9.0) };
            assert_eq!(told(&[later, revised(6, 1, 1.0)]), (vec![(6, 1)], 1));
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
