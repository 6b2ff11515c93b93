//! Formulas and answers read back: from this program, or from anywhere.
//!
//! Whoever reads somebody else's file must be told where it is wrong: every error has a line and a
//! column. Memory is bounded by what the file may hold at most, whatever its header says, and
//! garbage is refused, never guessed at.

use std::io;

use thiserror::Error;

mod answer;
mod decode;
mod dimacs;
mod map;
mod notes;
mod source;
mod terms;
#[cfg(test)]
mod tests;

pub use answer::{MOST_VALUES, ReadAnswer, Verdict, answer};
pub use dimacs::{MOST_CLAUSES, MOST_LITERALS, ReadFormula, dimacs};
pub use map::map;
pub use notes::{MOST_NOTES, Notes, notes, square_named};

/// Why a file was not read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It could not be read to its end.
    #[error("reading failed: {0}")]
    Read(#[from] io::Error),
    /// It does not say what it should.
    #[error("line {line}, column {column}: {what}")]
    Malformed {
        /// The line, counted from 1.
        line: u64,
        /// The character in the line, counted from 1.
        column: u64,
        /// What is wrong there.
        what: String,
    },
}
