//! Unit propagation along hints.

use crate::assignment::Assignment;
use crate::clauses::Clauses;
use crate::refusal::Reason;

/// Follows a hint: true if its clause is false. Otherwise all literals of the clause but one are false, and the
/// one becomes true.
#[inline]
pub(crate) fn propagate(
    clauses: &Clauses,
    assignment: &mut Assignment,
    propagations: &mut u64,
    hint: u64,
) -> Result<bool, Reason> {
    let position = clauses.find(hint).ok_or(Reason::Absent { hint, ahead: false })?;
    let mut left = None;
    for &code in clauses.literals(position) {
        if !assignment.is_false(code) {
            if left.is_some() {
                return Err(Reason::NotUnit { hint });
            }
            left = Some(code);
        }
    }
    let Some(code) = left else { return Ok(true) };
    // A literal that is true already stays so: such a hint is superfluous, and harmless.
    assignment.falsify(code ^ 1);
    *propagations += 1;
    Ok(false)
}
