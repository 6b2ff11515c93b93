//! Formulas as files: writers over anything that implements [`Write`](std::io::Write).
//!
//! One file each. The [DIMACS writer](dimacs::Writer) is a sink like any other, so a formula
//! streams from its encoder into the file and is never held in memory.

use std::io;

use thiserror::Error;

mod blocks;
pub mod board;
mod comments;
pub mod dimacs;
pub mod facts;
pub mod read;
#[cfg(test)]
mod tests;
mod tokens;

/// Why a file was not written, or must not be trusted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The file, or whatever stands for it, took no more.
    #[error("writing the formula failed: {0}")]
    Write(#[from] io::Error),
    /// The encoding gave another formula when asked a second time, so the header is wrong.
    #[error(
        "writing the formula failed: `{encoding}` wrote {first_clauses} clauses of \
         {first_variables} variables when measured, then {clauses} of {variables}"
    )]
    Unsteady {
        /// The encoding's id.
        encoding: String,
        /// Variables in the first pass, which the header states.
        first_variables: u32,
        /// Clauses in the first pass, which the header states.
        first_clauses: u64,
        /// Variables in the second pass.
        variables: u32,
        /// Clauses in the second pass.
        clauses: u64,
    },
}
