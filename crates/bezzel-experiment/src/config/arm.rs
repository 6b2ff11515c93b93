//! An arm: a solver or an engine with its options and its task.

use std::sync::Arc;

use bezzel_solve::{Options, ProofFormat, Switch};

use super::axes::on_or_off;
use super::duplicates::refuse_duplicates;
use super::fields::Fields;
use super::label::NamedProgram;
use super::node::Node;
use super::source::{ConfigError, Source, SourceLocation};
use crate::backend::{Backend, InputKind};
use crate::model::job::{BackendKind, NO_SOLVER, Task};

/// A solver or an engine with its options and its task; or a task that needs neither.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The id; for a solver it contains the preset. [`NO_SOLVER`] if a formula is only measured.
    pub id: String,
    /// The solver or the engine, found once for all jobs of the arm.
    pub(crate) backend: Option<Arc<dyn Backend>>,
    /// The options of the run, including those of the preset.
    pub options: Arc<Options>,
    /// The task. A solver finds one solution; an engine lists or counts all solutions.
    pub task: Task,
    /// The number of solutions that suffices, if solutions are enumerated.
    pub max_solutions: Option<u64>,
    /// The part of a job that it reads. The axes that it does not read are not varied.
    pub reads: InputKind,
    /// The format of the proofs that it is asked to write, if there is one.
    pub proof: Option<ProofFormat>,
    /// Its switches, each with true if the switch is on.
    pub(crate) switches: Vec<(Switch, bool)>,
    /// True if it can write proofs.
    pub(crate) can_prove: bool,
    /// The options of an engine that differ from the defaults. The label names them.
    pub(crate) differing_options: Options,
    /// The program with its name, if it has one.
    pub(crate) named: Option<NamedProgram>,
    pub(crate) place: SourceLocation,
}

impl Arm {
    /// Returns the arm of a task that only measures a formula.
    pub(super) fn measured(task: Task, place: SourceLocation) -> Self {
        Self::new(NO_SOLVER.to_owned(), task, InputKind::Formula, place)
    }

    /// Returns an arm with a task and without a backend.
    pub(super) fn new(id: String, task: Task, reads: InputKind, place: SourceLocation) -> Self {
        Self {
            id,
            backend: None,
            options: Arc::default(),
            task,
            max_solutions: None,
            reads,
            proof: None,
            switches: Vec::new(),
            can_prove: false,
            differing_options: Options::new(),
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

    /// Returns the id, followed in brackets by the switches and options that differ from the defaults.
    pub fn label(&self) -> String {
        let moved = self.switches.iter().filter(|(switch, on)| switch.default != *on);
        let moved = moved.map(|(switch, on)| format!("{} {}", switch.technique, on_or_off(*on)));
        let proofs = match self.proof {
            None if self.can_prove => Some("proofs off"),
            Some(ProofFormat::Veripb) => Some("proofs file"),
            _ => None,
        };
        let differing_options =
            self.differing_options.iter().map(|(name, value)| format!("{name} {value}"));
        let words: Vec<_> =
            moved.chain(proofs.map(str::to_owned)).chain(differing_options).collect();
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

/// Refuses two equal arms; `what` is the word for an arm.
pub(super) fn refuse_equal(source: &Source, arms: &[Arm], what: &str) -> Result<(), ConfigError> {
    let places = arms.iter().map(|arm| {
        // Numbers with a fraction have no hash. The same text is the same setting.
        let options: Vec<_> =
            arm.options.iter().map(|(name, value)| format!("{name}={value:?}")).collect();
        ((arm.id.as_str(), options, arm.proof, arm.task), arm.place)
    });
    refuse_duplicates(source, places, |(id, ..), _| {
        format!("the {what} `{id}` with the same options is listed twice")
    })
}
