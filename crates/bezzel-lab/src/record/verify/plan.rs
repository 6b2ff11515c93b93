//! Rows, keys and sessions against the frozen config.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::backend::workbench::Workbench;
use crate::check::report::{Checking, Found, Step};
use crate::check::row::{self, key_fault};
use crate::model::environment::Environment;
use crate::model::job::Key;
use crate::model::row::Row;
use crate::plan::Plan;
use crate::results::store;

/// Checks keys, sessions, measured numbers, and that the rows are those that the config asks for. Returns
/// the lines of those that it asks for and that have the key of their job.
pub(super) fn check(
    folder: &Path,
    config: &str,
    found: &[Found],
    workbench: &Workbench,
    checking: &mut Checking<'_>,
) -> HashSet<usize> {
    let mut misnamed = HashSet::new();
    for found in found {
        checking.count(Step::Keys, 1);
        if let Some(what) = key_fault(&found.row) {
            checking.fault(Step::Keys, found, what);
            misnamed.insert(found.line);
        }
    }
    let mut asked_for = HashSet::new();
    let environments = store::environments(folder);
    let is_import =
        environments.iter().flatten().any(|environment| environment.measured_by.is_some());
    let sessions = environments.as_deref().unwrap_or_default();
    let rows = || found.iter().map(|found| &found.row);
    match Plan::of_frozen(config, folder, workbench, rows(), is_import) {
        Ok((_, plan)) => asked_for = compare(&plan, found, sessions, checking),
        Err(error) => {
            let what = format!("the frozen config cannot be planned: {error}");
            checking.fault_at(Step::Plan, None, what);
        }
    }
    match &environments {
        Ok(_) => checking.each(Step::Sessions, found, |row| {
            row::session_faults(row, row::session(row, sessions))
        }),
        Err(error) => checking.fault_at(Step::Sessions, None, error.to_string()),
    }
    checking.each(Step::Numbers, found, |row| row::number_faults(row, row::session(row, sessions)));
    asked_for.retain(|line| !misnamed.contains(line));
    asked_for
}

/// Which jobs have no row, and which rows no job. Returns the lines of the rows that have a job.
fn compare(
    plan: &Plan,
    found: &[Found],
    sessions: &[Environment],
    checking: &mut Checking<'_>,
) -> HashSet<usize> {
    let mut settled: HashMap<&Key, usize> = HashMap::with_capacity(found.len());
    let attempt =
        |row: &Row| sessions.get(row.session).and_then(|session| session.attempt.as_ref());
    let mut repeated = 0;
    for found in found.iter().filter(|found| found.row.is_settled()) {
        if let Some(first) = settled.get(&found.row.key) {
            // A task of a cluster may do again what was done.
            if attempt(&found.row).is_some() {
                repeated += 1;
                continue;
            }
            checking.fault(Step::Plan, found, format!("it answers the job of line {first} again"));
        } else {
            settled.insert(&found.row.key, found.line);
        }
    }
    checking.remark_on(
        repeated,
        "rows are of jobs that another attempt has done as well: the first counts",
    );
    let planned = plan.keys();
    // Rows from before there were proofs answer jobs of a config that says nothing of them.
    let is_old = |found: &&Found| found.row.format == 1;
    let old: HashSet<&Key> = found.iter().filter(is_old).map(|found| &found.row.key).collect();
    let mut before_proofs = HashSet::new();
    let mut missing = Vec::new();
    for job in plan.jobs.iter().filter(|job| !settled.contains_key(&job.key)) {
        let key = job.job.without_proof().key(job.encoding_revision, &job.solver_version);
        if old.contains(&key) && settled.contains_key(&key) && !planned.contains(&key) {
            before_proofs.insert(key);
        } else {
            missing.push(job);
        }
    }
    let answered = before_proofs.len();
    checking.remark_on(answered, "jobs are answered by rows from before there were proofs");
    checking.count(Step::Plan, plan.jobs.len());
    if let Some(first) = missing.first() {
        let what = format!(
            "{} of {} jobs have no row, the first is {}: running the config again adds them",
            missing.len(),
            plan.jobs.len(),
            first.job.words()
        );
        checking.fault_at(Step::Plan, None, what);
    }
    let asked = plan.asked();
    let (mut earlier, mut superseded) = (0, 0);
    let is_asked_for = |key: &Key| planned.contains(key) || before_proofs.contains(key);
    let mut asked_for: HashSet<usize> = found.iter().map(|found| found.line).collect();
    for found in found.iter().filter(|found| !is_asked_for(&found.row.key)) {
        if asked.has(&found.row) {
            earlier += 1;
        } else if asked.has_before_proofs(&found.row) {
            superseded += 1;
        } else {
            checking.fault(Step::Plan, found, "the frozen config does not ask for it");
            asked_for.remove(&found.line);
        }
    }
    checking.remark_on(
        superseded,
        "rows from before there were proofs have been superseded; reports leave them out",
    );
    checking.remark_on(
        earlier,
        "rows are of another revision of their encoding or version of their solver than this program has; reports \
         leave them out",
    );
    asked_for
}
