//! What experiments are made of: everything that a config can name.

use std::sync::Arc;

use bezzel_encode::Registry;

use crate::backend::command::Identity;
use crate::backend::{Backend, Backends, FindBackendError};
use crate::model::job::{BackendKind, Job};
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
