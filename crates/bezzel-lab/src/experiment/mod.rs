//! An experiment at work: its folder, its plan, and what is still missing.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use thiserror::Error;

use crate::config::Config;
use crate::environment::Environment;
use crate::job::Key;
use crate::job::Planned;
use crate::judge::Judge;
use crate::plan::Plan;
use crate::replaced;
use crate::row::Row;
use crate::runner::{self, RunError, Summary, Workers};
use crate::stale;
use crate::store::{self, Rows, Store, StoreError, rows_of};
use crate::submission::SubmissionError;
use crate::workbench::Workbench;

mod shard;

pub use shard::ShardAtWork;

/// Why an experiment cannot be taken up.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The evidence cannot be read or kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Attempts at shards cannot be found.
    #[error(transparent)]
    Submission(#[from] SubmissionError),
    /// The folder holds the answers to another question.
    #[error(
        "`{}` holds evidence for another config: give this one another `name`, or move that \
         folder away; what was asked there is in its {}",
        folder.display(), store::CONFIG
    )]
    OtherConfig {
        /// The experiment's folder.
        folder: PathBuf,
    },
    /// The folder holds imported results.
    #[error(
        "`{}` holds results of BenchExec: `bezzel benchexec import` adds to them, and a run needs a name \
         of its own, by --name", folder.display()
    )]
    Imported {
        /// The experiment's folder.
        folder: PathBuf,
    },
    /// The folder holds rows of other clauses than the encoding writes now.
    #[error(
        "`{encoding}` writes other clauses for the board {board} than were measured in `{}` under \
         the same revision: count the `revision` in its card up, or move that folder away",
        folder.display()
    )]
    Stale {
        /// The encoding, with its settings.
        encoding: String,
        /// The board.
        board: String,
        /// The experiment's folder.
        folder: PathBuf,
    },
    /// A solver is another program than the one whose rows are there.
    #[error(
        "the solver `{solver}` has another file than when the rows in `{}` were measured, and calls \
         itself `{version}` as before: put the former one back, run it under another name by --name, \
         or move that folder away",
        folder.display()
    )]
    Replaced {
        /// The solver.
        solver: String,
        /// Its version, then and now.
        version: String,
        /// The experiment's folder.
        folder: PathBuf,
    },
}

/// An experiment at work.
#[derive(Debug)]
pub struct Experiment {
    store: Store,
    found: Rows,
    missing: Vec<Planned>,
    done: usize,
    reworded: bool,
}

impl Experiment {
    /// Takes up the experiment of this config below `root`, or begins it.
    ///
    /// # Errors
    ///
    /// When the folder holds evidence for another config, of other clauses or of a program that was
    /// replaced, cannot be written, or is in another runner's hands.
    pub fn open(
        root: &Path,
        config: &Config,
        plan: Plan,
        workbench: &Workbench,
    ) -> Result<Self, OpenError> {
        let folder = Self::folder(root, &config.name);
        refuse_imported(&folder)?;
        let before = store::frozen_config(&folder)?;
        let before = before.unwrap_or_else(|| config.frozen_text());
        let reworded = refuse_other_config(&folder, config, &plan, workbench)?;
        let (store, found) = Store::open(&folder, &config.frozen_text(), &config.files)?;
        // Until the lock was taken somebody else may have begun another question here.
        if store::frozen_config(&folder)?.is_none_or(|frozen| frozen != before) {
            return Err(OpenError::OtherConfig { folder });
        }
        refuse_other(&folder, &plan.jobs, &found, &store::environments(&folder)?, workbench)?;
        let planned = plan.jobs.len();
        let mut missing = plan.jobs;
        missing.retain(|job| !found.is_answered(&job.key));
        let done = planned - missing.len();
        Ok(Self { store, found, missing, done, reworded })
    }

    /// Refuses the folder of this config below `root` if it holds the answers to another question, and
    /// returns it. Changes nothing.
    ///
    /// # Errors
    ///
    /// When the folder holds evidence for another config, or imported results, or cannot be read.
    pub fn refuse(
        root: &Path,
        config: &Config,
        plan: &Plan,
        workbench: &Workbench,
    ) -> Result<PathBuf, OpenError> {
        let folder = Self::folder(root, &config.name);
        refuse_imported(&folder)?;
        refuse_other_config(&folder, config, plan, workbench)?;
        Ok(folder)
    }

    /// Begins the experiment of this config below `root`, unless it is begun, and returns its folder.
    /// Nothing is run, and another runner's work is no hindrance.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), but that of other clauses and other programs only of what came first.
    pub fn begin(
        root: &Path,
        config: &Config,
        plan: &Plan,
        workbench: &Workbench,
    ) -> Result<PathBuf, OpenError> {
        let folder = Self::refuse(root, config, plan, workbench)?;
        shard::freeze(&folder, config)?;
        // Until then somebody else may have begun another question here.
        refuse_other_config(&folder, config, plan, workbench)?;
        let first = rows_of(&folder.join(store::ROWS), &[], Some(&first_of_each(&plan.jobs)))?;
        refuse_other(&folder, &plan.jobs, &first, &store::environments(&folder)?, workbench)?;
        Ok(folder)
    }

    /// Lets a config that states no limit of wall time go on with that of the experiment that is there below
    /// `root`, if one is: the default may have been another one when its copy was frozen.
    ///
    /// # Errors
    ///
    /// When there is a frozen copy that cannot be read.
    pub fn go_on(
        root: &Path,
        config: &mut Config,
        workbench: &Workbench,
    ) -> Result<(), StoreError> {
        let path = Self::folder(root, &config.name).join(store::CONFIG);
        let Some(frozen) = store::frozen_config(&Self::folder(root, &config.name))? else {
            return Ok(());
        };
        // One that cannot be understood is refused where it is compared.
        if let Ok(frozen) = Config::parse_frozen(&frozen, &path.display().to_string(), workbench) {
            config.take_wall_of(&frozen);
        }
        Ok(())
    }

    /// Where the evidence of an experiment is kept.
    pub fn folder(root: &Path, name: &str) -> PathBuf {
        root.join("experiments").join(name)
    }

    /// The jobs that have no row yet.
    pub fn missing(&self) -> &[Planned] {
        &self.missing
    }

    /// The number of jobs that have a row already.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Whether the config asks for the same jobs as the frozen one in other words. The frozen one
    /// stays, with its question and its order.
    pub fn is_reworded(&self) -> bool {
        self.reworded
    }

    /// The rows that were found, with what was damaged.
    pub fn found(&self) -> &Rows {
        &self.found
    }

    /// Runs what is missing in a new session; see [`runner::run`].
    ///
    /// # Errors
    ///
    /// As [`runner::run`], and when the session cannot be written down.
    pub fn run(
        mut self,
        environment: Environment,
        workers: &Workers,
        cancel: &AtomicBool,
        observe: impl FnMut(&Row),
    ) -> Result<Summary, RunError> {
        if self.missing.is_empty() {
            return Ok(Summary::default());
        }
        let session = self.store.begin_session(environment)?;
        let judge = Judge::knowing(self.found.by_key.values());
        runner::run(self.missing, session, workers, &mut self.store, judge, cancel, observe)
    }
}

/// Refuses a folder of results that somebody else measured.
fn refuse_imported(folder: &Path) -> Result<(), OpenError> {
    // What stands in the way of a folder is told of its config, which everybody knows.
    store::frozen_config(folder)?;
    if store::environments(folder)?.iter().any(|session| session.measured_by.is_some()) {
        return Err(OpenError::Imported { folder: folder.to_owned() });
    }
    Ok(())
}

/// Refuses a folder in which another config is frozen. Other words for the same plan are the same
/// question; `true` is returned for other words.
///
/// The frozen config may be from anywhere. It is planned with the permission of the user's own config, so
/// that only programs are started which that config names as well; a frozen config with others is another
/// config.
fn refuse_other_config(
    folder: &Path,
    config: &Config,
    plan: &Plan,
    workbench: &Workbench,
) -> Result<bool, OpenError> {
    let same_files = config.files.iter().all(|file| store::is_frozen(folder, file));
    let frozen = store::frozen_config(folder)?;
    let Some(frozen) = frozen.filter(|frozen| !same_files || !is_text_of(config, frozen)) else {
        return Ok(false);
    };
    let path = folder.join(store::CONFIG);
    let same = Config::parse_frozen(&frozen, &path.display().to_string(), workbench)
        .and_then(|frozen| Plan::new(&frozen, workbench))
        .is_ok_and(|frozen| frozen.keys() == plan.keys());
    if same { Ok(true) } else { Err(OpenError::OtherConfig { folder: folder.to_owned() }) }
}

/// True if a frozen copy is this config, with its limit of wall time or, as in older copies, without.
pub fn is_text_of(config: &Config, frozen: &str) -> bool {
    frozen == config.text() || frozen == config.frozen_text()
}

/// The keys of the first jobs of each encoding in each solver, of which some have rows if any have: that
/// is enough to see whether these are of what would be measured now.
fn first_of_each(jobs: &[Planned]) -> HashSet<Key> {
    const ENOUGH: u32 = 64;
    let mut seen = HashMap::new();
    let first = jobs.iter().filter(|planned| {
        let job = &planned.job;
        let seen = seen.entry((&job.encoding, job.settings(), &job.solver)).or_insert(0);
        *seen += 1;
        *seen <= ENOUGH
    });
    first.map(|planned| planned.key.clone()).collect()
}

/// Refuses jobs of which rows are there, of these sessions, that were measured with other clauses or
/// another program than would be now.
fn refuse_other(
    folder: &Path,
    jobs: &[Planned],
    found: &Rows,
    sessions: &[Environment],
    workbench: &Workbench,
) -> Result<(), OpenError> {
    let folder = folder.to_owned();
    if let Some((encoding, board)) = stale::find(jobs, found, workbench) {
        return Err(OpenError::Stale { encoding, board, folder });
    }
    if let Some((solver, version)) = replaced::find(jobs, found, sessions, &workbench.permission) {
        return Err(OpenError::Replaced { solver, version, folder });
    }
    Ok(())
}
