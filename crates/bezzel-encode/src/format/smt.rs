//! The lines of SMT-LIB files: clauses as terms.

use std::io::{self, Write};

use rustsat::types::Lit;

use super::blocks::Blocks;
use super::comments::word;
use super::file::FileBody;
use super::names::Symbols;
use crate::sink::{ClauseSink, VarRange};

/// The lines of an SMT-LIB file: each clause between `before` and `after`, and sections as
/// comments.
pub(super) struct SmtLines<W> {
    text: Blocks<W>,
    symbols: Symbols,
    /// The text on a line before a clause, and after it.
    around: (&'static str, &'static str),
    /// The end of the file.
    tail: &'static str,
    section: String,
    variables: u32,
    clauses: u64,
}

impl<W: Write> SmtLines<W> {
    pub(super) fn new(
        text: Blocks<W>,
        symbols: Symbols,
        around: (&'static str, &'static str),
        tail: &'static str,
    ) -> Self {
        Self { text, symbols, around, tail, section: String::new(), variables: 0, clauses: 0 }
    }
}

impl<W: Write> ClauseSink for SmtLines<W> {
    fn fresh(&mut self, count: u32) -> VarRange {
        VarRange::next(&mut self.variables, count)
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.clauses += 1;
        let known = |lit: &Lit| {
            assert!(lit.vidx32() < self.variables, "the variable of {lit} was never made");
            self.symbols.has(*lit)
        };
        // An encoding that makes more variables than in the first pass is refused at the end.
        if !lits.iter().all(known) {
            return;
        }
        let (before, after) = self.around;
        let (open, close) = match lits.len() {
            0 => ("false", ""),
            1 => ("", ""),
            _ => ("(or", ")"),
        };
        let fixed = before.len() + open.len() + close.len() + after.len() + 1;
        let target = self.text.reserve(fixed + lits.len() * (1 + self.symbols.longest_literal()));
        let mut end = 0;
        put(before, target, &mut end);
        put(open, target, &mut end);
        for &lit in lits {
            put(if lits.len() > 1 { " " } else { "" }, target, &mut end);
            let (not, done) = if lit.is_neg() { ("(not ", ")") } else { ("", "") };
            put(not, target, &mut end);
            put(self.symbols.of_variable(lit.vidx()), target, &mut end);
            put(done, target, &mut end);
        }
        put(close, target, &mut end);
        put(after, target, &mut end);
        put("\n", target, &mut end);
        self.text.advance(end);
    }

    fn section(&mut self, name: &str) {
        // A section that continues is not begun again.
        if self.section != name {
            name.clone_into(&mut self.section);
            writeln!(self.text, "; {}", word(name)).expect("errors are kept for the end");
        }
    }
}

/// Writes a text after the existing text.
#[inline]
fn put(text: &str, out: &mut [u8], end: &mut usize) {
    out[*end..][..text.len()].copy_from_slice(text.as_bytes());
    *end += text.len();
}

impl<W: Write> FileBody for SmtLines<W> {
    fn taken(&self) -> (u32, u64) {
        (self.variables, self.clauses)
    }

    fn finish(mut self) -> io::Result<()> {
        write!(self.text, "{}", self.tail)?;
        self.text.finish().map(drop)
    }
}
