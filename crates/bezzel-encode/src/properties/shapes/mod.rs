//! Encoders at single shapes: a number of literals, a relation and a bound.
//!
//! A formula over n inputs is right if exactly the right assignments of the inputs extend to models. Small n allow all
//! assignments. For larger n, some are tried: those with as many true inputs as the bound allows, and one more or one
//! fewer, at extreme and at random places. The caller decides an assignment by a solver or by unit propagation. A solver
//! can also search all wrong assignments: [`violation`] states that the constraint does not hold.

mod assignments;
mod grid;
mod sums;
mod violation;

use std::fmt;

use rustsat::types::Lit;
use thiserror::Error;

use super::gap::ExaminedFormula;
use super::meaning::wrong_inputs;
use super::{Property, PropertyFinding, PropertyViolation};
use crate::amo::AtMostOne;
use crate::formula::Formula;
use crate::shape::Shape;
use crate::sink::ClauseSink;

pub use assignments::{TriedInputs, tried_inputs};
pub use grid::ShapeGrid;
pub use sums::{random_sums, tried_sums};
pub use violation::{violation, violation_variables};

/// The number of assignments on each side of the bound that [`check`] tries at a shape.
const TRIED: usize = 24;

/// The most steps of the search that decides one assignment.
const STEPS: u64 = 20_000;

/// The number of undecided forbidden assignments after which no forbidden one is searched: unit propagation and one descent decide it.
const MAX_UNDECIDED: usize = 10;

/// The extent of a check without a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TriedShapes {
    shapes: usize,
    assignments: usize,
    undecided: usize,
}

/// `right at 4 numbers of inputs and bounds`, or `no fault found at …; 3 of 12 assignments undecided`.
impl fmt::Display for TriedShapes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shapes, assignments, undecided } = self;
        let found = if *undecided == 0 { "right" } else { "no fault found" };
        write!(f, "{found} at {shapes} numbers of inputs and bounds, up to 150 inputs")?;
        match undecided {
            0 => Ok(()),
            _ => write!(
                f,
                "; {undecided} of {assignments} assignments undecided, which `bezzel check` gives to a solver"
            ),
        }
    }
}

/// Checks an encoder at the shapes of a grid without a solver: unit propagation and a short search decide each assignment.
///
/// # Errors
///
/// The first assignment that the encoder wrongly allows or forbids.
pub fn check(encoder: &dyn AtMostOne, mut grid: ShapeGrid) -> Result<TriedShapes, Counterexample> {
    let mut tried = TriedShapes::default();
    let mut undecided_forbidden = 0;
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
                let is_searched = is_right || undecided_forbidden < MAX_UNDECIDED;
                let decided =
                    subject.allows(|input| holds[input], if is_searched { STEPS } else { 0 });
                tried.assignments += 1;
                tried.undecided += usize::from(decided.is_err());
                undecided_forbidden += usize::from(decided.is_err() && !is_right);
                if decided.is_ok_and(|allows| allows != is_right) {
                    return Err(Counterexample {
                        encoder: encoder.info().id,
                        shape,
                        weights: Vec::new(),
                        held,
                    });
                }
            }
            tried.shapes += 1;
        }
    }
    Ok(tried)
}

/// The largest number of inputs that are drawn.
const DRAWN: u64 = 40;

/// An assignment of inputs that the clauses of an encoder wrongly allow or forbid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct Counterexample {
    /// The encoder's id.
    pub encoder: String,
    /// The constraint.
    pub shape: Shape,
    /// The weights of the inputs; none if all are 1.
    pub weights: Vec<u64>,
    /// The inputs that hold, from 0, in order; the others are false.
    pub held: Vec<u32>,
}

impl Counterexample {
    /// The most weights that the message states.
    pub const SHOWN_WEIGHTS: usize = DRAWN as usize;

    /// True if the clauses allow the assignment and should not; false if they forbid it and should not.
    pub fn is_wrongly_allowed(&self) -> bool {
        let weight = |input: &u32| self.weights.get(*input as usize).copied().unwrap_or(1);
        !self.shape.allows(self.held.iter().map(weight).sum())
    }

    /// The finding, drawn if the inputs fit into a line.
    pub fn finding(&self) -> PropertyFinding {
        let n = self.shape.n as u32;
        let held: Vec<usize> = self.held.iter().map(|&input| input as usize).collect();
        let mut finding = wrong_inputs(!self.is_wrongly_allowed(), n, &held);
        if self.shape.n > DRAWN {
            finding.drawing.clear();
        }
        finding
    }

    /// `at most 4 of 12 inputs`, or `a sum of at most 9 with the weights 3, 5, 7`.
    fn constraint(&self) -> String {
        if self.weights.is_empty() {
            return format!("{} inputs", self.shape);
        }
        let shown: Vec<String> =
            self.weights.iter().take(Self::SHOWN_WEIGHTS).map(u64::to_string).collect();
        let more = if self.weights.len() > shown.len() { ", …" } else { "" };
        let Shape { limit, k, .. } = self.shape;
        format!("a sum of {limit} {k} with the weights {}{more}", shown.join(", "))
    }

    /// The finding as a violation of a property.
    pub fn violation(&self) -> PropertyViolation {
        let place = self.constraint();
        PropertyViolation::new(self.encoder.clone(), Property::Meaning, place, self.finding())
    }
}

/// `at most 4 of 12 inputs: it wrongly allows that exactly these inputs hold: 1 to 5`, without the encoder.
impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.constraint(), self.finding().what)
    }
}
