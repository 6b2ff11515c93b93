//! Domains: a problem seen as variables that take one of several values.

use bezzel_problem::{Bounds, Candidate, GroupFamily, Lists, Problem};

use crate::constraints::Unsupported;

/// A family of exactly-one groups that partitions the candidates. Each group is the domain of a variable, and
/// its candidates are the values.
pub(super) struct Domains {
    /// The number of the family in the problem.
    pub(super) family: usize,
    /// The number of domains.
    number: u32,
    shape: DomainShape,
}

/// The candidates of the domains.
enum DomainShape {
    /// The candidates in their order, cut into parts of this length: no list is stored.
    Parts(u32),
    /// Each candidate in the domain of its number's remainder by the number of domains; all of this length.
    Strided(u32),
    /// The candidates of each domain; the domain of each candidate, and its place there.
    Listed { members: Lists<Candidate>, of: Vec<(u32, u32)> },
}

impl Domains {
    /// The domains of a problem: the first family that partitions its candidates.
    pub(super) fn of(problem: &Problem) -> Option<Self> {
        (0..problem.families().len()).find_map(|family| Self::by(problem, family))
    }

    /// The domains that one family makes, if it partitions the candidates.
    pub(super) fn by(problem: &Problem, family: usize) -> Option<Self> {
        const NONE: (u32, u32) = (u32::MAX, 0);
        let groups = &problem.families()[family];
        let is_stated = groups.weights().is_none() && groups.conditions().is_empty();
        if groups.bounds() != Bounds::EXACTLY_ONE || !is_stated {
            return None;
        }
        let number = groups.lengths().count() as u32;
        if let Some(length) = groups.parts(problem.candidates()) {
            return Some(Self { family, number, shape: DomainShape::Parts(length) });
        }
        if groups.are_strided() {
            let length = problem.candidates() / number;
            return Some(Self { family, number, shape: DomainShape::Strided(length) });
        }
        if groups.lengths().sum::<u64>() != u64::from(problem.candidates()) {
            return None;
        }
        let mut of = vec![NONE; problem.candidates() as usize];
        let mut members = Lists::default();
        let mut is_partition = true;
        groups.for_each(|group| {
            for (place, literal) in (0..).zip(group) {
                let entry = &mut of[literal.candidate() as usize];
                is_partition &= *entry == NONE && !literal.is_negated();
                *entry = (members.len() as u32, place);
            }
            members.push(group.iter().map(|literal| literal.candidate()));
        });
        is_partition.then_some(Self { family, number, shape: DomainShape::Listed { members, of } })
    }

    /// The number of domains.
    pub(super) fn len(&self) -> u32 {
        self.number
    }

    /// The number of values of a domain.
    pub(super) fn size(&self, domain: u32) -> u32 {
        match &self.shape {
            DomainShape::Parts(length) | DomainShape::Strided(length) => *length,
            DomainShape::Listed { members, .. } => members.get(domain as usize).len() as u32,
        }
    }

    /// The number of values of each domain.
    pub(super) fn sizes(&self) -> impl Iterator<Item = u32> + Clone {
        (0..self.number).map(|domain| self.size(domain))
    }

    /// The values of a domain.
    pub(super) fn values(&self, domain: u32) -> impl DoubleEndedIterator<Item = Candidate> + Clone {
        (0..self.size(domain)).map(move |place| match &self.shape {
            DomainShape::Parts(length) => domain * length + place,
            DomainShape::Strided(_) => place * self.number + domain,
            DomainShape::Listed { members, .. } => members.get(domain as usize)[place as usize],
        })
    }

    /// The domain of a candidate, and the candidate's place there, from 0.
    #[inline]
    pub(super) fn place(&self, candidate: Candidate) -> (u32, u32) {
        match &self.shape {
            DomainShape::Parts(length) => (candidate / length, candidate % length),
            DomainShape::Strided(_) => (candidate % self.number, candidate / self.number),
            DomainShape::Listed { of, .. } => of[candidate as usize],
        }
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
    pub(super) fn needed(
        what: impl FnOnce() -> String,
        problem: &Problem,
    ) -> Result<Self, Unsupported> {
        Self::of(problem).ok_or_else(|| {
            let why = "no family of its groups, each with exactly one, partitions the candidates";
            Unsupported::new(what(), problem, why, "take an at-most-one encoding")
        })
    }

    /// True if it is known from the layout of a family that each of its groups has one candidate of every domain, as
    /// the columns of a grid have one of every row.
    pub(super) fn are_crossed_by(&self, problem: &Problem, family: &GroupFamily) -> bool {
        match self.shape {
            DomainShape::Parts(length) => {
                family.are_strided() && family.lengths().count() == length as usize
            }
            DomainShape::Strided(_) => family.parts(problem.candidates()) == Some(self.number),
            DomainShape::Listed { .. } => false,
        }
    }

    /// True if the lower bounds of a family follow from its upper bounds: every candidate is in d groups of it,
    /// and there are d groups for each domain. A solution chooses one candidate of each domain, so it has as
    /// many members of groups as there are groups, and no group has two.
    pub(super) fn imply_lower_bounds(&self, problem: &Problem, family: &GroupFamily) -> bool {
        let number = family.lengths().count() as u64;
        family.bounds() == Bounds::EXACTLY_ONE
            && family.weights().is_none()
            && family
                .degree(problem.candidates())
                .is_some_and(|degree| number == degree * u64::from(self.number))
    }
}
