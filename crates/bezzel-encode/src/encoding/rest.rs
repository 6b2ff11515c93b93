//! The constraints that the domains of a problem leave to be stated: conflicts, lower bounds and clauses.
//!
//! An encoding that gives every domain a multi-valued variable, in any code, thereby states that one candidate of each
//! domain is chosen. Conflicts between domains are stated one by one: any two literals of a group with at most one do
//! not both hold. On a torus of even side n, n²/2 pairs lie on two lines and are stated twice, as
//! [`pairwise`](crate::amo::pairwise) does. Lower bounds that do not follow from the domains, and the clauses of the
//! problem, are stated as clauses. A candidate that occurs there without negation, and whose cube is not one literal,
//! gets a variable that is defined by its cube.

use std::collections::{HashMap, HashSet};

use bezzel_problem::{Candidate, GroupFamily, Lists, Literal, Problem};
use rustsat::types::Lit;

use super::domains::Domains;
use crate::constraints::Unsupported;
use crate::sink::ClauseSink;
use crate::size::{Size, grouped, pairs};
use crate::var_map::VarMap;

/// The section of the clauses that a problem has beside its groups.
pub(super) const CLAUSES: &str = "clauses";

/// The section of the variables that are defined by cubes.
const DEFINITIONS: &str = "definitions";

/// The largest sum of the weights of a group whose literals are repeated.
pub const MAX_WEIGHT: u64 = 1_000;

/// The place of a family's first group, if it comes from a file: `, first in line 3, column 7`.
pub(super) fn first_in(family: &GroupFamily) -> String {
    family.origin().map(|origin| format!(", first in {origin}")).unwrap_or_default()
}

/// Refuses a family with a group whose weights add up to more than [`MAX_WEIGHT`].
pub(super) fn refuse_weights(
    what: impl FnOnce() -> String,
    problem: &Problem,
    family: &GroupFamily,
) -> Result<(), Unsupported> {
    let sums = family.weights().into_iter().flat_map(Lists::iter).map(|of| of.iter().sum());
    let sum: u64 = sums.max().unwrap_or(0);
    if sum <= MAX_WEIGHT {
        return Ok(());
    }
    let why = format!(
        "in the family `{}`{}, the weights of a group add up to {}",
        family.name(),
        first_in(family),
        grouped(sum.into())
    );
    Err(Unsupported::new(
        what(),
        problem,
        why,
        "take an encoding of docs/weighted-sums.md, as `robdd`, which takes larger weights",
    ))
}

/// Refuses families with weights, or with other bounds than 1.
pub(super) fn refuse_bounds(
    what: impl FnOnce() -> String,
    problem: &Problem,
    family: &GroupFamily,
) -> Result<(), Unsupported> {
    let is_one = |bound: Option<u64>| bound.is_none_or(|bound| bound == 1);
    let bounds = family.bounds();
    if family.weights().is_none() && is_one(bounds.at_least) && is_one(bounds.at_most) {
        return Ok(());
    }
    let what = what();
    // Large weights are the reason to name, since the fewest encoders take them.
    for family in problem.families() {
        refuse_weights(|| what.clone(), problem, family)?;
    }
    let weighted = if family.weights().is_some() { "weighted " } else { "" };
    let why = format!(
        "the {weighted}groups of the family `{}` have {bounds}{}",
        family.name(),
        first_in(family)
    );
    let mend = if what.contains("{command: ") {
        "a program that takes any bound has `kind: at-most-k`; otherwise take an encoding of \
         docs/at-most-k.md, as `totalizer:cut`"
    } else {
        "take an encoding of docs/at-most-k.md, as `totalizer:cut`"
    };
    Err(Unsupported::new(what, problem, why, mend))
}

/// Refuses problems without domains, and those with bounds that cannot be stated.
pub(super) fn refuse_unsupported(
    what: impl Fn() -> String,
    problem: &Problem,
) -> Result<(), Unsupported> {
    refuse_larger(&what, problem)?;
    Domains::needed(what, problem).map(drop)
}

/// Refuses problems with weights, with other bounds than 1, or with conditions.
pub(super) fn refuse_larger(
    what: impl Fn() -> String,
    problem: &Problem,
) -> Result<(), Unsupported> {
    for family in problem.families() {
        refuse_bounds(&what, problem, family)?;
        if !family.conditions().is_empty() {
            let why = format!("the groups of the family `{}` have conditions", family.name());
            let mend = "take an at-most-one encoding, as `pairwise`";
            return Err(Unsupported::new(what(), problem, why, mend));
        }
    }
    Ok(())
}

/// The constraints beside the domains.
pub(super) struct OtherFamilies<'a> {
    problem: &'a Problem,
    families: Vec<StatedFamily<'a>>,
}

/// A family beside that of the domains, and the bounds of its groups that are stated.
struct StatedFamily<'a> {
    /// The number of the family in the problem.
    number: usize,
    family: &'a GroupFamily,
    at_least: bool,
    at_most: bool,
}

impl<'a> OtherFamilies<'a> {
    /// Finds the constraints that are left to be stated.
    pub(super) fn new(problem: &'a Problem, domains: &Domains) -> Self {
        let others = problem.families().iter().enumerate();
        let others = others.filter(|&(number, _)| number != domains.family);
        let families = others
            .map(|(number, family)| StatedFamily {
                number,
                family,
                at_least: family.bounds().at_least.is_some()
                    && !domains.imply_lower_bounds(problem, family),
                at_most: family.bounds().at_most.is_some(),
            })
            .collect();
        Self { problem, families }
    }

    /// Leaves out the upper bounds of families that are stated in another way.
    pub(super) fn without_upper_bounds(&mut self, is_stated: impl Fn(usize, &GroupFamily) -> bool) {
        for stated in &mut self.families {
            stated.at_most &= !is_stated(stated.number, stated.family);
        }
    }

    /// Leaves out the lower bounds of families that are stated in another way.
    pub(super) fn without_lower_bounds(&mut self, is_stated: impl Fn(usize, &GroupFamily) -> bool) {
        for stated in &mut self.families {
            stated.at_least &= !is_stated(stated.number, stated.family);
        }
    }

    /// The families with a stated bound.
    fn stated(&self) -> impl Iterator<Item = &StatedFamily<'a>> {
        self.families.iter().filter(|stated| stated.at_least || stated.at_most)
    }

    /// Calls `see` for each candidate that occurs positively in some clause; a candidate may come several times.
    fn each_positive(&self, mut see: impl FnMut(Candidate)) {
        let some = self.stated().filter(|stated| stated.at_least || !stated.family.is_positive());
        for &StatedFamily { family, at_least, at_most, .. } in some {
            family.for_each(|group| {
                for literal in group {
                    let in_conflict = at_most && group.len() > 1;
                    if at_least && !literal.is_negated() || in_conflict && literal.is_negated() {
                        see(literal.candidate());
                    }
                }
            });
        }
        let in_clauses = self.problem.clauses().items().iter();
        in_clauses
            .filter(|literal| !literal.is_negated())
            .for_each(|literal| see(literal.candidate()));
    }

    /// The size of the clauses and definitions, where the cube of a candidate has `width` literals.
    pub(super) fn size(&self, width: impl Fn(Candidate) -> u128) -> Size {
        let mut size = Size::default();
        // The number of literals of a clause for one literal of the problem.
        let length = |literal: Literal| {
            if literal.is_negated() { width(literal.candidate()) } else { 1 }
        };
        for &StatedFamily { family, at_least, at_most, .. } in self.stated() {
            family.for_each(|group| {
                let others = group.len().saturating_sub(1) as u128;
                if at_most {
                    let literals: u128 = group.iter().map(|&literal| length(!literal)).sum();
                    size += Size::new(0, pairs(group.len() as u128), others * literals);
                }
                if at_least {
                    size += Size::new(0, 1, group.iter().map(|&literal| length(literal)).sum());
                }
            });
        }
        for clause in self.problem.clauses().iter() {
            size += Size::new(0, 1, clause.iter().map(|&literal| length(literal)).sum());
        }
        let mut is_defined = HashSet::new();
        self.each_positive(|candidate| {
            let cube = width(candidate);
            if cube != 1 && is_defined.insert(candidate) {
                size += Size::new(1, cube + 1, 2 * cube + cube + 1);
            }
        });
        size
    }

    /// The same where all cubes have `width` literals but those of `shorter`, which have one less for each time that
    /// they are listed. For families that only have conflicts of positive literals, only the lengths are read, since
    /// instances may be large.
    pub(super) fn size_of_even(&self, width: u128, shorter: &[Candidate]) -> Size {
        let has_conflicts_only =
            self.stated().all(|stated| !stated.at_least && stated.family.is_positive());
        if !has_conflicts_only || !self.problem.clauses().is_empty() {
            let mut less: HashMap<Candidate, u128> = HashMap::new();
            for &candidate in shorter {
                *less.entry(candidate).or_default() += 1;
            }
            return self.size(|candidate| width - less.get(&candidate).unwrap_or(&0));
        }
        let mut size = Size::default();
        for StatedFamily { family, .. } in self.stated() {
            let conflicts: u128 = family.lengths().map(|length| pairs(length.into())).sum();
            size += Size::new(0, conflicts, 2 * width * conflicts - family.partners(shorter));
        }
        size
    }

    /// States the constraints over these cubes, a section for each family.
    pub(super) fn state(&self, map: &VarMap, out: &mut dyn ClauseSink) {
        let mut clause: Vec<Lit> = Vec::with_capacity(2 * map.width());
        let defined = self.define(map, &mut clause, out);
        let (mut parts, mut ends) = (Vec::new(), Vec::new());
        // Adds the literals of which one holds if the literal of the problem does.
        let add = |clause: &mut Vec<Lit>, literal: Literal| {
            let cube = map.cube(literal.candidate());
            match (literal.is_negated(), cube) {
                (true, _) => clause.extend(cube.iter().map(|&lit| !lit)),
                (false, &[lit]) => clause.push(lit),
                (false, _) => clause.extend(defined[literal.candidate() as usize]),
            }
        };
        for &StatedFamily { family, at_least, at_most, .. } in self.stated() {
            out.section(family.name());
            family.for_each(|group| {
                if at_most {
                    // The literals of a conflict for each literal of the group, made once.
                    parts.clear();
                    ends.clear();
                    for &literal in group {
                        add(&mut parts, !literal);
                        ends.push(parts.len());
                    }
                    let mut start = 0;
                    for (at, &end) in ends.iter().enumerate() {
                        let mut from = end;
                        for &to in &ends[at + 1..] {
                            clause.clear();
                            clause.extend_from_slice(&parts[start..end]);
                            clause.extend_from_slice(&parts[from..to]);
                            out.clause(&clause);
                            from = to;
                        }
                        start = end;
                    }
                }
                if at_least {
                    clause.clear();
                    for &literal in group {
                        add(&mut clause, literal);
                    }
                    out.clause(&clause);
                }
            });
        }
        if !self.problem.clauses().is_empty() {
            out.section(CLAUSES);
            for literals in self.problem.clauses().iter() {
                clause.clear();
                for &literal in literals {
                    add(&mut clause, literal);
                }
                out.clause(&clause);
            }
        }
    }

    /// Defines a variable for each candidate that occurs positively in some clause and whose cube is not one literal: s
    /// → lⱼ, and l₁ ∧ … ∧ lₖ → s. Returns the variables by candidate; empty if there are none.
    fn define(
        &self,
        map: &VarMap,
        clause: &mut Vec<Lit>,
        out: &mut dyn ClauseSink,
    ) -> Vec<Option<Lit>> {
        let mut needed = Vec::new();
        self.each_positive(|candidate| {
            if map.cube(candidate).len() != 1 {
                needed.push(candidate);
            }
        });
        needed.sort_unstable();
        needed.dedup();
        let mut defined = Vec::new();
        if needed.is_empty() {
            return defined;
        }
        out.section(DEFINITIONS);
        defined.resize(self.problem.candidates() as usize, None);
        let variables = out.fresh(needed.len() as u32);
        for (candidate, variable) in needed.into_iter().zip(variables.lits()) {
            let cube = map.cube(candidate);
            for &lit in cube {
                out.clause(&[!variable, lit]);
            }
            clause.clear();
            clause.extend(cube.iter().map(|&lit| !lit));
            clause.push(variable);
            out.clause(clause);
            defined[candidate as usize] = Some(variable);
        }
        defined
    }
}
