//! Asks an engine, and notes what it shows.

use std::ops::ControlFlow;

use bezzel_encode::{Digest, Numbering};
use bezzel_lab::Permission;
use bezzel_lab::backend::{
    Backend, BackendError, Conditions, Observer, Outcome, Prepared, Query, Question, Reads,
    formula_instance,
};
use bezzel_lab::witness::{Seen, Witness};
use bezzel_problem::queens::dihedral::stabilizer;
use bezzel_problem::{Board, Candidate, Instance};
use bezzel_solve::{Budget, Effort, Interrupt, Options, Terms};

use crate::subjects::Named;

/// Who looks on: notes what is shown, and has seen enough after so many.
#[derive(Default)]
pub(crate) struct Notes {
    pub(crate) loaded: Vec<Option<String>>,
    pub(crate) shown: Vec<Vec<Candidate>>,
    pub(crate) enough: Option<usize>,
    pub(crate) raise: Option<Interrupt>,
    pub(crate) spent: Option<Effort>,
}

impl Observer for Notes {
    fn loaded(&mut self, clause_digest: Option<String>) {
        assert!(self.shown.is_empty(), "a solution came before everything was read");
        self.loaded.push(clause_digest);
    }

    fn halted(&mut self, effort: Effort) {
        assert_eq!(self.spent.replace(effort), None, "told once");
    }

    fn found(&mut self, chosen: &[Candidate]) -> ControlFlow<()> {
        self.shown.push(chosen.to_vec());
        if let Some(interrupt) = &self.raise {
            interrupt.raise();
        }
        if self.enough.is_some_and(|enough| self.shown.len() >= enough) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl Notes {
    /// What the witness of a job sees.
    pub(crate) fn seen(&self, board: &Board, fundamental: bool) -> Seen {
        let mut witness =
            Witness::new(&board.clone().into(), fundamental.then(|| stabilizer(board)));
        for chosen in &self.shown {
            witness.add(chosen);
        }
        witness.finish()
    }
}

/// Under what an engine runs here.
#[derive(Clone, Default)]
pub(crate) struct Given {
    pub(crate) numbering: Option<Numbering>,
    pub(crate) options: Options,
    pub(crate) nodes: Option<u64>,
    pub(crate) interrupt: Interrupt,
}

/// Asks an engine as a worker does.
pub(crate) fn ask(
    engine: &dyn Backend,
    board: &Board,
    encoding: Option<&Named>,
    query: Query,
    given: &Given,
    notes: &mut Notes,
) -> Result<Outcome, BackendError> {
    let budget = Budget { cpu_s: 60.0, wall_s: 60.0, memory_bytes: 1 << 28 };
    let terms =
        Terms { budget: Some(budget), interrupt: given.interrupt.clone(), ..Terms::default() };
    let permission = Permission::none();
    let conditions = Conditions {
        options: &given.options,
        nodes: given.nodes,
        terms: &terms,
        permission: &permission,
    };
    let instance = &Instance::from(board.clone());
    let Some((_, encoding)) = encoding else {
        return engine.run(&Question { instance, formula: None, query }, &conditions, notes);
    };
    let numbering = given.numbering.unwrap_or(Numbering::AS_GENERATED);
    let read = formula_instance(&engine.name(), &given.options, instance).problem();
    let prepared = Prepared::new(encoding.as_ref(), &read, &numbering);
    let formula = prepared.formula();
    let outcome =
        engine.run(&Question { instance, formula: Some(formula), query }, &conditions, notes);
    if let (Ok(_), Reads::Clauses) = (&outcome, engine.reads()) {
        let mut digest = Digest::new();
        formula.write(&mut digest);
        assert_eq!(notes.loaded, [Some(digest.finish())], "{}", engine.info().id);
    }
    outcome
}
