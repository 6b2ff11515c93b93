//! The record of an experiment, in the form that reports read.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use bezzel_problem::Instance;
use serde_json::{Map, Value as Json};
use thiserror::Error;

use crate::backend::catalog::Catalog;
use crate::check::cross::{self, Contradiction};
use crate::config::{self, Config, ConfigError, ReportFile, ReportSpec};
use crate::model::environment::Environment;
use crate::model::job::{Job, Key, PlannedJob};
use crate::model::row::{Row, Termination, Verdict};
use crate::plan::Plan;
use crate::plan::answering::{self, JobMatcher};
use crate::results::store::{self, IMPORTED, RecordedConfig, Rows, Session, StoreError};

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
    /// Texts, figures and tables that the author states; empty until they are [stated](Self::stated), since the config of
    /// a session may contain older ones.
    pub report: ReportSpec,
    /// The config, with the keys that it takes over.
    pub config: String,
    /// The origin of the config: the path of a file, or the name of a session.
    pub config_from: String,
    /// The path of the map of an imported table, if it lies in the project.
    pub map: Option<String>,
    /// The part of the config that only reports use, in the last session.
    pub stated_in_session: Map<String, Json>,
    /// The environments of the sessions of the rows.
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
    /// The damage of the files of sessions, in sentences.
    pub damage: Vec<String>,
    /// The number of jobs that several sessions have answered. The first session counts.
    pub repeated: usize,
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
    /// The config cannot be read.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

impl ExperimentRecord {
    /// Reads the record in an experiment's folder by the config of its last session. It changes nothing.
    ///
    /// # Errors
    ///
    /// When there is none, or it cannot be parsed.
    pub fn open(folder: &Path, catalog: &Catalog) -> Result<Self, RecordError> {
        Self::open_by(folder, None, catalog)
    }

    /// A record that has the names of a plan and no results: a row for each instance, and for each encoding, numbering and
    /// solver on each kind.
    pub fn of_names<'p>(config: &Config, plan: &'p Plan) -> Self {
        let (mut instances, mut others) = (HashSet::new(), HashSet::new());
        let mut is_new = |planned: &'p PlannedJob| {
            let Job { instance, encoding, settings, numbering, solver, options, .. } = &planned.job;
            let Job { task, proof, max_solutions, .. } = &planned.job;
            let of = (instance.kind(), encoding, settings, numbering.id(), solver);
            let is_first = others.insert((of, Arc::as_ptr(options), task, proof, max_solutions));
            instances.insert(instance) | is_first
        };
        let rows = plan.jobs.iter().filter(|planned| is_new(planned));
        Self {
            families: config.families.clone(),
            names: config.names.clone(),
            rows: rows.map(|job| Row::blank(job.clone(), Termination::Skipped)).collect(),
            ..Self::default()
        }
    }

    /// Reads the record in an experiment's folder by the config in a file, or that of the last session if there is no
    /// file. It changes nothing, and runs no program.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_by(
        folder: &Path,
        file: Option<&Path>,
        catalog: &Catalog,
    ) -> Result<Self, RecordError> {
        let (sessions, rows) = Rows::read(folder)?;
        let last = sessions.last(folder)?;
        if last.start.config.is_imported() {
            return Ok(Self::imported(last, folder, rows));
        }
        let (config, plan) = match file {
            None => Plan::of_session(last, folder, catalog, rows.by_key.values())?,
            Some(file) => {
                let read = |catalog: &Catalog| Config::read(file, catalog);
                Plan::restore(read, catalog, rows.by_key.values())?
            }
        };
        let planned = plan.jobs.len();
        let mut contradictions =
            cross::between_repetitions(&rows.disagreeing, |key| rows.by_key.get(key));
        let Rows { by_key, readings, repeated, .. } = rows;
        let (mut rows, under_other_limits, others) = taken(&plan, by_key);
        // Answers under other limits are claims about the same instances.
        let reported = rows.len();
        rows.extend(others);
        contradictions.extend(cross::examine(&mut rows));
        rows.truncate(reported);
        let config_from =
            file.map_or_else(|| last.start.name.to_string(), |file| file.display().to_string());
        let recorded = config.recorded();
        let Config { name, question, families, names, .. } = config;
        // An experiment's name may differ from the name in its config.
        let own = store::name_of(folder);
        Ok(Self {
            name: own.unwrap_or_else(|| name.clone()),
            config_name: name,
            parts: Vec::new(),
            question,
            report: ReportSpec::default(),
            config: config::text_of(&recorded.config),
            config_from,
            map: None,
            stated_in_session: last.start.config.report.clone(),
            environments: sessions.environments(),
            families,
            names,
            planned,
            under_other_limits,
            rows,
            contradictions,
            damage: sessions.warnings(),
            repeated: repeated.len(),
            readings,
        })
    }

    /// The record of an imported table: all of its rows are planned, and no machine of theirs is known.
    fn imported(session: &Session, folder: &Path, rows: Rows) -> Self {
        let RecordedConfig { config, report, .. } = &session.start.config;
        let map_path = config.get(IMPORTED).and_then(|mark| mark.get("map"));
        let map_path = map_path.and_then(Json::as_str).map(str::to_owned);
        // Without its mark it is a map that can be imported again.
        let map = config.iter().filter(|(key, _)| *key != IMPORTED);
        let map = map.map(|(key, value)| (key.clone(), value.clone())).collect();
        let text = |key: &str| config.get(key).and_then(Json::as_str).map(str::to_owned);
        let mut rows: Vec<Row> = rows.by_key.into_values().collect();
        rows.sort_by(|one, other| {
            let place = |row: &Row| (row.job.encoding.clone(), row.job.repeat);
            one.job.instance.cmp(&other.job.instance).then_with(|| place(one).cmp(&place(other)))
        });
        let contradictions = cross::examine(&mut rows);
        let name = store::name_of(folder).or_else(|| text("name")).unwrap_or_default();
        Self {
            config_name: text("name").unwrap_or_else(|| name.clone()),
            name,
            question: text("question"),
            config: config::text_of(&map),
            config_from: session.start.name.to_string(),
            map: map_path,
            stated_in_session: report.clone(),
            planned: rows.len(),
            rows,
            contradictions,
            ..Self::default()
        }
    }

    /// True if the rows are those of an imported table.
    pub fn is_imported(&self) -> bool {
        self.rows.iter().any(|row| row.verdict == Verdict::Imported)
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
        Ok(self.rows.iter().all(|row| requested_jobs.has_work(row)))
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
    // No more memory than the rows need: there may be many.
    let mut rows = Vec::with_capacity(best.len());
    rows.extend(plan.jobs.iter().zip(best).filter_map(|(planned, taken)| {
        let (key, fit) = taken?;
        Some(answering::as_reported(by_key.remove(&key)?, planned, fit))
    }));
    let mut others: Vec<Row> = by_key.into_values().filter(|row| answering.has_work(row)).collect();
    others.sort_by(|one, other| one.key.cmp(&other.key));
    (rows, under_other_limits, others)
}

#[cfg(test)]
mod tests {
    use bezzel_solve::Answer;

    use super::*;
    use crate::results::store::{FORMAT, SessionStart, SessionWriter};

    const CONFIG: &str = "\
name: old
problems: [{latin-square: {order: [4, 5]}}]
encodings: [pairwise]
solvers: [cadical]
";

    /// Writes a session with a row of this answer for each job of a config.
    fn write(folder: &Path, config: &str, answer: Answer) {
        let catalog = Catalog::of_tests();
        let config = Config::parse(config, "t.yaml", &catalog).unwrap();
        let recorded = config.recorded();
        let start = SessionStart { format: FORMAT, config: recorded, ..SessionStart::default() };
        let mut writer = SessionWriter::create(folder, &start, &config.files).unwrap();
        for planned in Plan::new(&config, &catalog).unwrap().jobs {
            let row = Row { status: answer, ..Row::blank(planned, Termination::Finished) };
            writer.append(&row).unwrap();
        }
    }

    #[test]
    fn an_answer_under_other_limits_that_contradicts_a_reported_one_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        write(folder, &format!("{CONFIG}limits: {{cpu: 1 s}}\n"), Answer::Unsat);
        write(folder, CONFIG, Answer::Sat);
        let record = ExperimentRecord::open(folder, &Catalog::of_tests()).unwrap();
        assert_eq!((record.rows.len(), record.under_other_limits), (2, 0));
        assert!(record.rows.iter().all(|row| row.status == Answer::Sat));
        assert_eq!(record.contradictions.len(), 2);
        assert_eq!(record.environments.len(), 2);
    }

    #[test]
    fn a_record_is_that_of_the_last_session_or_of_the_config_given() {
        let folder = tempfile::tempdir().unwrap();
        let (folder, catalog) = (folder.path(), Catalog::of_tests());
        let one = CONFIG.replace("[4, 5]", "4");
        write(folder, CONFIG, Answer::Sat);
        write(folder, &one, Answer::Sat);
        let record = ExperimentRecord::open(folder, &catalog).unwrap();
        assert_eq!((record.planned, record.rows.len(), record.repeated), (1, 1, 1));
        assert!(record.config_from.starts_with("20"), "{}", record.config_from);
        let file = folder.join("given.yaml");
        std::fs::write(&file, CONFIG).unwrap();
        let record = ExperimentRecord::open_by(folder, Some(&file), &catalog).unwrap();
        assert_eq!((record.planned, record.rows.len()), (2, 2));
        assert_eq!(record.config_from, file.display().to_string());
    }
}
