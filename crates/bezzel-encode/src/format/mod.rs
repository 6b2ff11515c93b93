//! Formulas as files: writers to every implementation of [`Write`].
//!
//! One file each. A writer is a sink, so a formula streams from its encoder into the file and is never held in memory.
//! [`read`] is the opposite direction.

use std::io::{self, Write};

use bezzel_problem::{Problem, named};
use thiserror::Error;

use crate::encoding::Encoding;
use crate::numbering::Numbering;
use crate::size::Size;

use file::FormulaSource;

mod blocks;
mod comments;
pub mod dimacs;
mod file;
pub mod knf;
pub mod marshal;
pub mod mcc;
mod names;
pub mod opb;
pub mod read;
mod shell;
mod smt;
pub mod smt1;
pub mod smt2;
mod tokens;

pub use shell::{command_line, shell_word};

named! {
    /// The formats that a formula can be written in.
    pub enum Format: "format" {
        /// [DIMACS CNF](dimacs).
        Dimacs = "dimacs",
        /// The format of the [Model Counting Competition](mcc).
        Mcc = "mcc",
        /// [OPB](opb), for pseudo-Boolean solvers.
        Opb = "opb",
        /// [KNF](knf): clauses and cardinality constraints.
        Knf = "knf",
        /// [SMT-LIB 2.6](smt2).
        Smt2 = "smt2",
        /// [SMT-LIB 1.2](smt1), as Zantema writes it.
        Smt1 = "smt1",
    }
}

impl Format {
    /// True if it has constraints on the number of true literals beside clauses, for encodings that state them whole.
    pub fn takes_cardinality(self) -> bool {
        matches!(self, Self::Opb | Self::Knf)
    }

    /// Writes the encoding of the problem, under this numbering, in this format.
    ///
    /// The formula is made twice: measured for the head of the file, then written. Returns its size; a constraint that
    /// is stated whole counts as one clause.
    ///
    /// # Errors
    ///
    /// Before the first write, when the encoding states more than clauses and the format takes clauses only. Else the
    /// first error of `out`, or an encoding that does not make the same formula twice; the file is then incomplete or
    /// wrong.
    pub fn write(
        self,
        encoding: &dyn Encoding,
        problem: &Problem,
        numbering: &Numbering,
        preamble: dimacs::Preamble<'_>,
        out: &mut dyn Write,
    ) -> Result<Size, FormatError> {
        let source = FormulaSource { encoding, problem, numbering, preamble };
        match self {
            Self::Dimacs => dimacs::write(&source, out),
            Self::Mcc => mcc::write(&source, out),
            Self::Opb => opb::write(&source, out),
            Self::Knf => knf::write(&source, out),
            Self::Smt2 => smt2::write(&source, out),
            Self::Smt1 => smt1::write(&source, out),
        }
    }
}

/// The reason why a file was not written, or must not be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The file, or another sink, took no more.
    #[error("writing the formula failed: {0}")]
    Write(#[from] io::Error),
    /// The encoding states more than clauses, and the format takes clauses only.
    #[error(
        "`{encoding}` states at-most-one constraints whole, and this format knows clauses only: it \
         would get the pairs of `pairwise` under another name; take `pairwise`, or the formats \
         `opb` and `knf`"
    )]
    ClausesOnly {
        /// The encoding's id.
        encoding: String,
    },
    /// The encoding states weights or conditions whole, and the format has none.
    #[error(
        "`{encoding}` states weights and conditions whole, and this format has none: take the format `opb`, or another \
         encoding"
    )]
    Weights {
        /// The encoding's id.
        encoding: String,
    },
    /// The clauses were to be shuffled, for which they are stored, but some constraints are no clauses.
    #[error(
        "`{encoding}` states at-most-one constraints whole, and those cannot be shuffled: leave \
         the order of clauses as it is"
    )]
    Shuffled {
        /// The encoding's id.
        encoding: String,
    },
    /// The second pass of the encoding made another formula, so the header is wrong.
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
