//! The knowledge of a board: marks of squares, counts, reasons and solutions.
//!
//! Two methods provide the [`solutions`]. A board whose diagram compiles within a budget is compiled, and counts are
//! exact. Larger ones are searched by SAT, square by square. Both find the marks of the squares. The search also finds
//! [`why`] a square is ruled out. In addition, there are the squares that unit [`propagation`] of an encoding rules out,
//! the [`conflicts`] of a solver, and the forms of a board for other programs ([`export`]).
//!
//! No function here reads a clock; a function that may take long takes a flag that makes it stop. A single pass
//! over the nodes of a diagram, and the propagation or output of a single formula, are not interrupted.

pub mod conflicts;
pub mod export;
pub mod propagation;
pub mod solutions;
pub mod why;

use std::sync::Arc;

use crate::published;
use crate::{Board, Geometry, Square};
use bezzel_encode::{Constraints, Encoding, NameError, Registry, Unsupported};
use bezzel_problem::Kind;
use thiserror::Error;

/// The length of the longest name of an encoding that is looked up.
const MAX_NAME_BYTES: usize = 500;

/// The computation was stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("it took too long and was stopped")]
pub struct Stopped;

/// Returns the board without its placed pieces; blocked squares stay.
pub fn without_pieces(board: &Board) -> Board {
    Kind::without_given(board).unwrap_or_else(|| board.clone())
}

/// Returns a square as texts name it: `(3, 4)` for row 3, column 4.
pub fn position(square: Square) -> String {
    format!("({}, {})", square.row + 1, square.column + 1)
}

/// Returns the theorem by which the board has no solution, with any givens, as a sentence without its full stop. One
/// such theorem rules out two thirds of all tori, for which search and diagrams need long.
pub fn theorem(board: &Board) -> Option<String> {
    if !board.is_square() {
        return None;
    }
    let (is_solvable, source) = published::solvable(&board.without_givens())?;
    let author = source.split(':').next().unwrap_or(source);
    let rule = match board.geometry() {
        Geometry::Plane => {
            "N queens on the plane have a solution if and only if N is neither 2 nor 3"
        }
        Geometry::Torus => {
            "N queens on the torus have a solution if and only if neither 2 nor 3 divides N"
        }
    };
    (!is_solvable).then(|| format!("{rule} ({author})"))
}

/// Returns true if a theorem shows that the board has no solution, with any givens.
pub fn is_hopeless(board: &Board) -> bool {
    published::solvable(&board.without_givens()).is_some_and(|(solvable, _)| !solvable)
}

/// The reason why a board cannot be encoded.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EncodingError {
    /// No encoding has this name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The name is longer than the name of any encoding.
    #[error("`{0}` is too long for the name of an encoding")]
    Long(String),
    /// The encoding has constraints beyond clauses.
    #[error(
        "`{0}` states at-most-one constraints whole, so it has no clauses to be shown; as clauses it is \
         `pairwise`"
    )]
    Whole(String),
    /// The encoding does not fit the board.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
}

/// Returns the encoding of this name for the board, with the constraints that it states by default.
///
/// # Errors
///
/// No encoding has this name, it is not made of clauses, or it does not fit the board.
pub fn encoding(
    registry: &Registry,
    name: &str,
    board: &Board,
) -> Result<Arc<dyn Encoding>, EncodingError> {
    if name.len() > MAX_NAME_BYTES {
        return Err(EncodingError::Long(shortened(name)));
    }
    let found = registry.find(name)?;
    let info = found.info();
    if info.cardinality {
        return Err(EncodingError::Whole(info.id));
    }
    let problem = board.problem();
    let constraints = Constraints::default_on(&problem);
    let encoding = found.with_settings(constraints);
    encoding.fits(&problem)?;
    Ok(encoding)
}

/// The number of characters of a request's text that an answer quotes.
const QUOTED: usize = 60;

/// Returns the beginning of a text, to bound the length of an answer.
pub fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(QUOTED).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
