//! Text for people: every clause as a disjunction of named literals, below its section and line.
//!
//! ```text
//! c generator: bezzel-encode 0.1.0
//! c …
//! rows, line 1
//!   x_{1,1} or x_{1,2} or x_{1,3} or x_{1,4}
//!   not x_{1,1} or not rows_{1,1}
//! ```
//!
//! Comments and names are those of a [DIMACS](super::dimacs) file; a literal is named by its meaning, so that a
//! renaming changes the order of literals alone. The empty clause is `false`. A constraint that is stated whole is
//! `at most one of` its literals. No solver reads this form.

use std::io::{self, Write};

use rustsat::types::Lit;

use super::FormatError;
use super::blocks::Blocks;
use super::comments::word;
use super::dimacs::STYLE;
use super::file::{self, FileBody, FormulaSource};
use crate::sink::{ClauseSink, VarRange};
use crate::size::Size;

/// Writes the encoding of the problem, under this numbering, as text for people.
///
/// # Errors
///
/// As [`Format::write`](super::Format::write).
pub(super) fn write(source: &FormulaSource<'_>, out: impl Write) -> Result<Size, FormatError> {
    file::write(source, &STYLE, true, |head| {
        let mut text = Blocks::new(out);
        head.comments(&mut text)?;
        Ok(TextLines {
            text,
            names: head.names(),
            section: String::new(),
            variables: 0,
            written: 0,
        })
    })
}

/// The lines after the comments.
struct TextLines<W> {
    text: Blocks<W>,
    /// The literal of each variable of the file that has a name, and the name.
    names: Vec<(Lit, String)>,
    section: String,
    variables: u32,
    written: u64,
}

impl<W: Write> TextLines<W> {
    /// Writes literals on a line: `before`, then one after the other with `between`.
    fn list(&mut self, before: &str, lits: &[Lit], between: &str) {
        self.written += 1;
        let mut line = format!("  {before}");
        for (place, lit) in lits.iter().enumerate() {
            if place > 0 {
                line.push_str(between);
            }
            assert!(lit.vidx32() < self.variables, "the variable of {lit} was never made");
            // An encoding that makes more variables than in the first pass is refused at the end.
            let Some((named, name)) = self.names.get(lit.vidx()) else { return };
            if named != lit {
                line.push_str("not ");
            }
            line.push_str(name);
        }
        line.push('\n');
        self.text.write_all(line.as_bytes()).expect("errors are kept for the end");
    }
}

impl<W: Write> ClauseSink for TextLines<W> {
    fn fresh(&mut self, count: u32) -> VarRange {
        VarRange::next(&mut self.variables, count)
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.list(if lits.is_empty() { "false" } else { "" }, lits, " or ");
    }

    fn section(&mut self, name: &str) {
        // A section that continues is not begun again.
        if self.section != name {
            name.clone_into(&mut self.section);
            writeln!(self.text, "{}", word(name)).expect("errors are kept for the end");
        }
    }

    fn line(&mut self, number: u32) {
        writeln!(self.text, "{}, line {number}", word(&self.section))
            .expect("errors are kept for the end");
    }

    fn takes_cardinality(&self) -> bool {
        true
    }

    fn at_most(&mut self, xs: &[Lit], k: u64) {
        let number = if k == 1 { "one".to_owned() } else { k.to_string() };
        self.list(&format!("at most {number} of "), xs, ", ");
    }
}

impl<W: Write> FileBody for TextLines<W> {
    fn taken(&self) -> (u32, u64) {
        (self.variables, self.written)
    }

    fn finish(self) -> io::Result<()> {
        self.text.finish().map(drop)
    }
}
