//! Encoders at single shapes: a number of literals, a relation and a bound.
//!
//! A formula over n inputs is right if exactly the right assignments of the inputs extend to models. Small n allow all
//! assignments. For larger n, some are tried: those with as many true inputs as the bound allows, and one more or one
//! fewer, at extreme and at random places. The caller decides an assignment by a solver or by unit propagation. A solver
//! can also search all wrong assignments: [`violation`] states that the constraint does not hold.

mod assignments;
mod counterexample;
mod grid;
mod sums;
mod violation;

use rustsat::types::Lit;

use super::computed::ExaminedFormula;
use crate::amo::AtMostOne;
use crate::formula::Formula;
use crate::sink::ClauseSink;

pub use assignments::{TriedInputs, tried_inputs};
pub use counterexample::Counterexample;
pub use grid::ShapeGrid;
pub use sums::tried_sums;
pub use violation::{violation, violation_variables};

/// The number of assignments on each side of the bound that [`check`] tries at a shape.
const TRIED: usize = 24;

/// The most steps of the search that decides one assignment.
const STEPS: u64 = 20_000;

/// Checks an encoder at the shapes of a grid without a solver: unit propagation and a short search decide each assignment.
/// Returns the number of shapes.
///
/// # Errors
///
/// The first assignment that the encoder wrongly allows or forbids.
pub fn check(encoder: &dyn AtMostOne, mut grid: ShapeGrid) -> Result<usize, Counterexample> {
    let mut shapes = 0;
    while let Some(stage) = grid.next_stage() {
        for shape in stage {
            let mut formula = Formula::new();
            let xs: Vec<Lit> = formula.fresh(shape.n as u32).lits().collect();
            shape.encode(encoder, &xs, &mut formula);
            grid.note_size(shape, formula.size().literals);
            let mut subject = ExaminedFormula::new(&formula, xs.chunks(1));
            let TriedInputs { allowed, forbidden } = tried_inputs(shape, TRIED);
            for (held, is_right) in allowed
                .into_iter()
                .map(|held| (held, true))
                .chain(forbidden.into_iter().map(|held| (held, false)))
            {
                let mut holds = vec![false; xs.len()];
                for &input in &held {
                    holds[input as usize] = true;
                }
                if subject
                    .allows(|input| holds[input], STEPS)
                    .is_ok_and(|allows| allows != is_right)
                {
                    return Err(Counterexample {
                        encoder: encoder.info().id,
                        shape,
                        weights: Vec::new(),
                        held,
                    });
                }
            }
            shapes += 1;
        }
    }
    Ok(shapes)
}
