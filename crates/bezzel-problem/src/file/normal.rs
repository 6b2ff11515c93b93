//! Constraints in their normal form, with the digest of all.
//!
//! Each constraint of the file becomes nothing, clauses, a group, or clauses and a group:
//! 1. The terms of a variable are added up: a repeated literal has the sum of its weights, and of opposing literals
//!    one is left, as `a + ¬a = 1`. A variable without weight is dropped. Weights are made positive by negating
//!    literals. Variables keep the order of their first terms.
//! 2. "At most" becomes "at least" of the negations.
//! 3. Weights are divided by their common divisor. A constraint that always holds is dropped, and one that never
//!    holds becomes the empty clause.
//! 4. Literals without which an "at least" cannot hold become clauses of one literal, as do all literals of "at least
//!    n" and "at most 0".
//! 5. The rest is a clause if each of its literals suffices, and an at-most-one group of the negations if all literals
//!    but one are needed. An equation of literals without weights is an exactly-one group if one literal, or all but
//!    one, hold.
//! 6. Every other constraint can be written in two ways, over its literals and over their negations. The one with
//!    fewer negated literals is taken; if the numbers are equal, the one whose first literal is not negated.
//!
//! A constraint that several formats can write has the same form in each, if the order of its literals is the same.
//! An at-most-one group of two literals is a clause, since KNF writes both alike. Last, `joined.rs` makes exactly-one groups
//! of bounds that are stated apart.

use std::collections::HashMap;
use std::sync::Arc;

use super::constraint::{ParsedConstraint, Relation, Term};
use super::joined::{self, FamilyBuilder};
use super::large::{self, ReducedConstraint, Rest};
use super::objective::Objective;
use super::parsed::Format;
use crate::group::{Bounds, GroupFamily, Lists};
use crate::literal::Literal;
use crate::text::{FileError, Number, Position};
use crate::weighted::common_divisor;

/// Numbers of constraints that reading a file changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Constraints of the file.
    pub constraints: u64,
    /// Those with a variable in two or more terms, or without weight.
    pub merged: u64,
    /// Those that always hold, and are dropped.
    pub always_true: u64,
    /// Those that never hold, and are empty clauses.
    pub never_true: u64,
}

/// The constraints of a file, from which its problem is made.
pub(super) struct NormalForm {
    pub(super) format: Format,
    pub(super) candidates: u32,
    pub(super) families: Vec<GroupFamily>,
    pub(super) clauses: Arc<Lists<Literal>>,
    pub(super) changes: Changes,
    pub(super) digest: u128,
}

/// The version of the form that is digested.
const DIGESTED: &[u8] = b"bezzel constraint file 1\n";

/// Collects the constraints of a file.
pub(super) struct Normaliser {
    families: Vec<FamilyBuilder>,
    numbers: HashMap<(Bounds, bool), usize>,
    clauses: Lists<Literal>,
    changes: Changes,
    hasher: blake3::Hasher,
    /// Bytes for the hasher.
    bytes: Vec<u8>,
    /// Variables and the places of their terms.
    spans: Vec<(u32, u32)>,
}

impl Normaliser {
    pub(super) fn new() -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(DIGESTED);
        Self {
            families: Vec::new(),
            numbers: HashMap::new(),
            clauses: Lists::default(),
            changes: Changes::default(),
            hasher,
            bytes: Vec::new(),
            spans: Vec::new(),
        }
    }

    pub(super) fn finish(mut self, format: Format, candidates: u32) -> NormalForm {
        self.hasher.update(&[0]).update(&candidates.to_le_bytes());
        let hash = self.hasher.finalize();
        let half = hash.as_bytes().first_chunk().expect("a hash has 32 bytes");
        let digest = u128::from_be_bytes(*half);
        joined::join(&mut self.families, &mut self.clauses);
        let families = self.families.into_iter().map(|family| {
            let name = name(family.bounds, family.is_weighted);
            GroupFamily::weighted(name, family.bounds, family.literals, family.weights)
                .with_origin(family.origin)
        });
        NormalForm {
            format,
            candidates,
            families: families.collect(),
            clauses: self.clauses.into(),
            changes: self.changes,
            digest,
        }
    }

    /// Makes the number of products a part of the identity: their variables are no variables of the file.
    pub(super) fn digest_products(&mut self, products: u32) {
        if products > 0 {
            self.hasher.update(&[4]).update(&products.to_le_bytes());
        }
    }

    /// Makes the objective a part of the identity.
    pub(super) fn digest_objective(&mut self, objective: &Objective) {
        self.hasher.update(&[3, u8::from(objective.is_maximum)]);
        for (literal, weight) in &objective.terms {
            let weight = match weight {
                Number::Small(weight) => weight.to_string(),
                Number::Large(weight) => weight.to_string(),
            };
            self.hasher.update(format!("{} {weight}\n", literal.index()).as_bytes());
        }
    }

    /// Adds a constraint.
    pub(super) fn add(&mut self, written: &mut ParsedConstraint) -> Result<(), FileError> {
        let before = self.changes;
        let added = self.add_counted(written);
        if !written.is_stated {
            self.changes = before;
        }
        added
    }

    fn add_counted(&mut self, written: &mut ParsedConstraint) -> Result<(), FileError> {
        self.changes.constraints += 1;
        if !written.large.is_empty() || !has_small_sums(&written.terms) {
            let (reduced, is_merged) = large::reduce(written)?;
            self.changes.merged += u64::from(is_merged);
            return self.add_reduced(reduced, written.position);
        }
        let position = written.position;
        let terms = &mut written.terms;
        let mut bound = self.merge(terms, written.bound.into());
        if written.relation == Relation::AtMost {
            bound = total(terms) - bound;
            negate(terms);
        }
        if written.relation == Relation::Equal {
            self.equal(terms, bound, position)
        } else {
            self.at_least(terms, bound, position)
        }
    }

    /// Adds a constraint whose numbers were made small.
    fn add_reduced(
        &mut self,
        reduced: ReducedConstraint,
        position: Position,
    ) -> Result<(), FileError> {
        for unit in reduced.units {
            self.clause([unit]);
        }
        match reduced.rest {
            Rest::Always => self.changes.always_true += 1,
            Rest::Never => self.never(),
            Rest::Units => {}
            Rest::AtLeast(mut terms, bound) => return self.at_least(&mut terms, bound, position),
            Rest::Equal(mut terms, bound) => return self.equal(&mut terms, bound, position),
        }
        Ok(())
    }

    /// Leaves one term with a positive weight for each variable, in the order of the first ones, and gives the bound.
    fn merge(&mut self, terms: &mut Vec<Term>, mut bound: i128) -> i128 {
        let ascend = terms.windows(2).all(|pair| pair[0].0.candidate() < pair[1].0.candidate());
        let mut is_changed = false;
        if !ascend {
            self.spans.clear();
            let spans = terms.iter().zip(0..);
            self.spans.extend(spans.map(|((literal, _), place)| (literal.candidate(), place)));
            self.spans.sort_unstable();
            for same in self.spans.chunk_by(|one, other| one.0 == other.0) {
                let [(_, first), others @ ..] = same else { continue };
                for &(_, other) in others {
                    is_changed = true;
                    let (literal, weight) = terms[other as usize];
                    terms[other as usize].1 = 0;
                    let (kept, sum) = &mut terms[*first as usize];
                    // w·¬a is w − w·a.
                    let weight = if literal == *kept {
                        weight
                    } else {
                        bound -= i128::from(weight);
                        -weight
                    };
                    *sum += weight;
                }
            }
        }
        for (literal, weight) in &mut *terms {
            if *weight < 0 {
                bound -= i128::from(*weight);
                (*literal, *weight) = (!*literal, -*weight);
            }
        }
        let before = terms.len();
        terms.retain(|&(_, weight)| weight != 0);
        self.changes.merged += u64::from(is_changed || terms.len() < before);
        bound
    }

    fn at_least(
        &mut self,
        terms: &mut Vec<Term>,
        mut bound: i128,
        position: Position,
    ) -> Result<(), FileError> {
        if bound <= 0 {
            self.changes.always_true += 1;
            return Ok(());
        }
        if bound > total(terms) {
            self.never();
            return Ok(());
        }
        loop {
            let divisor = i128::from(divide(terms));
            bound = (bound + divisor - 1) / divisor;
            // Without a literal whose weight is above the slack the bound is not reached.
            let slack = total(terms) - bound;
            let before = terms.len();
            terms.retain(|&(literal, weight)| {
                let is_needed = i128::from(weight) > slack;
                if is_needed {
                    bound -= i128::from(weight);
                    self.clause([literal]);
                }
                !is_needed
            });
            if bound <= 0 {
                return Ok(());
            }
            if terms.len() == before {
                break;
            }
        }
        if terms.iter().all(|&(_, weight)| i128::from(weight) >= bound) {
            self.clause(terms.iter().map(|&(literal, _)| literal));
            return Ok(());
        }
        if u64::try_from(total(terms)).is_err()
            && terms.iter().any(|&(_, weight)| i128::from(weight) > bound)
        {
            let reduced = large::reduce_at_least(large::widened(terms), bound.into(), position)?;
            return self.add_reduced(reduced, position);
        }
        let max = total(terms) - bound;
        if is_unit(terms) && max == 1 {
            negate(terms);
            return self.group(terms, None, Some(1), position);
        }
        if is_better_negated(terms) {
            negate(terms);
            return self.group(terms, None, Some(max), position);
        }
        self.group(terms, Some(bound), None, position)
    }

    fn equal(
        &mut self,
        terms: &mut [Term],
        bound: i128,
        position: Position,
    ) -> Result<(), FileError> {
        let total = total(terms);
        if bound < 0 || bound > total {
            self.never();
            return Ok(());
        }
        if terms.is_empty() {
            self.changes.always_true += 1;
            return Ok(());
        }
        if bound == 0 || bound == total {
            for &(literal, _) in &*terms {
                self.clause([if bound == 0 { !literal } else { literal }]);
            }
            return Ok(());
        }
        let divisor = i128::from(divide(terms));
        if bound % divisor != 0 {
            self.never();
            return Ok(());
        }
        let (bound, rest) = (bound / divisor, (total - bound) / divisor);
        let is_negated = match (bound == 1, rest == 1) {
            (true, false) if is_unit(terms) => false,
            (false, true) if is_unit(terms) => true,
            _ => is_better_negated(terms),
        };
        if is_negated {
            negate(terms);
        }
        let bound = Some(if is_negated { rest } else { bound });
        self.group(terms, bound, bound, position)
    }

    /// Adds the empty clause.
    fn never(&mut self) {
        self.changes.never_true += 1;
        self.clause([]);
    }

    fn clause(&mut self, literals: impl IntoIterator<Item = Literal>) {
        self.clauses.push(literals);
        let clause = self.clauses.get(self.clauses.len() - 1);
        self.bytes.clear();
        self.bytes.push(1);
        self.bytes.extend((clause.len() as u64).to_le_bytes());
        for literal in clause {
            self.bytes.extend((literal.index() as u32).to_le_bytes());
        }
        self.hasher.update(&self.bytes);
    }

    fn group(
        &mut self,
        terms: &[Term],
        at_least: Option<i128>,
        at_most: Option<i128>,
        position: Position,
    ) -> Result<(), FileError> {
        if u64::try_from(total(terms)).is_err() {
            let message = format!(
                "the weights of this constraint add up to more than {}, the largest sum (2^64 - 1): state it by smaller weights",
                u64::MAX
            );
            return Err(FileError::at(position, message));
        }
        let bound = |bound: Option<i128>| bound.map(|bound| bound as u64);
        let bounds = Bounds { at_least: bound(at_least), at_most: bound(at_most) };
        let is_weighted = !is_unit(terms);
        let number = *self.numbers.entry((bounds, is_weighted)).or_insert_with(|| {
            self.families.push(FamilyBuilder::new(bounds, is_weighted, position));
            self.families.len() - 1
        });
        let family = &mut self.families[number];
        family.literals.push(terms.iter().map(|&(literal, _)| literal));
        if is_weighted {
            family.weights.push(terms.iter().map(|&(_, weight)| weight as u64));
        }
        self.bytes.clear();
        self.bytes.push(2);
        for bound in [bounds.at_least, bounds.at_most] {
            self.bytes.push(u8::from(bound.is_some()));
            self.bytes.extend(bound.unwrap_or_default().to_le_bytes());
        }
        self.bytes.push(u8::from(is_weighted));
        self.bytes.extend((terms.len() as u64).to_le_bytes());
        for &(literal, weight) in terms {
            self.bytes.extend((literal.index() as u32).to_le_bytes());
            if is_weighted {
                self.bytes.extend(weight.to_le_bytes());
            }
        }
        self.hasher.update(&self.bytes);
        Ok(())
    }
}

/// The name of a family by the shape of its groups.
fn name(bounds: Bounds, is_weighted: bool) -> String {
    let shape = match (bounds.at_least, bounds.at_most) {
        (Some(1), Some(1)) if !is_weighted => return "exactly-one".into(),
        (None, Some(1)) if !is_weighted => return "at-most-one".into(),
        _ => bounds.to_string().replace(' ', "-"),
    };
    if is_weighted { format!("{WEIGHTED}{shape}") } else { shape }
}

/// True if the sum of the weights of no variable passes 2⁶³ − 1.
fn has_small_sums(terms: &[Term]) -> bool {
    const MAX: u128 = i64::MAX as u128;
    let size = |term: &Term| u128::from(term.1.unsigned_abs());
    // Most sums are small with all variables together.
    if terms.iter().map(size).sum::<u128>() <= MAX {
        return true;
    }
    let mut sorted = terms.to_vec();
    sorted.sort_unstable_by_key(|(literal, _)| literal.candidate());
    let mut variables = sorted.chunk_by(|one, other| one.0.candidate() == other.0.candidate());
    variables.all(|same| same.iter().map(size).sum::<u128>() <= MAX)
}

/// The beginning of the names of families with weights.
const WEIGHTED: &str = "linear-";

/// True if a family of a file can have this name.
pub fn is_family(name: &str) -> bool {
    let shape = name.strip_prefix(WEIGHTED);
    if shape.is_none() && ["exactly-one", "at-most-one"].contains(&name) {
        return true;
    }
    let is_number = |text: &str| {
        let is_short = text == "0" || !text.starts_with('0') && text.len() < 20;
        is_short && !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let shape = shape.unwrap_or(name);
    // A family of bounds of one has this word for it.
    if ["at-most-1", "exactly-1"].contains(&shape) {
        return false;
    }
    let relations = ["at-most-", "at-least-", "exactly-"];
    relations.iter().any(|relation| shape.strip_prefix(relation).is_some_and(is_number))
        || shape.split_once("-to-").is_some_and(|(least, max)| is_number(least) && is_number(max))
}

fn total(terms: &[Term]) -> i128 {
    terms.iter().map(|&(_, weight)| i128::from(weight)).sum()
}

fn is_unit(terms: &[Term]) -> bool {
    terms.iter().all(|&(_, weight)| weight == 1)
}

fn negate(terms: &mut [Term]) {
    for (literal, _) in terms {
        *literal = !*literal;
    }
}

/// True if more than half of the literals are negated, or half of them and the first.
fn is_better_negated(terms: &[Term]) -> bool {
    let negated = terms.iter().filter(|(literal, _)| literal.is_negated()).count();
    let is_first = terms.first().is_some_and(|(literal, _)| literal.is_negated());
    2 * negated > terms.len() || (2 * negated == terms.len() && is_first)
}

/// Divides positive weights by their greatest common divisor, and gives it.
fn divide(terms: &mut [Term]) -> i64 {
    let divisor = common_divisor(terms.iter().map(|&(_, weight)| weight)).max(1);
    for (_, weight) in terms {
        *weight /= divisor;
    }
    divisor
}
