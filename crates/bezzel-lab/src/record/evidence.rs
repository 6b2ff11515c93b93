//! An experiment's record as reports read it.

use std::collections::HashMap;
use std::path::Path;

use bezzel_problem::Instance;
use thiserror::Error;

use crate::backend::workbench::Workbench;
use crate::check::cross::{self, Contradiction};
use crate::config::{Config, ConfigError, ReportFile, ReportSpec};
use crate::model::environment::Environment;
use crate::model::job::Key;
use crate::model::row::Row;
use crate::plan::Plan;
use crate::plan::answering::{self, Answering};
use crate::results::store::{self, StoreError, Unlisted};
use crate::run::submission::SubmissionError;

/// The whole record of an experiment: what was asked, with what, and what came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExperimentRecord {
    /// The experiment's name, which is its folder's.
    pub name: String,
    /// The experiments that a [combined](Self::combined) record is of; none if it is one itself.
    pub parts: Vec<String>,
    /// The name in its config. The config may have been run under another name.
    pub config_name: String,
    /// The question, as the config puts it.
    pub question: Option<String>,
    /// Texts, figures and tables that the author states; none until they are [stated](Self::stated), for the frozen
    /// config may have older ones.
    pub report: ReportSpec,
    /// The frozen config, as it was written.
    pub config: String,
    /// The sessions in which rows were made.
    pub environments: Vec<Environment>,
    /// The families of boards that the config states; reports derive the others.
    pub families: HashMap<Instance, String>,
    /// The names of programs that the config states, each after the program as jobs have it.
    pub names: Vec<(String, String)>,
    /// The number of jobs planned. Rows that are missing are missing, not zero.
    pub planned: usize,
    /// The number of rows that were measured under other limits than those of the config.
    pub under_other_limits: usize,
    /// The rows of the plan, in its order, as they stand after they were
    /// [examined](cross::examine) together. A row of other limits counts as a run under those of the plan.
    pub rows: Vec<Row>,
    /// What they say that cannot both be right, the smallest board first.
    pub contradictions: Vec<Contradiction>,
    /// Lines of evidence that are no rows, or not what was written; they are left out.
    pub damaged: usize,
    /// Rows whose sessions are not in `environment.json`.
    pub unlisted: Unlisted,
    /// How steady the machine was: the readings of a fixed formula, in the order of their sessions.
    pub readings: Vec<Row>,
}

/// Why an experiment cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The evidence cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The frozen config cannot be understood any more.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A submission cannot be read.
    #[error(transparent)]
    Submission(#[from] SubmissionError),
}

impl ExperimentRecord {
    /// Reads the record in an experiment's folder. Changes nothing.
    ///
    /// # Errors
    ///
    /// When there is none, or it cannot be understood.
    pub fn open(folder: &Path, workbench: &Workbench) -> Result<Self, RecordError> {
        let (text, environments, mut rows) = store::look(folder)?;
        let is_import = environments.iter().any(|session| session.measured_by.is_some());
        let (config, plan) =
            Plan::of_frozen(&text, folder, workbench, rows.by_key.values(), is_import)?;
        let planned = plan.jobs.len();
        let mut contradictions =
            cross::between_repetitions(&rows.disagreeing, |key| rows.by_key.get(key));
        let (damaged, unlisted) = (rows.damaged.len(), std::mem::take(&mut rows.unlisted));
        let (mut rows, under_other_limits, others) = taken(&plan, rows.by_key);
        // Answers under other limits are claims about the same boards.
        let reported = rows.len();
        rows.extend(others);
        contradictions.extend(cross::examine(&mut rows));
        rows.truncate(reported);
        let readings = store::readings(folder)?;
        let Config { name, question, families, names, .. } = config;
        // A config may have been run under another name than its own.
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

    /// True if the config in a file plans the jobs of all rows, under any limits, revision and version. An author's part
    /// in that file is then about these rows. No program is run.
    ///
    /// # Errors
    ///
    /// When the config cannot be read or planned.
    pub fn is_planned_by(&self, config: &Path, workbench: &Workbench) -> Result<bool, ConfigError> {
        let read = |workbench: &Workbench| Config::read(config, workbench);
        let is_import = self.environments.iter().any(|session| session.measured_by.is_some());
        let (_, plan) = Plan::recalled(read, workbench, self.rows.iter(), is_import)?;
        let asked = plan.asked();
        Ok(self.rows.iter().all(|row| asked.has_work(row) || asked.has_before_proofs(row)))
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
    let answering = Answering::new(&plan.jobs);
    let best = answering.best(by_key.values()).into_iter();
    let best: Vec<_> = best.map(|taken| taken.map(|(row, fit)| (row.key.clone(), fit))).collect();
    let under_other_limits =
        best.iter().flatten().filter(|(_, fit)| fit.has_other_limits()).count();
    let rows = plan.jobs.iter().zip(best).filter_map(|(planned, taken)| {
        let (key, fit) = taken?;
        Some(answering::seen(by_key.remove(&key)?, planned, fit))
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
    use crate::model::job::Planned;
    use crate::model::row::Stop;

    const CONFIG: &str = "\
name: old
boards: [{size: [4, 5]}]
encodings: [pairwise]
solvers: [cadical]
";

    /// A line of a file from before lines had seals.
    fn line_of_format_1(row: Row) -> String {
        let line = serde_json::to_string(&Row { format: 1, ..row }).unwrap();
        line.replace("\"format\":1,", "") + "\n"
    }

    /// The record of a folder in which every job of the config has a row without a proof.
    fn of_old_rows(config: &str) -> ExperimentRecord {
        let workbench = Workbench::standard();
        let plan =
            Plan::new(&Config::parse_frozen(CONFIG, "old.yaml", &workbench).unwrap(), &workbench);
        let lines = plan.unwrap().jobs.into_iter().map(|planned| {
            let job = planned.job.without_proof();
            let key = job.key(planned.encoding_revision, &planned.solver_version);
            line_of_format_1(Row::blank(Planned { job, key, ..planned }, Stop::CpuLimit))
        });
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(store::ROWS), lines.collect::<String>()).unwrap();
        fs::write(folder.path().join(store::CONFIG), config).unwrap();
        ExperimentRecord::open(folder.path(), &workbench).unwrap()
    }

    #[test]
    fn rows_from_before_there_were_proofs_answer_a_config_that_says_nothing_of_them() {
        let record = of_old_rows(CONFIG);
        assert_eq!((record.planned, record.rows.len()), (2, 2));
        assert!(record.rows.iter().all(|row| row.job.proof.is_none()));
        // A config that asks for both has a job without a proof of its own, which the row answers.
        let record = of_old_rows(&format!("{CONFIG}proofs: [on, off]\n"));
        assert_eq!((record.planned, record.rows.len()), (4, 2));
    }

    #[test]
    fn an_answer_under_other_limits_that_contradicts_a_reported_one_is_found() {
        let workbench = Workbench::standard();
        let of = |config: &str| {
            let config = Config::parse_frozen(config, "old.yaml", &workbench).unwrap();
            Plan::new(&config, &workbench).unwrap().jobs
        };
        let other = format!("{CONFIG}limits: {{cpu: 1 s}}\n");
        let rows = [(of(CONFIG), Answer::Sat), (of(&other), Answer::Unsat)];
        let lines = rows.into_iter().flat_map(|(jobs, answer)| {
            let row = move |planned| Row { answer, ..Row::blank(planned, Stop::Finished) };
            jobs.into_iter().map(move |planned| line_of_format_1(row(planned)))
        });
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(store::ROWS), lines.collect::<String>()).unwrap();
        fs::write(folder.path().join(store::CONFIG), CONFIG).unwrap();
        let record = ExperimentRecord::open(folder.path(), &workbench).unwrap();
        assert_eq!((record.rows.len(), record.under_other_limits), (2, 0));
        assert!(record.rows.iter().all(|row| row.answer == Answer::Sat));
        assert_eq!(record.contradictions.len(), 2);
    }
}
