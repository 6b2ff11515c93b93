//! Definitions of auxiliary variables that are read off the clauses: for sums with too many assignments for a search.
//!
//! An encoder makes a variable before the clauses that define it, and after the variables that they depend on. So a
//! variable is defined by the clauses in which it is the newest: it holds if and only if one of those that contain it
//! needs it. If there are none, the same holds for its negation. These clauses are redundance steps, and so is the other
//! direction. All other clauses must follow from the definitions and the constraint.
//!
//! Some encoders make the variable of a node before those of its children. For them the oldest is defined.

use rustsat::types::Lit;

use super::proof::{Known, Proof};
use super::{Refute, Uncertified};
use crate::formula::Formula;
use crate::propagate::Propagator;

/// Introduces the auxiliary variables, the newest first if `is_reversed`. Returns the line of each clause that is part of
/// a definition.
pub(super) fn define(
    formula: &Formula,
    inputs: u32,
    is_reversed: bool,
    proof: &mut Proof,
    known: &mut Known,
) -> Vec<Option<u64>> {
    let clauses: Vec<&[Lit]> = formula.clauses().collect();
    let mut lines = vec![None; clauses.len()];
    let mut order: Vec<u32> = (inputs..formula.variables()).collect();
    if is_reversed {
        order.reverse();
    }
    // The auxiliary variables by their place in the order, after the inputs.
    let mut ranks = vec![0; formula.variables() as usize];
    for (rank, &variable) in (1..).zip(&order) {
        ranks[variable as usize] = rank;
    }
    let mut last: Vec<Vec<usize>> = vec![Vec::new(); formula.variables() as usize];
    for (number, clause) in clauses.iter().enumerate() {
        if let Some(var) = clause.iter().map(|lit| lit.vidx()).max_by_key(|&var| ranks[var]) {
            last[var].push(number);
        }
    }
    for variable in order {
        let with = |lit: Lit| -> Vec<usize> {
            let all = last[variable as usize].iter().copied();
            all.filter(|&number| clauses[number].contains(&lit)).collect()
        };
        let mut defined = Lit::positive(variable);
        let mut defining = with(defined);
        if defining.is_empty() {
            defined = !defined;
            defining = with(defined);
        }
        // One of the reasons is needed.
        let mut reasons = vec![!defined];
        for number in defining {
            let clause = clauses[number];
            lines[number] = Some(known.red(proof, clause, defined));
            let negated: Vec<Lit> =
                clause.iter().filter(|&&lit| lit != defined).map(|&lit| !lit).collect();
            reasons.push(match *negated {
                [reason] => reason,
                _ => conjunction(&negated, proof, known),
            });
        }
        if reasons.len() > 1 {
            known.red(proof, &reasons, !defined);
        }
    }
    lines
}

/// A new literal that holds if and only if all of these do.
pub(super) fn conjunction(lits: &[Lit], proof: &mut Proof, known: &mut Known) -> Lit {
    let all = known.fresh();
    let clause: Vec<Lit> = lits.iter().map(|&lit| !lit).chain([all]).collect();
    known.red(proof, &clause, all);
    for &lit in lits {
        known.red(proof, &[!all, lit], !all);
    }
    all
}

/// The lines of all clauses. Those without one follow from the clauses that are known: by unit propagation, or by a
/// refutation.
pub(super) fn prove(
    formula: &Formula,
    mut lines: Vec<Option<u64>>,
    proof: &mut Proof,
    known: &mut Known,
    refute: &mut Refute<'_>,
) -> Result<Vec<u64>, Uncertified> {
    let mut propagator = Propagator::new(&known.formula);
    let mut left = Vec::new();
    for (number, clause) in formula.clauses().enumerate() {
        if lines[number].is_some() {
            continue;
        }
        let before = propagator.trail().len();
        if clause.iter().any(|&lit| propagator.assume(!lit).is_err()) {
            lines[number] = Some(proof.rup(clause));
        } else {
            left.push(number);
        }
        propagator.undo(before);
    }
    if !left.is_empty() {
        // One of the clauses that are left is violated: this is refuted.
        let clauses: Vec<&[Lit]> = formula.clauses().collect();
        let negation = |clause: &[Lit]| clause.iter().map(|&lit| !lit).collect::<Vec<Lit>>();
        let holds: Vec<Lit> = left
            .iter()
            .map(|&number| !conjunction(&negation(clauses[number]), proof, known))
            .collect();
        let all = conjunction(&holds, proof, known);
        proof.prove(known, all, refute)?;
        for number in left {
            lines[number] = Some(proof.rup(clauses[number]));
        }
    }
    Ok(lines.into_iter().map(|line| line.expect("each clause is derived")).collect())
}
