//! What experiments are made of: everything that a config can name.

use std::sync::Arc;

use bezzel_encode::{Encoding, NameError, Registry};

use crate::backend::command::Identity;
use crate::backend::program::needs_programs;
use crate::backend::{Backend, Backends, FindBackendError};
use crate::model::job::{BackendKind, Job, Limits, MeasuredBy, NO_ENCODING, Planned};
use crate::model::measure::MEASUREMENT;
use crate::model::permission::Permission;
use crate::model::row::Row;

/// The encodings and backends at hand. A value like its parts: a program outside this repository adds
/// its own.
#[derive(Clone)]
pub struct Workbench {
    /// The encodings.
    pub encodings: Registry,
    /// The solvers and engines.
    pub backends: Backends,
    /// The programs that may be started.
    pub permission: Permission,
}

impl Workbench {
    /// What Bezzel comes with; no program may be started.
    pub fn standard() -> Self {
        Self {
            encodings: Registry::standard(),
            backends: Backends::standard(),
            permission: Permission::none(),
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

    /// The backend that a job names; none where the worker alone does the task.
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

    /// True for the id of an encoding, a solver or an engine that needs no program.
    pub(crate) fn has_id(&self, id: &str) -> bool {
        let kinds = [BackendKind::Solver, BackendKind::Engine];
        let is_backend = kinds.iter().any(|kind| self.backends.find(*kind, id).is_ok());
        is_backend || self.encodings.find(id).is_ok()
    }

    /// The job of a row under these limits, with the revision and the version that there are here; none if it
    /// cannot be run here.
    pub(crate) fn planned_again(&self, row: &Row, limits: Limits) -> Option<Planned> {
        let (encoding_revision, solver_version) = self.current(row)?;
        let job = Job { limits, ..row.job.clone() };
        Some(Planned::new(job, encoding_revision, solver_version))
    }

    /// The revision of the encoding and the version of the backend of a row that there are here; `None` if its
    /// job cannot be run here.
    pub(crate) fn current(&self, row: &Row) -> Option<(u32, String)> {
        let job = &row.job;
        let is_possible = job.limits.are_possible() && job.instance.has_problem();
        if !is_possible || job.measured_by != MeasuredBy::default() {
            return None;
        }
        self.permission.refuse(job).ok()?;
        let solver_version = self.version(job)?;
        let mut encoding_revision = row.encoding_revision;
        if let Some(encoding) = self.encoding(job).ok()? {
            encoding.fits(&job.instance.problem()).ok()?;
            encoding_revision = encoding.card().revision;
        }
        Some((encoding_revision, solver_version))
    }

    /// The version that the backend of a job has here, if it is here. A program is asked for it if it may
    /// be started, and has none if not.
    pub fn version(&self, job: &Job) -> Option<String> {
        let Some(backend) = self.backend(job).ok()? else { return Some(MEASUREMENT.to_owned()) };
        if backend.program().is_some() {
            self.permission.refuse(job).ok()?;
        }
        Some(backend.version(&self.permission))
    }

    /// The program that does a job here, if one does, is installed and may be started.
    pub fn identity(&self, job: &Job) -> Option<Identity> {
        self.backend(job).ok()??.program()?.identity(&self.permission)
    }

    /// The same with the backends that rows name and that are not here: enough to read a record.
    #[must_use]
    pub fn recalling<'r>(&self, rows: impl IntoIterator<Item = &'r Row>) -> Self {
        Self { backends: self.backends.recalling(rows), ..self.clone() }
    }

    /// The same with another permission to start programs.
    #[must_use]
    pub fn permitting(&self, permission: Permission) -> Self {
        Self { permission, ..self.clone() }
    }
}
