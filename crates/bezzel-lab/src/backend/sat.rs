//! SAT: every way of finding all models with a solver, on any encoding.
//!
//! What is listed are placements: models are projected to the variables that say where the queens
//! are, so that an encoding whose auxiliary variables are free has no solution twice.

use std::sync::Arc;

use bezzel_count::Halt;
use bezzel_encode::{Digest, Lit, Tee};
use bezzel_problem::Square;
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
        // One literal each, and as many queens in every solution: no solution has another's queens
        // and more. The literals must be those of the squares, too, and not their negations.
        let trues_identify = map.cubes().all(|cube| matches!(cube, [lit] if lit.is_pos()));
        let board = question.board;
        let given = match Given::of(&self.enumerator.info().id, conditions.options) {
            Given::Stated => Vec::new(),
            Given::Assumed | Given::Filtered => {
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
        let cubes: Vec<(Square, &[Lit])> = board.each_square().zip(map.cubes()).collect();
        let mut queens = Vec::with_capacity(board.rows() as usize);
        let reach = enumeration.each(&mut |values| {
            queens.clear();
            for (square, cube) in &cubes {
                let holds = |lit: &Lit| values[lit.vidx()] == lit.is_pos();
                if cube.iter().all(holds) {
                    queens.push(*square);
                }
            }
            observer.found(&queens)
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
