//! A sample of a record: some of its jobs, run again as a separate experiment. The record is only read.

use std::path::{Path, PathBuf};

use super::draw::{DrawnJobs, SampleSize, draw};
use super::planned::{checked, refuse_no_text, refuse_other};
use super::{Destination, Experiment, OpenError};
use crate::backend::catalog::Catalog;
use crate::config::Config;
use crate::model::environment::Environment;
use crate::plan::Plan;
use crate::results::store::{self, Store};
use crate::results::stored_results::StoredResults;
use crate::run::this_machine::memory_bytes;

/// Jobs of a record that are drawn for another run.
pub struct Sample {
    /// The record.
    pub record: StoredResults,
    /// The jobs.
    pub drawn: DrawnJobs,
    folder: PathBuf,
    config: Config,
    catalog: Catalog,
}

impl Sample {
    /// Draws jobs of the record in a folder that took about `seconds` together, by a seed. Jobs that name
    /// programs need the permission of the catalog.
    ///
    /// # Errors
    ///
    /// When there is no record, its config cannot be parsed, or no job of it can be run.
    pub fn draw(
        folder: &Path,
        seconds: f64,
        seed: u64,
        catalog: Catalog,
    ) -> Result<Self, OpenError> {
        let mut record = StoredResults::open(folder)?;
        let rows = record.rows.iter();
        let (config, plan) = Plan::of_frozen(&record.config, folder, &catalog, rows)?;
        record.families.clone_from(&config.families);
        let memory_bytes = memory_bytes().unwrap_or(u64::MAX);
        let sample_size = SampleSize { seconds, seed, parallel: config.parallel, memory_bytes };
        let drawn = draw(&record, &plan.requested_jobs(), &catalog, sample_size);
        if drawn.jobs.is_empty() {
            let DrawnJobs { unanswered, unable, .. } = drawn;
            let programs = if unable > 0 {
                ": programs run only with --programs, and only where they are installed"
            } else {
                ""
            };
            return Err(OpenError::Refused(format!(
                "no job of `{}` can be run again: {unanswered} have no answer, {unable} are of solvers, engines \
                 or encodings that cannot be run here{programs}",
                record.name
            )));
        }
        Ok(Self { record, drawn, folder: folder.to_owned(), config, catalog })
    }

    /// Opens the sample below `root` under this name, and begins it if there is none.
    ///
    /// # Errors
    ///
    /// When the folder contains evidence or another sample, cannot be written, or another runner works on it.
    pub fn open(&self, root: &Path, name: &str) -> Result<Experiment, OpenError> {
        let folder = Experiment::folder(root, checked(name)?);
        self.refuse(&folder)?;
        let (store, found) = Store::open(&folder, &self.record.config, &self.config.files)?;
        // Before the lock was taken, another runner may have begun something else here.
        self.refuse(&folder)?;
        let (jobs, sessions) = (self.drawn.jobs.clone(), store::environments(&folder)?);
        refuse_other(&folder, &jobs, &found, &sessions, &self.catalog)?;
        let place = Destination::Whole { folder, store: store.into() };
        let (config, catalog) = (self.config.clone(), self.catalog.clone());
        let experiment = Experiment::new(config, catalog, place, jobs, vec![found]);
        Ok(Experiment { reproduces: Some(self.record.name.clone()), ..experiment })
    }

    /// Refuses a folder with other content than rows of samples of this record.
    fn refuse(&self, folder: &Path) -> Result<(), OpenError> {
        refuse_no_text(folder)?;
        let Some(frozen) = store::frozen_config(folder)? else { return Ok(()) };
        let of_this =
            |session: &Environment| session.reproduces.as_ref() == Some(&self.record.name);
        let sessions = store::environments(folder)?;
        // The evidence may be without a session, if its list of sessions was lost.
        let has_no_rows = || store::read_folder(folder).map(|(_, _, rows)| rows.by_key.is_empty());
        let is_ours = frozen == self.record.config
            && sessions.iter().all(of_this)
            && (!sessions.is_empty() || has_no_rows()?)
            && folder.canonicalize().ok() != self.folder.canonicalize().ok();
        if is_ours {
            return Ok(());
        }
        Err(OpenError::Refused(format!(
            "`{}` holds something else than a sample of `{}`: give the sample another name by --name, or move \
             that folder away",
            folder.display(),
            self.record.name
        )))
    }
}
