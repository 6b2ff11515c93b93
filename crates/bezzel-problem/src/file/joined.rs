//! Exactly-one groups that are stated in two constraints.
//!
//! KNF states "exactly one" as a clause and "at most one" over the same literals, and a group of one literal is a clause in
//! every format. Encodings of domains need the groups. The digest of a file does not depend on this step.

use std::mem;

use crate::group::{Bounds, Lists};
use crate::literal::Literal;
use crate::mixed_hash::mixed_hash;
use crate::text::Position;

/// Groups with the same bounds.
pub(super) struct FamilyBuilder {
    pub(super) bounds: Bounds,
    pub(super) is_weighted: bool,
    /// The position of the first group.
    pub(super) origin: Position,
    pub(super) literals: Lists<Literal>,
    pub(super) weights: Lists<u64>,
}

impl FamilyBuilder {
    pub(super) fn new(bounds: Bounds, is_weighted: bool, origin: Position) -> Self {
        let (literals, weights) = (Lists::default(), Lists::default());
        Self { bounds, is_weighted, origin, literals, weights }
    }
}

/// The clauses and groups that become exactly-one groups.
struct Joined {
    /// For each clause, true if it is the lower bound of a new group.
    lower: Vec<bool>,
    /// For each clause, true if it is the upper bound of a new group of two literals.
    upper: Vec<bool>,
    /// For each at-most-one group, true if it is the upper bound of a new group.
    groups: Vec<bool>,
}

/// Joins each clause of positive literals with an at-most-one group of the same literals, or with a clause of their two
/// negations, to an exactly-one group. If there are exactly-one groups then, a unit clause of a positive literal in none of them becomes a group of
/// its own. The new groups have the order of their clauses, and follow those that the file states. Files with neither
/// exactly-one nor at-most-one groups stay as they are.
pub(super) fn join(families: &mut Vec<FamilyBuilder>, clauses: &mut Lists<Literal>) {
    let of_bounds =
        |bounds| families.iter().position(|family| family.bounds == bounds && !family.is_weighted);
    let (at_most, exactly) = (of_bounds(Bounds::AT_MOST_ONE), of_bounds(Bounds::EXACTLY_ONE));
    let Some(any) = exactly.or(at_most) else { return };
    let none = Lists::default();
    let groups = at_most.map_or(&none, |number| &families[number].literals);
    let mut joined = pairs(groups, clauses);
    let stated = exactly.map_or(&none, |number| &families[number].literals);
    if !stated.is_empty() || joined.lower.contains(&true) {
        add_units(stated, clauses, &mut joined);
    }
    if !joined.lower.contains(&true) {
        return;
    }
    let number = exactly.unwrap_or_else(|| {
        families.push(FamilyBuilder::new(Bounds::EXACTLY_ONE, false, families[any].origin));
        families.len() - 1
    });
    for (clause, _) in clauses.iter().zip(&joined.lower).filter(|&(_, &is_lower)| is_lower) {
        families[number].literals.push(clause.iter().copied());
    }
    if let Some(at_most) = at_most {
        keep(&mut families[at_most].literals, |group| !joined.groups[group]);
    }
    keep(clauses, |clause| !joined.lower[clause] && !joined.upper[clause]);
    families.retain(|family| !family.literals.is_empty());
}

/// Finds the clauses whose upper bounds are stated.
fn pairs(groups: &Lists<Literal>, clauses: &Lists<Literal>) -> Joined {
    let mut joined = Joined {
        lower: vec![false; clauses.len()],
        upper: vec![false; clauses.len()],
        groups: vec![false; groups.len()],
    };
    // The sum of the literals, true for a clause, and the number of the group or the clause.
    let mut index: Vec<(u64, bool, usize)> = Vec::new();
    index.extend(groups.iter().zip(0..).map(|(group, number)| (sum(group), false, number)));
    for (clause, number) in clauses.iter().zip(0..) {
        if let &[one, other] = clause
            && one.is_negated()
            && other.is_negated()
        {
            index.push((sum(&[!one, !other]), true, number));
        }
    }
    index.sort_unstable();
    let (mut wanted, mut found) = (Vec::new(), Vec::new());
    for (number, clause) in clauses.iter().enumerate() {
        if clause.len() < 2 || clause.iter().any(|literal| literal.is_negated()) {
            continue;
        }
        let sum = sum(clause);
        let start = index.partition_point(|entry| entry.0 < sum);
        for &(_, is_clause, at) in index[start..].iter().take_while(|entry| entry.0 == sum) {
            wanted.clear();
            wanted.extend_from_slice(clause);
            found.clear();
            if is_clause {
                found.extend(clauses.get(at).iter().map(|&literal| !literal));
            } else {
                found.extend_from_slice(groups.get(at));
            }
            wanted.sort_unstable();
            found.sort_unstable();
            let is_used = if is_clause { &mut joined.upper[at] } else { &mut joined.groups[at] };
            if wanted == found && !*is_used {
                *is_used = true;
                joined.lower[number] = true;
                break;
            }
        }
    }
    joined
}

/// Adds the clauses of one positive literal that is in no exactly-one group.
fn add_units(stated: &Lists<Literal>, clauses: &Lists<Literal>, joined: &mut Joined) {
    let lower = clauses.iter().zip(&joined.lower).filter(|&(_, &is_lower)| is_lower);
    let literals = stated.items().iter().chain(lower.flat_map(|(clause, _)| clause));
    let units = clauses.iter().filter(|clause| clause.len() == 1).flatten();
    let last = literals.clone().chain(units).map(|literal| literal.candidate()).max();
    let mut is_covered = vec![false; last.map_or(0, |last| last as usize + 1)];
    literals.for_each(|literal| is_covered[literal.candidate() as usize] = true);
    for (number, clause) in clauses.iter().enumerate() {
        if let &[literal] = clause
            && !literal.is_negated()
            && !mem::replace(&mut is_covered[literal.candidate() as usize], true)
        {
            joined.lower[number] = true;
        }
    }
}

/// Keeps some of the lists, by their numbers.
fn keep(lists: &mut Lists<Literal>, is_kept: impl Fn(usize) -> bool) {
    let all = mem::take(lists);
    let kept = all.iter().enumerate().filter(|&(number, _)| is_kept(number));
    *lists = kept.map(|(_, list)| list.iter().copied()).collect();
}

/// A number that is the same for all orders of the literals, and seldom the same for other literals.
fn sum(literals: &[Literal]) -> u64 {
    // The literal with index 0 counts too, so its hash is not that of 0.
    let hash = |literal: &Literal| mixed_hash(literal.index() as u64 + 1);
    literals.iter().fold(0, |sum, literal| sum.wrapping_add(hash(literal)))
}
