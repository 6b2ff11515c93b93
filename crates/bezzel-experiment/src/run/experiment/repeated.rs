//! One job of a record, run again by its key. The record is only read, and the new row is not stored.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use bezzel_process::cores;

use super::OpenError;
use crate::backend::catalog::Catalog;
use crate::backend::command::NOT_INSTALLED;
use crate::check::judge::{Judge, SizeCheck};
use crate::check::row::key_fault;
use crate::model::job::{Limits, PlannedJob};
use crate::model::permission::Permission;
use crate::model::row::Row;
use crate::plan::Plan;
use crate::results::store::{self, Rows};
use crate::run::runner::{self, RunError, RunnerOptions, StartJob};
use crate::run::this_machine::memory_bytes;

/// A job of a record that is run again.
pub struct RepeatedJob {
    /// The recorded row.
    pub recorded: Row,
    planned: PlannedJob,
    permission: Permission,
    size_checks: Vec<SizeCheck>,
}

impl RepeatedJob {
    /// Finds the job whose row in a folder has the key `key`, or the only key that begins with it. The job has its own
    /// limits, and at most the memory of this machine. Jobs that name programs need the permission of the catalog.
    ///
    /// # Errors
    ///
    /// When there is no record or its config cannot be read; when no row or several rows have such a key; when the row
    /// has the key of another job, or the config does not ask for its job; and when the job cannot be run here.
    pub fn find(folder: &Path, key: &str, catalog: &Catalog) -> Result<Self, OpenError> {
        let (sessions, rows) = Rows::read(folder)?;
        let name = store::name_of(folder).unwrap_or_default();
        let refused = |reason: String| Err(OpenError::Refused(reason));
        let is_meant = |row: &&Row| row.key.0.starts_with(key);
        let mut meant: Vec<&Row> = rows.by_key.values().filter(is_meant).collect();
        meant.sort_by(|one, other| one.key.cmp(&other.key));
        let recorded = match &meant[..] {
            [row] => *row,
            [] => {
                return refused(format!(
                    "no row of `{name}` has a key that begins with `{key}`: `bezzel report {name} --rows` prints all keys"
                ));
            }
            [first, second, ..] => {
                return refused(format!(
                    "{} rows of `{name}` have keys that begin with `{key}`, such as {} and {}: give more digits",
                    meant.len(),
                    first.key,
                    second.key
                ));
            }
        };
        let key = &recorded.key;
        if let Some(fault) = key_fault(recorded) {
            return refused(format!("the row {key} of `{name}` is not run again: {fault}"));
        }
        // The contents of constraint files are known after the config was read.
        let last = sessions.last(folder)?;
        let (_, plan) = Plan::of_session(last, folder, catalog, rows.by_key.values())?;
        if !plan.requested_jobs().has_work(recorded) {
            return refused(format!(
                "the config of `{name}` does not ask for the job of the row {key}"
            ));
        }
        if let Err(reason) = catalog.refuse_unknown(&recorded.job) {
            return refused(format!("the job of the row {key} cannot be run here: {reason}"));
        }
        catalog.permission.refuse(&recorded.job)?;
        let limits = recorded.job.limits;
        let memory_bytes = limits.memory_bytes.min(memory_bytes().unwrap_or(u64::MAX));
        let limits = Limits { memory_bytes, ..limits };
        // A job of a program that is not installed would be skipped.
        let planned = catalog
            .planned_again(recorded, limits)
            .filter(|planned| planned.solver_version != NOT_INSTALLED);
        let Some(planned) = planned else {
            return refused(format!(
                "the job of the row {key} cannot be run here: its solver, engine or encoding is missing"
            ));
        };
        Ok(Self {
            recorded: recorded.clone(),
            planned,
            permission: catalog.permission.clone(),
            size_checks: catalog.size_checks.clone(),
        })
    }

    /// Runs the job and returns its new row; none if it was cancelled.
    ///
    /// # Errors
    ///
    /// As [`runner::rerun`].
    pub fn run(self, starter: &dyn StartJob, cancel: &AtomicBool) -> Result<Option<Row>, RunError> {
        let options = RunnerOptions {
            // Without a core of its own the job runs on any.
            cores: cores::claim(1).into(),
            ..RunnerOptions::one_by_one(starter, self.permission)
        };
        let mut again = None;
        let judge = Judge::with_size_checks(&self.size_checks);
        runner::rerun(vec![self.planned], &options, judge, cancel, |_, row| again = Some(row))?;
        Ok(again)
    }
}
