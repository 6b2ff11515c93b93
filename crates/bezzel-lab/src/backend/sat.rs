//! SAT: every way of finding all models with a solver, on any encoding.
//!
//! Solutions are listed: models are projected to the variables of candidates, so that an encoding with free
//! auxiliary variables has no solution twice.

use std::sync::Arc;

use bezzel_count::Halt;
use bezzel_encode::{Digest, Lit, Tee};
use bezzel_problem::Candidate;
use bezzel_solve::{BackendInfo, Enumerator, Given, OptionError, Options, Projection, Reach};

use super::{Backend, BackendError, Capabilities, Conditions, Observer, Outcome, Question};

/// An enumerator as an engine.
pub(super) struct Sat {
    enumerator: Arc<dyn Enumerator>,
}

impl Sat {
    pub(super) fn new(enumerator: Arc<dyn Enumerator>) -> Self {
        Self { enumerator }
    }
}

impl Backend for Sat {
    fn info(&self) -> BackendInfo {
        self.enumerator.info()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { solves: false, lists: true, counts: false, classes: false, models: false }
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        self.enumerator.settings(options)
    }

    fn run(
        &self,
        question: &Question<'_>,
        conditions: &Conditions<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, BackendError> {
        let formula = question.formula.expect("an engine that reads clauses is given a formula");
        let mut enumeration = self.enumerator.open(conditions.options, conditions.terms)?;
        let map = formula.map;
        let lits = formula.images.range(0..formula.primary).collect();
        // One positive literal each, and no solution chooses all candidates of another one and more.
        let trues_identify = !formula.problem.has_nested_solutions()
            && map.cubes().all(|cube| matches!(cube, [lit] if lit.is_pos()));
        let given = Given::of(&self.enumerator.info().id, conditions.options);
        let given = match (given, question.instance.board()) {
            (Given::Stated, _) | (_, None) => Vec::new(),
            (Given::Assumed | Given::Filtered, Some(board)) => {
                let candidates = board.placed().iter().map(|&square| board.candidate(square));
                let cubes = candidates.flat_map(|candidate| map.cube(candidate));
                cubes.map(|&lit| formula.images.of(lit)).collect()
            }
        };
        enumeration.set_projection(Projection { lits, trues_identify, given });
        let mut sink = Tee(Digest::new(), enumeration.as_mut());
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
            Reach::All | Reach::Enough => {
                Ok(Outcome { effort: enumeration.effort(), ..Outcome::default() })
            }
            Reach::Interrupted => {
                observer.halted(enumeration.effort());
                Err(Halt::Stopped.into())
            }
        }
    }
}
