//! Implication: a queen on a square implies none on each square that it attacks.
//!
//! *Idea.* One rule per square: x → ¬y₁ ∧ … ∧ ¬yₘ for all squares y on its lines. The plain encoding expands every rule
//! to one clause per attacked square, so each attacking pair is stated from both of its ends, as the sources do. The
//! variant `implication:later` leaves out each clause that repeats an earlier one of its line. Its clauses are those of
//! [`pairwise`](crate::amo::pairwise) in another order, so that the cost of the repetition can be separated from that
//! of the order. The variant `implication:auxiliary` has a variable *attacked* per square instead, and states each rule
//! in one clause.
//!
//! *Clauses* of `implication`. For every family of lines, every square x and every other square y
//! of its line: ¬x ∨ ¬y. Every row, and on a square board every column: at least one of its squares.
//!
//! *Clauses* of `implication:later`. The same with the squares y that come after x, row by row.
//!
//! *Clauses* of `implication:auxiliary`. aᵢ ↔ (x₁ ∨ … ∨ xₘ), over the m squares that attack square i; xᵢ → ¬aᵢ; rows
//! and columns as above. `implication:auxiliary+plaisted-greenbaum` states only the needed direction of the
//! equivalence: xⱼ → aᵢ.
//!
//! *Sizes* on the board of side n, where A is the number of ordered pairs of attacking squares:
//! 2n(n − 1)(5n − 1)/3 on the plane; 4n²(n − 1) on the torus, n² fewer if n is even and squares
//! shared by two lines count once; 2n²(n − 1) for rooks.
//!
//! | id | variables | clauses | literals |
//! |---|---|---|---|
//! | `implication` | n² | A + 2n | 2A + 2n² |
//! | `implication:later` | n² | A/2 + 2n | A + 2n² |
//! | `implication:auxiliary` | 2n² | A + 2n² + 2n | 3A + 5n² |
//! | `implication:auxiliary+plaisted-greenbaum` | 2n² | A + n² + 2n | 2A + 4n² |
//!
//! On R rows and C columns, of which m is the smaller number and M the larger, the plane has
//! A = RC(R + C − 2) + 2m(m − 1)(3M − m − 1)/3, without the last term for rooks; where R ≠ C the
//! columns' C clauses and RC literals of "at least one" are missing.
//!
//! On a torus of even side the two diagonals through a square meet again half-way round. Plain
//! `implication` states that pair once for each of the two lines, as its rule goes line by line
//! and as pairwise does, so its A is the full 4n²(n − 1), also in `implication:later`. The auxiliary
//! variants state an implication for each attacking square, and count it once. At n = 8 on the plane:
//! 1,472, 744, 1,600 and 1,536 clauses.
//!
//! *One line.* For one line of n squares A is n(n − 1). In addition to "at least one" the four forms then have n(n −
//! 1), n(n − 1)/2, n(n + 1) and n² clauses. Without "at least one" the last form does not determine *attacked*, and has
//! n + 2ⁿ models instead of n + 1. On a board the first two forms have these clauses for each line. The auxiliary
//! variants have fewer on a board than line by line, since one variable *attacked* serves all lines of its square.
//!
//! *Propagation.* Complete: a queen falsifies every attacked square, directly or by its variable
//! *attacked*.
//!
//! *Models.* The first two forms have no auxiliary variable. In both auxiliary variants a square without
//! a queen is attacked by the queen of its row and one with a queen is not attacked, so every
//! *attacked* is determined, even with one direction of the equivalence only.
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
//! least one queen for rows only; columns are stated here too.

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

/// The rule of each square, expanded to one clause per attacked square. See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Implication {
    /// True for `implication:later`: a rule names later squares only, so that no clause of a line is repeated.
    pub later: bool,
}

/// The rule of each square, with a variable that is true if it is attacked. See the [module](self).
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
                "A queen on a square implies that each later square that it attacks is empty. \
                 Every pair of attacking squares is stated once.",
                "Cook, first approach, without its repeated clauses",
                "",
            ]
        } else {
            [
                "implication",
                "implication",
                "A queen on a square implies that each square that it attacks is empty. Every pair \
                 of attacking squares is stated twice, once from each square.",
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
            idea: "Every square has a variable that is true if some queen attacks the square. An \
                   attacked square is empty."
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
        let distinct = match problem.repeated_pairs() {
            Some(repeated) => {
                let lengths = families.iter().flat_map(|family| family.lengths());
                lengths.map(|length| pairs(length.into())).sum::<u128>() - repeated
            }
            None => distinct(problem, &families, |_, _| true, |group| pairs(group.len() as u128)),
        };
        let attacks = 2 * distinct;
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
