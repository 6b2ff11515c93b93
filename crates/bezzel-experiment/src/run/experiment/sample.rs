//! A sample of a record: some of its jobs, run again as a separate experiment. The record is only read.

use std::path::Path;

use super::draw::{DrawnJobs, SampleSize, draw};
use super::planned::checked;
use super::{Experiment, OpenError, OpenFolder};
use crate::backend::catalog::Catalog;
use crate::config::Config;
use crate::plan::Plan;
use crate::results::store::{Session, Sessions};
use crate::results::stored_results::StoredResults;
use crate::run::this_machine::memory_bytes;

/// Jobs of a record that are drawn for another run.
pub struct Sample {
    /// The record.
    pub record: StoredResults,
    /// The jobs.
    pub drawn: DrawnJobs,
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
        let last = record.sessions.last(folder)?;
        let (config, plan) = Plan::of_session(last, folder, &catalog, record.rows.iter())?;
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
        Ok(Self { record, drawn, config, catalog })
    }

    /// Opens the sample below `root` under this name, and begins it if there is none.
    ///
    /// # Errors
    ///
    /// When the folder contains evidence or another sample, cannot be written, or another session is running in it.
    pub fn open(&self, root: &Path, name: &str) -> Result<Experiment, OpenError> {
        let folder = Experiment::folder(root, checked(name)?);
        let place = OpenFolder::new(folder, None)?;
        self.refuse(&place.folder, &place.sessions)?;
        let (config, catalog) = (self.config.clone(), self.catalog.clone());
        let experiment = Experiment::new(config, catalog, place, self.drawn.jobs.clone())?;
        Ok(Experiment { reproduces: Some(self.record.name.clone()), ..experiment })
    }

    /// Refuses a folder with other content than rows of samples of this record.
    fn refuse(&self, folder: &Path, sessions: &Sessions) -> Result<(), OpenError> {
        let of_this = |session: &Session| {
            session.start.environment.reproduces.as_ref() == Some(&self.record.name)
                && session.start.config == self.config.recorded()
        };
        if sessions.list.iter().all(of_this) && sessions.without_start.is_empty() {
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
