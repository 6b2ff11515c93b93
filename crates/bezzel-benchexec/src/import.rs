//! From BenchExec's results to rows.
//!
//! The config is planned again, so that each result finds its job by the names of its tool, its run definition and
//! its task. The task's name contains a digest of the clauses, so results of other clauses match no job. All files
//! are read and matched before any row is kept.
//!
//! The measuring program is part of a job's key: an imported row has a key that no row of our own runner can have.
//! Results with an existing row are skipped, so that an import can be repeated.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use bezzel_solve::Answer;
use thiserror::Error;

use super::definition::PACKAGE;
use super::logs::{Logs, LogsError};
use super::results::{self, ResultsError, RunSet};
use super::rows::{self, RunSource};
use super::session;
use super::tasks::{Tasks, TasksError};
use super::value;
use super::value::whole;
use bezzel_experiment::catalog::Catalog;
use bezzel_experiment::config::{Config, ConfigError};
use bezzel_experiment::environment::{Build, Environment};
use bezzel_experiment::job::PlannedJob;
use bezzel_experiment::job::{Key, Limits};
use bezzel_experiment::judge::Judge;
use bezzel_experiment::plan::Plan;
use bezzel_experiment::row::Row;
use bezzel_experiment::store::{self, Store, StoreError};

/// The reason why results cannot be imported.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The plan cannot be made.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The plan has no tasks.
    #[error(transparent)]
    Tasks(#[from] TasksError),
    /// The rows cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file of results cannot be read.
    #[error("{}: {source}", path.display())]
    Results {
        /// The file.
        path: PathBuf,
        /// The fault.
        source: ResultsError,
    },
    /// Logs cannot be read.
    #[error(transparent)]
    Logs(#[from] LogsError),
    /// The results do not belong to the export.
    #[error("{}: {reason}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The part that the plan does not contain.
        reason: String,
    },
    /// The folder belongs to another experiment.
    #[error(
        "`{}` holds {what}: give the import a name of its own", folder.display()
    )]
    Taken {
        /// The folder.
        folder: PathBuf,
        /// Its content.
        what: &'static str,
    },
}

/// The counts of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportSummary {
    /// Rows that were added.
    pub added: usize,
    /// Results that have their rows already.
    pub known: usize,
    /// Results whose task already has a row from this import.
    pub repeated: usize,
    /// Pairs of contradicting answers to one task, as messages.
    pub contradictions: Vec<String>,
    /// Runs that BenchExec has not finished, or not measured.
    pub undone: usize,
    /// Added rows with the answer SAT and no solution, since their logs are missing.
    pub without_model: usize,
    /// Jobs of the plan that have no row yet.
    pub missing: usize,
}

/// The input of an import.
#[derive(Clone, Copy, Debug)]
pub struct ImportRequest<'a> {
    /// The config that was exported.
    pub config: &'a Config,
    /// The experiment's folder, new or of an earlier import.
    pub folder: &'a Path,
    /// The files of results.
    pub results: &'a [PathBuf],
    /// The folder or zip of the logs, if they are not beside the results.
    pub logs: Option<&'a Path>,
    /// The build, as the session records it.
    pub build: &'a Build,
}

/// Imports results as rows, and passes each row that is added to `observe`.
///
/// # Errors
///
/// Results or logs cannot be read, do not belong to this config, or rows cannot be written. No row is kept if
/// results do not match; rows before an unreadable log are kept.
pub fn import(
    request: &ImportRequest<'_>,
    catalog: &Catalog,
    observe: impl FnMut(&Row),
) -> Result<ImportSummary, ImportError> {
    let ImportRequest { config, folder, .. } = *request;
    refuse_taken(folder, config, catalog)?;
    let plan = Plan::of_export(config, catalog)?;
    let tasks = Tasks::new(&plan.jobs, config.limits, catalog)?;
    let mut files = Vec::with_capacity(request.results.len());
    for path in request.results {
        files.push(MatchedResults::read(path, request.logs, &tasks, &config.limits)?);
    }
    let (store, found) = Store::open(folder, &config.frozen_text(), &config.files)?;
    let mut judge = Judge::new();
    found.by_key.values().for_each(|row| judge.add_facts(row));
    let known = |row: &Row| found.by_key.get(&row.key);
    let rowed: HashSet<String> = found.by_key.values().map(|row| row.job.text()).collect();
    let done = ImportSummary::default();
    let mut writer = RowWriter { store, sessions: HashMap::new(), rowed, done, observe };
    writer.write_all(&mut files, &plan.jobs, &tasks, &mut judge, known, request.build)?;
    let expected = tasks.benchmarks.iter().flat_map(|benchmark| &benchmark.runs);
    let expected = expected.flat_map(|run| &run.tasks).map(|&(_, job)| plan.jobs[job].job.text());
    writer.done.missing = expected.filter(|job| !writer.rowed.contains(job)).count();
    Ok(writer.done)
}

/// A file of results with the task of every run.
struct MatchedResults {
    results: RunSet,
    logs: Option<Logs>,
    /// For each run, the formula and the job.
    places: Vec<(usize, usize)>,
    /// The name of each run's task.
    names: Vec<String>,
    /// The run definition.
    run_definition: String,
    /// The largest number of runs at the same time, computed from their times.
    parallel: u32,
}

impl MatchedResults {
    fn read(
        path: &Path,
        logs: Option<&Path>,
        tasks: &Tasks,
        limits: &Limits,
    ) -> Result<Self, ImportError> {
        let results = results::read(path)
            .map_err(|source| ImportError::Results { path: path.to_owned(), source })?;
        let foreign = |reason: String| ImportError::Foreign { path: path.to_owned(), reason };
        let module = &results.tool_module;
        let benchmark = module
            .strip_prefix(PACKAGE)
            .and_then(|name| name.strip_prefix('.'))
            .and_then(|name| tasks.benchmarks.iter().find(|benchmark| benchmark.name == name));
        let Some(benchmark) = benchmark else {
            let known = tasks.benchmarks.iter().map(|known| format!("{PACKAGE}.{}", known.name));
            let known = known.collect::<Vec<_>>().join(", ");
            return Err(foreign(format!(
                "these are results of the tool `{}`, which is not of this config: it has {known}",
                quoted(module)
            )));
        };
        let name = results.name.clone().unwrap_or_default();
        let Some(run) = benchmark.runs.iter().find(|run| run.name == name) else {
            let known = benchmark.runs.iter().map(|run| run.name.as_str()).collect::<Vec<_>>();
            return Err(foreign(format!(
                "these are results of the run definition `{}`, which is not of this config: it has {}",
                quoted(&name),
                known.join(", ")
            )));
        };
        refuse_other_limits(&results, limits).map_err(foreign)?;
        let mut by_name = HashMap::new();
        for &(formula, job) in &run.tasks {
            by_name.insert(tasks.formulas[formula].name.as_str(), (formula, job));
        }
        let (mut places, mut names) = (Vec::new(), Vec::new());
        for run in &results.runs {
            let name = task_name(&run.name);
            if let Some((column, value)) = value::impossible(run) {
                let (value, name) = (quoted(value), quoted(name));
                return Err(foreign(format!(
                    "the {column} of the task `{name}` is `{value}`: no machine can have measured that"
                )));
            }
            match by_name.get(name) {
                Some(&place) => places.push(place),
                None => return Err(foreign(unknown_task(name, tasks))),
            }
            names.push(name.to_owned());
        }
        let logs = match logs {
            Some(path) => Some(Logs::open(path)?),
            None => Logs::beside(path)?,
        };
        let (run_definition, parallel) = (run.name.clone(), session::parallel(&results.runs));
        Ok(Self { results, logs, places, names, run_definition, parallel })
    }
}

/// Returns the name of a task by the path of its definition.
fn task_name(path: &str) -> &str {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.strip_suffix(".yml").unwrap_or(file)
}

fn unknown_task(name: &str, tasks: &Tasks) -> String {
    let is_of = |cell: &str| name.strip_prefix(cell).is_some_and(|rest| rest.starts_with('_'));
    match tasks.formulas.iter().find(|formula| is_of(&formula.cell)) {
        Some(formula) => format!(
            "the task `{}` is of other clauses than `{}` writes now, `{}`: import with the version of \
             Bezzel that exported it",
            quoted(name),
            formula.label,
            formula.name
        ),
        None => format!(
            "the task `{}` is not of this config: import with the config that was exported",
            quoted(name)
        ),
    }
}

/// Refuses results that were measured under other limits than the config's: the limits in their rows would be wrong.
fn refuse_other_limits(results: &RunSet, limits: &Limits) -> Result<(), String> {
    let time = results.time_limit.as_deref().map(value::seconds);
    if time != Some(Some(whole(limits.cpu_s) as f64)) {
        return Err(format!(
            "its limit of CPU time is {}, and that of the config is {} s: put it into the config, \
             and export again",
            results.time_limit.as_deref().map_or("none", |limit| limit.get(..20).unwrap_or(limit)),
            whole(limits.cpu_s),
        ));
    }
    match results.memory_limit.as_deref().map(value::bytes) {
        // Without control groups, BenchExec can enforce none.
        None => Ok(()),
        Some(Some(bytes)) if bytes == limits.memory_bytes => Ok(()),
        Some(_) => Err(format!(
            "its limit of memory is {}, and that of the config is {}B: put it into the config, and \
             export again",
            results.memory_limit.as_deref().unwrap_or_default(),
            limits.memory_bytes
        )),
    }
}

/// Refuses a folder with other rows: rows of imported results may not be mixed with them.
fn refuse_taken(folder: &Path, config: &Config, catalog: &Catalog) -> Result<(), ImportError> {
    let taken = |what| ImportError::Taken { folder: folder.to_owned(), what };
    let Some(frozen) = store::frozen_config(folder)? else { return Ok(()) };
    let is_own = |session: &Environment| session.measured_by.is_none() && !session.lost;
    if store::environments(folder)?.iter().any(is_own) {
        return Err(taken("rows that Bezzel itself has measured"));
    }
    let path = folder.join(store::CONFIG).display().to_string();
    let is_same = |frozen: &Config| -> Result<bool, ConfigError> {
        if config.differing(frozen).is_empty() {
            return Ok(true);
        }
        let plan = Plan::of_export(config, catalog)?;
        Ok(plan.keys() == Plan::of_export(frozen, catalog)?.keys())
    };
    let frozen = Config::parse_frozen(&frozen, &path, catalog);
    if !frozen.is_ok_and(|frozen| is_same(&frozen).unwrap_or(false)) {
        return Err(taken("results of another config"));
    }
    Ok(())
}

/// Writes rows.
struct RowWriter<F> {
    store: Store,
    /// The session of each file.
    sessions: HashMap<usize, usize>,
    /// The jobs that have a row, with any version of their solver.
    rowed: HashSet<String>,
    done: ImportSummary,
    observe: F,
}

impl<F: FnMut(&Row)> RowWriter<F> {
    /// Makes rows of all runs, formula by formula, so that each formula is made once.
    fn write_all<'k>(
        &mut self,
        files: &mut [MatchedResults],
        jobs: &[PlannedJob],
        tasks: &Tasks,
        judge: &mut Judge,
        known: impl Fn(&Row) -> Option<&'k Row>,
        build: &Build,
    ) -> Result<(), ImportError> {
        let mut by_formula: Vec<Vec<(usize, usize)>> = vec![Vec::new(); tasks.formulas.len()];
        for (file, matched) in files.iter().enumerate() {
            for (run, &(formula, _)) in matched.places.iter().enumerate() {
                by_formula[formula].push((file, run));
            }
        }
        let mut seen: HashMap<Key, Answer> = HashMap::new();
        for (formula, runs) in tasks.formulas.iter().zip(by_formula) {
            let mut measured = None;
            for (file, run) in runs {
                let matched = &mut files[file];
                let (_, job) = matched.places[run];
                let source =
                    RunSource { results: &matched.results, run: &matched.results.runs[run] };
                let Some(mut row) = rows::unjudged(&jobs[job], &source) else {
                    self.done.undone += 1;
                    continue;
                };
                let claimed = row.status;
                if let Some(before) = known(&row) {
                    self.done.known += 1;
                    self.compare(&row, before.status, "an earlier import");
                    continue;
                }
                if let Some(&before) = seen.get(&row.key) {
                    self.done.repeated += 1;
                    self.compare(&row, before, "another run of these results");
                    continue;
                }
                let log = match &mut matched.logs {
                    Some(logs) => logs.content(&matched.run_definition, &matched.names[run])?,
                    None => None,
                };
                let measured = measured.get_or_insert_with(|| formula.measure());
                rows::judge(&mut row, log, formula, measured, judge);
                seen.insert(row.key.clone(), claimed);
                row.session = self.session(file, &files[file], build)?;
                self.store.append(&row)?;
                self.done.added += 1;
                self.rowed.insert(row.job.text());
                self.done.without_model += usize::from(rows::is_without_model(&row));
                (self.observe)(&row);
            }
        }
        Ok(())
    }

    /// Records a result that contradicts the one that was taken for its task.
    fn compare(&mut self, row: &Row, before: Answer, of: &str) {
        let answers = [row.status, before];
        if answers.contains(&Answer::Sat) && answers.contains(&Answer::Unsat) {
            let Row { job, status, .. } = row;
            let (board, encoding) = (&job.instance, job.encoding_label());
            self.done.contradictions.push(format!(
                "{} on {board} with {encoding} ({}): {status}, and {before} in {of}",
                job.solver,
                job.numbering.id()
            ));
        }
    }

    /// Returns the session of a file's rows.
    fn session(
        &mut self,
        file: usize,
        of: &MatchedResults,
        build: &Build,
    ) -> Result<usize, ImportError> {
        if let Some(&session) = self.sessions.get(&file) {
            return Ok(session);
        }
        let environment = session::environment(&of.results, of.parallel, build.clone());
        let session = self.store.begin_session(environment)?;
        self.sessions.insert(file, session);
        Ok(session)
    }
}

/// Returns the name for a message, shortened.
fn quoted(name: &str) -> String {
    name.chars().take(80).collect()
}
