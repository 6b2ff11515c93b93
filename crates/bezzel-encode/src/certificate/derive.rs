//! The clauses of a group from its bounds, in the way that is the first to succeed.
//!
//! 1. Auxiliary variables count inputs (`counts.rs`).
//! 2. At most one input holds, or does not hold (`one.rs`).
//! 3. Auxiliary variables are outputs of adders or comparators (`network.rs`).
//! 4. Of at most [`MAX_INPUTS_OF_BOUNDS`] inputs all assignments are cases (`definition.rs`).
//! 5. The clauses define the variables (`structure.rs`), decision diagrams stand for the bounds, and a solver refutes that
//!    another clause does not hold.
//!
//! Nothing of this is trusted: the checker refuses a wrong step.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rustsat::types::Lit;

use super::diagram::Diagram;
use super::group::{Group, Premise};
use super::proof::{Known, Proof};
use super::{MAX_INPUTS_OF_BOUNDS, Refute, Uncertified, by_cases, counts, network, one, structure};
use crate::formula::Formula;
use crate::sink::ClauseSink;

/// The most inputs of a decision diagram, or the most inputs times its bound.
const MAX_DIAGRAM: (usize, u64) = (20, 1 << 14);

/// The lines of the clauses by all assignments of few inputs.
fn by_assignments(group: &Group<'_>, proof: &mut Proof) -> Option<Vec<u64>> {
    let own = group.own();
    let mut known = Formula::new();
    known.fresh(group.formula.variables());
    for premise in group.premises {
        let terms = premise.terms.iter().filter(|(lit, _)| Some(*lit) != group.guard);
        let terms: Vec<(Lit, u64)> = terms.copied().collect();
        let of_set = |set: u64| terms.iter().enumerate().filter(move |(at, _)| set >> at & 1 == 1);
        let weight = |set| of_set(set).map(|(_, (_, weight))| *weight).sum::<u64>();
        let slack = i128::from(weight(u64::MAX)) - i128::from(premise.degree);
        let is_wrong = |set| i128::from(weight(set)) > slack;
        // One of each least set holds whose weight the bound needs.
        for set in (0..1 << terms.len()).filter(|&set| is_wrong(set)) {
            if of_set(set).all(|(at, _)| !is_wrong(set & !(1 << at))) {
                let clause = of_set(set).map(|(_, (lit, _))| *lit).chain(group.guard);
                known.clause(&clause.collect::<Vec<Lit>>());
            }
        }
    }
    let holds = |case: u64, lit: Lit| (case >> lit.vidx() & 1 == 1) == lit.is_pos();
    let cases: Vec<u64> =
        (0..1 << own).filter(|&case| group.allows(|lit| holds(case, lit))).collect();
    by_cases(group.formula, own, group.guard, &cases, known, proof).ok()
}

/// The lines of the clauses by a solver, with the variables defined from the newest or the oldest on.
fn by_search(
    group: &Group<'_>,
    is_reversed: bool,
    proof: &mut Proof,
    refute: &mut Refute<'_>,
) -> Result<Vec<u64>, Uncertified> {
    let mut known = Known::new(group.formula.variables());
    let lines = structure::define(group.formula, group.inputs, is_reversed, proof, &mut known);
    for premise in group.premises {
        let own = premise.terms.iter().filter(|(lit, _)| Some(*lit) != group.guard);
        let mut terms: Vec<(Lit, u64)> = own.map(|&(lit, weight)| (!lit, weight)).collect();
        // As encoders read them.
        terms.sort_by_key(|(_, weight)| Reverse(*weight));
        let total: u64 = terms.iter().map(|(_, weight)| weight).sum();
        let bound = total.checked_sub(premise.degree).ok_or(Uncertified::Unproved)?;
        let nodes = bound.saturating_mul(terms.len() as u64);
        if terms.len() > MAX_DIAGRAM.0 && nodes > MAX_DIAGRAM.1 {
            return Err(Uncertified::TooHard);
        }
        let (low, high) = Diagram::build(&terms, bound, proof, &mut known);
        proof.pol(&format!("{} {} +", premise.id, high.if_fails));
        for root in [high, low] {
            let clause: Vec<Lit> = [root.lit].into_iter().chain(group.guard).collect();
            known.rup(proof, &clause);
        }
    }
    structure::prove(group.formula, lines, proof, &mut known, refute)
}

/// Derives the clauses of a group, whose first variables are the inputs, and deletes the definitions. Returns the line of
/// each clause; none, with nothing written, if no way succeeds. `guard`, the last input, is a literal that each clause may
/// have in addition. `refute` is called for groups of more than [`MAX_INPUTS_OF_BOUNDS`] inputs.
pub fn derive(
    formula: &Formula,
    inputs: u32,
    premises: &[Premise],
    guard: Option<Lit>,
    proof: &mut Proof,
    refute: &mut Refute<'_>,
) -> Option<Vec<u64>> {
    let mut clean = Formula::new();
    clean.fresh(formula.variables());
    let distinct = |clause: &[Lit]| -> Vec<Lit> {
        clause.iter().copied().collect::<BTreeSet<Lit>>().into_iter().collect()
    };
    let is_trivial = |clause: &[Lit]| clause.iter().any(|&lit| clause.contains(&!lit));
    for clause in formula.clauses().filter(|clause| !is_trivial(clause)) {
        clean.clause(&distinct(clause));
    }
    let group = Group { formula: &clean, inputs, premises, guard };
    let mark = proof.mark();
    let in_short = counts::derive(&group, proof).or_else(|| one::derive(&group, proof));
    let lines = in_short.or_else(|| {
        let is_short = group.own() <= MAX_INPUTS_OF_BOUNDS;
        let lines = (0..4).find_map(|way| {
            proof.reset(mark);
            match way {
                0 => network::derive(&group, proof),
                1 if is_short && group.own() > 0 => by_assignments(&group, proof),
                2 | 3 if !is_short => by_search(&group, way == 3, proof, refute).ok(),
                _ => None,
            }
        });
        if lines.is_none() {
            proof.reset(mark);
        }
        Some(proof.keep(mark.1 + 1, clean.clauses(), &lines?))
    })?;
    let mut lines = lines.into_iter();
    let line = |clause| if is_trivial(clause) { Some(proof.rup(clause)) } else { lines.next() };
    formula.clauses().map(line).collect()
}
