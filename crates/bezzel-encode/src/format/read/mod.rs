//! Reads formulas and answers, of this program or of others.
//!
//! Every error has a line and a column, so that users can find the fault in the file. Memory is bounded by the limits
//! of this module, for any number in the header. Text that is not understood is refused, never guessed.

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

pub use answer::{MAX_VALUES, ReadAnswer, SolverVerdict, answer};
pub use dimacs::{MAX_CLAUSES, MAX_LITERALS, ReadFormula, dimacs};
pub use map::map;
pub use notes::{FormulaComments, MAX_NOTES, notes, square_named};

/// The reason why a file was not read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It could not be read to its end.
    #[error("reading failed: {0}")]
    Read(#[from] io::Error),
    /// It does not have the expected form.
    #[error("line {line}, column {column}: {what}")]
    Malformed {
        /// The line, counted from 1.
        line: u64,
        /// The character in the line, counted from 1.
        column: u64,
        /// The fault.
        what: String,
    },
}
