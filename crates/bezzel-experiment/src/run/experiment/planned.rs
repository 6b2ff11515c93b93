//! A config with its plan, and the checks of the folder in which it is run.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

use bezzel_solve::ProofFormat;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::{Experiment, OpenError, OpenFolder, found_in};
use crate::backend::catalog::Catalog;
use crate::backend::command::veripb_absence;
use crate::config::{Config, check_name};
use crate::model::job::PlannedJob;
use crate::model::permission::Permission;
use crate::plan::{Plan, answering, stale};
use crate::results::store::{self, Rows, Sessions};
use crate::run::remaining::sample_first;
use crate::run::replaced;
use crate::run::shard::Shard;

/// An experiment as a config describes it. Nothing is written yet.
pub struct PlannedExperiment {
    /// The folder.
    pub folder: PathBuf,
    /// The config.
    pub config: Config,
    /// The plan.
    pub plan: Plan,
    /// The catalog, with permission to start the programs of the config.
    pub catalog: Catalog,
    /// The author's part of a report in the record whose config it is.
    report: Option<Map<String, Json>>,
}

impl PlannedExperiment {
    /// Reads and plans the config in a file, under `name` if one is given.
    ///
    /// # Errors
    ///
    /// When the config or the name is invalid.
    pub fn read(
        root: &Path,
        path: &Path,
        name: Option<&str>,
        catalog: &Catalog,
    ) -> Result<Self, OpenError> {
        let config = Config::read(path, catalog)?;
        let catalog = catalog.with_permission(Permission::of_config(&config));
        Self::new(root, config, name, catalog)
    }

    /// Plans the config of the last session in `folder`, under `name` or that of the folder. Programs that it names need the
    /// permission of the catalog.
    ///
    /// # Errors
    ///
    /// When there is no session; and as [`read`](Self::read).
    pub fn of_record(
        root: &Path,
        folder: &Path,
        name: Option<&str>,
        catalog: &Catalog,
    ) -> Result<Self, OpenError> {
        let sessions = store::starts(folder)?;
        let last = sessions.last(folder)?;
        let config = Config::of_session_to_run(last, folder, catalog)?;
        let own = store::name_of(folder);
        let planned = Self::new(root, config, name.or(own.as_deref()), catalog.clone())?;
        Ok(Self { report: Some(last.start.config.report.clone()), ..planned })
    }

    fn new(
        root: &Path,
        mut config: Config,
        name: Option<&str>,
        catalog: Catalog,
    ) -> Result<Self, OpenError> {
        if let Some(name) = name {
            checked(name)?.clone_into(&mut config.name);
        }
        let folder = Experiment::folder(root, &config.name);
        let plan = Plan::new(&config, &catalog)?;
        Ok(Self { folder, config, plan, catalog, report: None })
    }

    /// Returns the sessions and the rows in the folder; none if there is no session.
    ///
    /// # Errors
    ///
    /// When the folder cannot be read, or its path is not text.
    pub fn found(&self) -> Result<(Sessions, Rows), OpenError> {
        found_in(&self.folder)
    }

    /// Refuses a folder that this config cannot continue: one with rows, of which this config plans none.
    ///
    /// # Errors
    ///
    /// The refusal.
    pub fn refuse(&self, found: &Rows) -> Result<(), OpenError> {
        let requested_jobs = self.plan.requested_jobs();
        let mut rows = found.by_key.values();
        if found.by_key.is_empty() || rows.any(|row| requested_jobs.has_work(row)) {
            return Ok(());
        }
        Err(OpenError::Refused(format!(
            "`{}` holds rows of another experiment: this config plans none of their jobs; run it under another name, \
             by --name, or move that folder away",
            self.folder.display(),
        )))
    }

    /// The numbers of new, reused and no longer planned jobs, by the recorded rows.
    pub fn recorded(&self, found: &Rows) -> RecordedJobs {
        let rows = || found.by_key.values();
        let best = answering::best(&self.plan.jobs, rows());
        let answering = best.iter().flatten().filter(|(_, fit)| fit.answers());
        let reused = answering.clone().count();
        let requested_jobs = self.plan.requested_jobs();
        let left = rows().filter(|row| row.is_settled() && !requested_jobs.has_work(row));
        let left: HashSet<String> = left.map(|row| row.job.question()).collect();
        RecordedJobs {
            new: self.plan.jobs.len() - reused,
            reused,
            under_other_limits: answering.filter(|(_, fit)| fit.has_other_limits()).count(),
            no_longer_planned: left.len(),
        }
    }

    /// Continues the experiment, or begins it, with all jobs, or with those of a shard beside other sessions. Nothing is
    /// written before a job is run.
    ///
    /// # Errors
    ///
    /// When the folder contains rows of which this config plans none, or evidence of other clauses or of a program that
    /// was replaced; when it cannot be read or written; and when another session is running and there is no shard.
    pub fn open(self, shard: Option<Shard>) -> Result<Experiment, OpenError> {
        let place = OpenFolder::new(self.folder.clone(), shard)?;
        self.refuse(&place.found)?;
        let Self { config, plan, catalog, report, .. } = self;
        let mut jobs = plan.jobs;
        jobs.retain(|planned| shard.is_none_or(|shard| shard.has(&planned.job)));
        let mut experiment = Experiment::new(config, catalog, place, jobs)?;
        sample_first(&mut experiment.missing);
        Ok(Experiment { report, ..experiment })
    }
}

/// The existing rows, under a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RecordedJobs {
    /// The number of jobs without a row that answers them. A run runs these.
    pub new: usize,
    /// The number of jobs that rows answer.
    pub reused: usize,
    /// The number of reused jobs whose rows were measured under other limits.
    pub under_other_limits: usize,
    /// The number of recorded jobs that the config plans no longer, under any limits. Their rows stay.
    pub no_longer_planned: usize,
}

impl fmt::Display for RecordedJobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { new, reused, under_other_limits, no_longer_planned } = self;
        write!(f, "{new} new, {reused} reused")?;
        if *under_other_limits > 0 {
            write!(f, " ({under_other_limits} measured under other limits)")?;
        }
        write!(f, ", {no_longer_planned} no longer planned")
    }
}

/// Returns the name, if it is valid for a folder.
pub(super) fn checked(name: &str) -> Result<&str, OpenError> {
    let refused = |reason| OpenError::Refused(format!("--name {name}: it {reason}"));
    check_name(name).map_err(refused).map(|()| name)
}

/// Refuses a folder whose path is not text: workers receive the path of the folder for their large files as text.
pub(super) fn refuse_no_text(folder: &Path) -> Result<(), OpenError> {
    if folder.to_str().is_some() {
        return Ok(());
    }
    let what =
        format!("the folder `{}` is not UTF-8 text: choose another --root", folder.display());
    Err(OpenError::Refused(what))
}

/// Refuses jobs whose rows in the folder were measured with other clauses or another program than the current
/// ones, and jobs without a row whose proofs cannot be checked here.
pub(super) fn refuse_other(
    OpenFolder { folder, sessions, found, .. }: &OpenFolder,
    jobs: &[PlannedJob],
    catalog: &Catalog,
) -> Result<(), OpenError> {
    let folder = folder.display();
    let taken = answering::best(jobs, found.by_key.values());
    let mut open =
        jobs.iter().zip(&taken).filter(|(_, best)| !best.is_some_and(|(_, fit)| fit.answers()));
    if open.any(|(planned, _)| planned.job.proof == Some(ProofFormat::Veripb))
        && let Some(absence) = veripb_absence()
    {
        return Err(OpenError::Refused(format!(
            "`proofs: file` needs VeriPB, which checks the proofs: {absence}; or state `proofs: on`"
        )));
    }
    if let Some((encoding, instance)) = stale::find(jobs, &taken, catalog) {
        return Err(OpenError::Refused(format!(
            "`{encoding}` writes other clauses for the {instance} than were measured in `{folder}` under the \
             same revision: increase the `revision` of the encoding, or move that folder away"
        )));
    }
    if let Some((solver, version)) =
        replaced::find(jobs, &taken, &sessions.list, &catalog.permission)
    {
        return Err(OpenError::Refused(format!(
            "the solver `{solver}` has another file than when the rows in `{folder}` were measured, and calls \
             itself `{version}` as before: put the former one back, run it under another name by --name, or move \
             that folder away"
        )));
    }
    Ok(())
}
