//! Taking stock: what of an experiment is done, at work, and missing.
//!
//! What is done the evidence tells, merged or not; no batch system is believed about it. Rows are read
//! in brief, so that a million of them are no matter.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

use serde::Serialize;

use crate::backend::command::{self, NOT_INSTALLED};
use crate::backend::program;
use crate::backend::workbench::Workbench;
use crate::model::job::Key;
use crate::model::row::{Row, Stop, Verdict};
use crate::plan::{Plan, answering};
use crate::record::evidence::RecordError;
use crate::results::store::{self, Carried, ROWS, Unlisted, Wanted, lines_of};
use crate::run::merge;
use crate::run::shard::{Expected, shards_of_keys};
use crate::run::submission::{Submission, shard_folders};

/// What became of an experiment so far, in jobs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Status {
    /// The experiment's name.
    pub name: String,
    /// Planned.
    pub planned: usize,
    /// With a row that says what becomes of them, whatever that is.
    pub done: usize,
    /// Of these, those whose row says that something went wrong: a crash, or a wrong answer.
    pub failed: usize,
    /// Not done, and in a shard that somebody is at work on or will be.
    pub running: usize,
    /// Neither done nor at work.
    pub missing: usize,
    /// Of those that are not done, those whose processes somebody else has killed so far.
    pub killed: usize,
    /// Rows of attempts that are not merged yet.
    pub unmerged: usize,
    /// Merged rows whose sessions are not in `environment.json`.
    pub unlisted: usize,
    /// How long those that are not done may take, one after the other, in seconds of wall time.
    pub expected_s: f64,
    /// Of those that are not done, those of which nothing like them was measured: what is expected of them
    /// is a guess.
    pub guessed: usize,
}

/// What is known of a job.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Killed,
    Done,
    Failed,
}

impl State {
    /// The state of a job whose row has this end and this verdict.
    fn of(stop: Stop, verdict: Verdict) -> Self {
        match stop {
            Stop::HostError => Self::Killed,
            Stop::Crashed => Self::Failed,
            _ if verdict == Verdict::Wrong => Self::Failed,
            _ => Self::Done,
        }
    }
}

/// An experiment whose stock was taken.
#[derive(Debug)]
pub struct Stock {
    /// What it came to.
    pub status: Status,
    /// The plan.
    pub plan: Plan,
    /// The places in the plan of the jobs that are neither done nor at work.
    pub missing: Vec<usize>,
    /// What jobs may take.
    pub expected: Expected,
    /// Merged rows whose sessions are not in `environment.json`.
    pub unlisted: Unlisted,
}

/// Takes stock of the experiment in this folder. `under_way` tells of which shards of a submission its
/// batch system says that they wait or run.
///
/// # Errors
///
/// When anything cannot be read, or `under_way` fails.
pub fn take<E: From<RecordError>>(
    experiment: &Path,
    workbench: &Workbench,
    under_way: impl FnMut(&Submission) -> Result<BTreeSet<u32>, E>,
) -> Result<Stock, E> {
    let plan = recalled(experiment, workbench)?;
    take_of(experiment, plan, under_way)
}

/// The same of a plan that is known.
///
/// # Errors
///
/// As [`take`].
pub fn take_of<E: From<RecordError>>(
    experiment: &Path,
    plan: Plan,
    under_way: impl FnMut(&Submission) -> Result<BTreeSet<u32>, E>,
) -> Result<Stock, E> {
    let mut expected = Expected::default();
    // First who is at work: what is done meanwhile is found done then, and not missing.
    let at_work = at_work(experiment, &plan, under_way)?;
    let (states, unmerged, unlisted) = states(experiment, &plan, &mut expected)?;
    let mut status = Status {
        name: store::name_of(experiment).unwrap_or_default(),
        planned: plan.jobs.len(),
        unmerged,
        unlisted: unlisted.rows(),
        ..Status::default()
    };
    let mut missing = Vec::new();
    for (place, (planned, state)) in plan.jobs.iter().zip(&states).enumerate() {
        match state {
            State::Done | State::Failed => {
                status.done += 1;
                status.failed += usize::from(*state == State::Failed);
                continue;
            }
            State::Killed => status.killed += 1,
            State::Open => {}
        }
        status.expected_s += expected.seconds(planned);
        status.guessed += usize::from(expected.measured_s(planned).is_none());
        if at_work.all || at_work.keys.contains(&planned.key) {
            status.running += 1;
        } else {
            missing.push(place);
        }
    }
    status.missing = missing.len();
    Ok(Stock { status, plan, missing, expected, unlisted })
}

/// The plan of the frozen config, with nothing run. Rows are read whole only where programs take part,
/// whose versions they tell.
fn recalled(experiment: &Path, workbench: &Workbench) -> Result<Plan, RecordError> {
    let text = store::config_of(experiment)?;
    // Of a backend that was removed since, rows alone tell what was planned.
    let without_rows = Plan::of_frozen(&text, experiment, workbench, std::iter::empty(), false);
    if let Ok((_, plan)) = without_rows {
        let asks_programs = plan.jobs.iter().any(|planned| {
            command::does(&planned.job) || program::needs_programs(&planned.job.encoding)
        });
        if !asks_programs {
            return Ok(plan);
        }
    }
    let mut rows: Vec<Row> = store::look(experiment)?.2.by_key.into_values().collect();
    for files in merge::all_attempts(experiment)? {
        // An attempt that cannot be read stops no other, and a merge names it.
        if let Ok(of_attempt) = store::rows_of(&files.rows(), &[], Wanted::All) {
            rows.extend(of_attempt.by_key.into_values());
        }
    }
    // Of what was submitted and has no row yet the manifests know the versions.
    for submission in Submission::all(experiment)? {
        for shard in submission.shards() {
            let jobs = submission.jobs_of(shard.number)?.into_iter();
            rows.extend(jobs.map(|planned| {
                let is_absent = planned.solver_version == NOT_INSTALLED;
                let stop = if is_absent { Stop::Skipped } else { Stop::HostError };
                Row::blank(planned, stop)
            }));
        }
    }
    Ok(Plan::of_frozen(&text, experiment, workbench, rows.iter(), false)?.1)
}

/// What is known of each job of the plan, how many rows only attempts have, and which rows lack their
/// session.
fn states(
    experiment: &Path,
    plan: &Plan,
    expected: &mut Expected,
) -> Result<(Vec<State>, usize, Unlisted), RecordError> {
    let places: HashMap<&Key, usize> =
        plan.jobs.iter().enumerate().map(|(place, planned)| (&planned.key, place)).collect();
    let keys = places.keys().map(|&key| key.clone()).collect();
    let limits = answering::limits(&plan.jobs);
    let wanted = Wanted::Jobs(&keys, &limits);
    let mut states = vec![State::Open; plan.jobs.len()];
    // Rows of other limits, which are read whole; a job may have several.
    let mut others: HashMap<Key, Vec<Row>> = HashMap::new();
    let mut take = |carried: &Carried| {
        let row = &carried.brief;
        expected.learn(row);
        let Some(&place) = places.get(&row.key) else {
            let Some(other) = wanted.has(carried).then(|| carried.row().ok()).flatten() else {
                return false;
            };
            let same = others.entry(row.key.clone()).or_default();
            same.push(other);
            return same.len() == 1;
        };
        let is_news = matches!(states[place], State::Open | State::Killed);
        if is_news {
            states[place] = State::of(row.stop, row.verdict);
        }
        is_news && row.is_settled()
    };
    let mut merged: HashMap<usize, u64> = HashMap::new();
    let sessions = store::environments(experiment)?;
    let mut unlisted = Unlisted::default();
    for row in store::rows_in::<Carried>(&experiment.join(ROWS))? {
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
    for files in merge::all_attempts(experiment)? {
        // What was merged to its end says nothing new.
        let known = merged.get(files.attempt.to_string().as_str()).copied();
        if known.is_none_or(|known| known < lines_of(&files.rows()).unwrap_or(u64::MAX)) {
            // An attempt that cannot be read stops no other, and a merge names it.
            let rows = store::rows_in::<Carried>(&files.rows()).into_iter().flatten();
            unmerged += rows.map_while(Result::ok).filter(|(_, row)| take(row)).count();
        }
    }
    if !others.is_empty() {
        let best = answering::best(&plan.jobs, others.values().flatten());
        for (state, taken) in states.iter_mut().zip(best) {
            if let Some((row, _)) = taken.filter(|_| matches!(state, State::Open | State::Killed)) {
                *state = State::of(row.stop, row.verdict);
            }
        }
    }
    Ok((states, unmerged, unlisted))
}

/// What somebody is at work on, or will be.
#[derive(Default)]
struct AtWork {
    /// A runner that has the whole.
    all: bool,
    keys: HashSet<Key>,
}

fn at_work<E: From<RecordError>>(
    experiment: &Path,
    plan: &Plan,
    mut under_way: impl FnMut(&Submission) -> Result<BTreeSet<u32>, E>,
) -> Result<AtWork, E> {
    let mut at_work = AtWork { all: store::runner(experiment).is_some(), ..AtWork::default() };
    let submissions = Submission::all(experiment).map_err(RecordError::from)?;
    for submission in &submissions {
        for shard in under_way(submission)? {
            at_work.keys.extend(submission.keys_of(shard).map_err(RecordError::from)?);
        }
    }
    for folder in shard_folders(experiment).map_err(RecordError::from)? {
        let of = store::name_of(&folder).and_then(|name| name.strip_prefix("of-")?.parse().ok());
        let Some(of) = of else { continue };
        let attempts = store::attempts(&folder).map_err(RecordError::from)?;
        let held = attempts.iter().filter(|files| files.holder().is_some());
        let held: HashSet<u32> = held.map(|files| files.attempt.shard()).collect();
        if !held.is_empty() {
            let shards = shards_of_keys(plan, of).into_iter();
            let theirs = shards.filter(|(_, shard)| held.contains(shard));
            at_work.keys.extend(theirs.map(|(key, _)| key.clone()));
        }
    }
    Ok(at_work)
}
