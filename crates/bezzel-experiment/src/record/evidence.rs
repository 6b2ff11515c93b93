//! The record of an experiment, in the form that reports read.

use std::collections::HashMap;
use std::path::Path;

use bezzel_problem::Instance;
use thiserror::Error;

use crate::backend::catalog::Catalog;
use crate::check::cross::{self, Contradiction};
use crate::config::{Config, ConfigError, ReportFile, ReportSpec};
use crate::model::environment::Environment;
use crate::model::job::Key;
use crate::model::row::Row;
use crate::plan::Plan;
use crate::plan::answering::{self, JobMatcher};
use crate::results::store::{self, StoreError, UnlistedRows};

/// The complete record of an experiment: question, config, sessions and rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExperimentRecord {
    /// The experiment's name, which is its folder's.
    pub name: String,
    /// The experiments of a [combined](Self::combined) record, in the order of their sessions; empty for a single one.
    pub parts: Vec<RecordPart>,
    /// The name in its config. The config may have been run under another name.
    pub config_name: String,
    /// The question, as the config states it.
    pub question: Option<String>,
    /// Texts, figures and tables that the author states; empty until they are [stated](Self::stated), since the frozen
    /// config may contain older ones.
    pub report: ReportSpec,
    /// The frozen config, unchanged.
    pub config: String,
    /// The sessions of the rows.
    pub environments: Vec<Environment>,
    /// The families of instances that the config states; reports derive the others.
    pub families: HashMap<Instance, String>,
    /// The names of programs that the config states: pairs of the program as in jobs and its name.
    pub names: Vec<(String, String)>,
    /// The number of jobs planned. Rows that are missing are missing, not zero.
    pub planned: usize,
    /// The number of rows that were measured under other limits than those of the config.
    pub under_other_limits: usize,
    /// The rows of the plan, in its order, after they were [examined](cross::examine) together. A row of other limits
    /// counts as a run under those of the plan.
    pub rows: Vec<Row>,
    /// The contradictions among the rows, the smallest instance first.
    pub contradictions: Vec<Contradiction>,
    /// The number of lines that are not rows, or were changed; they are left out.
    pub damaged: usize,
    /// Rows whose sessions are not in `environment.json`.
    pub unlisted: UnlistedRows,
    /// The steadiness of the machine: the readings of a fixed formula, in the order of their sessions.
    pub readings: Vec<Row>,
}

/// An experiment of a combined record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordPart {
    /// Its name.
    pub name: String,
    /// The number of its first session in the combined record.
    pub first_session: usize,
}

/// An error that prevents reading an experiment.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The evidence cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The frozen config cannot be parsed any more.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

impl ExperimentRecord {
    /// Reads the record in an experiment's folder. It changes nothing.
    ///
    /// # Errors
    ///
    /// When there is none, or it cannot be parsed.
    pub fn open(folder: &Path, catalog: &Catalog) -> Result<Self, RecordError> {
        let (text, environments, mut rows) = store::read_folder(folder)?;
        let (config, plan) = Plan::of_frozen(&text, folder, catalog, rows.by_key.values())?;
        let planned = plan.jobs.len();
        let mut contradictions =
            cross::between_repetitions(&rows.disagreeing, |key| rows.by_key.get(key));
        let (damaged, unlisted) = (rows.damaged.len(), std::mem::take(&mut rows.unlisted));
        let (mut rows, under_other_limits, others) = taken(&plan, rows.by_key);
        // Answers under other limits are claims about the same instances.
        let reported = rows.len();
        rows.extend(others);
        contradictions.extend(cross::examine(&mut rows));
        rows.truncate(reported);
        let readings = store::readings(folder)?;
        let Config { name, question, families, names, .. } = config;
        // An experiment's name may differ from the name in its config.
        let own = store::name_of(folder);
        Ok(Self {
            name: own.unwrap_or_else(|| name.clone()),
            config_name: name,
            parts: Vec::new(),
            question,
            report: ReportSpec::default(),
            config: text,
            environments,
            families,
            names,
            planned,
            under_other_limits,
            rows,
            contradictions,
            damaged,
            unlisted,
            readings,
        })
    }

    /// Returns true if the config in a file plans the jobs of all rows, under any limits, revision and version. The
    /// author's statements in that file then refer to these rows. No program is run.
    ///
    /// # Errors
    ///
    /// When the config cannot be read or planned.
    pub fn is_planned_by(&self, config: &Path, catalog: &Catalog) -> Result<bool, ConfigError> {
        let read = |catalog: &Catalog| Config::read(config, catalog);
        let (_, plan) = Plan::restore(read, catalog, self.rows.iter())?;
        let requested_jobs = plan.requested_jobs();
        Ok(self
            .rows
            .iter()
            .all(|row| requested_jobs.has_work(row) || requested_jobs.has_before_proofs(row)))
    }

    /// The name of the experiment that has a row.
    pub fn experiment_of(&self, row: &Row) -> &str {
        let part = self.parts.iter().rev().find(|part| part.first_session <= row.session);
        part.map_or(self.name.as_str(), |part| part.name.as_str())
    }

    /// The record with the question and the statements of an author's file.
    #[must_use]
    pub fn stated(self, file: ReportFile) -> Self {
        Self { question: file.question.or(self.question), report: file.spec, ..self }
    }
}

/// The rows of a plan, in its order; the number of those that were measured under other limits; and further rows of
/// planned jobs, by key.
fn taken(plan: &Plan, mut by_key: HashMap<Key, Row>) -> (Vec<Row>, usize, Vec<Row>) {
    let answering = JobMatcher::new(&plan.jobs);
    let best = answering.best(by_key.values()).into_iter();
    let best: Vec<_> = best.map(|taken| taken.map(|(row, fit)| (row.key.clone(), fit))).collect();
    let under_other_limits =
        best.iter().flatten().filter(|(_, fit)| fit.has_other_limits()).count();
    let rows = plan.jobs.iter().zip(best).filter_map(|(planned, taken)| {
        let (key, fit) = taken?;
        Some(answering::as_reported(by_key.remove(&key)?, planned, fit))
    });
    let rows = rows.collect();
    let mut others: Vec<Row> = by_key.into_values().filter(|row| answering.has_work(row)).collect();
    others.sort_by(|one, other| one.key.cmp(&other.key));
    (rows, under_other_limits, others)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use bezzel_solve::Answer;

    use super::*;
    use crate::model::job::PlannedJob;
    use crate::model::row::Termination;

    const CONFIG: &str = "\
name: old
problems: [{latin-square: {order: [4, 5]}}]
encodings: [pairwise]
solvers: [cadical]
";

    /// Returns a line of format 1, which has no checksum.
    fn line_of_format_1(row: Row) -> String {
        let line = serde_json::to_string(&Row { format: 1, ..row }).unwrap();
        line.replace("\"format\":1,", "") + "\n"
    }

    /// The record of a folder in which every job of the config has a row without a proof.
    fn of_old_rows(config: &str) -> ExperimentRecord {
        let catalog = Catalog::of_tests();
        let plan =
            Plan::new(&Config::parse_frozen(CONFIG, "old.yaml", &catalog).unwrap(), &catalog);
        let lines = plan.unwrap().jobs.into_iter().map(|planned| {
            let job = planned.job.without_proof();
            let key = job.key(planned.encoding_revision, &planned.solver_version);
            line_of_format_1(Row::blank(PlannedJob { job, key, ..planned }, Termination::CpuLimit))
        });
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(store::ROWS), lines.collect::<String>()).unwrap();
        fs::write(folder.path().join(store::CONFIG), config).unwrap();
        ExperimentRecord::open(folder.path(), &catalog).unwrap()
    }

    #[test]
    fn rows_from_before_there_were_proofs_answer_a_config_that_says_nothing_of_them() {
        let record = of_old_rows(CONFIG);
        assert_eq!((record.planned, record.rows.len()), (2, 2));
        assert!(record.rows.iter().all(|row| row.job.proof.is_none()));
        // A config that asks for both has a separate job without a proof, which the row answers.
        let record = of_old_rows(&format!("{CONFIG}proofs: [on, off]\n"));
        assert_eq!((record.planned, record.rows.len()), (4, 2));
    }

    #[test]
    fn an_answer_under_other_limits_that_contradicts_a_reported_one_is_found() {
        let catalog = Catalog::of_tests();
        let of = |config: &str| {
            let config = Config::parse_frozen(config, "old.yaml", &catalog).unwrap();
            Plan::new(&config, &catalog).unwrap().jobs
        };
        let other = format!("{CONFIG}limits: {{cpu: 1 s}}\n");
        let rows = [(of(CONFIG), Answer::Sat), (of(&other), Answer::Unsat)];
        let lines = rows.into_iter().flat_map(|(jobs, answer)| {
            let row =
                move |planned| Row { status: answer, ..Row::blank(planned, Termination::Finished) };
            jobs.into_iter().map(move |planned| line_of_format_1(row(planned)))
        });
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(store::ROWS), lines.collect::<String>()).unwrap();
        fs::write(folder.path().join(store::CONFIG), CONFIG).unwrap();
        let record = ExperimentRecord::open(folder.path(), &catalog).unwrap();
        assert_eq!((record.rows.len(), record.under_other_limits), (2, 0));
        assert!(record.rows.iter().all(|row| row.status == Answer::Sat));
        assert_eq!(record.contradictions.len(), 2);
    }
}
