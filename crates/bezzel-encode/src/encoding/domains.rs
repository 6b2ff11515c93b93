//! Domains: a problem seen as variables that take one of several values.

use bezzel_problem::{Bounds, Candidate, GroupFamily, Lists, Literal, Problem};

use crate::constraints::Misfit;

/// A family of exactly-one groups that partitions the candidates. Each group is the domain of a variable, and
/// its candidates are the values.
pub(super) struct Domains {
    /// The number of the family in the problem.
    pub(super) family: usize,
    /// The candidates of each domain, as literals.
    pub(super) groups: Lists<Literal>,
    /// The number of each candidate's domain.
    pub(super) of: Vec<u32>,
    /// The place of each candidate in its domain, from 0.
    pub(super) places: Vec<u32>,
}

impl Domains {
    /// The domains of a problem: the first family that partitions its candidates.
    pub(super) fn of(problem: &Problem) -> Option<Self> {
        (0..problem.families().len()).find_map(|family| Self::by(problem, family))
    }

    /// The domains that one family makes, if it partitions the candidates.
    pub(super) fn by(problem: &Problem, family: usize) -> Option<Self> {
        const NONE: u32 = u32::MAX;
        let groups = &problem.families()[family];
        let length: u64 = groups.lengths().sum();
        let is_possible = groups.bounds() == Bounds::EXACTLY_ONE && groups.weights().is_none();
        if !is_possible || length != u64::from(problem.candidates()) {
            return None;
        }
        let mut of = vec![NONE; problem.candidates() as usize];
        let mut places = vec![0; of.len()];
        let mut is_partition = true;
        let groups = groups.listed().into_owned();
        for (number, group) in (0..).zip(groups.iter()) {
            for (place, literal) in (0..).zip(group) {
                let entry = &mut of[literal.candidate() as usize];
                is_partition &= *entry == NONE && !literal.is_negated();
                *entry = number;
                places[literal.candidate() as usize] = place;
            }
        }
        is_partition.then_some(Self { family, groups, of, places })
    }

    /// The number of candidates in the domain of a candidate.
    pub(super) fn size_around(&self, candidate: Candidate) -> u64 {
        self.groups.get(self.of[candidate as usize] as usize).len() as u64
    }

    /// The domains of a problem that has them.
    ///
    /// # Panics
    ///
    /// When it has none.
    pub(super) fn expect(problem: &Problem) -> Self {
        Self::of(problem).expect("`fits` refuses problems without domains")
    }

    /// Refuses problems without domains.
    pub(super) fn needed(what: impl FnOnce() -> String, problem: &Problem) -> Result<Self, Misfit> {
        Self::of(problem).ok_or_else(|| {
            let why = "no family of its groups, each with exactly one, partitions the candidates";
            Misfit::new(what(), problem, why, "take an at-most-one encoding")
        })
    }

    /// True if the lower bounds of a family follow from its upper bounds: every candidate is in d groups of it,
    /// and there are d groups for each domain. A solution chooses one candidate for each domain, so it has as
    /// many members of groups as there are groups, and no group has two.
    pub(super) fn imply_lower_bounds(&self, problem: &Problem, family: &GroupFamily) -> bool {
        if family.bounds() != Bounds::EXACTLY_ONE || family.weights().is_some() {
            return false;
        }
        let (number, length) = (family.lengths().count(), family.lengths().sum::<u64>());
        let candidates = u64::from(problem.candidates());
        // The number d, if there is one.
        if candidates == 0 || !length.is_multiple_of(candidates) {
            return false;
        }
        let times = length / candidates;
        if number as u64 != times * self.groups.len() as u64 {
            return false;
        }
        let mut counts = vec![0; candidates as usize];
        let mut is_positive = true;
        family.for_each(|group| {
            for literal in group {
                is_positive &= !literal.is_negated();
                counts[literal.candidate() as usize] += 1;
            }
        });
        is_positive && counts.iter().all(|&count| count == times)
    }
}
