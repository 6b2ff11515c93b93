//! The translation by Plaisted and Greenbaum: of a gate's equivalence only the direction that its
//! polarity needs.
//!
//! *Clauses.* For a gate that is needed to hold, its consequences: g → a and g → b, or g → a ∨ b. For a gate that is
//! needed not to hold, its conditions: a ∧ b → g, or a → g and b → g. For a gate needed both ways, both. Then the
//! requirements, a clause each.
//!
//! *Size.* One variable a gate; 2 clauses and 4 literals for an AND needed to hold or an OR needed
//! not to, 1 clause and 3 literals for an OR needed to hold or an AND needed not to, 3 clauses and
//! 7 literals for a gate needed both ways, nothing for a gate that is not needed.
//!
//! *Models.* Accepted inputs stay the same, but a gate's variable may differ from the value of the gate, so an accepted
//! input may have several models.
//!
//! *Source.* D. A. Plaisted and S. Greenbaum, "A structure-preserving clause form translation",
//! Journal of Symbolic Computation 2(3), 1986.

use super::Circuit;
use super::clauses::write;
use super::polarity::polarities;
use crate::sink::{ClauseSink, VarRange};

/// Makes the inputs, then writes the gates and the requirements; returns the inputs. A gate that is not needed has a
/// variable, which occurs in no clause.
pub fn plaisted_greenbaum(circuit: &Circuit, out: &mut dyn ClauseSink) -> VarRange {
    let used = polarities(circuit);
    write(circuit, |gate| used[gate], out)
}
