//! SMT-LIB 1.2, in the form that Zantema's text prints.
//!
//! ```text
//! ; …
//! (benchmark KIND
//! :logic QF_UF
//! :extrapreds (
//! (p11) (p12) (p13) (p14)
//! …
//! )
//! :formula
//! (and
//! ; rows
//! (or p11 p12 p13 p14)
//! (or (not p11) (not p12))
//! …
//! ))
//! ```
//!
//! - `p34` means that the candidate in row 3 and column 4 of a grid is chosen. With more than nine rows or columns it
//!   is `p3_12`: with the extra symbol between the two numbers that Zantema's text requires. `b31` (`b3_1`) is the
//!   first variable of row 3 where squares have several literals, `a17` is auxiliary, and `not_p34` means that it is
//!   not chosen, if the encoding has a variable for that.
//! - The comments are those of a [DIMACS](super::dimacs) file, numbered in the order of the
//!   declarations.
//!
//! *Source.* H. Zantema, "Example of how to work out a problem for the practical assignment
//! Automated Reasoning 2IW15"; S. Ranise, C. Tinelli, "The SMT-LIB Standard: Version 1.2", 2006.
//! *Departures.* His clauses of positive literals have each variable in parentheses, `(or (p11) (p12) …)`, which the
//! standard does not have, and Yices 2 refuses. The standard requires a logic, and so does Yices 2.

use std::io::Write;

use super::FormatError;
use super::blocks::Blocks;
use super::file::{self, FormulaSource};
use super::names::{Spelling, Style, Symbols};
use super::smt::SmtLines;
use crate::size::Size;

/// The largest number of rows and columns with one digit.
const ONE_DIGIT: u32 = 9;

/// Writes the encoding of the problem, under this numbering, as an SMT-LIB 1.2 benchmark.
///
/// # Errors
///
/// As [`Format::write`](super::Format::write).
pub(super) fn write(source: &FormulaSource<'_>, out: impl Write) -> Result<Size, FormatError> {
    let grid = source.problem.grid();
    let short = grid.is_some_and(|grid| grid.rows.max(grid.columns) <= ONE_DIGIT);
    let spelling = if short { Spelling::Digits } else { Spelling::Apart };
    let style = Style { sign: ";", id: "", not: "-", clauses: "clauses", spelling };
    file::write(source, &style, false, |head| {
        let mut text = Blocks::new(out);
        head.comments(&mut text)?;
        writeln!(text, "(benchmark {}\n:logic QF_UF", source.problem.kind())?;
        let symbols = Symbols::of(&head.labels(), &style, head.variables());
        // An empty list is not allowed.
        if head.variables() > 0 {
            writeln!(text, ":extrapreds (")?;
            let columns = grid.map_or(1, |grid| grid.columns);
            for (index, symbol) in (0..).zip(symbols.iter()) {
                let is_last = index + 1 == head.variables() || index % columns + 1 == columns;
                write!(text, "({symbol}){}", if is_last { "\n" } else { " " })?;
            }
            writeln!(text, ")")?;
        }
        writeln!(text, ":formula\n(and")?;
        // Neither is an empty conjunction.
        if head.clauses() == 0 {
            writeln!(text, "true")?;
        }
        Ok(SmtLines::new(text, symbols, ("", ""), "))\n"))
    })
}
