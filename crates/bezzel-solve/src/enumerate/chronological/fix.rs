//! Propagation of the unit clauses before the search.

use super::assignment::{Assignment, Conflict, Value};
use super::clauses::Clauses;
use super::code::Code;
use super::network::Network;

/// Propagates the unit clauses, and leaves clauses of two and more open literals. Returns the true literals.
///
/// # Errors
///
/// The clauses have no model, and propagation alone detects it.
pub(super) fn fix(clauses: &mut Clauses, variables: usize) -> Result<Vec<Code>, Conflict> {
    if clauses.refuted {
        return Err(Conflict);
    }
    if clauses.units.is_empty() {
        return Ok(Vec::new());
    }
    let network = Network::new(clauses, variables, 0);
    let mut assignment = Assignment::new(&network);
    for &unit in &clauses.units {
        assignment.imply(unit)?;
    }
    assignment.propagate(&network)?;
    let mut left = Clauses::default();
    let mut open = Vec::new();
    for clause in clauses.binary.iter().map(<[Code; 2]>::as_slice).chain(clauses.long.iter()) {
        if clause.iter().any(|&code| assignment.value(code) == Value::True) {
            continue;
        }
        open.clear();
        open.extend(clause.iter().filter(|&&code| assignment.value(code) == Value::Open));
        left.add(open.iter().copied());
    }
    *clauses = left;
    Ok(assignment.into_trail())
}
