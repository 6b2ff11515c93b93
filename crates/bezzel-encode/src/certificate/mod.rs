//! Certificates: proofs in the format of VeriPB that the clauses of an encoder state its constraint.
//!
//! The proofs are made from the clauses alone, and know nothing of the encoder. There are two.
//!
//! *From the constraint to the clauses.* For every assignment of the inputs that the constraint allows, a search finds
//! values of the auxiliary variables that satisfy the clauses. These values define each auxiliary variable as a function
//! of the inputs. The proof introduces the definitions by redundance steps, and derives each clause by cases. So every
//! solution of the constraint extends to a model of the clauses. It extends without a change of inputs, since no witness
//! of a redundance step has an input: [`check_witnesses`] scans the proof for that.
//!
//! *From the clauses to the constraint.* For each set of k + 1 inputs a search refutes that all of them hold, and its
//! steps derive the clause that not all hold. Cutting planes add these clauses up to the constraint. For k > 1 the bound for
//! m inputs is the sum of those for all m − 1 of them, divided by m − 1. For k = 1 it is m − 2 times the bound for the first
//! m − 1 inputs plus the m − 1 pairs with the last input, divided by m − 1.
//!
//! *Sums.* For at most [`MAX_INPUTS_OF_BOUNDS`] inputs the first proof is found in the same way. For more, the clauses
//! themselves define the auxiliary variables (`structure.rs`), and a solver derives the other clauses. In both cases the
//! second proof goes by way of a decision diagram (`diagram.rs`): the clauses imply its root, and the root the constraint.
//!
//! An encoder that allows or forbids an assignment wrongly has no certificate, and the assignment is the reason.
//!
//! *Source.* The proof system is that of S. Gocht, J. Nordström, "Certifying parity reasoning efficiently using
//! pseudo-Boolean proofs", AAAI 2021, as VeriPB checks it. Certificates of cardinality encodings are due to S. Gocht,
//! R. Martins, J. Nordström, A. Oertel, "Certified CNF translations for pseudo-Boolean solving", SAT 2022, who derive them
//! from the encoder; here they are derived from its clauses.

use std::collections::HashMap;
use std::fmt;
use std::fmt::Write as _;

use rustsat::types::Lit;

use crate::amo::pairwise::Pairwise;
use crate::bound::AtMostK;
use crate::formula::Formula;
use crate::propagate::Propagator;
use crate::sink::ClauseSink;

mod counts;
mod definition;
mod derive;
mod diagram;
mod gates;
mod group;
mod network;
mod one;
mod places;
mod proof;
mod structure;
mod sum;

use definition::definitions;
pub use derive::derive;
pub use group::Premise;
pub use proof::{Proof, at_least};

/// The largest number of inputs for k = 1.
pub const MAX_INPUTS: u32 = 64;

/// The largest number of inputs for larger k: every assignment with at most k true inputs is a case.
pub const MAX_INPUTS_OF_BOUNDS: u32 = 8;

/// The steps that one search may take.
const MAX_STEPS: u64 = 1 << 22;

/// The two proofs, with the two formulas that they lead to and from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The constraint, in OPB.
    pub constraint: String,
    /// The clauses, in OPB.
    pub clauses: String,
    /// The proof that derives the clauses from the constraint.
    pub to_clauses: String,
    /// The proof that derives the constraint from the clauses.
    pub to_constraint: String,
}

/// The reason why clauses have no certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Uncertified {
    /// The clauses forbid that exactly these inputs hold, counted from 1.
    Forbidden(Vec<u32>),
    /// The clauses allow that all of these inputs hold, counted from 1.
    Allowed(Vec<u32>),
    /// There are more inputs than certificates are made for: the number, and the largest.
    TooLong(u32, u32),
    /// A search took too many steps.
    TooHard,
    /// A solver found no proof.
    Unproved,
}

/// A clause that a solver derives by unit propagation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lemma {
    /// Its number, above those of the clauses of the formula.
    pub number: u64,
    /// Its literals.
    pub clause: Vec<Lit>,
    /// The numbers of the clauses that propagate, in their order. Those of the formula are numbered from 1.
    pub hints: Vec<u64>,
}

/// A solver: lemmas that refute a formula, the last one without literals; none if it finds no refutation.
pub type Refute<'a> = dyn FnMut(&Formula) -> Option<Vec<Lemma>> + 'a;

impl fmt::Display for Uncertified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set = |inputs: &[u32]| {
            let inputs: Vec<String> = inputs.iter().map(|input| format!("x{input}")).collect();
            if inputs.is_empty() { "no input".into() } else { inputs.join(", ") }
        };
        match self {
            Self::Forbidden(inputs) => {
                write!(f, "the clauses wrongly forbid that {} and no other hold", set(inputs))
            }
            Self::Allowed(inputs) => {
                write!(f, "the clauses wrongly allow that {} hold together", set(inputs))
            }
            Self::TooLong(inputs, max) => {
                write!(f, "{inputs} inputs are more than {max}, the most that are certified")
            }
            Self::TooHard => f.write_str("the search for a proof takes too long"),
            Self::Unproved => f.write_str(
                "the solver found no proof: the clauses are wrong, the proof is too long, or no clauses define the \
                 auxiliary variables",
            ),
        }
    }
}

impl Certificate {
    /// The certificate of the clauses `formula`, whose first `inputs` variables are the inputs, that at most `k` inputs
    /// hold, for 1 ≤ k < n.
    ///
    /// # Errors
    ///
    /// When the clauses do not state the constraint, or the certificate would be too long.
    pub fn new(formula: &Formula, inputs: u32, k: u32) -> Result<Self, Uncertified> {
        let max = if k == 1 { MAX_INPUTS } else { MAX_INPUTS_OF_BOUNDS };
        if inputs > max {
            return Err(Uncertified::TooLong(inputs, max));
        }
        let to_clauses = to_clauses(formula, inputs, k)?;
        let to_constraint = to_constraint(formula, inputs, k)?;
        Ok(Self::of_proofs(
            formula,
            &vec![1; inputs as usize],
            k.into(),
            [to_clauses, to_constraint],
        ))
    }

    /// The proofs with their formulas.
    fn of_proofs(formula: &Formula, weights: &[u64], bound: u64, proofs: [String; 2]) -> Self {
        let mut constraint = format!("* #variable= {} #constraint= 1\n", weights.len());
        for (input, weight) in (1..).zip(weights) {
            let _ = write!(constraint, "-{weight} x{input} ");
        }
        let _ = writeln!(constraint, ">= -{bound} ;");
        let size = formula.size();
        let mut clauses =
            format!("* #variable= {} #constraint= {}\n", size.variables, size.clauses);
        for clause in formula.clauses() {
            proof::constraint(&mut clauses, clause);
            clauses.push_str(" ;\n");
        }
        let [to_clauses, to_constraint] = proofs;
        Self { constraint, clauses, to_clauses, to_constraint }
    }
}

fn input(number: u32) -> Lit {
    Lit::positive(number)
}

/// A set of inputs as bits.
fn bits(set: &[u32]) -> u64 {
    set.iter().map(|&number| 1 << number).sum()
}

/// The subsets with `size` elements of 0, …, `inputs` − 1, as ascending lists.
fn subsets(inputs: u32, size: u32) -> impl Iterator<Item = Vec<u32>> {
    let mut next: Option<Vec<u32>> = (size <= inputs).then(|| (0..size).collect());
    std::iter::from_fn(move || {
        let set = next.take()?;
        // The last element that can grow grows, and the later ones follow it.
        let at = (0..set.len()).rev().find(|&at| set[at] + (size - at as u32) < inputs);
        next = at.map(|at| {
            let mut after = set.clone();
            for (step, element) in after[at..].iter_mut().enumerate() {
                *element = set[at] + 1 + step as u32;
            }
            after
        });
        Some(set)
    })
}

/// The proof from the constraint, the first line of the database, to the clauses.
fn to_clauses(formula: &Formula, inputs: u32, k: u32) -> Result<String, Uncertified> {
    let cases: Vec<u64> =
        (0..=k).flat_map(|size| subsets(inputs, size)).map(|set| bits(&set)).collect();
    let mut known = Formula::new();
    let xs: Vec<Lit> = known.fresh(formula.variables()).lits().take(inputs as usize).collect();
    Pairwise.at_most(&xs, k.into(), &mut known);
    let mut proof = Proof::new(1);
    let lines = by_cases(formula, inputs, None, &cases, known, &mut proof)?;
    Ok(proof.finish(&lines, 1))
}

/// The lines of the clauses, with the cases that the constraint allows. Propagation by `known` is that by the constraint.
/// Each clause may have the guard, which follows the inputs.
fn by_cases(
    formula: &Formula,
    inputs: u32,
    guard: Option<Lit>,
    cases: &[u64],
    mut known: Formula,
    proof: &mut Proof,
) -> Result<Vec<u64>, Uncertified> {
    for definition in definitions(formula, inputs, guard, cases)? {
        let clause = definition.literals();
        proof.define(&clause, definition.defined);
        known.clause(&clause);
    }
    let mut propagator = Propagator::new(&known);
    let branched: Vec<u32> = (0..inputs).collect();
    let mut ids = Vec::new();
    let mut steps = MAX_STEPS;
    for clause in formula.clauses() {
        // By definition of the auxiliary variables every assignment of the inputs decides the clause.
        let derived = proof.derive(&mut propagator, clause, &branched, &mut steps)?;
        ids.push(derived.ok_or(Uncertified::TooHard)?);
    }
    Ok(ids)
}

/// The proof from the clauses, the first lines of the database, to the constraint.
fn to_constraint(formula: &Formula, inputs: u32, k: u32) -> Result<String, Uncertified> {
    let mut propagator = Propagator::new(formula);
    let mut proof = Proof::new(formula.size().clauses as u64);
    // Auxiliary variables first: they are nearer to the conflict than other inputs.
    let branched: Vec<u32> = (inputs..propagator.variables()).chain(0..inputs).collect();
    let mut steps = MAX_STEPS;
    // The lines of the bounds for sets of inputs, by the bits of the sets: first for those of k + 1.
    let mut bounds: HashMap<u64, u64> = HashMap::new();
    for set in subsets(inputs, k + 1) {
        let clause: Vec<Lit> = set.iter().map(|&number| !input(number)).collect();
        let derived = proof.derive(&mut propagator, &clause, &branched, &mut steps)?;
        let Some(id) = derived else {
            return Err(Uncertified::Allowed(set.iter().map(|number| number + 1).collect()));
        };
        bounds.insert(bits(&set), id);
    }
    let last =
        if k == 1 { proof.ladder(inputs, &bounds) } else { proof.by_subsets(inputs, k, bounds) };
    let count = formula.size().clauses as u64;
    Ok(proof.finish(&[last], count))
}

/// Checks that every witness of a redundance step has auxiliary variables alone, whose numbers from 1 are above `inputs`.
///
/// # Errors
///
/// The first step with another witness.
pub fn check_witnesses(proof: &str, inputs: u32) -> Result<(), String> {
    for line in proof.lines().filter(|line| line.trim_start().starts_with("red ")) {
        let witness = line.split_once(':').map_or("", |(_, witness)| witness);
        let words: Vec<&str> = witness.trim_end_matches([';', ' ']).split_whitespace().collect();
        let is_auxiliary = |variable: &str| {
            let number = variable.strip_prefix('x').and_then(|number| number.parse().ok());
            number.is_some_and(|number: u32| number > inputs)
        };
        let are_right = words.chunks(3).all(|words| match words {
            [variable, "->", "0" | "1"] => is_auxiliary(variable),
            _ => false,
        });
        if words.is_empty() || !are_right {
            return Err(line.to_owned());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
