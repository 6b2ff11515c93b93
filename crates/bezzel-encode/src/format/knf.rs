//! KNF: clauses, and cardinality constraints beside them.
//!
//! A [DIMACS](super::dimacs) file with its comments and the header `p knf VARIABLES CONSTRAINTS`,
//! in which a line may also be
//!
//! ```text
//! k 3 -1 -2 -3 -4 0
//! ```
//!
//! "at least 3 of these literals hold". At most k of x₁ … xₙ is stated as: at least n − k of their negations hold.
//! The header and the comments count such a line as one, so the comments have the word "lines" where those of DIMACS
//! have "clauses". Encodings that state clauses only are clauses here too; [`native`](crate::amo::native) is one line
//! for each row, column and diagonal, and for each bound of a group. Weights and conditions are refused.
//!
//! *Source.* J. E. Reeves, M. J. H. Heule, R. E. Bryant, "From Clauses to Klauses", CAV 2024.

use std::io::{self, Write};

use bezzel_problem::GroupFamily;
use rustsat::types::Lit;

use super::FormatError;
use super::dimacs::{STYLE as CNF, Writer};
use super::file::{self, FileBody, FormulaSource};
use super::names::Style;
use crate::sink::{ClauseSink, VarRange};
use crate::size::Size;

const STYLE: Style = Style { clauses: "lines", ..CNF };

/// Writes the encoding of the problem, under this numbering, as a KNF file.
///
/// # Errors
///
/// As [`Format::write`](super::Format::write); cardinality constraints are taken, unless the
/// clauses are to be shuffled.
pub(super) fn write(source: &FormulaSource<'_>, out: impl Write) -> Result<Size, FormatError> {
    let is_weighted =
        |family: &GroupFamily| family.weights().is_some() || !family.conditions().is_empty();
    if source.encoding.info().cardinality && source.problem.families().iter().any(is_weighted) {
        return Err(FormatError::Weights { encoding: source.encoding.info().id });
    }
    file::write(source, &STYLE, true, |head| {
        let mut writer = Writer::new(out);
        head.comments(&mut writer.text)?;
        writeln!(writer.text, "p knf {} {}", head.variables(), head.clauses())?;
        Ok(KnfLines(writer))
    })
}

/// The lines of a KNF file.
struct KnfLines<W>(Writer<W>);

impl<W: Write> ClauseSink for KnfLines<W> {
    fn fresh(&mut self, count: u32) -> VarRange {
        self.0.fresh(count)
    }

    #[inline]
    fn clause(&mut self, lits: &[Lit]) {
        self.0.clause(lits);
    }

    fn takes_cardinality(&self) -> bool {
        true
    }

    fn at_most(&mut self, xs: &[Lit], k: u64) {
        // With at most k literals, any number may hold.
        let bound = (xs.len() as u64).saturating_sub(k);
        write!(self.0.text, "k {bound} ").expect("errors are kept for the end");
        self.0.line(xs.iter().map(|&lit| !lit));
    }
}

impl<W: Write> FileBody for KnfLines<W> {
    fn taken(&self) -> (u32, u64) {
        self.0.taken()
    }

    fn finish(self) -> io::Result<()> {
        FileBody::finish(self.0)
    }
}
