//! Agreement of the groups of a problem on the order of their candidates.
//!
//! Encoders place auxiliary variables by the order of the literals of a group. If two groups list their candidates alike,
//! the auxiliary variables of both have the same meaning. Two measures count pairs of groups of three or more literals:
//!
//! *Common candidates.* The groups have two or more candidates in common. They are aligned if these have the same order
//! in both.
//!
//! *Linked candidates.* The groups are of one family and have no common candidate, as two holes of a pigeonhole problem.
//! Constraints of another family, or clauses, have a candidate of each, as a pigeon has. These links are one-to-one, and
//! two or more. The groups are aligned if the links do not cross. Links by different families are different pairs.
//!
//! *Limit.* After a number of steps, the pairs of the groups so far are a sample.

use std::collections::BTreeMap;

use crate::literal::Candidate;
use crate::problem::Problem;

/// The most steps of a count.
const STEPS: u64 = 20_000_000;

/// The least length of a group whose order is compared.
const LEAST: usize = 3;

/// Pairs of groups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AlignedPairs {
    /// Pairs with the same order.
    pub aligned: u64,
    /// All pairs that have an order to compare.
    pub pairs: u64,
}

/// The agreement of the groups of a problem on the order of their candidates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alignment {
    /// Pairs of groups with two or more common candidates.
    pub common: AlignedPairs,
    /// Pairs of groups whose candidates other constraints link.
    pub linked: AlignedPairs,
    /// True if only a part of the groups was compared.
    pub is_sample: bool,
}

impl AlignedPairs {
    fn add(&mut self, is_aligned: bool) {
        self.pairs += 1;
        self.aligned += u64::from(is_aligned);
    }
}

/// A group, or a clause.
struct List {
    /// The number of its family; that after all families for clauses.
    family: usize,
    candidates: Vec<Candidate>,
    /// True if an encoder takes its order.
    is_ordered: bool,
}

/// All groups and clauses.
struct Constraints {
    lists: Vec<List>,
    /// The lists of each candidate, with its places.
    of: Vec<Vec<(u32, u32)>>,
}

impl Constraints {
    fn new(problem: &Problem) -> Self {
        let of = vec![Vec::new(); problem.candidates() as usize];
        let mut all = Self { lists: Vec::new(), of };
        for (number, family) in problem.families().iter().enumerate() {
            let bounds = family.bounds();
            let is_clause = bounds.at_most.is_none() && bounds.at_least == Some(1);
            family.for_each(|group| {
                let candidates = group.iter().map(|literal| literal.candidate()).collect();
                all.add(number, candidates, !is_clause);
            });
        }
        for clause in problem.clauses().iter() {
            let candidates = clause.iter().map(|literal| literal.candidate()).collect();
            all.add(problem.families().len(), candidates, false);
        }
        all
    }

    fn add(&mut self, family: usize, candidates: Vec<Candidate>, is_ordered: bool) {
        let number = self.lists.len() as u32;
        for (place, &candidate) in (0..).zip(&candidates) {
            self.of[candidate as usize].push((number, place));
        }
        let is_ordered = is_ordered && candidates.len() >= LEAST;
        self.lists.push(List { family, candidates, is_ordered });
    }

    fn of(&self, candidate: Candidate) -> &[(u32, u32)] {
        &self.of[candidate as usize]
    }

    fn list(&self, number: u32) -> &List {
        &self.lists[number as usize]
    }

    /// The places of common candidates in a group and in each other ordered one.
    fn common(&self, group: u32, steps: &mut u64) -> BTreeMap<u32, Vec<(u32, u32)>> {
        let mut places: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
        for (place, &candidate) in (0..).zip(&self.list(group).candidates) {
            *steps += self.of(candidate).len() as u64;
            for &(other, there) in self.of(candidate) {
                if other != group && self.list(other).is_ordered {
                    places.entry(other).or_default().push((place, there));
                }
            }
        }
        places
    }

    /// The places of linked candidates in a group and in each other one of its family, by the family of the links.
    fn linked(&self, group: u32, steps: &mut u64) -> BTreeMap<(usize, u32), Vec<(u32, u32)>> {
        let mut places: BTreeMap<(usize, u32), Vec<(u32, u32)>> = BTreeMap::new();
        let family = self.list(group).family;
        for (place, &candidate) in (0..).zip(&self.list(group).candidates) {
            for &(link, _) in self.of(candidate) {
                let link = self.list(link);
                if link.family == family || *steps > 2 * STEPS {
                    continue;
                }
                for &end in link.candidates.iter().filter(|&&end| end != candidate) {
                    *steps += 1 + self.of(end).len() as u64;
                    for &(other, there) in self.of(end) {
                        let of_other = self.list(other);
                        if other != group && of_other.is_ordered && of_other.family == family {
                            places.entry((link.family, other)).or_default().push((place, there));
                        }
                    }
                }
            }
        }
        places
    }
}

/// True if the second places ascend with the first ones.
fn ascends(places: &[(u32, u32)]) -> bool {
    places.windows(2).all(|pair| pair[0].1 < pair[1].1)
}

/// True if no place occurs twice on its side.
fn is_one_to_one(places: &[(u32, u32)]) -> bool {
    let mut others: Vec<u32> = places.iter().map(|&(_, there)| there).collect();
    others.sort_unstable();
    others.windows(2).all(|pair| pair[0] != pair[1])
        && places.windows(2).all(|pair| pair[0].0 != pair[1].0)
}

impl Alignment {
    /// The agreement of the groups of this problem.
    pub fn of(problem: &Problem) -> Self {
        let all = Constraints::new(problem);
        let groups: Vec<u32> =
            (0..all.lists.len() as u32).filter(|&group| all.list(group).is_ordered).collect();
        let mut found = Self::default();
        let mut is_done = vec![false; all.lists.len()];
        let mut steps = 0;
        // Far ones follow each other, so that a sample has all parts of the problem.
        let stride = (1..).map(|more| groups.len() * 3 / 5 + more);
        let stride = stride.take(groups.len()).find(|&stride| coprime(stride, groups.len()));
        for step in 0..groups.len() {
            if steps > STEPS {
                found.is_sample = true;
                break;
            }
            let group = groups[step * stride.unwrap_or(1) % groups.len()];
            is_done[group as usize] = true;
            let common = all.common(group, &mut steps);
            let linked = all.linked(group, &mut steps);
            if steps > 2 * STEPS {
                found.is_sample = true;
                break;
            }
            for (&other, places) in &common {
                if !is_done[other as usize] && places.len() >= 2 {
                    found.common.add(ascends(places));
                }
            }
            for ((_, other), mut places) in linked {
                places.sort_unstable();
                places.dedup();
                let is_pair = !is_done[other as usize] && !common.contains_key(&other);
                if is_pair && places.len() >= 2 && is_one_to_one(&places) {
                    found.linked.add(ascends(&places));
                }
            }
        }
        found
    }

    /// The share of aligned pairs; none if no pair has an order to compare.
    pub fn share(&self) -> Option<f64> {
        let pairs = self.common.pairs + self.linked.pairs;
        let aligned = self.common.aligned + self.linked.aligned;
        (pairs > 0).then(|| aligned as f64 / pairs as f64)
    }
}

fn coprime(one: usize, other: usize) -> bool {
    if other == 0 { one == 1 } else { coprime(other, one % other) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::{Bounds, GroupFamily};
    use crate::literal::Literal;

    fn family(groups: &[&[u32]]) -> GroupFamily {
        let groups = groups.iter().map(|group| group.iter().map(|&x| Literal::chosen(x)));
        GroupFamily::new("groups", Bounds::AT_MOST_ONE, groups.collect())
    }

    fn pairs(aligned: u64, pairs: u64) -> AlignedPairs {
        AlignedPairs { aligned, pairs }
    }

    #[test]
    fn common_candidates_are_compared_by_their_order() {
        let groups: [&[u32]; 4] = [&[0, 1, 2, 3], &[5, 1, 3], &[3, 6, 1], &[2, 7, 8]];
        let found = Alignment::of(&Problem::new(9).with_family(family(&groups)));
        // The first three have 1 and 3; the last one has one candidate of the first.
        assert_eq!((found.common, found.linked), (pairs(1, 3), pairs(0, 0)));
        assert_eq!(found.share(), Some(1.0 / 3.0));
        assert!(!found.is_sample);
    }

    #[test]
    fn holes_are_compared_by_the_pigeons_that_link_them() {
        // Four pigeons in three holes: candidate 3 p + h. Pigeons are clauses, whose order counts for nothing.
        let clauses = (0..4).map(|p| (0..3).map(move |h| Literal::chosen(3 * p + h)));
        let problem = |last: [u32; 4]| {
            let holes: [&[u32]; 3] = [&[0, 3, 6, 9], &[1, 4, 7, 10], &last];
            let clauses: crate::Lists<Literal> = clauses.clone().collect();
            Problem::new(12).with_family(family(&holes)).with_clauses(clauses)
        };
        let aligned = Alignment::of(&problem([2, 5, 8, 11]));
        assert_eq!((aligned.common, aligned.linked), (pairs(0, 0), pairs(3, 3)));
        let crossed = Alignment::of(&problem([2, 8, 5, 11]));
        assert_eq!(crossed.linked, pairs(1, 3));
        assert_eq!(Alignment::of(&Problem::new(2)).share(), None);
    }

    #[test]
    fn links_of_several_partners_are_left_out() {
        // Each of 0 and 1 is linked with both of 3 and 4.
        let links: [&[u32]; 1] = [&[0, 1, 3, 4]];
        let groups: [&[u32]; 2] = [&[0, 1, 2], &[3, 4, 5]];
        let problem = Problem::new(6).with_family(family(&groups)).with_family(family(&links));
        assert_eq!(
            Alignment::of(&problem),
            Alignment { common: pairs(2, 2), ..Default::default() }
        );
    }
}
