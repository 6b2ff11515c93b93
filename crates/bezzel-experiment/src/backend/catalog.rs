//! The catalog: the encodings and backends that a config can name.

use std::sync::Arc;

use bezzel_encode::{Encoding, NameError, Registry};

use crate::backend::program::needs_programs;
use crate::backend::{Backend, Backends, FindBackendError};
use crate::model::job::{BackendKind, Job, Limits, NO_ENCODING, PlannedJob};
use crate::model::measure::MEASUREMENT;
use crate::model::permission::Permission;
use crate::model::row::Row;

/// The encodings and backends at hand. This is a value like its parts: a program outside this repository adds its
/// own.
#[derive(Clone)]
pub struct Catalog {
    /// The encodings.
    pub encodings: Registry,
    /// The solvers and engines.
    pub backends: Backends,
    /// The programs that may be started.
    pub permission: Permission,
    /// True if it reads records, which may contain names that it does not know.
    pub is_for_records: bool,
}

impl Catalog {
    /// Returns the encodings and backends of Bezzel, without permission to start programs.
    pub fn standard() -> Self {
        Self::new(Registry::standard())
    }

    /// Returns these encodings and the backends of Bezzel, without permission to start programs.
    pub fn new(encodings: Registry) -> Self {
        Self {
            encodings,
            backends: Backends::standard(),
            permission: Permission::none(),
            is_for_records: false,
        }
    }

    /// The solver of this name.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn solver(&self, name: &str) -> Result<Arc<dyn Backend>, FindBackendError> {
        self.backends.find(BackendKind::Solver, name)
    }

    /// The engine of this name.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn engine(&self, name: &str) -> Result<Arc<dyn Backend>, FindBackendError> {
        self.backends.find(BackendKind::Engine, name)
    }

    /// Returns the backend that a job names; none for a task that the worker process does itself.
    ///
    /// # Errors
    ///
    /// When there is none of that name.
    pub fn backend(&self, job: &Job) -> Result<Option<Arc<dyn Backend>>, FindBackendError> {
        self.backends.of_job(job)
    }

    /// The registered encoding of a job; `None` if the job has no encoding, or if a program encodes.
    ///
    /// # Errors
    ///
    /// When no registered encoding has that name.
    pub fn encoding(&self, job: &Job) -> Result<Option<Arc<dyn Encoding>>, NameError> {
        if job.encoding == NO_ENCODING || needs_programs(&job.encoding) {
            return Ok(None);
        }
        Ok(Some(self.encodings.find(&job.encoding)?.on_board(job.settings)))
    }

    /// True for the id of an encoding, a solver or an engine that needs no program. The other names of an encoding
    /// are not listed and appear in no report, so they are none of these ids.
    pub(crate) fn has_id(&self, id: &str) -> bool {
        let kinds = [BackendKind::Solver, BackendKind::Engine];
        let is_backend = kinds.iter().any(|kind| self.backends.find(*kind, id).is_ok());
        is_backend || self.encodings.find(id).is_ok_and(|found| found.info().id == id)
    }

    /// Returns the job of a row under these limits, with the revision and the version at hand; none if it cannot be
    /// run here.
    pub(crate) fn planned_again(&self, row: &Row, limits: Limits) -> Option<PlannedJob> {
        let (encoding_revision, solver_version) = self.current(row)?;
        let job = Job { limits, ..row.job.clone() };
        Some(PlannedJob::new(job, encoding_revision, solver_version))
    }

    /// Returns the revision of the encoding and the version of the backend of a row, as they are at hand; `None` if
    /// its job cannot be run here.
    pub(crate) fn current(&self, row: &Row) -> Option<(u32, String)> {
        let job = &row.job;
        if !job.limits.are_possible() || !job.instance.has_problem() {
            return None;
        }
        self.permission.refuse(job).ok()?;
        let solver_version = self.version(job)?;
        let mut encoding_revision = row.encoding_revision;
        if let Some(encoding) = self.encoding(job).ok()? {
            encoding.fits(&job.instance.problem()).ok()?;
            encoding_revision = encoding.info().revision;
        }
        Some((encoding_revision, solver_version))
    }

    /// Returns the version of the backend of a job, if the backend is at hand. A program is started to print it if
    /// this is permitted, and has no version if not.
    fn version(&self, job: &Job) -> Option<String> {
        let Some(backend) = self.backend(job).ok()? else { return Some(MEASUREMENT.to_owned()) };
        if backend.program().is_some() {
            self.permission.refuse(job).ok()?;
        }
        Some(backend.version(&self.permission))
    }

    /// Returns this catalog with another permission to start programs.
    #[must_use]
    pub fn with_permission(&self, permission: Permission) -> Self {
        Self { permission, ..self.clone() }
    }
}
