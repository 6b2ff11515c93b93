//! The certificate of a weighted sum.

use rustsat::types::Lit;

use super::definition::{model, of_case};
use super::diagram::{Diagram, Threshold};
use super::proof::{Known, Proof};
use super::{
    Certificate, MAX_INPUTS_OF_BOUNDS, MAX_STEPS, Refute, Uncertified, by_cases, input, structure,
};
use crate::formula::Formula;
use crate::propagate::Propagator;
use crate::sink::ClauseSink;

impl Certificate {
    /// The certificate of the clauses `formula`, whose first variables are the inputs, that the weights of those that hold
    /// are at most `bound`, which is below the sum of all weights. `refute` is called above [`MAX_INPUTS_OF_BOUNDS`]
    /// inputs.
    ///
    /// # Errors
    ///
    /// When the clauses do not state the constraint, or no proof is found.
    ///
    /// # Panics
    ///
    /// When all inputs may hold.
    pub fn of_sum(
        formula: &Formula,
        weights: &[u64],
        bound: u64,
        refute: &mut Refute<'_>,
    ) -> Result<Self, Uncertified> {
        let proofs = if weights.len() > MAX_INPUTS_OF_BOUNDS as usize {
            let to_clauses = match by_structure(formula, weights, bound, false, refute) {
                Err(Uncertified::Unproved) => by_structure(formula, weights, bound, true, refute)?,
                proof => proof?,
            };
            [to_clauses, to_constraint(formula, weights, bound, Some(refute))?]
        } else {
            let to_clauses = by_assignments(formula, weights, bound)?;
            [to_clauses, to_constraint(formula, weights, bound, None)?]
        };
        Ok(Self::of_proofs(formula, weights, bound, proofs))
    }
}

/// The proof from the constraint to the clauses by all assignments.
fn by_assignments(formula: &Formula, weights: &[u64], bound: u64) -> Result<String, Uncertified> {
    let inputs = weights.len() as u32;
    let holds = |case: u64| (0..inputs).filter(move |number| case >> number & 1 == 1);
    let weight = |case| holds(case).map(|number| weights[number as usize]).sum::<u64>();
    let (cases, wrong): (Vec<u64>, Vec<u64>) =
        (0..1 << inputs).partition(|&case| weight(case) <= bound);
    let mut propagator = Propagator::new(formula);
    let mut known = Formula::new();
    known.fresh(formula.variables());
    for case in wrong {
        let given = of_case(case, inputs);
        if model(&mut propagator, given, inputs, formula.variables())?.is_some() {
            return Err(Uncertified::Allowed(holds(case).map(|number| number + 1).collect()));
        }
        // The constraint propagates as the clauses of its least wrong assignments.
        if holds(case).all(|number| weight(case & !(1 << number)) <= bound) {
            known.clause(&holds(case).map(|number| !input(number)).collect::<Vec<Lit>>());
        }
    }
    let mut proof = Proof::new(1);
    let lines = by_cases(formula, inputs, None, &cases, known, &mut proof)?;
    Ok(proof.finish(&lines, 1))
}

/// The inputs with their weights.
fn terms(weights: &[u64]) -> Vec<(Lit, u64)> {
    (0..).map(input).zip(weights.iter().copied()).collect()
}

/// The proof from the constraint to the clauses, with the definitions that the clauses are.
fn by_structure(
    formula: &Formula,
    weights: &[u64],
    bound: u64,
    is_reversed: bool,
    refute: &mut Refute<'_>,
) -> Result<String, Uncertified> {
    let (mut proof, mut known) = (Proof::new(1), Known::new(formula.variables()));
    let lines =
        structure::define(formula, weights.len() as u32, is_reversed, &mut proof, &mut known);
    let (low, high) = Diagram::build(&terms(weights), bound, &mut proof, &mut known);
    proof.pol(&format!("1 {} +", high.if_fails));
    known.rup(&mut proof, &[high.lit]);
    known.rup(&mut proof, &[low.lit]);
    let lines = structure::prove(formula, lines, &mut proof, &mut known, refute)?;
    Ok(proof.finish(&lines, 1))
}

/// The proof from the clauses to the constraint by way of the diagram.
fn to_constraint(
    formula: &Formula,
    weights: &[u64],
    bound: u64,
    refute: Option<&mut Refute<'_>>,
) -> Result<String, Uncertified> {
    let count = formula.len() as u64;
    let (mut proof, mut known) = (Proof::new(count), Known::new(formula.variables()));
    for (clause, line) in formula.clauses().zip(1..) {
        known.clause(clause, line);
    }
    let (low, high): (Threshold, Threshold) =
        Diagram::build(&terms(weights), bound, &mut proof, &mut known);
    if let Some(refute) = refute {
        proof.prove(&known, low.lit, refute)?;
    } else {
        let inputs = weights.len() as u32;
        let branched: Vec<u32> = (inputs..formula.variables()).chain(0..inputs).collect();
        let mut propagator = Propagator::new(&known.formula);
        let mut steps = MAX_STEPS;
        let derived = proof.derive(&mut propagator, &[low.lit], &branched, &mut steps)?;
        derived.ok_or(Uncertified::TooHard)?;
    }
    let root = proof.rup(&[high.lit]);
    let total: u64 = weights.iter().sum();
    let last = proof.pol(&format!("{} {root} {} * +", high.if_holds, total - bound));
    Ok(proof.finish(&[last], count))
}
