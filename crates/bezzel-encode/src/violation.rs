//! Properties of encodings by name, and their violations in words.

use std::fmt;

use bezzel_problem::named;
use serde::Serialize;
use thiserror::Error;

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
