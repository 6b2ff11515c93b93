//! The check of rows, keys and sessions against the configs of the sessions.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::backend::catalog::Catalog;
use crate::check::report::{EntryPlace, NumberedRow, Verification, VerificationStep};
use crate::check::row::{self, key_fault};
use crate::model::environment::Environment;
use crate::model::job::Key;
use crate::model::row::{Row, Verdict};
use crate::plan::Plan;
use crate::plan::answering::{self, RequestedJobs};
use crate::results::store::{Session, Sessions};

/// Checks keys, sessions and measured numbers, and checks that the rows are those that the configs ask for. Returns the
/// places of the rows that a config asks for and that have the key of their job.
pub(super) fn check(
    folder: &Path,
    sessions: &Sessions,
    found: &[NumberedRow],
    catalog: &Catalog,
    verification: &mut Verification<'_>,
) -> HashSet<EntryPlace> {
    let mut misnamed = HashSet::new();
    for found in found {
        verification.count(VerificationStep::Keys, 1);
        if let Some(what) = key_fault(&found.row) {
            verification.fault(VerificationStep::Keys, found, what);
            misnamed.insert(found.place);
        }
    }
    let mut asked_for = planned(folder, sessions, found, catalog, verification);
    let environments: Vec<Environment> = sessions.environments();
    let of = |row: &Row| environments.get(row.session);
    verification.each(VerificationStep::Sessions, found, |row| row::session_faults(row, of(row)));
    for found in found {
        if let Some(what) = import_fault(found, sessions) {
            verification.fault(VerificationStep::Sessions, found, what);
        }
    }
    verification.each(VerificationStep::Numbers, found, |row| row::number_faults(row, of(row)));
    asked_for.retain(|place| !misnamed.contains(place));
    asked_for
}

/// True if the row is of a session that imported a table.
fn is_imported(found: &NumberedRow, sessions: &Sessions) -> bool {
    let session = sessions.list.get(found.place.session);
    session.is_some_and(|session| session.start.config.is_imported())
}

/// The fault of a verdict that its session cannot give: all rows of an imported table are imported, and no others.
fn import_fault(found: &NumberedRow, sessions: &Sessions) -> Option<String> {
    let verdict = found.row.verdict;
    match (verdict, is_imported(found, sessions)) {
        (Verdict::Imported, false) => Some("it is imported, and its session ran jobs".to_owned()),
        (Verdict::Imported, true) | (_, false) => None,
        _ => Some(format!("its verdict is {}, and its session imported a table", verdict.id())),
    }
}

/// Compares the rows with the plan of the last session, and with those of the earlier ones. Returns the places of the rows
/// that some config asks for. The rows of an imported table answer no jobs.
fn planned(
    folder: &Path,
    sessions: &Sessions,
    found: &[NumberedRow],
    catalog: &Catalog,
    verification: &mut Verification<'_>,
) -> HashSet<EntryPlace> {
    let rows = || found.iter().map(|found| &found.row);
    let (mut plans, mut configs) = (Vec::new(), Vec::new());
    repetitions(found, verification);
    let ran_jobs = |session: &&Session| !session.start.config.is_imported();
    for session in sessions.list.iter().rev().filter(ran_jobs) {
        let config = &session.start.config;
        if configs.contains(&config) {
            continue;
        }
        configs.push(config);
        match Plan::of_session(session, folder, catalog, rows()) {
            Ok((_, plan)) => plans.push(plan),
            Err(error) => {
                let what = format!(
                    "the config of session {} cannot be planned: {error}",
                    session.start.name
                );
                verification.fault_at(VerificationStep::Plan, None, what);
                if configs.len() == 1 {
                    return HashSet::new();
                }
            }
        }
    }
    let Some((last, earlier)) = plans.split_first() else { return HashSet::new() };
    let mut once = RequestedJobs::default();
    for plan in earlier {
        once.add(plan.jobs.iter().map(|planned| &planned.job));
    }
    let found: Vec<&NumberedRow> =
        found.iter().filter(|found| !is_imported(found, sessions)).collect();
    compare(last, &once, &found, verification)
}

/// Reports the rows of jobs that earlier rows answer.
fn repetitions(found: &[NumberedRow], verification: &mut Verification<'_>) {
    let mut settled: HashMap<&Key, &NumberedRow> = HashMap::with_capacity(found.len());
    let (mut repeated, mut doubled) = (0, 0);
    for found in found.iter().filter(|found| found.row.is_settled()) {
        match settled.get(&found.row.key) {
            None => drop(settled.insert(&found.row.key, found)),
            // A task of a cluster may repeat a finished job.
            Some(first) if first.place.session != found.place.session => repeated += 1,
            Some(first) if first.row == found.row => doubled += 1,
            Some(first) => {
                let what = format!("it answers the job of line {} again", first.place.line);
                verification.fault(VerificationStep::Plan, found, what);
            }
        }
    }
    verification.remark_on(
        repeated,
        "row",
        "of jobs that another session has done as well: the first counts",
    );
    verification.remark_on(doubled, "row", "that a session has twice: it counts once");
}

/// Reports the jobs without a row, and the rows without a job, under this plan and the earlier plans `once`. Returns
/// the places of the rows that have a job.
fn compare(
    plan: &Plan,
    once: &RequestedJobs,
    found: &[&NumberedRow],
    verification: &mut Verification<'_>,
) -> HashSet<EntryPlace> {
    let best = answering::best(&plan.jobs, found.iter().map(|found| &found.row));
    let mut missing = Vec::new();
    let mut under_other_limits = 0;
    for (job, best) in plan.jobs.iter().zip(best) {
        match best {
            Some((_, fit)) if fit.answers() => {
                under_other_limits += usize::from(fit.has_other_limits());
            }
            _ => missing.push(job),
        }
    }
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
    let (taken, now) = (plan.keys(), plan.requested_jobs());
    let (mut earlier, mut left) = (0, 0);
    let mut asked_for: HashSet<EntryPlace> = found.iter().map(|found| found.place).collect();
    for found in found.iter().filter(|found| !taken.contains(&found.row.key)) {
        let row = &found.row;
        if now.has(row) {
            earlier += 1;
        } else if once.has(row) {
            left += usize::from(!now.has_work(row));
        } else {
            verification.fault(VerificationStep::Plan, found, "no config of a session asks for it");
            asked_for.remove(&found.place);
        }
    }
    verification.remark_on(
        left,
        "row",
        "of jobs that only the config of an earlier session plans; reports leave them out",
    );
    verification.remark_on(
        earlier,
        "row",
        "of another revision of the encoding or version of the solver than this program has; reports leave them \
         out",
    );
    asked_for
}
