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
//! The verdict requires more: after every partial assignment, every consequence. *Implied* has two meanings. For an
//! at-most-one by itself: implied by that one group, as at most one and as exactly one; most encodings find all of it.
//! For a problem: implied by all of its constraints together. Hardly any formula finds all of it, since several groups
//! together imply more than each by itself. The profile therefore has numbers in addition to the smallest
//! counter-example: the share of all consequences on the same partial assignments that unit propagation finds, and the
//! share that one group after the other gives.

use std::fmt;

use bezzel_problem::named;
use serde::Serialize;
use thiserror::Error;

pub mod at_most_one;
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

pub use check::{CheckResult, Untried, WholeProperties, check};
pub use correct::{Correct, DECISION_STEPS};
pub(crate) use examples::Examples;
pub use form::Form;
pub use line::{FormProfile, LineProfile, SHOWN, clauses_digest, sets_digest};
pub use meaning::ModelCounts;

named! {
    /// A property of an encoding.
    pub enum Property {
        /// Every literal is of a variable that was made before, and no clause names a variable twice.
        WellFormed = "well-formed",
        /// The same input gives the same stream of clauses every time.
        Determinism = "determinism",
        /// The closed form is equal to the counts of the formula.
        Size = "size",
        /// An at-most-one: an assignment of the inputs extends to a model if and only if at most one
        /// of them holds; and as exactly one, exactly one.
        Meaning = "meaning",
        /// A problem: the models represent its solutions, each once, and nothing else.
        Solutions = "solutions",
        /// The map is of the primary variables, its cubes fix candidates, and its blocking clause removes one solution
        /// and no other.
        Layout = "layout",
        /// The auxiliary variables have the effect on the number of models that the encoding declares, no more, no less.
        Auxiliaries = "auxiliaries",
        /// Unit propagation is as strong as the encoding declares, no stronger, no weaker.
        Propagation = "propagation",
    }
}

/// A property that an encoding does not satisfy, and the place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{encoding}` violates the property `{property}` on {place}: {what}")]
pub struct PropertyViolation {
    /// The encoding's id.
    pub encoding: String,
    /// The property.
    pub property: Property,
    /// The input: the number of literals, or the instance.
    pub place: String,
    /// The finding, and the expectation.
    pub what: String,
    /// The counter-example drawn, where there is one to draw: lines of text.
    pub drawing: String,
}

impl PropertyViolation {
    /// The violation of a property by the encoding with this id.
    pub fn new(
        encoding: String,
        property: Property,
        place: impl fmt::Display,
        found: impl Into<PropertyFinding>,
    ) -> Self {
        let (PropertyFinding { what, drawing }, place) = (found.into(), place.to_string());
        Self { encoding, property, place, what, drawing }
    }
}

/// A finding, in words, and drawn where possible.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PropertyFinding {
    /// In words.
    pub what: String,
    /// Drawn: lines of text, numbered rows and columns.
    pub drawing: String,
}

impl<S: Into<String>> From<S> for PropertyFinding {
    fn from(what: S) -> Self {
        Self { what: what.into(), drawing: String::new() }
    }
}
