//! Support: a chosen candidate needs one in every other domain that it does not exclude.
//!
//! *Idea.* Groups with exactly one that partition the candidates are domains, as the rows of a grid: each is a variable of
//! a constraint satisfaction problem, its candidates the values, and two domains a constraint between them. Instead of
//! the pairs of candidates that exclude each other, the clauses state what a candidate needs: in every other domain one
//! of the candidates that it does not exclude, its supports.
//!
//! *Clauses.* Every domain: at least one candidate, and not both of each pair of candidates. For every candidate and
//! every other domain with which its own has a conflict: x → y₁ ∨ … ∨ yₘ, over the candidates of that domain that x
//! does not exclude. `support+columns` treats every other family that partitions the candidates in the same way, as the
//! columns of a square grid: every group at least one, and for every candidate and every other group x → y₁ ∨ … ∨ yₘ.
//! The clauses of the first domains already state that two candidates of a column exclude each other.
//!
//! *Size* for d domains of n values, between all of which there are conflicts, p in number: dn variables, d + dn(n − 1)/2 +
//! dn(d − 1) clauses and dn + dn(n − 1) + dn(d − 1)(n + 1) − 2p literals. `+columns` adds the clauses of "at least one"
//! and of supports by the second domains. The literals grow with the fourth power of the side of a grid, where those of
//! pairwise grow with the third.
//!
//! *Propagation.* Complete: a chosen candidate falsifies the others of its domain, and then every candidate of other
//! domains that has no support but those. In addition, unit propagation makes the domains arc consistent: it excludes a
//! candidate if and only if it has no support in some domain, candidates excluded before not counted; with `+columns`,
//! in some domain of some family. It thereby excludes a candidate that would exclude all candidates left in another
//! domain, where encodings made of groups need search.
//!
//! *Models.* No auxiliary variable.
//!
//! *Source.* I. P. Gent, "Arc Consistency in SAT", European Conference on Artificial Intelligence
//! 2002, after S. Kasif, "On the Parallel Complexity of Discrete Relaxation in Constraint
//! Satisfaction Networks", Artificial Intelligence 45, 1990.
//!
//! *Departures.* The clauses of `support` are Gent's, for both directions of each pair of rows. No column is stated to
//! have at least one there: n rows with one each, and no column with two, leave none empty. `+columns` is Bezzel's own.

use std::collections::HashSet;

use bezzel_problem::{GroupFamily, Lists, Literal, Problem};
use rustsat::types::Lit;

use super::Encoding;
use super::domains::Domains;
use super::pairs::{distinct, listed_with_index};
use super::rest::{OtherFamilies, refuse_unsupported};
use crate::constraints::{Constraints, Unsupported};
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::{Size, pairs};
use crate::var_map::VarMap;

/// The section of the clauses that state the supports of candidates.
const SUPPORTS: &str = "supports";

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Support {
    /// True if columns are treated as rows are.
    pub columns: bool,
}

/// The conflicts of a problem between the domains of one family: two candidates of different domains in a group
/// with at most one.
struct DomainConflicts<'a> {
    problem: &'a Problem,
    domains: &'a Domains,
    /// The families whose groups make conflicts.
    families: Vec<&'a GroupFamily>,
}

impl<'a> DomainConflicts<'a> {
    /// Takes the groups of positive literals; others are stated as clauses.
    fn new(problem: &'a Problem, domains: &'a Domains) -> Self {
        let others = problem.families().iter().enumerate();
        let others = others.filter(|&(number, _)| number != domains.family).map(|(_, other)| other);
        let families = others.filter(|family| is_supported(family)).collect();
        Self { problem, domains, families }
    }

    /// The number of a candidate's domain.
    fn domain(&self, literal: Literal) -> u32 {
        self.domains.place(literal.candidate()).0
    }

    /// True if some group has a candidate of every domain, so that all domains conflict with each other.
    fn are_complete(&self) -> bool {
        let number = self.domains.len();
        let is_crossed = |family: &&GroupFamily| self.domains.are_crossed_by(self.problem, family);
        let mut found = self.families.iter().any(is_crossed);
        for family in &self.families {
            if found || !family.lengths().any(|length| length >= number.into()) {
                continue;
            }
            family.for_each(|group| {
                if !found && group.len() >= number as usize {
                    let met: HashSet<u32> =
                        group.iter().map(|&literal| self.domain(literal)).collect();
                    found = met.len() == number as usize;
                }
            });
        }
        found
    }

    /// For each domain, those with which it has a conflict, in ascending order.
    fn neighbours(&self) -> Neighbours {
        if self.are_complete() {
            return Neighbours::All(self.domains.len());
        }
        let mut all = vec![Vec::new(); self.domains.len() as usize];
        for family in &self.families {
            family.for_each(|group| {
                for &first in group {
                    let own = self.domain(first);
                    let others = group.iter().map(|&second| self.domain(second));
                    all[own as usize].extend(others.filter(|&other| other != own));
                }
            });
            for neighbours in &mut all {
                neighbours.sort_unstable();
                neighbours.dedup();
            }
        }
        Neighbours::Listed(all.into_iter().collect())
    }

    /// The number of conflicts, each counted once.
    fn distinct(&self) -> u128 {
        let in_group = |group: &[Literal]| {
            let mut met: Vec<u32> = group.iter().map(|&literal| self.domain(literal)).collect();
            met.sort_unstable();
            let alike = met.chunk_by(|a, b| a == b).map(|alike| pairs(alike.len() as u128));
            pairs(group.len() as u128) - alike.sum::<u128>()
        };
        let is_across = |first, second| self.domain(first) != self.domain(second);
        distinct(self.problem, &self.families, is_across, in_group)
    }

    /// The size of the clauses that [`state`](Self::state) writes.
    fn size(&self) -> Size {
        let mut size = match self.neighbours() {
            Neighbours::All(number) => {
                // For each other domain: one literal of the value, and all values of the other domain.
                let values: u128 = self.domains.sizes().map(u128::from).sum();
                let others = u128::from(number.saturating_sub(1));
                let squares: u128 = self.domains.sizes().map(|size| u128::from(size).pow(2)).sum();
                Size::new(0, values * others, values * others + values * values - squares)
            }
            Neighbours::Listed(all) => {
                let mut size = Size::default();
                for (values, others) in self.domains.sizes().zip(all.iter()) {
                    for &other in others {
                        let clause = Size::new(0, 1, 1 + u128::from(self.domains.size(other)));
                        size += clause * u128::from(values);
                    }
                }
                size
            }
        };
        // The values of the other domain that are in conflict are left out.
        size.literals -= 2 * self.distinct();
        size
    }

    /// x → y₁ ∨ … ∨ yₘ for every candidate and every domain with which its own has a conflict.
    fn state(&self, map: &VarMap, out: &mut dyn ClauseSink) {
        let neighbours = self.neighbours();
        // The literals of a domain in one list, to be copied whole between two that are left out.
        let lits: Lists<Lit> = (0..self.domains.len())
            .map(|domain| self.domains.values(domain).map(|candidate| map.cube(candidate)[0]))
            .collect();
        let groups = listed_with_index(self.problem, self.families.iter().copied());
        let mut conflicts: Vec<(u32, u32)> = Vec::new();
        let mut clause: Vec<Lit> = Vec::new();
        for candidate in 0..self.problem.candidates() {
            let own = Literal::chosen(candidate);
            let home = self.domain(own);
            conflicts.clear();
            for (groups, of) in &groups {
                for &number in of.get(own.index()) {
                    let group = groups.get(number as usize).iter();
                    let places = group.map(|other| self.domains.place(other.candidate()));
                    conflicts.extend(places.filter(|&(domain, _)| domain != home));
                }
            }
            conflicts.sort_unstable();
            // Two groups may share two candidates.
            conflicts.dedup();
            let mut rest = conflicts.iter().copied().peekable();
            let mut state = |other: u32| {
                let values = lits.get(other as usize);
                clause.clear();
                clause.push(!map.cube(candidate)[0]);
                let mut from = 0;
                while let Some((_, conflict)) = rest.next_if(|&(domain, _)| domain == other) {
                    clause.extend_from_slice(&values[from..conflict as usize]);
                    from = conflict as usize + 1;
                }
                clause.extend_from_slice(&values[from..]);
                out.clause(&clause);
            };
            match &neighbours {
                Neighbours::All(number) => {
                    (0..*number).filter(|&other| other != home).for_each(&mut state);
                }
                Neighbours::Listed(all) => {
                    all.get(home as usize).iter().copied().for_each(&mut state);
                }
            }
        }
    }
}

/// The domains with which each domain has a conflict.
enum Neighbours {
    /// All others; the number of domains.
    All(u32),
    /// Those of each domain.
    Listed(Lists<u32>),
}

/// True if the conflicts of a family are stated by supports: its groups have at most one, and positive literals.
fn is_supported(family: &GroupFamily) -> bool {
    family.bounds().at_most.is_some() && family.is_positive()
}

impl Support {
    /// The domains by which supports are stated: those of the first family that partitions the candidates, and
    /// with `columns` those of every other one.
    fn looks(self, problem: &Problem) -> Vec<Domains> {
        let all = (0..problem.families().len()).filter_map(|family| Domains::by(problem, family));
        all.take(if self.columns { usize::MAX } else { 1 }).collect()
    }
}

impl Encoding for Support {
    fn info(&self) -> EncodingInfo {
        let (id, title, constraints) = if self.columns {
            ("support+columns", "support, rows and columns", Constraints::Full)
        } else {
            ("support", "support", Constraints::NoColumnAlo)
        };
        EncodingInfo {
            id: id.into(),
            title: title.into(),
            idea: format!(
                "A chosen candidate needs, in every other row{}, one of the candidates that it does \
                 not exclude.",
                if self.columns { " and column" } else { "" }
            ),
            citation: "Gent 2002; Kasif 1990".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::None,
            constraints: constraints.describe().into(),
            ..EncodingInfo::default()
        }
    }

    fn fits(&self, problem: &Problem) -> Result<(), Unsupported> {
        refuse_unsupported(|| format!("`{}`", self.info().id), problem)?;
        if !self.columns || self.looks(problem).len() > 1 {
            return Ok(());
        }
        let why = Constraints::Full.fits(problem).map_or_else(
            |refused| refused.why,
            |()| {
                "no second family of its groups, each with exactly one, partitions the candidates"
                    .into()
            },
        );
        Err(Unsupported::new(format!("`{}`", self.info().id), problem, why, "take `support`"))
    }

    fn size(&self, problem: &Problem) -> Option<Size> {
        let looks = self.looks(problem);
        let mut size = Size::new(problem.candidates().into(), 0, 0);
        for (number, domains) in looks.iter().enumerate() {
            for values in domains.sizes().map(u128::from) {
                size += Size::new(0, 1, values);
                if number == 0 {
                    size += Size::new(0, 1, 2) * pairs(values);
                }
            }
            size += DomainConflicts::new(problem, domains).size();
        }
        Some(size + rest(problem, &looks).size_of_even(1, &[]))
    }

    fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        let looks = self.looks(problem);
        out.section(problem.families()[looks[0].family].name());
        let map = VarMap::one_per_candidate(out.fresh(problem.candidates()));
        let mut clause: Vec<Lit> = Vec::new();
        for (number, domains) in looks.iter().enumerate() {
            out.section(problem.families()[domains.family].name());
            for domain in 0..domains.len() {
                // Some candidate of the domain.
                clause.clear();
                clause.extend(domains.values(domain).flat_map(|candidate| map.cube(candidate)));
                out.clause(&clause);
                for (at, &first) in clause.iter().enumerate().filter(|_| number == 0) {
                    for &second in &clause[at + 1..] {
                        // Not both candidates.
                        out.clause(&[!first, !second]);
                    }
                }
            }
            out.section(SUPPORTS);
            DomainConflicts::new(problem, domains).state(&map, out);
        }
        rest(problem, &looks).state(&map, out);
        map
    }
}

/// The constraints that supports by these domains do not state.
fn rest<'a>(problem: &'a Problem, looks: &[Domains]) -> OtherFamilies<'a> {
    let mut rest = OtherFamilies::new(problem, &looks[0]);
    rest.without_upper_bounds(|_, family| is_supported(family));
    rest.without_lower_bounds(|number, _| looks.iter().any(|domains| domains.family == number));
    rest
}
