//! SMT-LIB 2.6, in the logic `QF_UF`: the format of Z3, cvc5, Yices 2 and others.
//!
//! ```text
//! ; generator: bezzel-encode 1.0.0
//! ; …
//! ; varname 1 q_1_1
//! ; square 1,1 1
//! ; …
//! (set-info :smt-lib-version 2.6)
//! (set-option :produce-models true)
//! (set-logic QF_UF)
//! (declare-const q_1_1 Bool)
//! …
//! ; rows
//! (assert (or q_1_1 q_1_2 q_1_3 q_1_4))
//! (assert (or (not q_1_1) (not q_1_2)))
//! …
//! (check-sat)
//! (get-model)
//! ```
//!
//! - `q_3_12` means that the candidate in row 3 and column 12 of a grid is chosen. The numbers are separated, as
//!   Zantema's text requires at its end: with more than nine columns, `p111` could be two squares. `b_3_1` is the first
//!   variable of row 3 where squares have several literals, and `a_17` is auxiliary. `not_q_3_12` means that it is not
//!   chosen, if the encoding has a variable for that.
//! - The comments are those of a [DIMACS](super::dimacs) file; they number the variables in the order
//!   in which they are declared.
//! - Assertions have no names, since Z3 would print each name in the model; a comment begins each section.
//!
//! *Source.* C. Barrett, P. Fontaine, C. Tinelli, "The SMT-LIB Standard: Version 2.6", 2021.

use std::io::Write;

use super::FormatError;
use super::blocks::Blocks;
use super::file::{self, FormulaSource};
use super::names::{Spelling, Style, Symbols};
use super::smt::SmtLines;
use crate::size::Size;

const STYLE: Style =
    Style { sign: ";", id: "", not: "-", clauses: "clauses", spelling: Spelling::Underscores };

/// Writes the encoding of the problem, under this numbering, as an SMT-LIB 2.6 script.
///
/// # Errors
///
/// As [`Format::write`](super::Format::write).
pub(super) fn write(source: &FormulaSource<'_>, out: impl Write) -> Result<Size, FormatError> {
    file::write(source, &STYLE, false, |head| {
        let mut text = Blocks::new(out);
        head.comments(&mut text)?;
        writeln!(text, "(set-info :smt-lib-version 2.6)")?;
        writeln!(text, "(set-option :produce-models true)")?;
        writeln!(text, "(set-logic QF_UF)")?;
        let symbols = Symbols::of(&head.labels(), &STYLE, head.variables());
        for symbol in symbols.iter() {
            writeln!(text, "(declare-const {symbol} Bool)")?;
        }
        Ok(SmtLines::new(text, symbols, ("(assert ", ")"), "(check-sat)\n(get-model)\n"))
    })
}
