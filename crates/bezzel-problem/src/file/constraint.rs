//! A constraint as it is written.

use num_bigint::BigInt;

use crate::literal::Literal;
use crate::text::{FileError, Number, Position};

/// The most variables of a file: candidates are below 2³¹.
pub(super) const MAX_VARIABLES: u64 = (1 << 31) - 1;

/// The relation of the sum on the left of a constraint to the number on its right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    AtLeast,
    AtMost,
    Equal,
}

/// A literal and its weight.
pub(super) type Term = (Literal, i64);

/// A constraint as it is written.
pub(super) struct ParsedConstraint {
    pub(super) terms: Vec<Term>,
    pub(super) relation: Relation,
    pub(super) bound: i64,
    pub(super) position: Position,
    /// False if the file does not state it: the definition of a product, or a bound on the objective.
    pub(super) is_stated: bool,
    /// The numbers that `terms` and `bound` cannot hold; they have 0 there.
    pub(super) large: LargeNumbers,
}

/// Numbers beyond −(2⁶³ − 1) to 2⁶³ − 1.
#[derive(Default)]
pub(super) struct LargeNumbers {
    /// The places of terms, and their weights.
    pub(super) weights: Vec<(usize, BigInt)>,
    pub(super) bound: Option<BigInt>,
}

impl LargeNumbers {
    pub(super) fn is_empty(&self) -> bool {
        self.weights.is_empty() && self.bound.is_none()
    }
}

impl ParsedConstraint {
    /// A constraint without terms.
    pub(super) fn empty() -> Self {
        let position = Position::START;
        let large = LargeNumbers::default();
        let relation = Relation::AtLeast;
        Self { terms: Vec::new(), relation, bound: 1, position, is_stated: true, large }
    }

    /// Adds a term.
    pub(super) fn push(&mut self, literal: Literal, weight: Number) {
        let weight = match weight {
            Number::Small(weight) => weight,
            Number::Large(weight) => {
                self.large.weights.push((self.terms.len(), weight));
                0
            }
        };
        self.terms.push((literal, weight));
    }

    /// Sets the bound.
    pub(super) fn set_bound(&mut self, bound: Number) {
        match bound {
            Number::Small(bound) => self.bound = bound,
            Number::Large(bound) => {
                self.bound = 0;
                self.large.bound = Some(bound);
            }
        }
    }

    /// Removes the terms and the large numbers.
    pub(super) fn clear(&mut self) {
        self.terms.clear();
        self.large = LargeNumbers::default();
    }
}

/// Takes each constraint of a file in its turn. The terms may be changed; they are cleared afterwards.
pub(super) type ConstraintVisitor<'a> =
    &'a mut dyn FnMut(&mut ParsedConstraint) -> Result<(), FileError>;
