//! The row that answers a planned job. Runs, reports and checks of a record use this one rule.
//!
//! A row answers the job of its key. It can also answer a job that differs in limits alone, with the same revision
//! of the encoding and the same version of the solver. It does so if its run finished within the new limits, or if it
//! hit a limit that is not lower than the new one. In the second case the job would hit the new limit as well, and the
//! row counts as a run that hit it.

use std::cell::OnceCell;
use std::collections::HashMap;

use bezzel_solve::Answer;

use crate::backend::command;
use crate::model::job::{Job, Key, Limits, PlannedJob};
use crate::model::row::{Finding, Row, Termination};

/// The relation of a row to a planned job, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowMatch {
    /// It has the key of the job and does not settle it, since the process was killed.
    Killed,
    /// It hit a limit that is not lower than that of the job: it is censored at the limit of the job.
    AtLimit,
    /// It finished under other limits, and within those of the job.
    Within,
    /// It has the key of the job.
    Same,
}

impl RowMatch {
    /// True if the job need not be run.
    pub fn answers(self) -> bool {
        self >= Self::AtLimit
    }

    /// True if the row was measured under other limits than those of the job.
    pub fn has_other_limits(self) -> bool {
        matches!(self, Self::AtLimit | Self::Within)
    }
}

/// The jobs of a plan, by the keys of the rows that can answer them.
pub struct JobMatcher<'p> {
    jobs: &'p [PlannedJob],
    by_key: HashMap<&'p Key, usize>,
    /// By keys without limits. It is made for the first row whose key is not planned; most records have none.
    by_work: OnceCell<HashMap<Key, usize>>,
}

impl<'p> JobMatcher<'p> {
    /// The jobs of one plan, of which no two differ in limits alone.
    pub fn new(jobs: &'p [PlannedJob]) -> Self {
        let by_key = jobs.iter().enumerate().map(|(place, job)| (&job.key, place)).collect();
        Self { jobs, by_key, by_work: OnceCell::new() }
    }

    /// Returns the place of the job for which a row stands, and its relation to it; none if it stands for no job of
    /// the plan.
    pub fn of(&self, row: &Row) -> Option<(usize, RowMatch)> {
        if let Some(&place) = self.by_key.get(&row.key) {
            return Some((place, if row.is_settled() { RowMatch::Same } else { RowMatch::Killed }));
        }
        let place = self.place_of_work(row)?;
        Some((place, under(row, &self.jobs[place].job.limits)?))
    }

    /// Returns the row that stands for each job: the one with its key, else one that finished within its limits, else
    /// one that hit a limit. Of several rows with the same relation, that of the first session is
    /// taken, and of these the one that began first, so that later rows change nothing.
    pub fn best<'r>(&self, rows: impl IntoIterator<Item = &'r Row>) -> Vec<Option<MatchedRow<'r>>> {
        let mut best: Vec<Option<MatchedRow<'r>>> = vec![None; self.jobs.len()];
        for row in rows {
            let Some((place, fit)) = self.of(row) else { continue };
            let known = &mut best[place];
            let is_better = known.is_none_or(|(before, other)| {
                fit.cmp(&other)
                    .then_with(|| before.session.cmp(&row.session))
                    .then_with(|| before.began_after(row).cmp(&row.began_after(before)))
                    .is_gt()
            });
            if is_better {
                *known = Some((row, fit));
            }
        }
        best
    }

    /// Returns true if a job of the plan has the work of a row, under any limits.
    pub(crate) fn has_work(&self, row: &Row) -> bool {
        self.place_of_work(row).is_some()
    }

    fn place_of_work(&self, row: &Row) -> Option<usize> {
        let key = work(&row.job).key(row.encoding_revision, &row.solver_version);
        self.by_work().get(&key).copied()
    }

    fn by_work(&self) -> &HashMap<Key, usize> {
        self.by_work.get_or_init(|| {
            let jobs = self.jobs.iter().enumerate();
            jobs.map(|(place, planned)| {
                let PlannedJob { job, encoding_revision, solver_version, .. } = planned;
                (work(job).key(*encoding_revision, solver_version), place)
            })
            .collect()
        })
    }
}

/// A row that stands for a planned job.
pub type MatchedRow<'r> = (&'r Row, RowMatch);

/// The row that stands for each job of a plan, as [`JobMatcher::best`] finds it.
pub fn best<'r>(
    jobs: &[PlannedJob],
    rows: impl IntoIterator<Item = &'r Row>,
) -> Vec<Option<MatchedRow<'r>>> {
    JobMatcher::new(jobs).best(rows)
}

/// For each job, true if it need not be run.
pub fn answered<'r>(jobs: &[PlannedJob], rows: impl IntoIterator<Item = &'r Row>) -> Vec<bool> {
    let taken = best(jobs, rows).into_iter();
    taken.map(|taken| taken.is_some_and(|(_, fit)| fit.answers())).collect()
}

/// A row as reports show it: a run under the limits of the job for which it stands. Its key stays.
pub(crate) fn as_reported(mut row: Row, planned: &PlannedJob, fit: RowMatch) -> Row {
    if !fit.has_other_limits() {
        return row;
    }
    let limits = planned.job.limits;
    row.job.limits = limits;
    if fit == RowMatch::AtLimit {
        let before = row.generate_cpu_s.unwrap_or(0.0) + row.load_cpu_s.unwrap_or(0.0);
        let max = (limits.cpu_s - before).max(0.0);
        row.solve_cpu_s = row.solve_cpu_s.map(|spent| spent.min(max));
        // Before the run hit its own limit, it had passed this one.
        if row.cpu_s > limits.cpu_s {
            row.termination = Termination::CpuLimit;
        }
        row.cpu_s = row.cpu_s.min(limits.cpu_s);
        row.wall_s = row.wall_s.min(limits.wall_s);
        row.memory_peak_bytes = row.memory_peak_bytes.map(|peak| peak.min(limits.memory_bytes));
    }
    row
}

/// The relation of a row to its job under these limits; none if the row does not show the end of the job under them.
fn under(row: &Row, new: &Limits) -> Option<RowMatch> {
    let old = &row.job.limits;
    // The limits of checking a proof follow from those of the job.
    let is_checked = row.proof.as_ref().is_none_or(|proof| proof.finding != Finding::Unchecked);
    // A linked solver that hit a limit in the second preprocessing has no sizes. Under higher limits it may have
    // them.
    let is_higher =
        new.cpu_s > old.cpu_s || new.wall_s > old.wall_s || new.memory_bytes > old.memory_bytes;
    let lacks_sizes =
        row.job.simplified && row.simplified.is_none() && !command::is_program_job(&row.job);
    let is_simplified = !(lacks_sizes && is_higher);
    let nodes = |limits: &Limits| limits.nodes.unwrap_or(u64::MAX);
    match row.termination {
        // A program that gives up by itself may have used its limits to decide this.
        Termination::Finished
            if row.job.task.backend().is_some() && row.status == Answer::Unknown =>
        {
            None
        }
        Termination::Finished => {
            let peak = row.memory_peak_bytes.unwrap_or(u64::MAX);
            let is_within = (new.cpu_s >= old.cpu_s || row.cpu_s <= new.cpu_s)
                && (new.wall_s >= old.wall_s || row.wall_s <= new.wall_s)
                && (new.memory_bytes >= old.memory_bytes || peak <= new.memory_bytes)
                && (nodes(new) >= nodes(old) || peak_nodes(row) <= nodes(new));
            (is_within && is_checked && is_simplified).then_some(RowMatch::Within)
        }
        Termination::CpuLimit => (new.cpu_s <= old.cpu_s).then_some(RowMatch::AtLimit),
        Termination::WallLimit => (new.wall_s <= old.wall_s).then_some(RowMatch::AtLimit),
        Termination::MemoryLimit => {
            (new.memory_bytes <= old.memory_bytes).then_some(RowMatch::AtLimit)
        }
        Termination::NodeLimit => (nodes(new) <= nodes(old)).then_some(RowMatch::AtLimit),
        Termination::Crashed | Termination::HostError | Termination::Skipped => None,
    }
}

/// Returns the largest number of nodes or states in the row; more than any limit if the row does not state it.
fn peak_nodes(row: &Row) -> u64 {
    let diagram = row.all.as_ref().and_then(|all| all.diagram);
    let peaks = diagram.map(|diagram| [diagram.peak_nodes, diagram.peak_states]);
    peaks.into_iter().flatten().flatten().max().unwrap_or(u64::MAX)
}

/// Returns the job without its limits. All jobs that differ in limits alone have the same.
fn work(job: &Job) -> Job {
    let limits = Limits { cpu_s: 0.0, wall_s: 0.0, memory_bytes: 0, nodes: None };
    Job { limits, ..job.clone() }
}

/// The jobs that configs ask for, under any revision and version.
#[derive(Default)]
pub(crate) struct RequestedJobs {
    /// The limits under which each job is asked for, by its key without limits.
    jobs: HashMap<Key, Vec<Limits>>,
}

impl RequestedJobs {
    pub(crate) fn of<'j>(jobs: impl Iterator<Item = &'j Job>) -> Self {
        let mut requested_jobs = Self::default();
        requested_jobs.add(jobs);
        requested_jobs
    }

    /// Adds the jobs of another config.
    pub(crate) fn add<'j>(&mut self, jobs: impl Iterator<Item = &'j Job>) {
        for job in jobs {
            let limits = self.jobs.entry(work(job).key(0, "")).or_default();
            if !limits.contains(&job.limits) {
                limits.push(job.limits);
            }
        }
    }

    fn limits(&self, row: &Row) -> &[Limits] {
        self.jobs.get(&work(&row.job).key(0, "")).map_or(&[], Vec::as_slice)
    }

    /// Returns true if the configs ask for the job of a row, under any limits.
    pub(crate) fn has_work(&self, row: &Row) -> bool {
        !self.limits(row).is_empty()
    }

    /// Returns true if the configs ask for the job of a row, with its limits.
    pub(crate) fn has(&self, row: &Row) -> bool {
        self.limits(row).contains(&row.job.limits)
    }

    /// Returns true if the row answers a job that the configs ask for, with any revision and version.
    pub(crate) fn is_answered_by(&self, row: &Row) -> bool {
        self.has(row) || self.limits(row).iter().any(|limits| under(row, limits).is_some())
    }
}

#[cfg(test)]
mod tests;
