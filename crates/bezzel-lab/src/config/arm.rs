//! An arm: a solver or an engine with its options and its task.

use std::sync::Arc;

use bezzel_solve::{Confounder, Options, ProofFormat, Switch};

use super::fields::Fields;
use super::label::Named;
use super::node::Node;
use super::source::{ConfigError, Place, Source};
use super::switch::word;
use super::twins::refuse_twins;
use crate::backend::{Backend, Reads};
use crate::model::job::{BackendKind, NO_SOLVER, Task};

/// A solver or an engine with its options, and the task that it is given; or a task that needs
/// neither.
#[derive(Clone, Debug)]
pub struct Arm {
    /// Its id; of a solver with the preset. [`NO_SOLVER`] where a formula is only measured.
    pub id: String,
    /// The solver or the engine, found once for all jobs of the arm.
    pub(crate) backend: Option<Arc<dyn Backend>>,
    /// The options with which it runs, the preset's included.
    pub options: Arc<Options>,
    /// What is asked of it: of solvers one solution, of engines all of them.
    pub task: Task,
    /// So many solutions are enough, where they are enumerated.
    pub most: Option<u64>,
    /// What it reads of a job; what it does not read is no axis for it.
    pub reads: Reads,
    /// The format of the proofs that it writes, if it is to write some.
    pub proof: Option<ProofFormat>,
    /// Each of its switches, and whether it is on.
    pub(crate) switches: Vec<(Switch, bool)>,
    /// Whether it could write proofs.
    pub(crate) can_prove: bool,
    /// The options that its name tells.
    pub(crate) told: Options,
    /// The program with its name, if it has one.
    pub(crate) named: Option<Named>,
    pub(crate) place: Place,
}

impl Arm {
    /// The task alone, of a formula that is only measured.
    pub(super) fn measured(task: Task, place: Place) -> Self {
        Self::new(NO_SOLVER.to_owned(), task, Reads::Formula, place)
    }

    /// A task without a backend, as yet.
    pub(super) fn new(id: String, task: Task, reads: Reads, place: Place) -> Self {
        Self {
            id,
            backend: None,
            options: Arc::default(),
            task,
            most: None,
            reads,
            proof: None,
            switches: Vec::new(),
            can_prove: false,
            told: Options::new(),
            named: None,
            place,
        }
    }

    /// True for a solver.
    pub fn is_solver(&self) -> bool {
        self.task.backend() == Some(BackendKind::Solver)
    }

    /// True for an engine.
    pub fn is_engine(&self) -> bool {
        self.task.backend() == Some(BackendKind::Engine)
    }

    /// Whether what confounds is on in this solver; nothing, if it has no such thing.
    pub(crate) fn state(&self, confounder: Confounder) -> Option<bool> {
        let switch = self.switches.iter().find(|(switch, _)| switch.confounder == confounder);
        switch.map(|&(_, on)| on)
    }

    /// Its id, and in brackets what is switched or set otherwise than it comes.
    pub(crate) fn label(&self) -> String {
        let moved = self.switches.iter().filter(|(switch, on)| switch.default != *on);
        let moved = moved.map(|(switch, on)| format!("{} {}", switch.confounder, word(*on)));
        let unproved = self.can_prove && self.proof.is_none();
        let told = self.told.iter().map(|(name, value)| format!("{name} {value}"));
        let words: Vec<_> =
            moved.chain(unproved.then(|| "proofs off".to_owned())).chain(told).collect();
        if words.is_empty() {
            self.id.clone()
        } else {
            format!("{} ({})", self.id, words.join(", "))
        }
    }
}

/// The values of a key in the first of the maps that has it.
pub(super) fn found<'a>(
    maps: &[&Fields<'a>],
    key: &str,
) -> Result<Option<&'a [Node]>, ConfigError> {
    for map in maps {
        if let Some(nodes) = map.list(key)? {
            return Ok(Some(nodes));
        }
    }
    Ok(None)
}

/// Refuses two arms that are the same; `what` they are.
pub(super) fn refuse_equal(source: &Source, arms: &[Arm], what: &str) -> Result<(), ConfigError> {
    let places = arms.iter().map(|arm| {
        // Numbers with a fraction have no hash; the same text is the same setting.
        let options: Vec<_> =
            arm.options.iter().map(|(name, value)| format!("{name}={value:?}")).collect();
        ((arm.id.as_str(), options, arm.proof, arm.task), arm.place)
    });
    refuse_twins(source, places, |(id, ..)| format!("the {what} `{id}` with the same options"))
}
