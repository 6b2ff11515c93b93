//! The properties of encodings: those that an encoding declares, and those that are computed.
//!
//! *Declared.* A property takes any [`AtMostOne`](crate::AtMostOne) or [`Encoding`](crate::Encoding) and tries it
//! on small sizes completely: every assignment, every solution. The check compares it with the encoding's information
//! and returns the first violation that it finds, in words for the encoding's author. The command line and the tests
//! call the same checks, so an encoding is tested by being in the registry.
//!
//! An encoding of whole problems is tried by the [`WholeProperties`] of the registry. A kind of problem may have its own,
//! which know more than the groups; without them the examples of all kinds are tried.
//!
//! *Computed.* The profile goes further. There are three verdicts.
//!
//! 1. *Correct.* The models, projected onto the primary variables, are exactly the right
//!    assignments: completely on small sizes, then on larger ones by right and wrong assignments
//!    made from a seed.
//! 2. *Propagation.* Unit propagation finds every implied literal, and every conflict, after every partial assignment;
//!    or it does not.
//! 3. *Auxiliary variables.* None, determined by the primary ones, or free, with the numbers of models of the
//!    solutions.
//!
//! A single constraint on few inputs (a bound, a weighted sum) has one profile over all assignments and all partial ones, a
//! [`ConstraintProfile`](constraint::ConstraintProfile). [`ProfileSummary`](constraint::ProfileSummary) puts several
//! together, and compares them with the declaration of their encoder.
//!
//! Both enumerate models in [`meaning`]. They share no code with the encodings: an exhaustive search, and a unit
//! propagation and a model enumerator of their own.
//!
//! # Two notions of complete propagation
//!
//! [`Complete`](crate::Propagation::Complete) propagation declares this: a chosen candidate excludes every candidate with
//! which it is in a group with at most one, one pair at a time. At-most-one encodings are compared by this notion, and
//! the property tries it.
//!
//! The verdict requires more: after every partial assignment, every consequence of that one group, as at most one and as
//! exactly one. Most encodings find all of it.

pub mod at_most_one;
mod bounds;
mod check;
pub mod constraint;
mod correct;
mod examples;
mod form;
pub mod gap;
mod line;
pub mod meaning;
pub mod problem;
pub mod shapes;

pub use crate::registry::WholeProperties;
pub use crate::violation::{Property, PropertyFinding, PropertyViolation};
pub use check::{CheckResult, Untried, check};
pub use correct::{Correct, DECISION_STEPS};
pub use form::Form;
pub use line::{FormProfile, LineProfile, SHOWN, clauses_digest, sets_digest};
pub use meaning::ModelCounts;
