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
use super::clauses::write;
use super::polarity::Polarity;
use crate::sink::{ClauseSink, VarRange};

/// Makes the inputs, then writes the gates and the requirements; returns the inputs.
pub fn tseitin(circuit: &Circuit, out: &mut dyn ClauseSink) -> VarRange {
    write(circuit, |_| Polarity::BOTH, out)
}
