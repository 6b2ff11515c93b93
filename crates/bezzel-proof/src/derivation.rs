//! The clauses that a proof derives, for programs that state them in another proof system. Nothing is checked.

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

/// Reads the clauses that an LRAT proof adds, up to the first one without literals.
///
/// # Errors
///
/// When the proof cannot be read up to there, or a step takes more than the limits.
pub fn derivations<R: Read>(proof: R, limits: Limits) -> Result<Vec<Derivation>, Refusal> {
    let (mut steps, mut budget) = (Steps::new(proof), Budget::new(limits.memory_bytes));
    let mut step = Step::default();
    let mut all: Vec<Derivation> = Vec::new();
    for number in 1.. {
        steps.next(number, &mut step, limits, &mut budget)?;
        if step.deletion {
            continue;
        }
        all.push(Derivation {
            id: step.id,
            literals: step.literals.iter().map(|&code| literal(code)).collect(),
            hints: step.hints.clone(),
        });
        if step.literals.is_empty() {
            break;
        }
    }
    Ok(all)
}
