//! Encoders at single shapes: a number of literals, a relation and a bound.
//!
//! A formula over n inputs is right if exactly the right assignments of the inputs extend to models. Small n allow all
//! assignments. For larger n, some are tried: those with as many true inputs as the bound allows, and one more or one
//! fewer, at extreme and at random places. The caller decides an assignment by a solver or by unit propagation. A solver
//! can also search all wrong assignments: [`violation`] states that the constraint does not hold.

mod assignments;
mod counterexample;
mod violation;

pub use assignments::{TriedInputs, tried_inputs};
pub use counterexample::Counterexample;
pub use violation::{violation, violation_variables};
