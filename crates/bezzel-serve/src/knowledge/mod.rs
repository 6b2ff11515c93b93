//! What is known of a board.
//!
//! Two ways lead to it. A board whose diagram compiles within a budget is [`compiled`] once,
//! without its placed pieces, which then restrict it: counts are exact, and a click costs a pass
//! over the nodes. Larger ones are [`search`]ed by SAT, square by square. What is asked is the same:
//! the [`squares`], and [`why`] one of them is ruled out. Beside that, what the unit propagation of
//! an encoding sees of the board ([`eyes`]), its [`fundamental`] solutions, and its forms for other
//! programs ([`export`]).
//!
//! Nothing here reads a clock; what may take long takes a flag that makes it stop. A single pass over
//! the nodes of a diagram, and a single formula that is propagated or written, go on to their ends.

mod chain;
pub mod compiled;
pub mod export;
pub mod eyes;
pub mod fundamental;
mod names;
pub mod search;
pub mod squares;
pub mod why;

use std::sync::Arc;

use bezzel_count::published;
use bezzel_encode::{Constraints, Encoding, Misfit, NameError, Registry};
use bezzel_problem::{Board, Placement, Square};
use thiserror::Error;

use crate::question::shortened;

/// So long a name of an encoding is looked up.
const LONGEST_NAME: usize = 500;

/// It was told to stop before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("it took too long and was stopped")]
pub struct Stopped;

/// Whoever knows the solutions of a board on which nothing is placed.
pub trait Oracle {
    /// A solution with pieces on all of these squares, if there is one.
    ///
    /// # Errors
    ///
    /// When it was stopped before it knew.
    fn solution(&mut self, held: &[Square]) -> Result<Option<Placement>, Stopped>;
}

/// The board without its placed pieces; blocked squares stay.
pub fn without_pieces(board: &Board) -> Board {
    let blocked = board.blocked().iter().copied();
    board.without_givens().with_blocked(blocked).expect("they are blocked on a board of this size")
}

/// Whether a theorem says that the board has no solution, whatever is given on it: parity, which rules
/// out half of all tori, is among what neither search nor diagrams find out soon.
fn is_hopeless(board: &Board) -> bool {
    published::solvable(&board.without_givens()).is_some_and(|(solvable, _)| !solvable)
}

/// Why a board is not encoded so.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EncodingError {
    /// No encoding has this name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The name is longer than any.
    #[error("`{0}` is too long for the name of an encoding")]
    Long(String),
    /// It states more than clauses.
    #[error(
        "`{0}` states at-most-one constraints whole, so it has no clauses to be shown; as clauses it is \
         `pairwise`"
    )]
    Whole(String),
    /// It does not fit the board.
    #[error(transparent)]
    Misfit(#[from] Misfit),
}

/// The encoding of this name for the board, with the constraints that it states by default.
///
/// # Errors
///
/// When there is none, when it is not made of clauses, and when it does not fit the board.
pub fn encoding(
    registry: &Registry,
    name: &str,
    board: &Board,
) -> Result<Arc<dyn Encoding>, EncodingError> {
    if name.len() > LONGEST_NAME {
        return Err(EncodingError::Long(shortened(name)));
    }
    let found = registry.find(name)?;
    let card = found.card();
    if card.cardinality {
        return Err(EncodingError::Whole(card.id));
    }
    let encoding = found.on_board(Constraints::default_on(board));
    encoding.fits(&board.problem())?;
    Ok(encoding)
}
