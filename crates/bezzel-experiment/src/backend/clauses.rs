//! Backends that read clauses: linked solvers, enumerators of all models, and a small search that counts models.
//!
//! An enumerator lists solutions: models are projected to the variables of candidates, so that an encoding with free
//! auxiliary variables has no solution twice.

use std::sync::Arc;

use bezzel_count::Halt;
use bezzel_encode::{ClauseHash, Formula, Lit, Tee, Var, models};
use bezzel_problem::Candidate;
use bezzel_solve::{
    BackendInfo, EnumerationEnd, Enumerator, GivenCandidates, OptionError, Options, Projection,
    ProofFormat, Session, SessionOptions, Solver, SolverError, SolverErrorKind, Switch,
};

use super::{
    Backend, BackendError, BackendResult, Capabilities, Conditions, Observer, Query, QueryInput,
};
use crate::model::permission::Permission;

/// A linked solver.
pub(super) struct LinkedSolver(pub(super) Arc<dyn Solver>);

impl Backend for LinkedSolver {
    fn info(&self) -> BackendInfo {
        self.0.info()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::SOLVER
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        self.0.settings(options)
    }

    fn switches(&self) -> Vec<Switch> {
        self.0.switches()
    }

    fn takes_cardinality(&self) -> bool {
        self.0.takes_cardinality()
    }

    fn proof_format(&self) -> Option<ProofFormat> {
        self.0.proof_format()
    }

    fn open(
        &self,
        options: &Options,
        session_options: &SessionOptions,
        _permission: &Permission,
    ) -> Result<Box<dyn Session>, OptionError> {
        self.0.open(options, session_options)
    }
}

/// An enumerator as an engine.
pub(super) struct SatEnumerator(pub(super) Arc<dyn Enumerator>);

impl Backend for SatEnumerator {
    fn info(&self) -> BackendInfo {
        self.0.info()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { solves: false, lists: true, counts: false, models: false }
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        self.0.settings(options)
    }

    fn run(
        &self,
        question: &QueryInput<'_>,
        conditions: &Conditions<'_>,
        observer: &mut dyn Observer,
    ) -> Result<BackendResult, BackendError> {
        let formula = question.clauses();
        let mut enumeration = self.0.open(conditions.options, conditions.session_options)?;
        let map = formula.map;
        let lits = formula.images.range(0..formula.primary).collect();
        let distinct = question.projection.map(|candidates| {
            let cubes = candidates.iter().flat_map(|&candidate| map.cube(candidate));
            cubes.map(|lit| lit.vidx()).collect()
        });
        // Each candidate has one positive literal, and no solution contains all candidates of another one and more.
        let trues_identify = distinct.is_none()
            && !formula.problem.has_nested_solutions()
            && map.cubes().all(|cube| matches!(cube, [lit] if lit.is_pos()));
        let given = match GivenCandidates::of(&self.0.info().id, conditions.options) {
            GivenCandidates::Assumed | GivenCandidates::Filtered
                if question.instance.without_given().is_some() =>
            {
                let problem = question.instance.problem();
                let cubes = problem.given().iter().flat_map(|&candidate| map.cube(candidate));
                cubes.map(|&lit| formula.images.of(lit)).collect()
            }
            _ => Vec::new(),
        };
        enumeration.set_projection(Projection { lits, distinct, trues_identify, given });
        let mut sink = Tee(ClauseHash::new(), enumeration.as_mut());
        formula.write(&mut sink);
        let digest = sink.0.finish();
        if conditions.interrupt().is_raised() {
            return Err(Halt::Stopped.into());
        }
        observer.loaded(Some(digest));
        let mut chosen: Vec<Candidate> = Vec::new();
        let reach = enumeration.each(&mut |values| {
            let holds = |lit: &Lit| values[lit.vidx()] == lit.is_pos();
            chosen.clear();
            for (candidate, cube) in (0..).zip(map.cubes()) {
                if cube.iter().all(holds) {
                    chosen.push(candidate);
                }
            }
            observer.found(&chosen)
        });
        match reach {
            EnumerationEnd::All | EnumerationEnd::Enough => {
                Ok(BackendResult { effort: enumeration.effort(), ..BackendResult::default() })
            }
            EnumerationEnd::Interrupted => {
                observer.halted(enumeration.effort());
                Err(Halt::Stopped.into())
            }
        }
    }
}

/// The number of models, by a small search. It counts parts without common variables separately and multiplies.
///
/// The search branches on the variables of the candidates first. So it finds the number of solutions by finding each
/// solution, and shows none. For each solution, the auxiliary variables take little longer if they fall apart, as
/// those of diagonals do: 171,966,464 models of `bitwise` at N = 8 are 92 products. The search has nothing in common
/// with the programs that count, and serves as a check of them.
///
/// *Source.* R. J. Bayardo Jr., J. D. Pehoushek, "Counting Models Using Connected Components", AAAI 2000, 157-162.
pub(super) struct ComponentsEngine;

impl Backend for ComponentsEngine {
    fn info(&self) -> BackendInfo {
        BackendInfo {
            id: "components".to_owned(),
            title: "a search that counts parts which share no variable apart".to_owned(),
            version: "revision 1".to_owned(),
            citation: "Bayardo, Pehoushek, AAAI 2000, 157-162".to_owned(),
        }
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { solves: false, lists: false, counts: true, models: true }
    }

    fn run(
        &self,
        question: &QueryInput<'_>,
        conditions: &Conditions<'_>,
        observer: &mut dyn Observer,
    ) -> Result<BackendResult, BackendError> {
        let read = question.clauses();
        let mut sink = Tee(ClauseHash::new(), Formula::new());
        read.write(&mut sink);
        let Tee(digest, formula) = sink;
        observer.loaded(Some(digest.finish()));
        let primary: Vec<Var> = read.images.range(0..read.primary).map(Lit::var).collect();
        let stop = conditions.interrupt();
        let counted = models::count_until(&formula, &primary, stop.flag());
        match counted {
            Ok((models, solutions)) => {
                let count = match question.query {
                    Query::Models => models.into(),
                    _ => solutions.into(),
                };
                Ok(BackendResult { count: Some(count), ..BackendResult::default() })
            }
            Err(_) if stop.is_raised() => Err(Halt::Stopped.into()),
            Err(_) => {
                let note = "there are more models, or the search is deeper, than it is made for";
                let solver_error =
                    SolverError { kind: SolverErrorKind::Fault, note: note.to_owned() };
                Err(BackendError::Program(solver_error))
            }
        }
    }
}
