//! A config with its plan, and the checks of the folder that it is run in.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::{Experiment, OpenError, Place, shard};
use crate::backend::workbench::Workbench;
use crate::config::{Config, ConfigError, check_name};
use crate::model::environment::Environment;
use crate::model::job::{Key, Planned};
use crate::model::permission::Permission;
use crate::plan::Plan;
use crate::plan::stale;
use crate::results::store::{self, ROWS, Rows, Store, rows_of};
use crate::run::shard::Shard;
use crate::run::{merge, replaced};

/// An experiment as a config asks for it. Nothing is written yet.
pub struct PlannedExperiment {
    /// The folder.
    pub folder: PathBuf,
    /// The config.
    pub config: Config,
    /// The plan.
    pub plan: Plan,
    /// The workbench, with permission to start the programs of the config.
    pub workbench: Workbench,
    /// The text of the config in the folder.
    frozen: Option<String>,
    /// The config in the folder where it differs.
    other: Option<Result<Config, ConfigError>>,
}

impl PlannedExperiment {
    /// Reads and plans the config in a file, under this name if one is given. A config that states no limit of
    /// wall time has that of its experiment below `root`, if it was begun.
    ///
    /// The frozen config may be from anywhere. It is read with the permission of the user's own config, so
    /// that only programs are started which that config names as well; a frozen config with others is another
    /// config.
    ///
    /// # Errors
    ///
    /// When the config or the name makes no sense, or the frozen config cannot be read.
    pub fn read(
        root: &Path,
        path: &Path,
        name: Option<&str>,
        workbench: &Workbench,
    ) -> Result<Self, OpenError> {
        let mut config = Config::read(path, workbench)?;
        if let Some(name) = name {
            checked(name)?.clone_into(&mut config.name);
        }
        let workbench = workbench.permitting(Permission::of_config(&config));
        let folder = Experiment::folder(root, &config.name);
        let frozen = store::frozen_config(&folder)?;
        let path = folder.join(store::CONFIG).display().to_string();
        let has_files = config.files.iter().all(|file| store::is_frozen(&folder, file));
        let differs = |text: &&String| !has_files || **text != config.frozen_text();
        let then = frozen.as_ref().filter(differs);
        let then = then.map(|text| {
            let mut then = Config::parse_frozen(text, &path, &workbench)?;
            config.name.clone_into(&mut then.name);
            Ok(then)
        });
        if let Some(Ok(then)) = &then {
            // The default may have been another one when the copy was frozen.
            config.take_wall_of(then);
        }
        let is_text = frozen.as_ref().is_some_and(|text| is_text_of(&config, text));
        let other = then.filter(|_| !has_files || !is_text);
        let plan = Plan::new(&config, &workbench)?;
        Ok(Self { folder, config, plan, workbench, frozen, other })
    }

    /// Refuses a folder that holds the answers to another question. Changes nothing.
    ///
    /// # Errors
    ///
    /// When the folder holds evidence for another config, or imported results, or cannot be read.
    pub fn refuse(&self) -> Result<(), OpenError> {
        refuse_no_text(&self.folder)?;
        let sessions = store::environments(&self.folder)?;
        if sessions.iter().any(|session| session.measured_by.is_some()) {
            return Err(OpenError::Refused(format!(
                "`{}` holds results of BenchExec: `bezzel benchexec import` adds to them, and a run needs a \
                 name of its own, by --name",
                self.folder.display()
            )));
        }
        // Other words for the same plan are the same question.
        let keys = self.plan.keys();
        let is_same = |config: &Result<Config, ConfigError>| {
            let plan = config.as_ref().ok().map(|config| Plan::new(config, &self.workbench));
            plan.is_some_and(|plan| plan.is_ok_and(|plan| plan.keys() == keys))
        };
        if self.other.as_ref().is_none_or(is_same) { Ok(()) } else { Err(self.other_config()) }
    }

    /// The folder holds the answers to another question.
    fn other_config(&self) -> OpenError {
        OpenError::Refused(format!(
            "`{}` holds evidence for another config: give this one another `name`, or move that folder away; \
             the other config is its {}",
            self.folder.display(),
            store::CONFIG
        ))
    }

    /// Refuses the folder if another config was frozen in it since this one was read.
    fn refuse_newer(&self) -> Result<(), OpenError> {
        let expected = self.frozen.clone().unwrap_or_else(|| self.config.frozen_text());
        let is_same = store::frozen_config(&self.folder)? == Some(expected);
        if is_same { Ok(()) } else { Err(self.other_config()) }
    }

    /// Takes the experiment up, or begins it.
    ///
    /// # Errors
    ///
    /// When the folder holds evidence for another config, of other clauses or of a program that was
    /// replaced, cannot be written, or is in another runner's hands.
    pub fn open(self) -> Result<Experiment, OpenError> {
        self.refuse()?;
        let (store, found) =
            Store::open(&self.folder, &self.config.frozen_text(), &self.config.files)?;
        self.refuse_newer()?;
        let note = self.note_of_words();
        let Self { folder, config, plan, workbench, .. } = self;
        refuse_other(&folder, &plan.jobs, &found, &store::environments(&folder)?, &workbench)?;
        let place = Place::Whole { folder, store: store.into() };
        let mut experiment = Experiment::new(config, workbench, place, plan.jobs, vec![found]);
        experiment.notes.splice(0..0, note);
        Ok(experiment)
    }

    /// Begins the experiment, unless it is begun. Nothing is run, and a runner at work is no hindrance.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), with the errors of other clauses and other programs for the first rows only.
    pub fn begin(&self) -> Result<(), OpenError> {
        let Self { folder, config, plan, workbench, .. } = self;
        self.refuse()?;
        shard::freeze(folder, config)?;
        self.refuse_newer()?;
        let first = rows_of(&folder.join(ROWS), &[], Some(&first_of_each(&plan.jobs)))?;
        refuse_other(folder, &plan.jobs, &first, &store::environments(folder)?, workbench)
    }

    /// Takes up a shard, beside runners that are at work on other shards or on this one. Jobs that any attempt
    /// has answered are done.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open); an experiment at work is no hindrance.
    pub fn shard(self, shard: Shard) -> Result<Experiment, OpenError> {
        self.begin()?;
        let Self { folder, config, plan, workbench, .. } = self;
        let jobs = shard.jobs(plan);
        let keys = shard::keys(&jobs);
        let mut found = vec![rows_of(&folder.join(ROWS), &[], Some(&keys))?];
        for files in &merge::all_attempts(&folder)? {
            let rows = rows_of(&files.rows(), &[], Some(&keys))?;
            if !rows.by_key.is_empty() {
                refuse_other(&folder, &jobs, &rows, &files.sessions()?, &workbench)?;
                found.push(rows);
            }
        }
        let folder = folder.join(store::SHARDS).join(format!("of-{}", shard.of));
        let place = Place::Attempt { folder, number: shard.number };
        Ok(Experiment::new(config, workbench, place, jobs, found))
    }

    /// The frozen config, if it asks for the same jobs in other words. Tasks of a cluster read it.
    pub fn in_other_words(&self) -> Option<&Config> {
        self.other.as_ref()?.as_ref().ok()
    }

    /// A remark where the config asks for the same jobs as the frozen one in other words. The frozen one
    /// stays, with its question and its order.
    fn note_of_words(&self) -> Option<String> {
        let frozen = self.in_other_words()?;
        let path = self.folder.join(store::CONFIG);
        let path = path.display();
        Some(if frozen.question == self.config.question {
            format!("the text of the config differs from {path}, which stays unchanged")
        } else {
            let question = frozen.question.as_ref();
            let question = question.map_or("none".to_owned(), |question| format!("`{question}`"));
            format!(
                "the question differs from the one in {path} ({question}): the report keeps that one; run with \
                 another --name to report the new question"
            )
        })
    }
}

/// The name, if it is one of a folder.
pub(super) fn checked(name: &str) -> Result<&str, OpenError> {
    let refused = |reason| OpenError::Refused(format!("--name {name}: it {reason}"));
    check_name(name).map_err(refused).map(|()| name)
}

/// Refuses a folder whose path is no text: workers get that of the folder for their large files as text.
pub(super) fn refuse_no_text(folder: &Path) -> Result<(), OpenError> {
    if folder.to_str().is_some() {
        return Ok(());
    }
    let what =
        format!("the folder `{}` is not UTF-8 text: choose another --root", folder.display());
    Err(OpenError::Refused(what))
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
        let seen = seen.entry((&job.encoding, job.settings, &job.solver)).or_insert(0);
        *seen += 1;
        *seen <= ENOUGH
    });
    first.map(|planned| planned.key.clone()).collect()
}

/// Refuses jobs of which rows are there, of these sessions, that were measured with other clauses or
/// another program than would be now.
pub(super) fn refuse_other(
    folder: &Path,
    jobs: &[Planned],
    found: &Rows,
    sessions: &[Environment],
    workbench: &Workbench,
) -> Result<(), OpenError> {
    let folder = folder.display();
    if let Some((encoding, board)) = stale::find(jobs, found, workbench) {
        return Err(OpenError::Refused(format!(
            "`{encoding}` writes other clauses for the board {board} than were measured in `{folder}` under the \
             same revision: increase the `revision` of the encoding, or move that folder away"
        )));
    }
    if let Some((solver, version)) = replaced::find(jobs, found, sessions, &workbench.permission) {
        return Err(OpenError::Refused(format!(
            "the solver `{solver}` has another file than when the rows in `{folder}` were measured, and calls \
             itself `{version}` as before: put the former one back, run it under another name by --name, or move \
             that folder away"
        )));
    }
    Ok(())
}
