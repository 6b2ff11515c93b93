//! The backends that have an id, and the search for one by its name.

use std::sync::{Arc, LazyLock};

use bezzel_problem::UnknownId;
use bezzel_solve::{enumerators, solvers};
use thiserror::Error;

use super::command::{CommandBackend, MalformedCommand, PRESETS};
use super::{Backend, backtrack, components, diagram, direct, linked, sat};
use crate::model::job::{BackendKind, Job};

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

    /// Returns the backends of Bezzel, in the order in which they are listed: the linked ones before the programs.
    pub fn standard() -> Self {
        let solvers = solvers().into_iter().map(linked::LinkedSolver);
        let backends = solvers.fold(Self::new(), Self::with);
        let backends =
            enumerators().into_iter().map(sat::SatEnumerator::new).fold(backends, Self::with);
        let backends = diagram::DiagramEngine::all().fold(backends, Self::with);
        let backends = direct::DirectEngine::ALL.into_iter().fold(backends, Self::with);
        let backends = backends.with(backtrack::BacktrackEngine).with(components::ComponentsEngine);
        Self { before_presets: Some(backends.others.len()), ..backends }
    }

    /// These backends and one more.
    #[must_use]
    pub fn with(mut self, backend: impl Backend + 'static) -> Self {
        self.others.push(Arc::new(backend));
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
        found.cloned().ok_or_else(|| UnknownId::new(kind.word(), name, ids()).into())
    }

    /// Returns the backend that a job names; none for a task that the worker process does itself.
    ///
    /// # Errors
    ///
    /// As [`find`](Self::find).
    pub fn of_job(&self, job: &Job) -> Result<Option<Arc<dyn Backend>>, FindBackendError> {
        job.task.backend().map(|kind| self.find(kind, &job.solver)).transpose()
    }
}
