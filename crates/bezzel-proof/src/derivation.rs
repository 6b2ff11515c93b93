//! The steps of a proof, for programs that state them in another proof system. Nothing is checked.

use std::io::Read;

use crate::limits::{Budget, Limits};
use crate::literal::literal;
use crate::refusal::Refusal;
use crate::step::Step;
use crate::steps::Steps;

/// A clause with the reason that a proof gives for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derivation {
    /// The number of the clause.
    pub id: u64,
    /// Its literals, as in DIMACS.
    pub literals: Vec<i64>,
    /// The numbers of the clauses that imply it by unit propagation, in their order.
    pub hints: Vec<i64>,
}

/// A step of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofStep {
    /// A clause is added.
    Addition(Derivation),
    /// The clauses of these numbers are deleted.
    Deletion(Vec<i64>),
}

/// Reads the steps of an LRAT proof one by one, up to the first clause without literals. Only one is in memory.
///
/// # Errors
///
/// When the proof cannot be read up to there, a step takes more than the limits, or `each` returns an error.
pub fn each_step<R: Read, E: From<Refusal>>(
    proof: R,
    limits: Limits,
    mut each: impl FnMut(ProofStep) -> Result<(), E>,
) -> Result<(), E> {
    let (mut steps, mut budget) = (Steps::new(proof), Budget::new(limits.memory_bytes));
    let mut step = Step::default();
    for number in 1.. {
        steps.next(number, &mut step, limits, &mut budget)?;
        if step.deletion {
            each(ProofStep::Deletion(step.hints.clone()))?;
            continue;
        }
        let literals = step.literals.iter().map(|&code| literal(code)).collect();
        each(ProofStep::Addition(Derivation { id: step.id, literals, hints: step.hints.clone() }))?;
        if step.literals.is_empty() {
            break;
        }
    }
    Ok(())
}
