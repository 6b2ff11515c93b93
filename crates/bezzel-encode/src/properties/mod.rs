//! The properties of encodings: those that an encoding declares, and those that are computed of it.
//!
//! *Declared.* A property takes any [`AtMostOne`](crate::AtMostOne) or [`Encoding`](crate::Encoding) and tries it
//! on small sizes completely: every assignment, every placement, every pair of squares. The check compares it with
//! the encoding's card and returns the first violation that it finds, in words for the encoding's author. The
//! command line and the tests call the same checks, so an encoding is tested by being in the registry.
//!
//! *Computed.* The profile goes further. There are three verdicts.
//!
//! 1. *Correct.* The models, projected onto the primary variables, are exactly the right
//!    assignments: completely on small sizes, then on larger ones by right and wrong assignments
//!    made from a seed.
//! 2. *Propagation.* Does unit propagation find every implied literal, and every conflict, after
//!    every partial assignment?
//! 3. *Auxiliary variables.* None, determined by the primary ones, or free, with the numbers of models
//!    that stand behind the solutions.
//!
//! Both enumerate models in `meaning`. They share no code with the encodings: a backtracking search that knows only
//! rows and columns, and a unit propagation and a model enumerator of our own.
//!
//! # Two notions of complete propagation
//!
//! A card that promises [`Complete`](crate::Propagation::Complete) promises this: a queen rules out
//! every square that it attacks, one queen and one square at a time. That is what at-most-one
//! encodings are compared by, and what the property tries.
//!
//! The verdict asks for more: after every partial assignment, everything that is implied. *Implied*
//! is meant in two ways. For an at-most-one by itself: implied by that one line, as at most one
//! and as exactly one; most encodings find all of it. For a board: implied by all rules of the
//! board together; hardly any formula finds all of it, since four rows and four columns know
//! things together that no line knows (on the empty board of side 4, no queen stands in a corner).
//! So the card has numbers beside the smallest counter-example: of all that is implied on the same
//! partial boards, how much unit propagation finds, and how much one finds who looks at one line
//! after the other.

use std::fmt;

use bezzel_problem::named;
use serde::Serialize;
use thiserror::Error;

mod check;
mod computed;
mod declared;
mod form;
mod meaning;
mod page;
mod profile;
mod text;

pub use check::{Checked, Untried, check};
pub use computed::{
    BoardProfile, BoundProfile, Correct, Examination, FormProfile, LineProfile, Missed, Models,
    SHOWN, Same, Strength, can_be_listed, examine, same, violation,
};
pub use declared::{at_most_one, board};
pub use form::Form;
pub use profile::{Profile, SIDES, Sections};

named! {
    /// A property of an encoding.
    pub enum Property {
        /// Every literal is of a variable that was made before, and no clause names a variable twice.
        WellFormed = "well-formed",
        /// The same input gives the same stream of clauses every time.
        Determinism = "determinism",
        /// The closed form is what a tally counts.
        Size = "size",
        /// An at-most-one: an assignment of the inputs extends to a model if and only if at most one
        /// of them holds; and as exactly one, exactly one.
        Meaning = "meaning",
        /// A board: the models mean the placements that obey the rules, each once, and no others.
        Solutions = "solutions",
        /// The map is of the primary variables, its cubes fix queens, and its blocking clause
        /// removes one placement and no other.
        Layout = "layout",
        /// The auxiliary variables do to the number of models what the card says, no more, no less.
        Auxiliaries = "auxiliaries",
        /// Unit propagation is as strong as the card says, no stronger, no weaker.
        Propagation = "propagation",
    }
}

/// A property that an encoding does not satisfy, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{encoding}` breaks the law `{property}` on {place}: {what}")]
pub struct PropertyViolation {
    /// The encoding's id.
    pub encoding: String,
    /// The property.
    pub property: Property,
    /// The input: so many literals, or the board.
    pub place: String,
    /// The finding, and the expectation.
    pub what: String,
    /// The counter-example drawn, where there is one to draw: lines of text.
    pub drawing: String,
}

impl PropertyViolation {
    fn new(
        encoding: String,
        property: Property,
        place: impl fmt::Display,
        found: impl Into<Finding>,
    ) -> Self {
        let (Finding { what, drawing }, place) = (found.into(), place.to_string());
        Self { encoding, property, place, what, drawing }
    }
}

/// Something found, in words, and drawn where it can be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// In words.
    pub what: String,
    /// Drawn: lines of text, numbered rows and columns.
    pub drawing: String,
}

impl<S: Into<String>> From<S> for Finding {
    fn from(what: S) -> Self {
        Self { what: what.into(), drawing: String::new() }
    }
}
