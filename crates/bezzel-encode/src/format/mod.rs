//! Formulas as files: writers over anything that implements [`Write`].
//!
//! One file each. A writer is a sink like any other, so a formula streams from its encoder into the
//! file and is never held in memory. [`read`] goes the other way.

use std::io::{self, Write};

use bezzel_problem::{Problem, named};
use thiserror::Error;

use crate::encoding::Encoding;
use crate::numbering::Numbering;
use crate::size::Size;

use file::Subject;

mod blocks;
pub mod board;
mod comments;
pub mod dimacs;
mod file;
pub mod knf;
pub mod mcc;
mod names;
pub mod opb;
pub mod read;
mod shell;
mod smt;
pub mod smt1;
pub mod smt2;
pub mod solutions;
#[cfg(test)]
mod tests;
mod text;
mod tokens;

pub use shell::{command_line, shell_word};

named! {
    /// The formats that a formula can be written in.
    pub enum Format: "format" {
        /// [DIMACS CNF](dimacs).
        Dimacs = "dimacs",
        /// That of the [Model Counting Competition](mcc).
        Mcc = "mcc",
        /// [OPB](opb), for pseudo-Boolean solvers.
        Opb = "opb",
        /// [KNF](knf): clauses and cardinality constraints.
        Knf = "knf",
        /// [SMT-LIB 2.6](smt2).
        Smt2 = "smt2",
        /// [SMT-LIB 1.2](smt1), as Zantema writes it.
        Smt1 = "smt1",
        /// Text for people: named literals, joined by `or`.
        Text = "text",
    }
}

impl Format {
    /// Whether it has at-most-one constraints beside clauses, for encodings that state them whole.
    pub fn takes_cardinality(self) -> bool {
        matches!(self, Self::Opb | Self::Knf | Self::Text)
    }

    /// Writes the encoding of the problem, under this numbering, in this format.
    ///
    /// The formula is made twice: measured for what the head of the file says, then written. Returns
    /// its size; a constraint that is stated whole counts as one clause.
    ///
    /// # Errors
    ///
    /// Before anything is written, when the encoding states more than clauses and the format does
    /// not know more. Else the first error of `out`, or that the encoding did not make the same
    /// formula twice; the file is then incomplete or wrong.
    pub fn write(
        self,
        encoding: &dyn Encoding,
        problem: &Problem,
        numbering: &Numbering,
        preamble: dimacs::Preamble<'_>,
        out: impl Write,
    ) -> Result<Size, FormatError> {
        let subject = Subject { encoding, problem, numbering, preamble };
        match self {
            Self::Dimacs => dimacs::write(&subject, out),
            Self::Mcc => mcc::write(&subject, out),
            Self::Opb => opb::write(&subject, out),
            Self::Knf => knf::write(&subject, out),
            Self::Smt2 => smt2::write(&subject, out),
            Self::Smt1 => smt1::write(&subject, out),
            Self::Text => text::write(&subject, out),
        }
    }
}

/// Why a file was not written, or must not be trusted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The file, or whatever stands for it, took no more.
    #[error("writing the formula failed: {0}")]
    Write(#[from] io::Error),
    /// The encoding states more than clauses, and the format does not know more.
    #[error(
        "`{encoding}` states at-most-one constraints whole, and this format knows clauses only: it \
         would get the pairs of `pairwise` under another name; take `pairwise`, or the formats \
         `opb` and `knf`"
    )]
    ClausesOnly {
        /// The encoding's id.
        encoding: String,
    },
    /// The clauses were to be shuffled, for which they are stored, and among them would be what is
    /// no clause.
    #[error(
        "`{encoding}` states at-most-one constraints whole, and those cannot be shuffled: leave \
         the order of clauses as it is"
    )]
    Shuffled {
        /// The encoding's id.
        encoding: String,
    },
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
