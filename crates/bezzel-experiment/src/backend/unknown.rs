//! Solvers, engines, encodings and options in records that this version does not know.
//!
//! A row describes its job in full, so it is read, judged and reported without them. A frozen config may contain any
//! name, and a plan of a record takes the jobs of an unknown name from the rows. Only planning and running such a job
//! is refused.

use std::sync::Arc;

use bezzel_encode::amo::recorded::{Formulas, RecordedAtMostOne};
use bezzel_encode::registry::{Name, NamedEncoding};
use bezzel_encode::{EncodingInfo, NameError};
use bezzel_solve::{BackendInfo, OptionError, Options};

use super::catalog::Catalog;
use super::program::{self, unrecorded};
use super::{Backend, Capabilities, FindBackendError};
use crate::model::job::{BackendKind, Job, NO_ENCODING};

/// A stand-in for a solver or an engine that this version does not know. It takes any options and runs nothing.
struct UnknownBackend {
    kind: BackendKind,
    id: String,
}

impl Backend for UnknownBackend {
    fn info(&self) -> BackendInfo {
        BackendInfo {
            id: self.id.clone(),
            title: "unknown".to_owned(),
            version: String::new(),
            citation: "the rows of a record".to_owned(),
        }
    }

    fn capabilities(&self) -> Capabilities {
        match self.kind {
            BackendKind::Solver => Capabilities::SOLVER,
            BackendKind::Engine => {
                Capabilities { lists: true, counts: true, models: true, ..Capabilities::default() }
            }
        }
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        Ok(options.clone())
    }

    fn takes_cardinality(&self) -> bool {
        true
    }
}

impl Catalog {
    /// Returns this catalog for reading records: it has a stand-in for each name that it does not know.
    #[must_use]
    pub(crate) fn for_records(&self) -> Self {
        Self { is_for_records: true, ..self.clone() }
    }

    /// Returns the solver or engine of a name in a config.
    pub(crate) fn named_backend(
        &self,
        kind: BackendKind,
        name: &str,
    ) -> Result<Arc<dyn Backend>, FindBackendError> {
        self.backends.find(kind, name).or_else(|error| match error {
            FindBackendError::Unknown(_) if self.is_for_records => {
                Ok(Arc::new(UnknownBackend { kind, id: name.to_owned() }))
            }
            error => Err(error),
        })
    }

    /// Returns the options with which a solver or an engine of a config runs; in a record, unknown ones as they are
    /// written.
    pub(crate) fn settings(
        &self,
        backend: &dyn Backend,
        options: &Options,
    ) -> Result<Options, OptionError> {
        let settings = backend.settings(options);
        settings.or_else(|error| if self.is_for_records { Ok(options.clone()) } else { Err(error) })
    }

    /// Returns the encoding of a name in a config, as far as it is known without running a program.
    pub(crate) fn named_encoding(&self, name: &Name) -> Result<NamedEncoding, NameError> {
        unrecorded(&self.encodings, name).or_else(|error| {
            if !self.is_for_records {
                return Err(error);
            }
            let info = EncodingInfo { id: name.to_string(), ..EncodingInfo::default() };
            let stand_in = RecordedAtMostOne::new(info, Formulas::new(), false);
            Ok(NamedEncoding::AtMostOne(Arc::new(stand_in)))
        })
    }

    /// Refuses a solver or an engine that this version does not know, and unknown options of it.
    ///
    /// # Errors
    ///
    /// The unknown name, and the nearest known one.
    pub(crate) fn refuse_unknown_backend(
        &self,
        kind: BackendKind,
        name: &str,
        options: &Options,
    ) -> Result<(), String> {
        let backend = self.backends.find(kind, name).map_err(|error| error.to_string())?;
        backend.settings(options).map_err(|error| error.to_string()).map(drop)
    }

    /// Refuses a job that names a solver, an engine, an option or an encoding that this version does not know.
    ///
    /// # Errors
    ///
    /// The unknown name, and the nearest known one.
    pub(crate) fn refuse_unknown(&self, job: &Job) -> Result<(), String> {
        if let Some(kind) = job.task.backend() {
            self.refuse_unknown_backend(kind, &job.solver, &job.options)?;
        }
        if job.encoding == NO_ENCODING {
            return Ok(());
        }
        let name = program::name(&job.encoding);
        let found = name.and_then(|name| unrecorded(&self.encodings, &name));
        found.map_err(|error| error.to_string()).map(drop)
    }
}
