//! The strength of unit propagation on two cubes that exclude each other.

use rustsat::types::Lit;

use crate::info::Propagation;
use crate::propagate::Propagator;

/// The strength of unit propagation on two cubes that exclude each other, once the first is true.
pub(in super::super) fn seen(
    propagator: &mut Propagator,
    first: &[Lit],
    second: &[Lit],
) -> Propagation {
    let before = propagator.trail().len();
    let assume = |propagator: &mut Propagator, cube: &[Lit]| {
        cube.iter().try_for_each(|&lit| propagator.assume(lit))
    };
    // Cubes may be empty, so that nothing is assumed: a refuted formula excludes all.
    let refuted = propagator.is_refuted() || assume(propagator, first).is_err();
    let found = if refuted || second.iter().any(|&lit| propagator.fails(lit)) {
        Propagation::Complete
    } else if assume(propagator, second).is_err() {
        Propagation::Refuting
    } else {
        Propagation::Weak
    };
    propagator.undo(before);
    found
}
