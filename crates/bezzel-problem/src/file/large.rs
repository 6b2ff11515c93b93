//! Constraints with integers of any size, until they fit into 64 bits.
//!
//! Terms of a variable are added up, weights are cut at the bound of an "at least" and divided by their common divisor,
//! and literals that are needed or excluded become clauses. This does not change the solutions. Constraints whose
//! numbers are still too large then are refused. Constraints with small numbers do not take this way, so that their
//! digests stay.

use num_bigint::BigInt;

use super::constraint::{ParsedConstraint, Relation, Term};
use crate::literal::Literal;
use crate::text::{FileError, Position};
use crate::weighted::{common_divisor, merge_terms};

/// A literal and its weight, of any size.
pub(super) type LargeTerm = (Literal, BigInt);

/// A constraint in small numbers.
pub(super) struct ReducedConstraint {
    /// Literals that must hold.
    pub(super) units: Vec<Literal>,
    pub(super) rest: Rest,
}

/// The part of a constraint beside the literals that must hold.
pub(super) enum Rest {
    /// It always holds.
    Always,
    /// It never holds.
    Never,
    /// The literals suffice.
    Units,
    /// Positive weights of different variables, and the bound.
    AtLeast(Vec<Term>, i128),
    /// As above, for an equation.
    Equal(Vec<Term>, i128),
}

/// Makes the numbers of a constraint small. The flag is true if terms of a variable were added up or had no weight.
pub(super) fn reduce(written: &ParsedConstraint) -> Result<(ReducedConstraint, bool), FileError> {
    let mut terms = widened(&written.terms);
    for (place, weight) in &written.large.weights {
        terms[*place].1.clone_from(weight);
    }
    let bound = written.large.bound.clone();
    let mut bound = bound.unwrap_or_else(|| BigInt::from(written.bound));
    let before = terms.len();
    terms = merge_terms(terms, &mut bound, Literal::candidate);
    let is_merged = terms.len() < before;
    if written.relation == Relation::AtMost {
        bound = total(&terms) - bound;
        for (literal, _) in &mut terms {
            *literal = !*literal;
        }
    }
    let is_equation = written.relation == Relation::Equal;
    let reduced = match narrowed(&terms, &bound) {
        Some((terms, bound)) if is_equation => whole(Rest::Equal(terms, bound)),
        Some((terms, bound)) => whole(Rest::AtLeast(terms, bound)),
        None if is_equation => reduce_equation(terms, bound, written.position)?,
        None => reduce_at_least(terms, bound, written.position)?,
    };
    Ok((reduced, is_merged))
}

fn whole(rest: Rest) -> ReducedConstraint {
    ReducedConstraint { units: Vec::new(), rest }
}

/// Makes the numbers of a constraint of positive weights, each of another variable, small.
pub(super) fn reduce_at_least(
    mut terms: Vec<LargeTerm>,
    mut bound: BigInt,
    position: Position,
) -> Result<ReducedConstraint, FileError> {
    let zero = BigInt::ZERO;
    if bound <= zero {
        return Ok(whole(Rest::Always));
    }
    if bound > total(&terms) {
        return Ok(whole(Rest::Never));
    }
    let mut units = Vec::new();
    loop {
        for (_, weight) in &mut terms {
            if *weight > bound {
                weight.clone_from(&bound);
            }
        }
        let divisor = divide(&mut terms);
        bound = (bound + &divisor - 1) / divisor;
        let slack = total(&terms) - &bound;
        let before = terms.len();
        terms.retain(|(literal, weight)| {
            let is_needed = *weight > slack;
            if is_needed {
                bound -= weight;
                units.push(*literal);
            }
            !is_needed
        });
        if bound <= zero {
            return Ok(ReducedConstraint { units, rest: Rest::Units });
        }
        if terms.len() == before && terms.iter().all(|(_, weight)| *weight <= bound) {
            break;
        }
    }
    let (terms, bound) = narrowed(&terms, &bound).ok_or_else(|| too_large(position))?;
    Ok(ReducedConstraint { units, rest: Rest::AtLeast(terms, bound) })
}

fn reduce_equation(
    mut terms: Vec<LargeTerm>,
    mut bound: BigInt,
    position: Position,
) -> Result<ReducedConstraint, FileError> {
    let zero = BigInt::ZERO;
    let mut units = Vec::new();
    loop {
        let rest = total(&terms) - &bound;
        if bound < zero || rest < zero {
            return Ok(ReducedConstraint { units, rest: Rest::Never });
        }
        let before = terms.len();
        let whole = bound.clone();
        terms.retain(|(literal, weight)| {
            let (is_excluded, is_needed) = (*weight > whole, *weight > rest);
            if is_needed {
                units.push(*literal);
                bound -= weight;
            }
            if is_excluded {
                units.push(!*literal);
            }
            !is_needed && !is_excluded
        });
        if terms.len() == before {
            break;
        }
    }
    if terms.is_empty() {
        return Ok(ReducedConstraint { units, rest: Rest::Units });
    }
    let divisor = divide(&mut terms);
    if &bound % &divisor != zero {
        return Ok(ReducedConstraint { units, rest: Rest::Never });
    }
    let (terms, bound) = narrowed(&terms, &(bound / divisor)).ok_or_else(|| too_large(position))?;
    Ok(ReducedConstraint { units, rest: Rest::Equal(terms, bound) })
}

/// The terms with integers of any size.
pub(super) fn widened(terms: &[Term]) -> Vec<LargeTerm> {
    terms.iter().map(|&(literal, weight)| (literal, weight.into())).collect()
}

fn total(terms: &[LargeTerm]) -> BigInt {
    terms.iter().map(|(_, weight)| weight).sum()
}

/// Divides positive weights by their greatest common divisor, and gives it.
fn divide(terms: &mut [LargeTerm]) -> BigInt {
    let divisor = common_divisor(terms.iter().map(|(_, weight)| weight.clone()));
    let divisor = divisor.max(BigInt::from(1));
    for (_, weight) in terms {
        *weight /= &divisor;
    }
    divisor
}

/// The constraint in small numbers, if they fit.
fn narrowed(terms: &[LargeTerm], bound: &BigInt) -> Option<(Vec<Term>, i128)> {
    let narrow = |(literal, weight): &LargeTerm| Some((*literal, i64::try_from(weight).ok()?));
    let small: Option<Vec<Term>> = terms.iter().map(narrow).collect();
    small.zip(i128::try_from(bound).ok())
}

fn too_large(position: Position) -> FileError {
    let message = format!(
        "weights go up to {max}, and one is larger even when it is cut at the bound and divided by the common \
         divisor of the weights",
        max = i64::MAX
    );
    FileError::at(position, message)
}
