//! Groups of literals with bounds, in families.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::literal::{Candidate, Literal};
use crate::text::Position;

/// Bounds on the number of true literals of a group, or on the sum of the weights of its true literals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// The least number; none if there is no lower bound.
    pub at_least: Option<u64>,
    /// The largest number; none if there is no upper bound.
    pub at_most: Option<u64>,
}

impl Bounds {
    /// Exactly one.
    pub const EXACTLY_ONE: Self = Self { at_least: Some(1), at_most: Some(1) };
    /// At most one.
    pub const AT_MOST_ONE: Self = Self { at_least: None, at_most: Some(1) };

    /// True if the number lies within the bounds.
    pub fn admit(self, number: u64) -> bool {
        self.at_least.is_none_or(|least| number >= least)
            && self.at_most.is_none_or(|max| number <= max)
    }
}

/// `exactly 1`, `at most 1`, `at least 1`, `2 to 3` or `any number`.
impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.at_least, self.at_most) {
            (Some(least), Some(max)) if least == max => write!(f, "exactly {least}"),
            (Some(least), Some(max)) => write!(f, "{least} to {max}"),
            (Some(least), None) => write!(f, "at least {least}"),
            (None, Some(max)) => write!(f, "at most {max}"),
            (None, None) => f.write_str("any number"),
        }
    }
}

/// Lists of items, one after the other in one buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lists<T> {
    items: Vec<T>,
    ends: Vec<usize>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { items: Vec::new(), ends: Vec::new() }
    }
}

impl<T> Lists<T> {
    /// The lists that end at these places among the items.
    ///
    /// # Panics
    ///
    /// When the last one does not end with the items.
    pub fn from_parts(items: Vec<T>, ends: Vec<usize>) -> Self {
        assert_eq!(ends.last().copied().unwrap_or(0), items.len(), "lists end with the items");
        Self { items, ends }
    }

    /// Adds a list.
    pub fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.items.extend(list);
        self.ends.push(self.items.len());
    }

    /// The number of lists.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there is no list.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The list of this number, from 0.
    ///
    /// # Panics
    ///
    /// When there are not as many lists.
    pub fn get(&self, number: usize) -> &[T] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start..self.ends[number]]
    }

    /// All lists in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> + Clone {
        (0..self.len()).map(|number| self.get(number))
    }

    /// The items of all lists, one list after the other.
    pub fn items(&self) -> &[T] {
        &self.items
    }
}

impl<T, L: IntoIterator<Item = T>> FromIterator<L> for Lists<T> {
    fn from_iter<I: IntoIterator<Item = L>>(lists: I) -> Self {
        let mut all = Self::default();
        lists.into_iter().for_each(|list| all.push(list));
        all
    }
}

/// A named family of groups of literals, all with the same bounds.
#[derive(Clone, Debug)]
pub struct GroupFamily {
    name: Cow<'static, str>,
    bounds: Bounds,
    groups: Groups,
    conditions: Arc<[Literal]>,
    origin: Option<Position>,
}

/// The members of the groups.
#[derive(Clone, Debug)]
enum Groups {
    /// Literals, with a weight for each, or with no weights where each is 1.
    Listed { literals: Arc<Lists<Literal>>, weights: Arc<Lists<u64>> },
    /// Groups that are computed: those of a large instance would fill the memory.
    Computed(Arc<dyn GroupSource>),
}

/// Groups of positive literals, each with weight 1, which are computed where they are needed.
pub trait GroupSource: fmt::Debug + Send + Sync {
    /// The number of literals of each group, in order.
    fn lengths(&self) -> Box<dyn Iterator<Item = u64> + '_>;

    /// Calls `each` with every group in order. A group is a slice that is valid during the call.
    fn for_each(&self, each: &mut dyn FnMut(&[Literal]));

    /// The sum of the lengths of the groups that have this candidate, without the candidate itself.
    fn partners(&self, candidate: Candidate) -> u64;

    /// The layout of the groups among the candidates of the problem.
    fn layout(&self) -> GroupLayout {
        GroupLayout::Other
    }
}

/// A layout of groups among the candidates of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupLayout {
    /// The candidates in their order, cut into parts of this length.
    Parts(u32),
    /// Each candidate is in the group of its number's remainder by the number of groups, in ascending order.
    Strided,
    /// Another layout.
    Other,
}

/// Equal families have equal groups, computed or listed.
impl PartialEq for GroupFamily {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, self.bounds, &self.conditions, self.origin)
            == (&other.name, other.bounds, &other.conditions, other.origin)
            && self.weights() == other.weights()
            && self.listed() == other.listed()
    }
}

impl Eq for GroupFamily {}

impl GroupFamily {
    /// The family of these groups, in which every literal counts 1.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        bounds: Bounds,
        literals: Lists<Literal>,
    ) -> Self {
        Self::weighted(name, bounds, literals, Lists::default())
    }

    /// The family of these groups, in which every literal counts its weight; `weights` is empty, or has the
    /// shape of `literals`.
    pub fn weighted(
        name: impl Into<Cow<'static, str>>,
        bounds: Bounds,
        literals: Lists<Literal>,
        weights: Lists<u64>,
    ) -> Self {
        let groups = Groups::Listed { literals: literals.into(), weights: weights.into() };
        Self { name: name.into(), bounds, groups, conditions: Arc::default(), origin: None }
    }

    /// The family of these groups, which are computed where they are needed.
    pub fn computed(
        name: impl Into<Cow<'static, str>>,
        bounds: Bounds,
        groups: impl GroupSource + 'static,
    ) -> Self {
        let (name, groups) = (name.into(), Groups::Computed(Arc::new(groups)));
        Self { name, bounds, groups, conditions: Arc::default(), origin: None }
    }

    /// The same family, whose bounds hold for a group if its condition does: one literal for each group.
    ///
    /// # Panics
    ///
    /// When there are not as many groups, or a group has the candidate of its condition.
    #[must_use]
    pub fn with_conditions(self, conditions: impl IntoIterator<Item = Literal>) -> Self {
        let conditions: Arc<[Literal]> = conditions.into_iter().collect();
        let mut free = conditions.iter();
        self.for_each(|group| {
            let condition = free.next().expect("a condition for each group").candidate();
            assert!(group.iter().all(|literal| literal.candidate() != condition));
        });
        assert_eq!(free.next(), None, "a group for each condition");
        Self { conditions, ..self }
    }

    /// The conditions of the groups; empty if the bounds hold in any case.
    pub fn conditions(&self) -> &[Literal] {
        &self.conditions
    }

    /// The same family, whose first group is at this place of a file.
    #[must_use]
    pub fn with_origin(self, origin: Position) -> Self {
        Self { origin: Some(origin), ..self }
    }

    /// The place of the first group in the file that it was read from; none if it was not read.
    pub fn origin(&self) -> Option<Position> {
        self.origin
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The bounds of every group.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// The weights of the literals of each group; none if each is 1.
    pub fn weights(&self) -> Option<&Lists<u64>> {
        match &self.groups {
            Groups::Listed { weights, .. } if !weights.is_empty() => Some(weights),
            _ => None,
        }
    }

    /// The number of literals of each group, in order.
    pub fn lengths(&self) -> Box<dyn Iterator<Item = u64> + '_> {
        match &self.groups {
            Groups::Listed { literals, .. } => {
                Box::new(literals.iter().map(|group| group.len() as u64))
            }
            Groups::Computed(source) => source.lengths(),
        }
    }

    /// The number of pairs of one of these candidates and another literal of a group that has it, each counted
    /// once for each group.
    pub fn partners(&self, candidates: &[Candidate]) -> u128 {
        match &self.groups {
            Groups::Listed { literals, .. } => {
                let mut times: HashMap<Candidate, u128> = HashMap::new();
                for &candidate in candidates {
                    *times.entry(candidate).or_default() += 1;
                }
                let partners = |group: &[Literal]| {
                    let present =
                        group.iter().filter_map(|literal| times.get(&literal.candidate()));
                    present.sum::<u128>() * group.len().saturating_sub(1) as u128
                };
                literals.iter().map(partners).sum()
            }
            Groups::Computed(source) => {
                candidates.iter().map(|&candidate| u128::from(source.partners(candidate))).sum()
            }
        }
    }

    /// The number of groups in which each of the problem's candidates is; none if it is not the same for all,
    /// or if some literal is negated.
    pub fn degree(&self, candidates: u32) -> Option<u64> {
        if self.layout() != GroupLayout::Other {
            return Some(1);
        }
        let mut degrees = vec![0_u64; candidates as usize];
        let mut is_positive = true;
        self.for_each(|group| {
            for literal in group {
                is_positive &= !literal.is_negated();
                degrees[literal.candidate() as usize] += 1;
            }
        });
        let first = *degrees.first()?;
        (is_positive && degrees.iter().all(|&degree| degree == first)).then_some(first)
    }

    /// True if it is known that each candidate is in the group of its number's remainder by the number of groups,
    /// in ascending order.
    pub fn are_strided(&self) -> bool {
        self.layout() == GroupLayout::Strided
    }

    /// The layout of computed groups; that of listed ones is not known.
    fn layout(&self) -> GroupLayout {
        match &self.groups {
            Groups::Listed { .. } => GroupLayout::Other,
            Groups::Computed(source) => source.layout(),
        }
    }

    /// True if no literal is negated.
    pub fn is_positive(&self) -> bool {
        match &self.groups {
            Groups::Listed { literals, .. } => {
                literals.items().iter().all(|literal| !literal.is_negated())
            }
            Groups::Computed(_) => true,
        }
    }

    /// The length of every group, if the groups are the problem's candidates in their order, cut into parts of
    /// this length.
    pub fn parts(&self, candidates: u32) -> Option<u32> {
        if let GroupLayout::Parts(length) = self.layout() {
            return Some(length);
        }
        let Groups::Listed { literals, .. } = &self.groups else { return None };
        let length = literals.iter().next()?.len();
        let are_parts = literals.iter().all(|group| group.len() == length)
            && literals.items().iter().copied().eq((0..candidates).map(Literal::chosen));
        are_parts.then_some(length as u32)
    }

    /// Calls `each` with every group in order. A group is a slice that is valid during the call.
    pub fn for_each(&self, mut each: impl FnMut(&[Literal])) {
        match &self.groups {
            Groups::Listed { literals, .. } => literals.iter().for_each(each),
            Groups::Computed(source) => source.for_each(&mut each),
        }
    }

    /// The literals of every group, kept in memory.
    pub fn listed(&self) -> Cow<'_, Lists<Literal>> {
        match &self.groups {
            Groups::Listed { literals, .. } => Cow::Borrowed(literals),
            Groups::Computed(_) => {
                let mut lists = Lists::default();
                self.for_each(|group| lists.push(group.iter().copied()));
                Cow::Owned(lists)
            }
        }
    }
}
