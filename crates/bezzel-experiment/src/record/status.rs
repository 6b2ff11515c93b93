//! The status of an experiment: its jobs that are done, running, waiting and missing.
//!
//! The evidence alone determines which jobs are done. Rows are read one by one, and what is kept of each is small, so
//! that the status of a million rows fits in memory.

use std::path::Path;

use bezzel_solve::Answer;
use serde::Serialize;

use crate::backend::catalog::Catalog;
use crate::backend::command;
use crate::backend::program;
use crate::model::job::PlannedJob;
use crate::model::row::{Termination, Verdict};
use crate::plan::Plan;
use crate::plan::answering::{JobMatcher, RowMatch};
use crate::record::evidence::RecordError;
use crate::results::store::{self, ReadEntry, Rows, Session, Sessions, each_entry};
use crate::run::shard::Shard;

/// The status of an experiment, as numbers of jobs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Status {
    /// The experiment's name.
    pub name: String,
    /// The number of planned jobs.
    pub planned: usize,
    /// The number of jobs with a row that settles them.
    pub done: usize,
    /// The number of done jobs whose row reports a failure: a crash, or a wrong answer.
    pub failed: usize,
    /// The number of jobs that run now: as many as each session runs at the same time (`parallel`).
    pub running: usize,
    /// The number of jobs that wait for a running session.
    pub waiting: usize,
    /// The number of jobs that are neither done, nor running, nor waiting.
    pub missing: usize,
    /// The number of jobs that are not done and whose processes were killed from outside.
    pub killed: usize,
    /// The number of sessions.
    pub sessions: usize,
    /// The rows of an imported table, each counted as a done job; none where jobs were run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imported: Option<ImportedRows>,
    /// The damage of the files of sessions, in sentences.
    pub damage: Vec<String>,
}

/// The rows of a table of others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportedRows {
    /// The number of those with an answer.
    pub answered: usize,
    /// The number of those without one.
    pub unanswered: usize,
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

/// Determines the status of the experiment in this folder, by the config of its last session.
///
/// # Errors
///
/// When anything cannot be read.
pub fn read(experiment: &Path, catalog: &Catalog) -> Result<Status, RecordError> {
    let starts = store::starts(experiment)?;
    let last = starts.last(experiment)?;
    if last.start.config.is_imported() {
        return imported(experiment);
    }
    let plan = restored_plan(last, experiment, catalog)?;
    let matcher = JobMatcher::new(&plan.jobs);
    let mut best: Vec<Option<(RowMatch, JobState)>> = vec![None; plan.jobs.len()];
    let sessions = each_entry(experiment, |_, read| {
        let ReadEntry::Row(row) = read else { return };
        let Some((place, fit)) = matcher.of(&row) else { return };
        // Of rows with the same relation to the job, the first one counts.
        if best[place].is_none_or(|(known, _)| fit > known) {
            best[place] = Some((fit, JobState::of(row.termination, row.verdict)));
        }
    })?;
    let states = best.into_iter().map(|best| best.map_or(JobState::Open, |(_, state)| state));
    Ok(status(experiment, &plan.jobs, states, &sessions))
}

/// Counts the rows of an imported table.
fn imported(experiment: &Path) -> Result<Status, RecordError> {
    let mut rows = ImportedRows::default();
    let sessions = each_entry(experiment, |_, read| {
        if let ReadEntry::Row(row) = read {
            let is_answered = row.status != Answer::Unknown;
            *(if is_answered { &mut rows.answered } else { &mut rows.unanswered }) += 1;
        }
    })?;
    let all = rows.answered + rows.unanswered;
    Ok(Status {
        name: store::name_of(experiment).unwrap_or_default(),
        planned: all,
        done: all,
        sessions: sessions.list.len(),
        imported: Some(rows),
        damage: sessions.warnings(),
        ..Status::default()
    })
}

/// Counts jobs by their states.
fn status(
    experiment: &Path,
    jobs: &[PlannedJob],
    states: impl Iterator<Item = JobState>,
    sessions: &Sessions,
) -> Status {
    let mut status = Status {
        name: store::name_of(experiment).unwrap_or_default(),
        planned: jobs.len(),
        sessions: sessions.list.len(),
        damage: sessions.warnings(),
        ..Status::default()
    };
    let running: Vec<&Session> =
        sessions.list.iter().filter(|session| session.is_running).collect();
    let mut open = 0;
    for (planned, state) in jobs.iter().zip(states) {
        match state {
            JobState::Done | JobState::Failed => {
                status.done += 1;
                status.failed += usize::from(state == JobState::Failed);
                continue;
            }
            JobState::Killed => status.killed += 1,
            JobState::Open => {}
        }
        if running.iter().any(|session| has(session, planned)) {
            open += 1;
        } else {
            status.missing += 1;
        }
    }
    let parallel = |session: &&Session| session.start.environment.parallel.max(1) as usize;
    status.running = running.iter().map(parallel).sum::<usize>().min(open);
    status.waiting = open - status.running;
    status
}

/// Returns true if a session runs a job, if no row answers it.
fn has(session: &Session, planned: &PlannedJob) -> bool {
    let shard = session.start.shard.as_ref().map(|shard| shard.parse::<Shard>());
    shard.is_none_or(|shard| shard.is_ok_and(|shard| shard.has(&planned.job)))
}

/// Returns the plan of the last session, without running a program. Complete rows are read only if programs
/// take part, whose versions they contain, or if the config has names that this version does not know, whose jobs they
/// contain.
fn restored_plan(
    last: &Session,
    experiment: &Path,
    catalog: &Catalog,
) -> Result<Plan, RecordError> {
    let (_, plan) = Plan::of_session(last, experiment, catalog, std::iter::empty())?;
    let asks_programs = plan.jobs.iter().any(|planned| {
        command::is_program_job(&planned.job) || program::needs_programs(&planned.job.encoding)
    });
    if !asks_programs && !plan.names_unknown() {
        return Ok(plan);
    }
    let (_, rows) = Rows::read(experiment)?;
    Ok(Plan::of_session(last, experiment, catalog, rows.by_key.values())?.1)
}
