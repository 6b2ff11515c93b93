//! The laws that every encoding must satisfy, and that prove or refute what its card promises.
//!
//! A law takes any [`AtMostOne`](crate::AtMostOne) or [`Encoding`](crate::Encoding) and tries it on
//! small sizes completely: every assignment, every placement, every pair of squares. What it
//! compares with shares no code with the encodings: a backtracking search that knows only rows
//! and columns, and a unit propagation and a model enumerator of our own. The command line and the
//! tests call the same laws, so an encoding is tested by being in the registry.
//!
//! A law returns the first breach that it finds, in words for the encoding's author.

use std::fmt;

use rustsat::types::Lit;
use thiserror::Error;

use crate::card::Propagation;
use crate::propagate::Propagator;
use crate::size::Size;

pub mod at_most_one;
pub mod board;
mod fault;
mod inputs;
mod inspector;
pub mod search;

pub use inputs::Form;

/// What must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Law {
    /// Every literal is of a variable that was made before, and no clause names a variable twice.
    WellFormed,
    /// The same input gives the same stream of clauses every time.
    Determinism,
    /// The closed form is what a tally counts.
    Size,
    /// An at-most-one: an assignment of the inputs extends to a model if and only if at most one
    /// of them holds; and as exactly one, exactly one.
    Meaning,
    /// A board: the models mean the placements that obey the rules, each once, and no others.
    Solutions,
    /// The layout speaks of the primary variables, its cubes fix queens, and its blocking clause
    /// removes one placement and no other.
    Layout,
    /// The auxiliary variables do to the number of models what the card says, no more, no less.
    Auxiliaries,
    /// Unit propagation is as strong as the card says, no stronger, no weaker.
    Propagation,
}

impl Law {
    /// The name in listings.
    pub fn id(self) -> &'static str {
        match self {
            Self::WellFormed => "well-formed",
            Self::Determinism => "determinism",
            Self::Size => "size",
            Self::Meaning => "meaning",
            Self::Solutions => "solutions",
            Self::Layout => "layout",
            Self::Auxiliaries => "auxiliaries",
            Self::Propagation => "propagation",
        }
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// A law that an encoding does not satisfy, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{encoding}` breaks the law `{law}` on {place}: {what}")]
pub struct Breach {
    /// The encoding's id.
    pub encoding: String,
    /// The law.
    pub law: Law,
    /// The input: so many literals, or the board.
    pub place: String,
    /// What was found, and what was expected.
    pub what: String,
    /// The counter-example drawn, where there is one to draw: lines of text.
    pub drawing: String,
}

impl Breach {
    fn new(encoding: String, law: Law, place: impl fmt::Display, what: impl fmt::Display) -> Self {
        Self {
            encoding,
            law,
            place: place.to_string(),
            what: what.to_string(),
            drawing: String::new(),
        }
    }
}

/// A size in words.
fn words(size: Size) -> String {
    let Size { variables, clauses, literals } = size;
    format!("{variables} variables, {clauses} clauses and {literals} literals")
}

/// What unit propagation makes of two cubes that exclude each other, once the first holds.
pub(crate) fn seen(propagator: &mut Propagator, first: &[Lit], second: &[Lit]) -> Propagation {
    let before = propagator.trail().len();
    let assume = |propagator: &mut Propagator, cube: &[Lit]| {
        cube.iter().try_for_each(|&lit| propagator.assume(lit))
    };
    // Cubes may be empty, so that nothing is assumed: what is refuted by itself excludes all.
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
