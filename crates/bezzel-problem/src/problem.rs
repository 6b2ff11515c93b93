//! Problems: candidates, and groups of them with bounds.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::grid::{Grid, Square};
use crate::group::{Bounds, GroupFamily, Lists};
use crate::literal::{Candidate, Literal};
use crate::solution::Solution;

/// Candidates, some of which are chosen, and the constraints on the choice.
///
/// A problem is built from an [`Instance`](crate::Instance) where it is needed. It is neither stored nor hashed.
#[derive(Clone)]
pub struct Problem {
    described: Option<Arc<dyn Describe>>,
    grid: Option<Grid>,
    bound_sets: Vec<BoundSet>,
    repeated_pairs: Option<u128>,
    candidates: u32,
    families: Vec<GroupFamily>,
    clauses: Arc<Lists<Literal>>,
    given: Vec<Candidate>,
    excluded: Vec<Candidate>,
    side_constraints: Option<Arc<Problem>>,
}

/// A choice of the bounds that are stated for each family, where some bounds follow from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundSet {
    /// Its permanent name.
    pub id: &'static str,
    /// The bounds of each family, or the reason why they are not those of this instance.
    pub bounds: Result<Vec<Bounds>, &'static str>,
}

/// A request to a program that encodes instances whole. The revision of a recorded program depends on the order of its
/// requests.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EncoderRequest {
    /// The rows and columns of its candidates.
    pub grid: Grid,
    /// The place among the requests with this grid.
    pub place: u32,
    /// The name of the instance without given and excluded candidates. Its rules are requested.
    pub instance: String,
    /// The word for the instance.
    pub noun: &'static str,
    /// The words of the request, one line.
    pub words: String,
}

/// The description of an instance, which is displayed as its name.
pub trait Describe: Any + fmt::Display + Send + Sync {
    /// The name of the kind.
    fn kind(&self) -> &'static str;

    /// The word for the instance in messages: see [`Kind::NOUN`](crate::Kind::NOUN).
    fn noun(&self) -> &'static str;

    /// See [`Kind::label`](crate::Kind::label).
    fn label(&self, candidate: Candidate) -> String;

    /// See [`Kind::GIVEN`](crate::Kind::GIVEN).
    fn given(&self) -> &'static str;

    /// See [`Kind::EXCLUDED`](crate::Kind::EXCLUDED).
    fn excluded(&self) -> &'static str;

    /// See [`Kind::encoder_request`](crate::Kind::encoder_request).
    fn encoder_request(&self) -> Option<EncoderRequest>;
}

/// The first constraint of a problem that a solution violates.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConstraintViolation {
    /// A number that is no candidate's.
    #[error("there is no candidate {candidate}: they are numbered from 1 to {candidates}")]
    Candidate {
        /// The candidate, counted from 1.
        candidate: u64,
        /// The number of candidates.
        candidates: u32,
    },
    /// The number of true literals of a group is outside its bounds.
    #[error("in group {group} of the family `{family}` {found} hold where the bounds are {bounds}")]
    Group {
        /// The name of the family.
        family: String,
        /// The number of the group in its family, counted from 1.
        group: usize,
        /// The bounds.
        bounds: Bounds,
        /// The number of true literals, or the sum of their weights.
        found: u64,
    },
    /// No literal of a clause holds.
    #[error("clause {0} does not hold")]
    Clause(usize),
    /// A given candidate is not chosen.
    #[error("the given candidate {0} is not chosen")]
    Given(u64),
    /// An excluded candidate is chosen.
    #[error("the excluded candidate {0} is chosen")]
    Excluded(u64),
}

impl Problem {
    /// The problem with `candidates` candidates and without constraints.
    pub fn new(candidates: u32) -> Self {
        Self {
            described: None,
            grid: None,
            bound_sets: Vec::new(),
            repeated_pairs: None,
            candidates,
            families: Vec::new(),
            clauses: Arc::default(),
            given: Vec::new(),
            excluded: Vec::new(),
            side_constraints: None,
        }
    }

    /// The same problem, for assignments that meet the constraints of another one over the same candidates. They are not
    /// constraints of this problem: their clauses are written elsewhere.
    #[must_use]
    pub fn with_side_constraints(self, other: Arc<Self>) -> Self {
        Self { side_constraints: Some(other), ..self }
    }

    /// The problem whose constraints all considered assignments meet, if there is one.
    pub fn side_constraints(&self) -> Option<&Self> {
        self.side_constraints.as_deref()
    }

    /// The problem with one more family of groups.
    #[must_use]
    pub fn with_family(mut self, family: GroupFamily) -> Self {
        self.families.push(family);
        self
    }

    /// The problem with these clauses over its candidates.
    #[must_use]
    pub fn with_clauses(mut self, clauses: impl Into<Arc<Lists<Literal>>>) -> Self {
        self.clauses = clauses.into();
        self
    }

    /// The problem with candidates that are chosen in every solution, and candidates that are chosen in none.
    #[must_use]
    pub fn with_fixed(
        mut self,
        given: impl IntoIterator<Item = Candidate>,
        excluded: impl IntoIterator<Item = Candidate>,
    ) -> Self {
        self.given = given.into_iter().collect();
        self.excluded = excluded.into_iter().collect();
        self
    }

    /// The same problem with the description of its instance.
    #[must_use]
    pub(crate) fn described_by(self, instance: impl Describe) -> Self {
        Self { described: Some(Arc::new(instance)), ..self }
    }

    /// The instance, if it is of this type, for encodings that need more than groups.
    pub fn instance<T: Any>(&self) -> Option<&T> {
        let described: &dyn Any = &**self.described.as_ref()?;
        described.downcast_ref()
    }

    /// The same problem, whose candidates stand in rows and columns.
    #[must_use]
    pub fn with_grid(self, rows: u32, columns: u32) -> Self {
        Self { grid: Some(Grid { rows, columns }), ..self }
    }

    /// The rows and columns in which the candidates stand, if they do.
    pub fn grid(&self) -> Option<Grid> {
        self.grid
    }

    /// The square in which a candidate stands, if the candidates stand in rows and columns.
    pub fn square(&self, candidate: Candidate) -> Option<Square> {
        Some(self.grid?.square(candidate))
    }

    /// The same problem with these choices of stated bounds, the default first.
    #[must_use]
    pub fn with_bound_sets(self, bound_sets: Vec<BoundSet>) -> Self {
        Self { bound_sets, ..self }
    }

    /// The choices of stated bounds; empty if only the bounds of the families can be stated.
    pub fn bound_sets(&self) -> &[BoundSet] {
        &self.bound_sets
    }

    /// The same problem with a known number of pairs of candidates that are together in two groups with an upper bound.
    /// None of these pairs is in a group with exactly one. It need not be known; encodings then count the pairs.
    #[must_use]
    pub fn with_repeated_pairs(self, number: u128) -> Self {
        Self { repeated_pairs: Some(number), ..self }
    }

    /// The number of pairs of candidates that are together in two groups with an upper bound, if it is known.
    pub fn repeated_pairs(&self) -> Option<u128> {
        self.repeated_pairs
    }

    /// The name of the kind.
    pub fn kind(&self) -> &'static str {
        self.described.as_ref().map_or("problem", |described| described.kind())
    }

    /// The word for the instance in messages.
    pub fn noun(&self) -> &'static str {
        self.described.as_ref().map_or("instance", |described| described.noun())
    }

    /// The name of the instance.
    pub fn name(&self) -> String {
        self.described.as_ref().map_or_else(|| "problem".into(), ToString::to_string)
    }

    /// The section of the clauses for given candidates, and the word before them in comments.
    pub fn given_section(&self) -> &'static str {
        self.described.as_ref().map_or("given", |described| described.given())
    }

    /// The section of the clauses for excluded candidates, and the word before them in comments.
    pub fn excluded_section(&self) -> &'static str {
        self.described.as_ref().map_or("excluded", |described| described.excluded())
    }

    /// The name of a candidate.
    pub fn label(&self, candidate: Candidate) -> String {
        match &self.described {
            Some(described) => described.label(candidate),
            None => format!("x{}", u64::from(candidate) + 1),
        }
    }

    /// See [`Kind::encoder_request`](crate::Kind::encoder_request).
    pub fn encoder_request(&self) -> Option<EncoderRequest> {
        self.described.as_ref()?.encoder_request()
    }

    /// The number of candidates.
    pub fn candidates(&self) -> u32 {
        self.candidates
    }

    /// The families of groups.
    pub fn families(&self) -> &[GroupFamily] {
        &self.families
    }

    /// The names of the families of groups.
    pub fn family_names(&self) -> Vec<String> {
        self.families.iter().map(|family| family.name().to_owned()).collect()
    }

    /// The clauses beside the groups.
    pub fn clauses(&self) -> &Lists<Literal> {
        &self.clauses
    }

    /// The candidates that are chosen in every solution.
    pub fn given(&self) -> &[Candidate] {
        &self.given
    }

    /// The candidates that are chosen in no solution.
    pub fn excluded(&self) -> &[Candidate] {
        &self.excluded
    }

    /// True if the bounds of some groups hold under conditions.
    pub fn has_conditions(&self) -> bool {
        self.families.iter().any(|family| !family.conditions().is_empty())
    }

    /// True if a solution may choose all candidates of another one, and more. It may not where every candidate is
    /// in a group of positive literals with one number as both bounds and no condition.
    pub fn has_nested_solutions(&self) -> bool {
        let mut is_counted = vec![false; self.candidates as usize];
        for family in &self.families {
            let bounds = family.bounds();
            let is_open = bounds.at_least != bounds.at_most || bounds.at_least.is_none();
            if is_open || !family.conditions().is_empty() {
                continue;
            }
            family.for_each(|group| {
                if group.iter().all(|literal| !literal.is_negated()) {
                    for literal in group {
                        is_counted[literal.candidate() as usize] = true;
                    }
                }
            });
        }
        is_counted.contains(&false)
    }

    /// Counts the true literals of every clause, and of every group whose condition holds.
    ///
    /// # Errors
    ///
    /// The first constraint that is violated.
    pub fn check(&self, solution: &Solution) -> Result<(), ConstraintViolation> {
        let mut chosen = vec![false; self.candidates as usize];
        for &candidate in solution.chosen() {
            let Some(entry) = chosen.get_mut(candidate as usize) else {
                let (candidate, candidates) = (u64::from(candidate) + 1, self.candidates);
                return Err(ConstraintViolation::Candidate { candidate, candidates });
            };
            *entry = true;
        }
        let holds =
            |literal: &Literal| chosen[literal.candidate() as usize] != literal.is_negated();
        for family in &self.families {
            let (mut group, mut violated) = (0, None);
            family.for_each(|literals| {
                let found = match family.weights() {
                    None => literals.iter().filter(|literal| holds(literal)).count() as u64,
                    Some(weights) => {
                        let weighted = literals.iter().zip(weights.get(group));
                        weighted
                            .filter(|(literal, _)| holds(literal))
                            .fold(0_u64, |sum, (_, &weight)| sum.saturating_add(weight))
                    }
                };
                let is_stated = family.conditions().get(group).is_none_or(holds);
                group += 1;
                if violated.is_none() && is_stated && !family.bounds().admit(found) {
                    violated = Some((group, found));
                }
            });
            if let Some((group, found)) = violated {
                let (family, bounds) = (family.name().to_owned(), family.bounds());
                return Err(ConstraintViolation::Group { family, group, bounds, found });
            }
        }
        if let Some(clause) = self.clauses.iter().position(|clause| !clause.iter().any(holds)) {
            return Err(ConstraintViolation::Clause(clause + 1));
        }
        let number = |&candidate: &Candidate| u64::from(candidate) + 1;
        if let Some(given) = self.given.iter().find(|&&given| !chosen[given as usize]) {
            return Err(ConstraintViolation::Given(number(given)));
        }
        match self.excluded.iter().find(|&&excluded| chosen[excluded as usize]) {
            Some(excluded) => Err(ConstraintViolation::Excluded(number(excluded))),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Problem")
            .field("name", &self.name())
            .field("candidates", &self.candidates)
            .field("families", &self.families)
            .field("clauses", &self.clauses)
            .field("given", &self.given)
            .field("excluded", &self.excluded)
            .finish_non_exhaustive()
    }
}
