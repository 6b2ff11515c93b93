//! The check of rows, keys and sessions against the frozen config.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::backend::catalog::Catalog;
use crate::check::report::{NumberedRow, Verification, VerificationStep};
use crate::check::row::{self, key_fault};
use crate::config::{Config, ConfigError};
use crate::model::environment::Environment;
use crate::model::job::Key;
use crate::model::row::Row;
use crate::plan::Plan;
use crate::plan::answering::{self, RequestedJobs, RowMatch};
use crate::results::store;

/// Checks keys, sessions and measured numbers, and checks that the rows are those that the config asks for. Returns the
/// lines of the rows that the config asks for and that have the key of their job.
pub(super) fn check(
    folder: &Path,
    config: &str,
    found: &[NumberedRow],
    catalog: &Catalog,
    verification: &mut Verification<'_>,
) -> HashSet<usize> {
    let mut misnamed = HashSet::new();
    for found in found {
        verification.count(VerificationStep::Keys, 1);
        if let Some(what) = key_fault(&found.row) {
            verification.fault(VerificationStep::Keys, found, what);
            misnamed.insert(found.line);
        }
    }
    let mut asked_for = HashSet::new();
    let environments = store::environments(folder);
    let sessions = environments.as_deref().unwrap_or_default();
    let rows = || found.iter().map(|found| &found.row);
    match Plan::of_frozen(config, folder, catalog, rows()) {
        Ok((_, plan)) => {
            let mut once = RequestedJobs::default();
            for path in store::kept_versions(folder) {
                match planned_once(&path, catalog, rows()) {
                    Ok(plan) => once.add(plan.jobs.iter().map(|planned| &planned.job)),
                    Err(error) => {
                        verification.fault_at(VerificationStep::Plan, None, error.to_string());
                    }
                }
            }
            asked_for = compare(&plan, &once, found, sessions, verification);
        }
        Err(error) => {
            let what = format!("the frozen config cannot be planned: {error}");
            verification.fault_at(VerificationStep::Plan, None, what);
        }
    }
    match &environments {
        Ok(_) => verification.each(VerificationStep::Sessions, found, |row| {
            row::session_faults(row, row::session(row, sessions))
        }),
        Err(error) => verification.fault_at(VerificationStep::Sessions, None, error.to_string()),
    }
    verification.each(VerificationStep::Numbers, found, |row| {
        row::number_faults(row, row::session(row, sessions))
    });
    asked_for.retain(|line| !misnamed.contains(line));
    asked_for
}

/// The plan of an earlier version of the config.
fn planned_once<'r>(
    path: &Path,
    catalog: &Catalog,
    rows: impl Iterator<Item = &'r Row> + Clone,
) -> Result<Plan, ConfigError> {
    let config = Config::read_frozen(path, catalog)?;
    Plan::of_record(&config, catalog, rows)
}

/// Reports the jobs without a row, and the rows without a job, under this plan and the earlier plans `once`. Returns
/// the lines of the rows that have a job.
fn compare(
    plan: &Plan,
    once: &RequestedJobs,
    found: &[NumberedRow],
    sessions: &[Environment],
    verification: &mut Verification<'_>,
) -> HashSet<usize> {
    let mut settled: HashMap<&Key, usize> = HashMap::with_capacity(found.len());
    let attempt =
        |row: &Row| sessions.get(row.session).and_then(|session| session.attempt.as_ref());
    let mut repeated = 0;
    for found in found.iter().filter(|found| found.row.is_settled()) {
        if let Some(first) = settled.get(&found.row.key) {
            // A task of a cluster may repeat a finished job.
            if attempt(&found.row).is_some() {
                repeated += 1;
                continue;
            }
            verification.fault(
                VerificationStep::Plan,
                found,
                format!("it answers the job of line {first} again"),
            );
        } else {
            settled.insert(&found.row.key, found.line);
        }
    }
    verification.remark_on(
        repeated,
        "row",
        "of jobs that another attempt has done as well: the first counts",
    );
    let best = answering::best(&plan.jobs, found.iter().map(|found| &found.row));
    let mut missing = Vec::new();
    let (mut before_proofs, mut under_other_limits) = (0, 0);
    let mut taken: HashSet<&Key> = plan.keys();
    for (job, best) in plan.jobs.iter().zip(best) {
        match best {
            Some((row, RowMatch::BeforeProofs)) => {
                before_proofs += 1;
                taken.insert(&row.key);
            }
            Some((_, fit)) if fit.answers() => {
                under_other_limits += usize::from(fit.has_other_limits());
            }
            _ => missing.push(job),
        }
    }
    verification.remark_on(before_proofs, "job", "answered by rows from before there were proofs");
    verification.remark_on(
        under_other_limits,
        "job",
        "answered by rows that were measured under other limits",
    );
    verification.count(VerificationStep::Plan, plan.jobs.len());
    if let Some(first) = missing.first() {
        let what = format!(
            "{} of {} jobs have no row, the first is {}: running the config again adds them",
            missing.len(),
            plan.jobs.len(),
            first.job.words()
        );
        verification.fault_at(VerificationStep::Plan, None, what);
    }
    let now = plan.requested_jobs();
    let (mut earlier, mut superseded, mut left) = (0, 0, 0);
    let mut asked_for: HashSet<usize> = found.iter().map(|found| found.line).collect();
    for found in found.iter().filter(|found| !taken.contains(&found.row.key)) {
        let row = &found.row;
        if now.has(row) {
            earlier += 1;
        } else if now.has_before_proofs(row) {
            superseded += 1;
        } else if once.has(row) {
            left += usize::from(!now.has_work(row));
        } else {
            verification.fault(
                VerificationStep::Plan,
                found,
                "no version of the config asks for it",
            );
            asked_for.remove(&found.line);
        }
    }
    verification.remark_on(
        superseded,
        "superseded row",
        "from before there were proofs; reports leave them out",
    );
    verification.remark_on(
        left,
        "row",
        "of jobs that only an earlier version of the config plans; reports leave them out",
    );
    verification.remark_on(
        earlier,
        "row",
        "of another revision of the encoding or version of the solver than this program has; reports leave them \
         out",
    );
    asked_for
}
