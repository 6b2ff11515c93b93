//! Parts of a sum of which at most one literal holds: PB(AMO).
//!
//! *Detection.* The at-most-one groups are the groups of a problem whose upper bound is 1 and that have no weights and no
//! condition, and its clauses of two literals; for a bound on an objective, those of the constraints. A literal is in the
//! index of the first 64 groups that have it. The terms of a sum are parted greedily: the group that has most of the
//! remaining terms is a part with these, the first one of several such groups, until no group has two terms. Each other
//! term is a part. Parts stand in the order of their first terms.
//!
//! *Upper bounds.* An encoder that [takes parts](crate::bound::AtMostSum::of_parts) counts each part once. Literals of a
//! part with one weight are replaced by a variable that holds if one of them does.
//!
//! *Lower bounds.* Σ wᵢ·xᵢ ≥ b is an upper bound on penalties: with m the heaviest weight of a part, the part weighs m less
//! a penalty. For the next lighter weight w, a variable holds if no literal above w does, and if a literal of weight w
//! does, with the penalty m − w; the last one holds if no literal does, with the penalty m. An exactly-one group whose
//! literals are all in the part needs no last variable. Of the variables of a part, the last one that holds counts. The
//! watchdogs add up differences instead, each variable being a part.
//!
//! *Source.* M. Bofill, J. Coll, P. Nightingale, J. Suy, F. Ulrich-Oltean, M. Villaret, "SAT Encodings for Pseudo-Boolean
//! Constraints Together With At-Most-One Constraints", Artificial Intelligence 302 (2022): sums with a partition, and
//! upper bounds on them.
//!
//! *Departures.* The partition, lower bounds and the variables for equal weights are ours.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use bezzel_problem::{Bounds, Lists, Literal, Problem};

/// The most groups of a literal that are kept.
const MAX_GROUPS: usize = 64;

/// The terms of a sum, by their places, in parts of which at most one literal holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    places: Lists<usize>,
    exactly_one: Vec<bool>,
}

impl Parts {
    /// Each of `n` terms as a part.
    pub fn of_one(n: usize) -> Self {
        Self { places: (0..n).map(|place| [place]).collect(), exactly_one: vec![false; n] }
    }

    /// These parts, each with true if exactly one of its literals holds. Each place is in one part.
    pub fn new(parts: impl IntoIterator<Item = (Vec<usize>, bool)>) -> Self {
        let (places, exactly_one): (Vec<Vec<usize>>, Vec<bool>) = parts.into_iter().unzip();
        Self { places: places.into_iter().collect(), exactly_one }
    }

    /// The places of the terms of each part.
    pub fn places(&self) -> impl Iterator<Item = &[usize]> {
        self.places.iter()
    }

    /// For each part, true if exactly one of its literals holds.
    pub fn exactly_one(&self) -> impl Iterator<Item = bool> + '_ {
        self.exactly_one.iter().copied()
    }
}

/// The at-most-one groups of a problem.
#[derive(Debug, Default)]
pub struct AmoGroups {
    /// The number of literals of each group, if exactly one of them holds.
    exactly_one: Vec<Option<usize>>,
    /// The groups of each literal, ascending.
    of_literal: HashMap<Literal, Vec<u32>>,
}

impl AmoGroups {
    /// Finds the at-most-one groups of a problem and of its side constraints.
    pub fn new(problem: &Problem) -> Self {
        let mut all = Self::default();
        all.add_all(problem);
        if let Some(other) = problem.side_constraints() {
            all.add_all(other);
        }
        all
    }

    fn add_all(&mut self, problem: &Problem) {
        for family in problem.families() {
            let is_plain = family.weights().is_none() && family.conditions().is_empty();
            if !is_plain || family.bounds().at_most != Some(1) {
                continue;
            }
            let is_exactly_one = family.bounds() == Bounds::EXACTLY_ONE;
            family.for_each(|group| self.add(group.iter().copied(), is_exactly_one));
        }
        for clause in problem.clauses().iter().filter(|clause| clause.len() == 2) {
            self.add(clause.iter().map(|&literal| !literal), false);
        }
    }

    fn add(&mut self, group: impl ExactSizeIterator<Item = Literal>, is_exactly_one: bool) {
        let number = self.exactly_one.len() as u32;
        self.exactly_one.push(is_exactly_one.then_some(group.len()));
        for literal in group {
            let groups = self.of_literal.entry(literal).or_default();
            if groups.len() < MAX_GROUPS && groups.last() != Some(&number) {
                groups.push(number);
            }
        }
    }

    fn of(&self, literal: Literal) -> &[u32] {
        self.of_literal.get(&literal).map_or(&[], Vec::as_slice)
    }

    /// The parts of a sum of these literals, which are of different variables.
    pub fn parts(&self, literals: &[Literal]) -> Parts {
        let mut members: HashMap<u32, Vec<usize>> = HashMap::new();
        for (place, &literal) in literals.iter().enumerate() {
            for &group in self.of(literal) {
                members.entry(group).or_default().push(place);
            }
        }
        let mut left: HashMap<u32, usize> =
            members.iter().map(|(&group, places)| (group, places.len())).collect();
        let mut largest: BinaryHeap<(usize, Reverse<u32>)> =
            left.iter().map(|(&group, &count)| (count, Reverse(group))).collect();
        let mut is_parted = vec![false; literals.len()];
        let mut parts: Vec<(Vec<usize>, bool)> = Vec::new();
        while let Some((count, Reverse(group))) = largest.pop() {
            let now = left[&group];
            if now < 2 {
                continue;
            }
            if now < count {
                largest.push((now, Reverse(group)));
                continue;
            }
            let places: Vec<usize> =
                members[&group].iter().copied().filter(|&place| !is_parted[place]).collect();
            for &place in &places {
                is_parted[place] = true;
                for group in self.of(literals[place]) {
                    *left.entry(*group).or_default() -= 1;
                }
            }
            let is_exactly_one = self.exactly_one[group as usize] == Some(places.len());
            parts.push((places, is_exactly_one));
        }
        let alone = (0..literals.len()).filter(|&place| !is_parted[place]);
        parts.extend(alone.map(|place| (vec![place], false)));
        parts.sort_by_key(|(places, _)| places[0]);
        Parts::new(parts)
    }
}

#[cfg(test)]
mod tests;
