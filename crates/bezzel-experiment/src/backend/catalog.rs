//! The catalog: the encodings and backends that a config can name.
//!
//! A row describes its job in full, so it is read, judged and reported without its solvers, engines, encodings and options.
//! The config of a session may contain any name, and a plan of a record takes the jobs of an unknown name from the rows. Only
//! planning and running such a job is refused.

use std::sync::{Arc, LazyLock};

use bezzel_encode::amo::recorded::{Formulas, RecordedAtMostOne};
use bezzel_encode::registry::{Name, NamedEncoding};
use bezzel_encode::{Encoding, EncodingInfo, NameError, Registry};
use bezzel_problem::{Instance, UnknownId};
use bezzel_solve::{BackendInfo, OptionError, Options, enumerators, solvers};
use thiserror::Error;

use super::command::{CommandBackend, MalformedCommand, PRESETS};
use super::program::{self, needs_programs, unrecorded};
use super::{Backend, Capabilities, clauses};
use crate::check::judge::SizeCheck;
use crate::model::job::{BackendKind, Job, Limits, NO_ENCODING, PlannedJob};
use crate::model::measure::MEASUREMENT;
use crate::model::permission::Permission;
use crate::model::row::Row;

/// The backends that have an id. This is a value: a program outside this repository adds its own.
#[derive(Clone, Default)]
pub struct Backends {
    /// All that are no preset.
    others: Vec<Arc<dyn Backend>>,
    /// The number of these that are listed before the presets; none if the presets do not belong to it.
    before_presets: Option<usize>,
}

/// The programs of the presets. Their command lines are parsed when one is looked for, so that a worker with a linked
/// solver begins sooner.
static PROGRAMS: LazyLock<Vec<Arc<dyn Backend>>> = LazyLock::new(|| {
    PRESETS.iter().map(|preset| Arc::new(CommandBackend::preset(preset)) as _).collect()
});

/// The reason that a name names no backend.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FindBackendError {
    /// No backend of the kind has this id.
    #[error(transparent)]
    Unknown(#[from] UnknownId),
    /// The name is a map, and does not describe a program.
    #[error(transparent)]
    Malformed(#[from] MalformedCommand),
}

impl Backends {
    /// Returns a registry without backends.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the backends for instances of all kinds, in the order in which they are listed: the linked ones before the
    /// programs.
    pub fn standard() -> Self {
        let solvers = solvers().into_iter().map(clauses::LinkedSolver);
        let backends = solvers.fold(Self::new(), Self::with);
        let backends =
            enumerators().into_iter().map(clauses::SatEnumerator).fold(backends, Self::with);
        let backends = backends.with(clauses::ComponentsEngine);
        Self { before_presets: Some(backends.others.len()), ..backends }
    }

    /// These backends and one more.
    #[must_use]
    pub fn with(mut self, backend: impl Backend + 'static) -> Self {
        self.others.push(Arc::new(backend));
        self
    }

    /// These backends and one more, which is listed before the linked one of this id, or after all linked ones if there
    /// is none of this id.
    #[must_use]
    pub fn with_before(mut self, id: &str, backend: impl Backend + 'static) -> Self {
        let linked = self.before_presets.unwrap_or(self.others.len());
        let place = self.others[..linked].iter().position(|other| other.name() == id);
        self.others.insert(place.unwrap_or(linked), Arc::new(backend));
        self.before_presets = self.before_presets.map(|before| before + 1);
        self
    }

    /// The backends of a kind, in order.
    pub fn of(&self, kind: BackendKind) -> impl DoubleEndedIterator<Item = &Arc<dyn Backend>> {
        let (before, after) = self.others.split_at(self.before_presets.unwrap_or(0));
        let presets = self.before_presets.map_or(&[][..], |_| &PROGRAMS);
        let all = before.iter().chain(presets).chain(after);
        all.filter(move |backend| backend.kind() == kind)
    }

    /// The backends of a kind that are no programs, in order.
    pub fn linked(&self, kind: BackendKind) -> impl DoubleEndedIterator<Item = &Arc<dyn Backend>> {
        self.of(kind).filter(|backend| backend.program().is_none())
    }

    /// The backend of a name: an id, or a map with a command line. It need not be installed.
    ///
    /// # Errors
    ///
    /// When there is none; the error names the nearest id of the kind.
    pub fn find(
        &self,
        kind: BackendKind,
        name: &str,
    ) -> Result<Arc<dyn Backend>, FindBackendError> {
        if name.trim_start().starts_with('{') {
            return Ok(Arc::new(CommandBackend::parse(kind, name)?));
        }
        let is_named =
            |backend: &&Arc<dyn Backend>| backend.kind() == kind && backend.name() == name;
        let found = self.others.iter().find(is_named).or_else(|| self.of(kind).find(is_named));
        let ids = || self.of(kind).map(|backend| backend.name());
        found.cloned().ok_or_else(|| UnknownId::new(kind.id(), name, ids()).into())
    }
}

/// The encodings and backends at hand. This is a value like its parts: a plug-in, or a program outside this repository,
/// adds its own.
#[derive(Clone)]
pub struct Catalog {
    /// The encodings.
    pub encodings: Registry,
    /// The solvers and engines.
    pub backends: Backends,
    /// The checks of measured formulas that plug-ins add to the judge.
    pub size_checks: Vec<SizeCheck>,
    /// The instance that is solved again and again to measure the machine; none without a plug-in that has one. A session
    /// then takes no readings.
    pub calibration: Option<Instance>,
    /// The programs that may be started.
    pub permission: Permission,
    /// True if it reads records, which may contain names that it does not know.
    pub is_for_records: bool,
}

impl Catalog {
    /// Returns the encodings and backends for instances of all kinds, without permission to start programs.
    pub fn standard() -> Self {
        Self::new(Registry::standard())
    }

    /// Returns these encodings and the backends for instances of all kinds, without permission to start programs.
    pub fn new(encodings: Registry) -> Self {
        Self {
            encodings,
            backends: Backends::standard(),
            size_checks: Vec::new(),
            calibration: None,
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
        job.task.backend().map(|kind| self.backends.find(kind, &job.solver)).transpose()
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
        Ok(Some(self.encodings.find(&job.encoding)?.with_settings(job.settings)))
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
