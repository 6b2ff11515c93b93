//! The status of an experiment: its jobs that are done, running, waiting and missing.
//!
//! The evidence alone determines which jobs are done, merged or not. Only a few fields of each row are parsed, so that a
//! million rows are fast to read.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use serde::Serialize;

use crate::backend::catalog::Catalog;
use crate::backend::command;
use crate::backend::program;
use crate::config::Config;
use crate::model::job::Key;
use crate::model::row::{Row, Termination, Verdict};
use crate::plan::{Plan, answering};
use crate::record::evidence::RecordError;
use crate::results::store::{self, BriefLine, ROWS, RowFilter, UnlistedRows, lines_of};
use crate::run::shard::{ExpectedTimes, shards_of_keys};

/// The status of an experiment, as numbers of jobs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Status {
    /// The experiment's name.
    pub name: String,
    /// The number of planned jobs.
    pub planned: usize,
    /// The number of jobs with a row that settles them.
    pub done: usize,
    /// The number of done jobs whose row reports a failure: a crash, or a wrong answer.
    pub failed: usize,
    /// The number of jobs that run now: as many as each runner runs at the same time (`parallel`).
    pub running: usize,
    /// The number of jobs that wait for a runner at work.
    pub waiting: usize,
    /// The number of jobs that are neither done, nor running, nor waiting.
    pub missing: usize,
    /// The number of jobs that are not done and whose processes were killed from outside.
    pub killed: usize,
    /// The number of rows of attempts that are not merged yet.
    pub unmerged: usize,
    /// The number of merged rows whose sessions are not in `environment.json`.
    pub unlisted: usize,
    /// The expected time of the jobs that are not done, one after the other, in seconds of wall time.
    pub expected_s: f64,
    /// The number of jobs that are not done and for which no similar run was measured, so that their expected time is a
    /// guess.
    pub guessed: usize,
}

/// The state of a job.
#[derive(Clone, Copy, PartialEq, Eq)]
enum JobState {
    Open,
    Killed,
    Done,
    Failed,
}

impl JobState {
    /// The state of a job whose row has this end and this verdict.
    fn of(termination: Termination, verdict: Verdict) -> Self {
        match termination {
            Termination::HostError => Self::Killed,
            Termination::Crashed => Self::Failed,
            _ if verdict == Verdict::Wrong => Self::Failed,
            _ => Self::Done,
        }
    }
}

/// An experiment with its status.
#[derive(Debug)]
pub struct ExperimentStatus {
    /// The status.
    pub status: Status,
    /// Merged rows whose sessions are not in `environment.json`.
    pub unlisted: UnlistedRows,
}

/// Determines the status of the experiment in this folder.
///
/// # Errors
///
/// When anything cannot be read.
pub fn read(experiment: &Path, catalog: &Catalog) -> Result<ExperimentStatus, RecordError> {
    let (config, plan) = restored_plan(experiment, catalog)?;
    let mut expected = ExpectedTimes::default();
    // Running jobs first: a job that ends during these reads is then found done, and not missing.
    let at_work = at_work(experiment, &plan)?;
    let (states, unmerged, unlisted) = states(experiment, &plan, &mut expected)?;
    let mut status = Status {
        name: store::name_of(experiment).unwrap_or_default(),
        planned: plan.jobs.len(),
        unmerged,
        unlisted: unlisted.rows(),
        ..Status::default()
    };
    // The numbers of open jobs of the runners at work.
    let mut open: HashMap<usize, usize> = HashMap::new();
    for (planned, state) in plan.jobs.iter().zip(&states) {
        match state {
            JobState::Done | JobState::Failed => {
                status.done += 1;
                status.failed += usize::from(*state == JobState::Failed);
                continue;
            }
            JobState::Killed => status.killed += 1,
            JobState::Open => {}
        }
        status.expected_s += expected.seconds(planned);
        status.guessed += usize::from(expected.measured_s(planned).is_none());
        match at_work.runner(&planned.key) {
            Some(runner) => *open.entry(runner).or_default() += 1,
            None => status.missing += 1,
        }
    }
    for jobs in open.into_values() {
        let running = jobs.min(config.parallel.max(1) as usize);
        status.running += running;
        status.waiting += jobs - running;
    }
    Ok(ExperimentStatus { status, unlisted })
}

/// Returns the frozen config with its plan, without running a program. Complete rows are read only if programs take part,
/// whose versions they contain, or if the config has names that this version does not know, whose jobs they contain.
fn restored_plan(experiment: &Path, catalog: &Catalog) -> Result<(Config, Plan), RecordError> {
    let text = store::config_of(experiment)?;
    let (config, plan) = Plan::of_frozen(&text, experiment, catalog, std::iter::empty())?;
    let asks_programs = plan.jobs.iter().any(|planned| {
        command::is_program_job(&planned.job) || program::needs_programs(&planned.job.encoding)
    });
    if !asks_programs && !plan.names_unknown() {
        return Ok((config, plan));
    }
    let mut rows: Vec<Row> = store::read_folder(experiment)?.2.by_key.into_values().collect();
    for files in store::all_attempts(experiment)? {
        // An attempt that cannot be read does not stop the others; a merge names it.
        if let Ok(of_attempt) = store::rows_of(&files.rows(), &[], RowFilter::All) {
            rows.extend(of_attempt.by_key.into_values());
        }
    }
    Ok(Plan::of_frozen(&text, experiment, catalog, rows.iter())?)
}

/// Returns the state of each job of the plan, the number of rows that only attempts have, and the rows that lack their
/// session.
fn states(
    experiment: &Path,
    plan: &Plan,
    expected: &mut ExpectedTimes,
) -> Result<(Vec<JobState>, usize, UnlistedRows), RecordError> {
    let places: HashMap<&Key, usize> =
        plan.jobs.iter().enumerate().map(|(place, planned)| (&planned.key, place)).collect();
    let keys = places.keys().map(|&key| key.clone()).collect();
    let limits = answering::limits(&plan.jobs);
    let filter = RowFilter::Jobs(&keys, &limits);
    let mut states = vec![JobState::Open; plan.jobs.len()];
    // Rows of other limits, which are read completely; a job may have several.
    let mut others: HashMap<Key, Vec<Row>> = HashMap::new();
    let mut take = |carried: &BriefLine| {
        let row = &carried.brief;
        expected.add(row);
        let Some(&place) = places.get(&row.key) else {
            let Some(other) = filter.has(carried).then(|| carried.row().ok()).flatten() else {
                return false;
            };
            let same = others.entry(row.key.clone()).or_default();
            same.push(other);
            return same.len() == 1;
        };
        let is_news = matches!(states[place], JobState::Open | JobState::Killed);
        if is_news {
            states[place] = JobState::of(row.termination, row.verdict);
        }
        is_news && row.is_settled()
    };
    let mut merged: HashMap<usize, u64> = HashMap::new();
    let sessions = store::environments(experiment)?;
    let mut unlisted = UnlistedRows::default();
    for row in store::rows_in::<BriefLine>(&experiment.join(ROWS))? {
        let (_, row) = row?;
        unlisted.note(row.brief.session, &sessions);
        *merged.entry(row.brief.session).or_default() += 1;
        take(&row);
    }
    let sessions = sessions.iter().zip(0..).filter_map(|(session, number)| {
        Some((session.attempt.as_deref()?, merged.get(&number).copied().unwrap_or_default()))
    });
    let merged: HashMap<&str, u64> = sessions.collect();
    let mut unmerged = 0;
    for files in store::all_attempts(experiment)? {
        // A completely merged attempt has no new rows.
        let known = merged.get(files.attempt.to_string().as_str()).copied();
        if known.is_none_or(|known| known < lines_of(&files.rows()).unwrap_or(u64::MAX)) {
            // An attempt that cannot be read does not stop the others; a merge names it.
            let rows = store::rows_in::<BriefLine>(&files.rows()).into_iter().flatten();
            unmerged += rows.map_while(Result::ok).filter(|(_, row)| take(row)).count();
        }
    }
    if !others.is_empty() {
        let best = answering::best(&plan.jobs, others.values().flatten());
        for (state, taken) in states.iter_mut().zip(best) {
            if let Some((row, _)) =
                taken.filter(|_| matches!(state, JobState::Open | JobState::Killed))
            {
                *state = JobState::of(row.termination, row.verdict);
            }
        }
    }
    Ok((states, unmerged, unlisted))
}

/// The runners at work, by their numbers.
#[derive(Default)]
struct RunnersAtWork {
    /// True if a runner works on the whole experiment. Its number is 0.
    all: bool,
    /// The runners that work on shards, by the keys of their jobs.
    of_shards: HashMap<Key, usize>,
}

impl RunnersAtWork {
    /// The runner that works on a job, or will; none if the job is not under way.
    fn runner(&self, key: &Key) -> Option<usize> {
        if self.all { Some(0) } else { self.of_shards.get(key).copied() }
    }
}

fn at_work(experiment: &Path, plan: &Plan) -> Result<RunnersAtWork, RecordError> {
    let all = store::runner(experiment).is_some();
    let mut at_work = RunnersAtWork { all, ..RunnersAtWork::default() };
    let mut runners = 0;
    for folder in store::shard_folders(experiment)? {
        let of = store::name_of(&folder).and_then(|name| name.strip_prefix("of-")?.parse().ok());
        let Some(of) = of else { continue };
        let attempts = store::attempts(&folder)?;
        let held = attempts.iter().filter(|files| files.holder().is_some());
        let held: BTreeSet<u32> = held.map(|files| files.attempt.shard()).collect();
        let shards = if held.is_empty() { HashMap::new() } else { shards_of_keys(plan, of) };
        for shard in held {
            runners += 1;
            for (key, _) in shards.iter().filter(|(_, of)| **of == shard) {
                at_work.of_shards.entry((*key).clone()).or_insert(runners);
            }
        }
    }
    Ok(at_work)
}
