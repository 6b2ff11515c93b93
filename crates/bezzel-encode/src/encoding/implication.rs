//! Implication: a chosen candidate implies that each candidate that it excludes is not chosen.
//!
//! *Idea.* One rule per candidate: x → ¬y₁ ∧ … ∧ ¬yₘ for all other candidates y of its groups with at most one. The plain
//! encoding expands every rule to one clause for each y, so each pair is stated from both of its ends, as the sources
//! do. The variant `implication:later` leaves out each clause that repeats an earlier one of its group. Its clauses are
//! those of [`pairwise`](crate::amo::pairwise) in another order, so that the cost of the repetition can be separated
//! from that of the order. The variant `implication:auxiliary` has a variable *excluded* per candidate instead, in
//! the section `attacked`, and states each rule in one clause.
//!
//! *Clauses* of `implication`. For every family with at most one, every candidate x and every other candidate y of its
//! group: ¬x ∨ ¬y. Every group with at least one: its literals.
//!
//! *Clauses* of `implication:later`. The same with the candidates y that come after x in the group.
//!
//! *Clauses* of `implication:auxiliary`. aᵢ ↔ (x₁ ∨ … ∨ xₘ), over the m candidates that exclude candidate i; xᵢ → ¬aᵢ;
//! groups with at least one as above. `implication:auxiliary+plaisted-greenbaum` states only the needed direction of
//! the equivalence: xⱼ → aᵢ.
//!
//! *Sizes* for c candidates and g groups with at least one, of s literals together, where A is the number of ordered
//! pairs of candidates that exclude each other; a pair in two groups counts twice in the first two forms:
//!
//! | id | variables | clauses | literals |
//! |---|---|---|---|
//! | `implication` | c | A + g | 2A + s |
//! | `implication:later` | c | A/2 + g | A + s |
//! | `implication:auxiliary` | 2c | A + 2c + g | 3A + 3c + s |
//! | `implication:auxiliary+plaisted-greenbaum` | 2c | A + c + g | 2A + 2c + s |
//!
//! *One group.* For one group of n candidates A is n(n − 1). In addition to "at least one" the four forms then have n(n −
//! 1), n(n − 1)/2, n(n + 1) and n² clauses. Without "at least one" the last form does not determine *excluded*, and has
//! n + 2ⁿ models instead of n + 1. The auxiliary variants have fewer clauses on a problem than group by group, since one
//! variable *excluded* serves all groups of its candidate.
//!
//! *Propagation.* Complete: a chosen candidate falsifies every candidate that it excludes, directly or by its variable
//! *excluded*.
//!
//! *Models.* The first two forms have no auxiliary variable. In both auxiliary variants every candidate is in a group
//! with exactly one: one that is not chosen is excluded by the choice of that group, and a chosen one is not excluded,
//! so every *excluded* is determined, even with one direction of the equivalence only.
//!
//! *Source.* J. D. Cook, "Solving the eight queens problem with a SAT solver", first approach (per
//! row). T. Nielsen, M. Faartoft, "Solving the N-Queens Problem: Interactive Configuration using
//! Binary Decision Diagrams", IT University of Copenhagen, section 2, after H. R. Andersen, "An
//! Introduction to Binary Decision Diagrams", 1997 (per square). The auxiliary variants are the
//! Tseitin and the Plaisted-Greenbaum translation of the same rule.
//!
//! *Departures.* Cook's b₁₁ ⇒ ¬(b₁₂ ∨ … ∨ b₁₈) is not a clause, though the text calls it one: it is distributed here,
//! and `implication:later` states each pair of a line once, which Cook does not. Clauses come family by family, where
//! Nielsen and Faartoft go square by square, so that sections compare with those of other encodings. They state at
//! least one for rows only; columns are stated here too.

use bezzel_problem::{GroupFamily, Literal, Problem};
use rustsat::types::Lit;

use super::Encoding;
use super::domains::Domains;
use super::pairs::{distinct, groups_of, listed_with_index};
use super::rest::{CLAUSES, refuse_larger, refuse_unsupported};
use crate::constraints::Unsupported;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::{ClauseSink, VarRange};
use crate::size::{Size, pairs};
use crate::var_map::VarMap;

/// The rule of each candidate, expanded to one clause for each candidate that it excludes. See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Implication {
    /// True for `implication:later`: a rule names later candidates only, so that no clause of a group is repeated.
    pub later: bool,
}

/// The rule of each candidate, with a variable that is true if it is excluded. See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Auxiliary {
    /// True if only the needed direction of each definition is stated.
    pub plaisted_greenbaum: bool,
}

/// True if the groups of this family are stated to hold at least one.
fn holds_one(family: &GroupFamily) -> bool {
    family.bounds().at_least.is_some()
}

/// True if no two literals of a group of this family hold.
fn excludes(family: &GroupFamily) -> bool {
    family.bounds().at_most.is_some()
}

/// The size of the clauses of groups with at least one, and of the problem's own clauses.
fn at_least_ones(problem: &Problem) -> Size {
    let families = problem.families().iter().filter(|family| holds_one(family));
    let groups = families.flat_map(|family| family.lengths());
    let stated: Size = groups.map(|length| Size::new(0, 1, length.into())).sum();
    let clauses = problem.clauses();
    stated + Size::new(0, clauses.len() as u128, clauses.items().len() as u128)
}

/// The literal of a problem's literal.
fn lit(candidates: VarRange, literal: Literal) -> Lit {
    let lit = candidates.lit(literal.candidate());
    if literal.is_negated() { !lit } else { lit }
}

/// At least one literal in every group of the family.
fn at_least_one(family: &GroupFamily, candidates: VarRange, out: &mut dyn ClauseSink) {
    let mut clause = Vec::new();
    family.for_each(|group| {
        clause.clear();
        clause.extend(group.iter().map(|&literal| lit(candidates, literal)));
        out.clause(&clause);
    });
}

/// The clauses of the problem.
fn clauses(problem: &Problem, candidates: VarRange, out: &mut dyn ClauseSink) {
    if problem.clauses().is_empty() {
        return;
    }
    out.section(CLAUSES);
    let mut clause = Vec::new();
    for literals in problem.clauses().iter() {
        clause.clear();
        clause.extend(literals.iter().map(|&literal| lit(candidates, literal)));
        out.clause(&clause);
    }
}

impl Encoding for Implication {
    fn info(&self) -> EncodingInfo {
        let [id, title, idea, citation, pairs] = if self.later {
            [
                "implication:later",
                "implication, no clause repeated",
                "A chosen candidate implies that each later candidate of its groups is not chosen. \
                 Every pair of candidates of a group is stated once.",
                "Cook, first approach, without its repeated clauses",
                "",
            ]
        } else {
            [
                "implication",
                "implication",
                "A chosen candidate implies that each other candidate of its groups is not chosen. \
                 Every pair of candidates of a group is stated twice, once from each.",
                "Cook, first approach; Andersen 1997; Nielsen, Faartoft, section 2",
                ", each pair twice",
            ]
        };
        EncodingInfo {
            id: id.into(),
            title: title.into(),
            idea: idea.into(),
            citation: citation.into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::None,
            constraints: format!("rows and columns exactly one, diagonals at most one{pairs}"),
            ..EncodingInfo::default()
        }
    }

    fn fits(&self, problem: &Problem) -> Result<(), Unsupported> {
        let name = || format!("`{}`", self.info().id);
        refuse_larger(name, problem)
    }

    fn size(&self, problem: &Problem) -> Option<Size> {
        let families = problem.families().iter().filter(|family| excludes(family));
        let lengths = families.flat_map(|family| family.lengths());
        let steps: u128 = lengths.map(|length| pairs(length.into())).sum();
        let steps = if self.later { steps } else { 2 * steps };
        Some(Size::new(problem.candidates().into(), steps, 2 * steps) + at_least_ones(problem))
    }

    fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        out.section(problem.families().first().map_or(CLAUSES, GroupFamily::name));
        let candidates = out.fresh(problem.candidates());
        for family in problem.families() {
            out.section(family.name());
            if excludes(family) {
                let groups = family.listed();
                let of = groups_of(problem, groups.iter());
                for (literal, of) in each_literal(problem).zip(of.iter()) {
                    // x → ¬y for every other literal y of the group, or for every later one
                    let x = lit(candidates, literal);
                    for &number in of {
                        let mut is_later = false;
                        for &other in groups.get(number as usize) {
                            if other == literal {
                                is_later = true;
                            } else if is_later || !self.later {
                                out.clause(&[!x, !lit(candidates, other)]);
                            }
                        }
                    }
                }
            }
            if holds_one(family) {
                at_least_one(family, candidates, out);
            }
        }
        clauses(problem, candidates, out);
        let map = VarMap::one_per_candidate(candidates);
        map.with_nested_solutions(problem.has_nested_solutions())
    }
}

/// The literals of a problem in the order of their indices.
fn each_literal(problem: &Problem) -> impl Iterator<Item = Literal> + use<> {
    (0..problem.candidates())
        .flat_map(|candidate| [false, true].map(|negated| Literal::new(candidate, negated)))
}

impl Encoding for Auxiliary {
    fn info(&self) -> EncodingInfo {
        let (suffix, translation) = if self.plaisted_greenbaum {
            ("+plaisted-greenbaum", "Plaisted-Greenbaum")
        } else {
            ("", "Tseitin")
        };
        EncodingInfo {
            id: format!("implication:auxiliary{suffix}"),
            title: format!("implication, attacked squares named ({translation})"),
            idea:
                "Every candidate has a variable that is true if another candidate of its groups is \
                   chosen. The candidate is then not chosen."
                    .into(),
            citation: format!("Nielsen, Faartoft, section 2, translated after {translation}"),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Defined,
            constraints: "rows and columns exactly one, diagonals at most one".into(),
            ..EncodingInfo::default()
        }
    }

    fn fits(&self, problem: &Problem) -> Result<(), Unsupported> {
        let name = || format!("`{}`", self.info().id);
        refuse_unsupported(name, problem)?;
        let mut families = problem.families().iter().filter(|family| excludes(family));
        if families.all(GroupFamily::is_positive) {
            return Ok(());
        }
        let why = "a group with at most one has a negated literal";
        Err(Unsupported::new(name(), problem, why, "take `implication`"))
    }

    fn size(&self, problem: &Problem) -> Option<Size> {
        let candidates = u128::from(problem.candidates());
        let families: Vec<_> =
            problem.families().iter().filter(|family| excludes(family)).collect();
        let in_group = |group: &[Literal]| pairs(group.len() as u128);
        let attacks = 2 * distinct(problem, &families, |_, _| true, in_group);
        let needed = Size::new(2 * candidates, attacks + candidates, 2 * attacks + 2 * candidates);
        let other_direction = Size::new(0, candidates, attacks + candidates);
        let stated = if self.plaisted_greenbaum { needed } else { needed + other_direction };
        Some(at_least_ones(problem) + stated)
    }

    fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        out.section(problem.families()[Domains::expect(problem).family].name());
        let candidates = out.fresh(problem.candidates());
        for family in problem.families().iter().filter(|family| holds_one(family)) {
            out.section(family.name());
            at_least_one(family, candidates, out);
        }
        out.section("attacked");
        let attacked = out.fresh(problem.candidates());
        let families = problem.families().iter().filter(|family| excludes(family));
        let groups = listed_with_index(problem, families);
        let mut attackers: Vec<Literal> = Vec::new();
        let mut clause: Vec<Lit> = Vec::new();
        for candidate in 0..problem.candidates() {
            let (x, a) = (candidates.lit(candidate), attacked.lit(candidate));
            let own = Literal::chosen(candidate);
            attackers.clear();
            for (groups, of) in &groups {
                for &number in of.get(own.index()) {
                    attackers.extend(groups.get(number as usize));
                }
            }
            attackers.retain(|&attacker| attacker != own);
            // Two groups may share two candidates, which count once.
            attackers.sort_unstable();
            attackers.dedup();
            // xⱼ → aᵢ
            for &attacker in &attackers {
                out.clause(&[!lit(candidates, attacker), a]);
            }
            if !self.plaisted_greenbaum {
                // aᵢ → x₁ ∨ … ∨ xₘ
                clause.clear();
                clause.push(!a);
                clause.extend(attackers.iter().map(|&attacker| lit(candidates, attacker)));
                out.clause(&clause);
            }
            // xᵢ → ¬aᵢ
            out.clause(&[!x, !a]);
        }
        clauses(problem, candidates, out);
        VarMap::one_per_candidate(candidates)
    }
}
