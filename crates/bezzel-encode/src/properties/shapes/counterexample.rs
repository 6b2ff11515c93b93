//! An assignment on which an encoder is wrong.

use std::fmt;

use thiserror::Error;

use super::super::meaning::wrong_inputs;
use super::super::{Property, PropertyFinding, PropertyViolation};
use crate::shape::Shape;

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

    /// `at most 4 of 12 inputs`, or `at most 9 of 3 inputs with the weights 3, 5, 7`.
    fn constraint(&self) -> String {
        if self.weights.is_empty() {
            return format!("{} inputs", self.shape);
        }
        let shown: Vec<String> =
            self.weights.iter().take(Self::SHOWN_WEIGHTS).map(u64::to_string).collect();
        let more = if self.weights.len() > shown.len() { ", …" } else { "" };
        format!("{} inputs with the weights {}{more}", self.shape, shown.join(", "))
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
