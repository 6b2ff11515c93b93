//! The format of the Model Counting Competition, for counters of projected models.
//!
//! A [DIMACS](super::dimacs) file with its comments, and two further ones for the counter:
//!
//! ```text
//! c t pmc
//! c …
//! p cnf 58 116
//! c p show 1 2 … 16 0
//! ```
//!
//! - `c t pmc`, the first line: the task is projected model counting.
//! - `c p show VARIABLES 0`, after the header: the variables that are projected onto. They are those of the lines
//!   `c square`, so the count is the number of solutions, for any kind of auxiliary variables. They are on
//!   one line, since not every counter joins several.
//!
//! *Source.* J. K. Fichte, M. Hecher, "Model Counting Competition: Competition Guidelines and Data
//! Format", 2024.

use std::io::Write;

use bezzel_problem::Problem;

use super::FormatError;
use super::dimacs::{Preamble, STYLE, Writer};
use super::file::{self, FormulaSource};
use crate::encoding::Encoding;
use crate::numbering::Numbering;
use crate::size::Size;

/// Writes the encoding of the problem, under this numbering, for a counter of projected models.
///
/// # Errors
///
/// As [`Format::write`](super::Format::write).
pub(super) fn write(source: &FormulaSource<'_>, out: impl Write) -> Result<Size, FormatError> {
    shown(source, ProjectedVariables::Squares, out)
}

/// The same for a counter that is to count every model: all variables are shown, so that models that differ in
/// auxiliary variables are counted separately.
///
/// # Errors
///
/// As [`Format::write`](super::Format::write).
pub fn write_for_models(
    encoding: &dyn Encoding,
    problem: &Problem,
    numbering: &Numbering,
    out: &mut dyn Write,
) -> Result<Size, FormatError> {
    let source = FormulaSource { encoding, problem, numbering, preamble: Preamble::None };
    shown(&source, ProjectedVariables::All, out)
}

/// The variables that are projected onto.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ProjectedVariables {
    Squares,
    All,
}

fn shown(
    source: &FormulaSource<'_>,
    shown: ProjectedVariables,
    out: impl Write,
) -> Result<Size, FormatError> {
    file::write(source, &STYLE, false, |head| {
        let mut writer = Writer::new(out);
        writeln!(writer.text, "c t pmc")?;
        head.comments(&mut writer.text)?;
        writeln!(writer.text, "p cnf {} {}", head.variables(), head.clauses())?;
        write!(writer.text, "c p show")?;
        match shown {
            ProjectedVariables::All => {
                for variable in 1..=head.variables() {
                    write!(writer.text, " {variable}")?;
                }
            }
            ProjectedVariables::Squares => {
                for variable in head.labels().variables() {
                    write!(writer.text, " {}", variable.idx() + 1)?;
                }
            }
        }
        writeln!(writer.text, " 0")?;
        Ok(writer)
    })
}
