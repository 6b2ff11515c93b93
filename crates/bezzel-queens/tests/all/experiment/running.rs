//! Running an engine, and recording its results.

use std::ops::ControlFlow;

use bezzel_encode::{ClauseHash, Numbering};
use bezzel_experiment::Permission;
use bezzel_experiment::backend::{
    Backend, BackendError, BackendResult, Conditions, InputKind, Observer, PreparedFormula, Query,
    QueryInput, formula_instance,
};
use bezzel_experiment::solution_collector::{CollectedSolutions, SolutionCollector};
use bezzel_problem::{Candidate, Instance};
use bezzel_queens::Board;
use bezzel_solve::{Budget, Effort, Interrupt, Options, SessionOptions};

use crate::experiment::subjects::NamedEncoding;

/// An observer that records results, and ends the run after `enough` solutions.
#[derive(Default)]
pub(crate) struct RecordingObserver {
    pub(crate) loaded: Vec<Option<String>>,
    pub(crate) shown: Vec<Vec<Candidate>>,
    pub(crate) enough: Option<usize>,
    pub(crate) raise: Option<Interrupt>,
    pub(crate) spent: Option<Effort>,
}

impl Observer for RecordingObserver {
    fn loaded(&mut self, clause_digest: Option<String>) {
        assert!(self.shown.is_empty(), "a solution came before everything was read");
        self.loaded.push(clause_digest);
    }

    fn halted(&mut self, effort: Effort) {
        assert_eq!(self.spent.replace(effort), None, "reported once");
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

impl RecordingObserver {
    /// Returns the result of a job's collector.
    pub(crate) fn collected(&self, board: &Board) -> CollectedSolutions {
        let mut collector = SolutionCollector::new(&board.clone().into());
        for chosen in &self.shown {
            collector.add(chosen);
        }
        collector.finish()
    }
}

/// The conditions of a run of an engine.
#[derive(Clone, Default)]
pub(crate) struct RunConditions {
    pub(crate) numbering: Option<Numbering>,
    pub(crate) options: Options,
    pub(crate) nodes: Option<u64>,
    pub(crate) interrupt: Interrupt,
}

/// Runs an engine in the same way as a worker.
pub(crate) fn run_engine(
    engine: &dyn Backend,
    board: &Board,
    encoding: Option<&NamedEncoding>,
    query: Query,
    given: &RunConditions,
    notes: &mut RecordingObserver,
) -> Result<BackendResult, BackendError> {
    let budget = Budget { cpu_s: 60.0, wall_s: 60.0, memory_bytes: 1 << 28 };
    let session_options = SessionOptions {
        budget: Some(budget),
        interrupt: given.interrupt.clone(),
        ..SessionOptions::default()
    };
    let permission = Permission::none();
    let conditions = Conditions {
        options: &given.options,
        nodes: given.nodes,
        session_options: &session_options,
        permission: &permission,
    };
    let instance = &Instance::from(board.clone());
    let Some((_, encoding)) = encoding else {
        return engine.run(
            &QueryInput { instance, formula: None, query, projection: None },
            &conditions,
            notes,
        );
    };
    let numbering = given.numbering.unwrap_or(Numbering::AS_GENERATED);
    let read = formula_instance(&engine.name(), &given.options, instance).problem();
    let prepared = PreparedFormula::new(encoding.as_ref(), &read, &numbering);
    let formula = prepared.formula();
    let outcome = engine.run(
        &QueryInput { instance, formula: Some(formula), query, projection: None },
        &conditions,
        notes,
    );
    if let (Ok(_), InputKind::Clauses) = (&outcome, engine.reads()) {
        let mut digest = ClauseHash::new();
        formula.write(&mut digest);
        assert_eq!(notes.loaded, [Some(digest.finish())], "{}", engine.info().id);
    }
    outcome
}
