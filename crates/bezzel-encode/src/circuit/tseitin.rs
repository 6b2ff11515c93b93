//! Tseitin's translation: a variable for each gate, equivalent to the value of the gate.
//!
//! *Clauses.* For g = a ∧ b: g → a, g → b, a ∧ b → g. For g = a ∨ b: g → a ∨ b, a → g, b → g.
//! Then the requirements, a clause each.
//!
//! *Size.* One variable, 3 clauses and 7 literals a gate, for either operator.
//!
//! *Models.* The inputs determine every gate, so models and accepted inputs are the same in
//! number.
//!
//! *Source.* G. S. Tseitin, "On the complexity of derivation in propositional calculus", in
//! Studies in Constructive Mathematics and Mathematical Logic, part 2, 1968.

use super::Circuit;
pub use super::clauses::Scope;
use super::clauses::write;
use super::polarity::{Polarity, polarities};
use crate::sink::{ClauseSink, VarRange};

/// Makes the inputs, then writes the gates in scope and the requirements; returns the inputs.
pub fn tseitin(circuit: &Circuit, scope: Scope, out: &mut dyn ClauseSink) -> VarRange {
    match scope {
        Scope::Built => write(circuit, |_| Some(Polarity::BOTH), out),
        Scope::Reachable => {
            let used = polarities(circuit);
            write(circuit, |gate| used[gate].is_used().then_some(Polarity::BOTH), out)
        }
    }
}
