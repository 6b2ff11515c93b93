//! What can be found out about an encoding by trying it: the verdicts on its card.
//!
//! [`laws`](crate::laws) hold an encoding to what its card promises; verdicts ask without a
//! promise, and go further. There are three.
//!
//! 1. *Correct.* The models, projected onto the primary variables, are exactly the right
//!    assignments: completely on small sizes, then on larger ones by right and wrong assignments
//!    made from a seed.
//! 2. *Propagation.* Does unit propagation find every implied literal, and every conflict, after
//!    every partial assignment?
//! 3. *Auxiliary variables.* None, determined by the primary ones, or free, with the numbers of models
//!    that stand behind the solutions.
//!
//! # Two notions of complete propagation
//!
//! A card that promises [`Complete`](crate::Propagation::Complete) promises this: a queen rules out
//! every square that it attacks, one queen and one square at a time. That is what at-most-one
//! encodings are compared by, and what the law tries.
//!
//! The verdict asks for more: after every partial assignment, everything that is implied. *Implied*
//! is meant in two ways. For an at-most-one by itself: implied by that one line, as at most one
//! and as exactly one; most encodings find all of it. For a board: implied by all rules of the
//! board together; hardly any formula finds all of it, since four rows and four columns know
//! things together that no line knows (on the empty board of side 4, no queen stands in a corner).
//! So the card has numbers beside the smallest counter-example: of all that is implied on the same
//! partial boards, how much unit propagation finds, and how much one finds who looks at one line
//! after the other.

use serde::Serialize;

mod board;
mod case;
mod check;
mod closed;
mod correct;
mod dossier;
mod examine;
mod gap;
mod line;
mod lines;
mod models;
mod page;
mod placements;
mod profile;
mod same;
mod strength;
mod subject;
mod violation;

pub use board::BoardVerdict;
pub use case::Missed;
pub use check::{Checked, Untried, check};
pub use correct::Correct;
pub use dossier::{Dossier, SIDES, Sections};
pub use examine::{Examination, can_be_listed, examine};
pub use line::{FormVerdict, LineVerdict, SHOWN};
pub use models::Models;
pub use same::{Same, same};
pub use strength::Strength;
pub use violation::violation;

/// Something found, in words, and drawn where it can be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// In words.
    pub what: String,
    /// Drawn: lines of text, numbered rows and columns.
    pub drawing: String,
}
