//! A config with its plan, and the checks of the folder in which it is run.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde::Serialize;

use super::{Destination, Experiment, OpenError};
use crate::backend::catalog::Catalog;
use crate::config::{Config, check_name};
use crate::model::environment::Environment;
use crate::model::job::PlannedJob;
use crate::model::permission::Permission;
use crate::model::row::Row;
use crate::plan::{Plan, answering, stale};
use crate::results::store::{
    self, AttemptFiles, ROWS, RowFilter, Rows, Store, StoreError, rows_of,
};
use crate::run::replaced;
use crate::run::shard::Shard;

/// The number of tries while another runner freezes the same config, and the delay between them.
const TRIES: u32 = 100;
const RETRY_DELAY: Duration = Duration::from_millis(100);

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
    /// The text of the config in the folder.
    frozen: Option<String>,
    /// The config in the folder and the keys in which it differs from `config`; none if it does not differ.
    before: Option<(Config, Vec<String>)>,
}

impl PlannedExperiment {
    /// Reads and plans the config in a file, under `name` if one is given. A config without a limit of wall time gets
    /// that of its experiment below `root`, if one exists.
    ///
    /// The config in the folder may come from any source. It is only compared: no program that it names is started.
    ///
    /// # Errors
    ///
    /// When the config or the name is invalid, or the config in the folder cannot be read.
    pub fn read(
        root: &Path,
        path: &Path,
        name: Option<&str>,
        catalog: &Catalog,
    ) -> Result<Self, OpenError> {
        let mut config = Config::read(path, catalog)?;
        if let Some(name) = name {
            checked(name)?.clone_into(&mut config.name);
        }
        let folder = Experiment::folder(root, &config.name);
        let frozen = store::frozen_config(&folder)?;
        let before = frozen.as_ref().map(|text| frozen_config(&folder, text, catalog));
        let before = before.transpose()?;
        if let Some(before) = &before {
            // The default may have been different when the copy was frozen.
            config.take_wall_of(before);
        }
        let before = before.and_then(|before| {
            let keys: Vec<_> = config.differing(&before).into_iter().map(str::to_owned).collect();
            (!keys.is_empty()).then_some((before, keys))
        });
        let catalog = catalog.with_permission(Permission::of_config(&config));
        let plan = Plan::new(&config, &catalog)?;
        Ok(Self { folder, config, plan, catalog, frozen, before })
    }

    /// Refuses a folder that this config cannot continue. It changes nothing.
    ///
    /// # Errors
    ///
    /// When the folder contains rows of which this config plans none; when a shard of it is running and its config is
    /// another version; or when it cannot be read.
    pub fn refuse(&self) -> Result<(), OpenError> {
        refuse_no_text(&self.folder)?;
        let Some((_, keys)) = &self.before else { return Ok(()) };
        self.refuse_at_work()?;
        let requested_jobs = self.plan.requested_jobs();
        let mut is_empty = true;
        for path in self.row_files()? {
            for row in store::rows_in::<Row>(&path)? {
                is_empty = false;
                if requested_jobs.has_work(&row?.1) {
                    return Ok(());
                }
            }
        }
        if is_empty {
            return Ok(());
        }
        Err(OpenError::Refused(format!(
            "`{}` holds rows of another experiment: this config plans none of their jobs (it differs in {}); run \
             it under another name, by --name, or move that folder away",
            self.folder.display(),
            listed(keys),
        )))
    }

    /// The files of rows: that of the experiment, and those of attempts at its shards.
    fn row_files(&self) -> Result<Vec<PathBuf>, OpenError> {
        let attempts = store::all_attempts(&self.folder)?;
        let attempts = attempts.iter().map(AttemptFiles::rows);
        Ok(std::iter::once(self.folder.join(ROWS)).chain(attempts).collect())
    }

    /// Refuses another version of the config while shards of the current one are running.
    fn refuse_at_work(&self) -> Result<(), OpenError> {
        let attempts = store::all_attempts(&self.folder)?;
        let Some(holder) = attempts.iter().find_map(AttemptFiles::holder) else { return Ok(()) };
        Err(OpenError::Refused(format!(
            "a shard of `{}` is running, {holder}, and this config is another version: let it \
             finish, or stop it",
            self.folder.display()
        )))
    }

    /// The rows in the folder: those of the experiment, and those of attempts at its shards.
    ///
    /// # Errors
    ///
    /// When they cannot be read.
    pub fn rows(&self) -> Result<Vec<Row>, OpenError> {
        let mut rows = Vec::new();
        for path in self.row_files()? {
            rows.extend(rows_of(&path, &[], RowFilter::All)?.by_key.into_values());
        }
        Ok(rows)
    }

    /// The numbers of new, reused and no longer planned jobs, by the recorded rows.
    ///
    /// # Errors
    ///
    /// When the rows cannot be read.
    pub fn recorded(&self) -> Result<RecordedJobs, OpenError> {
        let rows = self.rows()?;
        let best = answering::best(&self.plan.jobs, &rows);
        let answering = best.iter().flatten().filter(|(_, fit)| fit.answers());
        let reused = answering.clone().count();
        let requested_jobs = self.plan.requested_jobs();
        let left = rows.iter().filter(|row| row.is_settled() && !requested_jobs.has_work(row));
        let left: HashSet<String> = left.map(|row| row.job.question()).collect();
        Ok(RecordedJobs {
            new: self.plan.jobs.len() - reused,
            reused,
            under_other_limits: answering.filter(|(_, fit)| fit.has_other_limits()).count(),
            no_longer_planned: left.len(),
        })
    }

    /// Makes this config the current version, in a locked folder.
    fn renew(&self, store: &Store) -> Result<(), OpenError> {
        let there = store::frozen_config(&self.folder)?;
        let own = self.config.frozen_text();
        match (&self.before, &self.frozen) {
            (None, Some(frozen)) if there.as_ref() == Some(frozen) => Ok(()),
            (Some((before, _)), Some(frozen)) if there.as_ref() == Some(frozen) => {
                self.refuse_at_work()?;
                Ok(store.renew((frozen, &before.files), &own, &self.config.files)?)
            }
            // Another run has written this version in the meantime.
            (_, _) if there.as_ref() == Some(&own) => Ok(()),
            _ => Err(OpenError::Refused(format!(
                "another config was written to `{}` since this one was read: run the same command again",
                self.folder.display()
            ))),
        }
    }

    /// Continues the experiment, or begins it. A config that differs from the one in the folder becomes the current
    /// version.
    ///
    /// # Errors
    ///
    /// As [`refuse`](Self::refuse); and when the folder contains evidence of other clauses or of a program that was
    /// replaced, cannot be written, or another runner works on it.
    pub fn open(self) -> Result<Experiment, OpenError> {
        self.refuse()?;
        let (store, found) =
            Store::open(&self.folder, &self.config.frozen_text(), &self.config.files)?;
        let Self { folder, plan, catalog, .. } = &self;
        refuse_other(folder, &plan.jobs, &found, &store::environments(folder)?, catalog)?;
        self.renew(&store)?;
        let Self { folder, config, plan, catalog, before, .. } = self;
        let note = before.map(|(_, keys)| note_of_version(&folder, &keys));
        let place = Destination::Whole { folder, store: store.into() };
        let mut experiment = Experiment::new(config, catalog, place, plan.jobs, vec![found]);
        experiment.notes.splice(0..0, note);
        Ok(experiment)
    }

    /// Begins the experiment, or writes this version of its config if the experiment exists. No job is run. A runner
    /// may be working on the same version.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), with the errors of other clauses and other programs for the first rows only.
    pub fn begin(&self) -> Result<(), OpenError> {
        let Self { folder, plan, catalog, .. } = self;
        self.refuse()?;
        let rows = rows_of_jobs(&folder.join(ROWS), &first_of_each(&plan.jobs))?;
        refuse_other(folder, &plan.jobs, &rows, &store::environments(folder)?, catalog)?;
        if self.frozen.is_none() || self.before.is_some() {
            self.renew(&self.locked()?)?;
        }
        Ok(())
    }

    /// Locks the folder, and begins the experiment by this config if there is none. Runners that begin at the same time
    /// wait for each other.
    fn locked(&self) -> Result<Store, StoreError> {
        let mut tried = 0;
        loop {
            match Store::open(&self.folder, &self.config.frozen_text(), &self.config.files) {
                Err(StoreError::Busy { .. }) if tried < TRIES => thread::sleep(RETRY_DELAY),
                opened => return opened.map(|(store, _)| store),
            }
            tried += 1;
        }
    }

    /// Opens a shard, while other runners may work on other shards or on this one. Jobs that any attempt has answered
    /// are done.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), but a running experiment is no error.
    pub fn shard(self, shard: Shard) -> Result<Experiment, OpenError> {
        self.begin()?;
        let Self { folder, config, plan, catalog, .. } = self;
        let jobs = shard.jobs(plan);
        let all: Vec<&PlannedJob> = jobs.iter().collect();
        let mut found = vec![rows_of_jobs(&folder.join(ROWS), &all)?];
        for files in &store::all_attempts(&folder)? {
            let rows = rows_of_jobs(&files.rows(), &all)?;
            if !rows.by_key.is_empty() {
                refuse_other(&folder, &jobs, &rows, &files.sessions()?, &catalog)?;
                found.push(rows);
            }
        }
        let folder = folder.join(store::SHARDS).join(format!("of-{}", shard.of));
        let place = Destination::Attempt { folder, number: shard.number };
        Ok(Experiment::new(config, catalog, place, jobs, found))
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

/// A remark on a new version of a config.
fn note_of_version(folder: &Path, keys: &[String]) -> String {
    let (keys, folder) = (listed(keys), folder.join(store::VERSIONS));
    format!("another version of the config, in {keys}; the one before is in {}", folder.display())
}

fn listed(keys: &[String]) -> String {
    keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
}

/// Reads the config that is frozen in a folder.
fn frozen_config(folder: &Path, text: &str, catalog: &Catalog) -> Result<Config, OpenError> {
    let path = folder.join(store::CONFIG).display().to_string();
    Ok(Config::parse_frozen(text, &path, catalog)?)
}

/// The rows in a file that may answer these jobs.
fn rows_of_jobs(path: &Path, jobs: &[&PlannedJob]) -> Result<Rows, StoreError> {
    let keys = jobs.iter().map(|planned| planned.key.clone()).collect();
    let limits = answering::limits(jobs.iter().copied());
    rows_of(path, &[], RowFilter::Jobs(&keys, &limits))
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

/// Returns the first jobs of each encoding in each solver. If an encoding has rows, some of these jobs have rows, which
/// suffice to compare clauses and programs with the current ones.
fn first_of_each(jobs: &[PlannedJob]) -> Vec<&PlannedJob> {
    const MAX_JOBS_OF_EACH: u32 = 64;
    let mut counts = HashMap::new();
    let first = jobs.iter().filter(|planned| {
        let job = &planned.job;
        let counts = counts.entry((&job.encoding, job.settings, &job.solver)).or_insert(0);
        *counts += 1;
        *counts <= MAX_JOBS_OF_EACH
    });
    first.collect()
}

/// Refuses jobs whose rows, of these sessions, were measured with other clauses or another program than the current
/// ones.
pub(super) fn refuse_other(
    folder: &Path,
    jobs: &[PlannedJob],
    found: &Rows,
    sessions: &[Environment],
    catalog: &Catalog,
) -> Result<(), OpenError> {
    let folder = folder.display();
    let taken = answering::best(jobs, found.by_key.values());
    if let Some((encoding, instance)) = stale::find(jobs, &taken, catalog) {
        return Err(OpenError::Refused(format!(
            "`{encoding}` writes other clauses for the {instance} than were measured in `{folder}` under the \
             same revision: increase the `revision` of the encoding, or move that folder away"
        )));
    }
    if let Some((solver, version)) = replaced::find(jobs, &taken, sessions, &catalog.permission) {
        return Err(OpenError::Refused(format!(
            "the solver `{solver}` has another file than when the rows in `{folder}` were measured, and calls \
             itself `{version}` as before: put the former one back, run it under another name by --name, or move \
             that folder away"
        )));
    }
    Ok(())
}
