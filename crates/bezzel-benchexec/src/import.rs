//! From BenchExec's results to rows.
//!
//! The config is planned anew, so that each result finds its job by the names of its tool, its run
//! definition and its task; the task's name holds a digest of the clauses, so that results of other
//! clauses find none. Everything is read and matched before anything is kept.
//!
//! Who measured is part of a job: an imported row has a key that no row of our own runner can have.
//! Results that are there already are passed over, so that an import can be repeated.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use bezzel_solve::Answer;
use thiserror::Error;

use super::definition::PACKAGE;
use super::logs::{Logs, LogsError};
use super::results::{self, ResultsError, RunSet};
use super::rows::{self, Source};
use super::session;
use super::tasks::{Tasks, TasksError};
use super::value;
use super::value::whole;
use bezzel_lab::config::{Config, ConfigError};
use bezzel_lab::environment::{Build, Environment};
use bezzel_lab::job::Planned;
use bezzel_lab::job::{Key, Limits};
use bezzel_lab::judge::Judge;
use bezzel_lab::plan::Plan;
use bezzel_lab::row::Row;
use bezzel_lab::store::{self, Store, StoreError};
use bezzel_lab::workbench::Workbench;

/// Why results cannot be imported.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The plan cannot be made.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The plan has no tasks.
    #[error(transparent)]
    Tasks(#[from] TasksError),
    /// Evidence cannot be read or kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file of results cannot be read.
    #[error("{}: {source}", path.display())]
    Results {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ResultsError,
    },
    /// Logs cannot be read.
    #[error(transparent)]
    Logs(#[from] LogsError),
    /// The results are not those of what was exported.
    #[error("{}: {reason}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is not of the plan.
        reason: String,
    },
    /// The folder is another experiment's.
    #[error(
        "`{}` holds {what}: give the import a name of its own", folder.display()
    )]
    Taken {
        /// The folder.
        folder: PathBuf,
        /// What is there.
        what: &'static str,
    },
}

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Rows that were added.
    pub added: usize,
    /// Results that have their rows already.
    pub known: usize,
    /// Results of tasks of which another result was taken, in this import.
    pub repeated: usize,
    /// Answers to one task that cannot both be right, in words.
    pub contradictions: Vec<String>,
    /// Runs that BenchExec has not done, or not measured.
    pub undone: usize,
    /// Added rows that claim a solution and show none, since their logs are missing.
    pub without_model: usize,
    /// Jobs of the plan that have no row yet.
    pub missing: usize,
}

/// What is imported.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The config that was exported.
    pub config: &'a Config,
    /// The experiment's folder, new or of an earlier import.
    pub folder: &'a Path,
    /// The files of results.
    pub results: &'a [PathBuf],
    /// Where the logs are, if not beside the results.
    pub logs: Option<&'a Path>,
    /// What was built, as far as the session says.
    pub build: &'a Build,
}

/// Imports results as rows, and shows each row that is added to `observe`.
///
/// # Errors
///
/// When results or logs cannot be read, are not of this config, or evidence cannot be kept. Nothing
/// is kept if results do not fit; rows before a log that cannot be read are kept.
pub fn import(
    request: &Request<'_>,
    workbench: &Workbench,
    observe: impl FnMut(&Row),
) -> Result<Imported, ImportError> {
    let Request { config, folder, .. } = *request;
    refuse_taken(folder, config, workbench)?;
    let plan = Plan::of_export(config, workbench)?;
    let tasks = Tasks::new(&plan.jobs, config.limits, workbench)?;
    let mut files = Vec::with_capacity(request.results.len());
    for path in request.results {
        files.push(Matched::read(path, request.logs, &tasks, &config.limits)?);
    }
    let (store, found) = Store::open(folder, &config.frozen_text(), &config.files)?;
    let mut judge = Judge::new();
    found.by_key.values().for_each(|row| judge.learn(row));
    let known = |row: &Row| found.by_key.get(&row.key);
    let rowed: HashSet<String> = found.by_key.values().map(|row| row.job.text()).collect();
    let done = Imported::default();
    let mut keeper = Keeper { store, sessions: HashMap::new(), rowed, done, observe };
    keeper.keep_all(&mut files, &plan.jobs, &tasks, &mut judge, known, request.build)?;
    let wanted = tasks.benchmarks.iter().flat_map(|benchmark| &benchmark.runs);
    let wanted = wanted.flat_map(|run| &run.tasks).map(|&(_, job)| plan.jobs[job].job.text());
    keeper.done.missing = wanted.filter(|job| !keeper.rowed.contains(job)).count();
    Ok(keeper.done)
}

/// A file of results whose every run has its task.
struct Matched {
    results: RunSet,
    logs: Option<Logs>,
    /// Of each run the formula and the job.
    places: Vec<(usize, usize)>,
    /// The name of each run's task.
    names: Vec<String>,
    /// The run definition.
    run_definition: String,
    /// The largest number of runs that went on at the same time, as far as their times tell.
    parallel: u32,
}

impl Matched {
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

/// The name of a task by the path of its definition.
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

/// Refuses what was measured under other limits than the config's: its rows would say so falsely.
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
        // Where there are no control groups, BenchExec can keep none.
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

/// Where rows of imported results lie, no others may.
fn refuse_taken(folder: &Path, config: &Config, workbench: &Workbench) -> Result<(), ImportError> {
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
        let plan = Plan::of_export(config, workbench)?;
        Ok(plan.keys() == Plan::of_export(frozen, workbench)?.keys())
    };
    let frozen = Config::parse_frozen(&frozen, &path, workbench);
    if !frozen.is_ok_and(|frozen| is_same(&frozen).unwrap_or(false)) {
        return Err(taken("results of another config"));
    }
    Ok(())
}

/// What keeps rows.
struct Keeper<F> {
    store: Store,
    /// The session of each file.
    sessions: HashMap<usize, usize>,
    /// The jobs that have a row, with whatever version of their solver.
    rowed: HashSet<String>,
    done: Imported,
    observe: F,
}

impl<F: FnMut(&Row)> Keeper<F> {
    /// Makes rows of all runs, formula by formula, so that each is made once.
    fn keep_all<'k>(
        &mut self,
        files: &mut [Matched],
        jobs: &[Planned],
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
                let source = Source { results: &matched.results, run: &matched.results.runs[run] };
                let Some(mut row) = rows::unjudged(&jobs[job], &source) else {
                    self.done.undone += 1;
                    continue;
                };
                let claimed = row.answer;
                if let Some(before) = known(&row) {
                    self.done.known += 1;
                    self.compare(&row, before.answer, "an earlier import");
                    continue;
                }
                if let Some(&before) = seen.get(&row.key) {
                    self.done.repeated += 1;
                    self.compare(&row, before, "another run of these results");
                    continue;
                }
                let said = match &mut matched.logs {
                    Some(logs) => logs.said(&matched.run_definition, &matched.names[run])?,
                    None => None,
                };
                let measured = measured.get_or_insert_with(|| formula.measure());
                rows::judge(&mut row, said, formula, measured, judge);
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

    /// Notes a result that contradicts the one that was taken of its task.
    fn compare(&mut self, row: &Row, before: Answer, of: &str) {
        let answers = [row.answer, before];
        if answers.contains(&Answer::Sat) && answers.contains(&Answer::Unsat) {
            let Row { job, answer, .. } = row;
            let (board, encoding) = (&job.instance, job.encoding_label());
            self.done.contradictions.push(format!(
                "{} on {board} with {encoding} ({}): {answer}, and {before} in {of}",
                job.solver,
                job.numbering.id()
            ));
        }
    }

    /// The session in which a file's rows are.
    fn session(&mut self, file: usize, of: &Matched, build: &Build) -> Result<usize, ImportError> {
        if let Some(&session) = self.sessions.get(&file) {
            return Ok(session);
        }
        let environment = session::environment(&of.results, of.parallel, build.clone());
        let session = self.store.begin_session(environment)?;
        self.sessions.insert(file, session);
        Ok(session)
    }
}

/// The name for a message: not endless, whatever the file holds.
fn quoted(name: &str) -> String {
    name.chars().take(80).collect()
}
