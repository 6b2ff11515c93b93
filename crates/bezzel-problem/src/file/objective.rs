//! The objective of an OPB file, and its use.

use std::fmt;
use std::str::FromStr;

use num_bigint::BigInt;

use super::constraint::{ParsedConstraint, Relation};
use crate::literal::Literal;
use crate::text::{Number, Position};

/// The sum that is to be as small or as large as possible.
#[derive(Clone, Debug)]
pub struct Objective {
    pub(super) is_maximum: bool,
    pub(super) terms: Vec<(Literal, Number)>,
    /// The place of `min:` or `max:`.
    pub(super) position: Position,
}

impl Objective {
    /// True for `max:`.
    pub fn is_maximum(&self) -> bool {
        self.is_maximum
    }

    /// The bound that exactly the values better than this one meet.
    pub fn better(&self, value: &BigInt) -> ObjectiveBound {
        if self.is_maximum {
            ObjectiveBound { relation: Relation::AtLeast, number: value + 1 }
        } else {
            ObjectiveBound { relation: Relation::AtMost, number: value - 1 }
        }
    }

    /// True if its terms have different weights: a bound on it is a weighted sum.
    pub fn has_weights(&self) -> bool {
        self.terms.iter().any(|(literal, weight)| {
            *weight != self.terms[0].1 || literal.is_negated() != self.terms[0].0.is_negated()
        })
    }

    /// The bound in the middle of all values: its encoding has about the largest size of all bounds.
    pub fn middle(&self) -> ObjectiveBound {
        let weight = |(_, weight): &(Literal, Number)| match weight {
            Number::Small(weight) => BigInt::from(*weight),
            Number::Large(weight) => weight.clone(),
        };
        let sum: BigInt = self.terms.iter().map(weight).sum();
        let relation = if self.is_maximum { Relation::AtLeast } else { Relation::AtMost };
        ObjectiveBound { relation, number: sum / 2 }
    }

    /// The constraint that the objective meets a bound.
    pub(super) fn constraint(&self, bound: &ObjectiveBound) -> ParsedConstraint {
        let mut written = ParsedConstraint::empty();
        written.position = self.position;
        written.is_stated = false;
        for (literal, weight) in &self.terms {
            written.push(*literal, weight.clone());
        }
        written.relation = bound.relation;
        written.set_bound(Number::from_integer(&bound.number));
        written
    }

    /// The note that the objective is not used.
    pub(super) fn left_out(&self) -> String {
        format!(
            "{}: the objective is left out: any solution is asked for, and not the best one",
            self.position
        )
    }
}

/// The use of a file's objective.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// It is left out: any solution is asked for.
    #[default]
    Ignored,
    /// Its best value is asked for.
    Optimum,
    /// It is one more constraint.
    Bound(ObjectiveBound),
}

impl Goal {
    /// The word for the best value.
    pub const OPTIMUM: &'static str = "optimum";
    /// The word for an objective that is left out.
    pub const IGNORED: &'static str = "ignored";

    /// True if the objective is left out.
    pub fn is_ignored(&self) -> bool {
        *self == Self::Ignored
    }
}

/// A bound on the value of an objective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectiveBound {
    relation: Relation,
    number: BigInt,
}

impl ObjectiveBound {
    /// True if a value meets the bound.
    pub fn is_met(&self, value: &BigInt) -> bool {
        match self.relation {
            Relation::AtLeast => *value >= self.number,
            Relation::AtMost => *value <= self.number,
            Relation::Equal => *value == self.number,
        }
    }
}

const RELATIONS: [(&str, Relation); 3] =
    [("at most", Relation::AtMost), ("at least", Relation::AtLeast), ("exactly", Relation::Equal)];

impl fmt::Display for ObjectiveBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = RELATIONS.iter().find(|(_, relation)| *relation == self.relation);
        write!(f, "{} {}", found.map_or("", |(words, _)| words), self.number)
    }
}

/// `ignored`, `optimum`, or a bound as `at most 41`.
impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ignored => f.write_str(Self::IGNORED),
            Self::Optimum => f.write_str(Self::OPTIMUM),
            Self::Bound(bound) => bound.fmt(f),
        }
    }
}

impl FromStr for Goal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == Self::OPTIMUM {
            return Ok(Self::Optimum);
        }
        if text == Self::IGNORED {
            return Ok(Self::Ignored);
        }
        let found = RELATIONS.iter().find_map(|&(words, relation)| {
            let number = text.strip_prefix(words)?.strip_prefix(' ')?.trim();
            let digits = number.strip_prefix('-').unwrap_or(number);
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            let number = number.parse().ok().filter(|_| is_number && digits.len() <= 1_000)?;
            Some(Self::Bound(ObjectiveBound { relation, number }))
        });
        found.ok_or_else(|| {
            let text: String = text.chars().take(40).collect();
            format!(
                "`{text}` is no use of an objective: write a bound as `at most 41`, `at least 41` or `exactly 41`, \
                 or `{}` or `{}`",
                Self::OPTIMUM,
                Self::IGNORED
            )
        })
    }
}
