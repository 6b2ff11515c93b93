//! SAT engines: every way to find all models with a solver, on any encoding.
//!
//! Solutions are listed: models are projected to the variables of candidates, so that an encoding with free
//! auxiliary variables has no solution twice.

use std::sync::Arc;

use bezzel_count::Halt;
use bezzel_encode::{ClauseHash, Lit, Tee};
use bezzel_problem::Candidate;
use bezzel_solve::{
    BackendInfo, EnumerationEnd, Enumerator, GivenQueens, OptionError, Options, Projection,
};

use super::{Backend, BackendError, BackendResult, Capabilities, Conditions, Observer, QueryInput};

/// An enumerator as an engine.
pub(super) struct SatEnumerator {
    enumerator: Arc<dyn Enumerator>,
}

impl SatEnumerator {
    pub(super) fn new(enumerator: Arc<dyn Enumerator>) -> Self {
        Self { enumerator }
    }
}

impl Backend for SatEnumerator {
    fn info(&self) -> BackendInfo {
        self.enumerator.info()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { solves: false, lists: true, counts: false, models: false }
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        self.enumerator.settings(options)
    }

    fn run(
        &self,
        question: &QueryInput<'_>,
        conditions: &Conditions<'_>,
        observer: &mut dyn Observer,
    ) -> Result<BackendResult, BackendError> {
        let formula = question.formula.expect("an engine that reads clauses is given a formula");
        let mut enumeration =
            self.enumerator.open(conditions.options, conditions.session_options)?;
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
        let given = GivenQueens::of(&self.enumerator.info().id, conditions.options);
        let given = match (given, question.instance.board()) {
            (GivenQueens::Stated, _) | (_, None) => Vec::new(),
            (GivenQueens::Assumed | GivenQueens::Filtered, Some(board)) => {
                let candidates = board.placed().iter().map(|&square| board.candidate(square));
                let cubes = candidates.flat_map(|candidate| map.cube(candidate));
                cubes.map(|&lit| formula.images.of(lit)).collect()
            }
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
