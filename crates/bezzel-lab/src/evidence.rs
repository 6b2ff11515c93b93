//! An experiment's record as reports read it.

use std::path::Path;

use thiserror::Error;

use crate::config::{Config, ConfigError};
use crate::cross::{self, Contradiction};
use crate::environment::Environment;
use crate::plan::Plan;
use crate::row::Row;
use crate::store::{self, StoreError};
use crate::workbench::Workbench;

/// The whole record of an experiment: what was asked, with what, and what came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExperimentRecord {
    /// The experiment's name, which is its folder's.
    pub name: String,
    /// The question, as the config puts it.
    pub question: Option<String>,
    /// The frozen config, as it was written.
    pub config: String,
    /// The sessions in which rows were made.
    pub environments: Vec<Environment>,
    /// The number of jobs planned. Rows that are missing are missing, not zero.
    pub planned: usize,
    /// The rows of the plan, in its order, as they stand after they were
    /// [examined](cross::examine) together.
    pub rows: Vec<Row>,
    /// What they say that cannot both be right, the smallest board first.
    pub contradictions: Vec<Contradiction>,
    /// How steady the machine was: the readings of a fixed formula, in the order of their sessions.
    pub readings: Vec<Row>,
}

/// Why an experiment cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The evidence cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The frozen config cannot be understood any more.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

impl ExperimentRecord {
    /// Reads the record in an experiment's folder. Changes nothing.
    ///
    /// # Errors
    ///
    /// When there is none, or it cannot be understood.
    pub fn open(folder: &Path, workbench: &Workbench) -> Result<Self, RecordError> {
        let (text, environments, mut rows) = store::look(folder)?;
        let path = folder.join(store::CONFIG);
        let config = Config::parse(&text, &path.display().to_string(), workbench)?;
        let plan = Plan::of_record(&config, workbench, rows.by_key.values())?;
        let is_import = environments.iter().any(|session| session.measured_by.is_some());
        let plan = if is_import { plan.of_import(rows.by_key.values()) } else { plan };
        let planned = plan.jobs.len();
        let mut contradictions =
            cross::between_repetitions(&rows.disagreeing, |key| rows.by_key.get(key));
        let taken = plan.jobs.iter().filter_map(|job| rows.by_key.remove(&job.key));
        let mut rows: Vec<Row> = taken.collect();
        contradictions.extend(cross::examine(&mut rows));
        let readings = store::readings(folder)?;
        // A config may have been run under another name than its own.
        let own = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let Config { name, question, .. } = config;
        let name = own.unwrap_or(name);
        Ok(Self {
            name,
            question,
            config: text,
            environments,
            planned,
            rows,
            contradictions,
            readings,
        })
    }
}
