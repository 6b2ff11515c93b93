//! OPB: linear constraints over 0 and 1, which pseudo-Boolean solvers read.
//!
//! ```text
//! * #variable= 16 #constraint= 34
//! * generator: bezzel-encode 1.0.0
//! * …
//! * varname x1 x_{1,1}
//! * square 1,1 x1
//! * …
//! +1 x1 +1 x2 +1 x3 +1 x4 >= 1 ;
//! -1 x1 -1 x2 -1 x3 -1 x4 >= -1 ;
//! ```
//!
//! - The first line has the numbers of variables and constraints. The comments after it have the content of those of a
//!   [DIMACS](super::dimacs) file, with the word "lines" in place of "clauses"; variables are called `x` and their
//!   number, a negated one `~x7`.
//! - A clause is one constraint. A negative literal is 1 − x, and the ones are moved to the right:
//!   x₁ ∨ ¬x₂ is `+1 x1 -1 x2 >= 0`. The older grammar has no sign for negation in linear
//!   constraints, and tools that keep to it, such as MiniSat+, refuse one.
//! - At most k of several literals is one constraint, where an encoding states it whole, as
//!   [`native`](crate::amo::native) does: the sum of their negations is at least n − k. A literal that stands several
//!   times in a row has this number as its coefficient.
//! - The grammar has no empty sum. The clause without literals is `+1 x1 >= 2`, and the first line
//!   counts x1 then, even if the formula has no variable.
//!
//! *Source.* O. Roussel, V. Manquinho, "Input/Output Format and Solver Requirements for the
//! Competitions of Pseudo-Boolean Solvers", 2012 (linear constraints).

use std::fmt::Write as _;
use std::io::{self, Write};

use rustsat::types::Lit;

use super::FormatError;
use super::blocks::Blocks;
use super::file::{self, FileBody, FormulaSource};
use super::names::{Spelling, Style};
use super::tokens::Tokens;
use crate::sink::{ClauseSink, VarRange};
use crate::size::Size;

const STYLE: Style =
    Style { sign: "*", id: "x", not: "~", clauses: "lines", spelling: Spelling::Braces };

/// Writes the encoding of the problem, under this numbering, as an OPB file.
///
/// # Errors
///
/// As [`Format::write`](super::Format::write); cardinality constraints are taken, unless the
/// clauses are to be shuffled.
pub(super) fn write(source: &FormulaSource<'_>, out: impl Write) -> Result<Size, FormatError> {
    file::write(source, &STYLE, true, |head| {
        let mut text = Blocks::new(out);
        let variables = head.variables().max(u32::from(head.has_empty_clause()));
        writeln!(text, "* #variable= {variables} #constraint= {}", head.clauses())?;
        head.comments(&mut text)?;
        Ok(OpbConstraints { text, tokens: Tokens::default(), variables: 0, lines: 0 })
    })
}

/// The lines of an OPB file.
struct OpbConstraints<W> {
    text: Blocks<W>,
    tokens: Tokens,
    variables: u32,
    lines: u64,
}

impl<W: Write> OpbConstraints<W> {
    /// Writes that at least `bound` of the literals hold, where one may stand several times.
    fn weighted(&mut self, bound: u64, lits: &[Lit]) {
        let mut bound = i128::from(bound);
        let mut line = String::new();
        for same in lits.chunk_by(|one, next| one == next) {
            let (lit, weight) = (same[0], same.len());
            let sign = if lit.is_neg() { '-' } else { '+' };
            if lit.is_neg() {
                bound -= weight as i128;
            }
            let _ = write!(line, "{sign}{weight} x{} ", lit.vidx32() + 1);
        }
        writeln!(self.text, "{line}>= {bound} ;").expect("errors are kept for the end");
        self.lines += 1;
    }

    /// Writes that at least `bound` of the literals hold.
    fn at_least(&mut self, bound: u64, lits: impl ExactSizeIterator<Item = Lit>) {
        /// `+1 x` or `-1 x`.
        const SIGN: usize = 4;
        /// `>= `, a number of up to 20 characters, ` ;` and the line's end.
        const REST: usize = 26;
        let target = self.text.reserve(lits.len() * (SIGN + Tokens::MAX_BYTES) + REST);
        let mut bound = bound as i64;
        let mut end = 0;
        for lit in lits {
            let (sign, negative) = if lit.is_neg() { (b"-1 x", 1) } else { (b"+1 x", 0) };
            bound -= negative;
            target[end..end + SIGN].copy_from_slice(sign);
            end += SIGN + self.tokens.write(lit.var().pos_lit(), &mut target[end + SIGN..]);
        }
        let mut rest = &mut target[end..];
        let before = rest.len();
        writeln!(rest, ">= {bound} ;").expect("there is room");
        let written = before - rest.len();
        self.text.advance(end + written);
        self.lines += 1;
    }
}

impl<W: Write> ClauseSink for OpbConstraints<W> {
    fn fresh(&mut self, count: u32) -> VarRange {
        let range = VarRange::next(&mut self.variables, count);
        self.tokens.extend(range);
        range
    }

    #[inline]
    fn clause(&mut self, lits: &[Lit]) {
        if lits.is_empty() {
            writeln!(self.text, "+1 x1 >= 2 ;").expect("errors are kept for the end");
            self.lines += 1;
        } else {
            self.at_least(1, lits.iter().copied());
        }
    }

    fn takes_cardinality(&self) -> bool {
        true
    }

    fn at_most(&mut self, xs: &[Lit], k: u64) {
        let bound = (xs.len() as u64).saturating_sub(k);
        if xs.windows(2).any(|pair| pair[0] == pair[1]) {
            let negations: Vec<Lit> = xs.iter().map(|&lit| !lit).collect();
            self.weighted(bound, &negations);
        } else if xs.is_empty() {
            // A constraint that always holds; it is counted.
            writeln!(self.text, "+1 x1 >= 0 ;").expect("errors are kept for the end");
            self.lines += 1;
        } else {
            self.at_least(bound, xs.iter().map(|&lit| !lit));
        }
    }
}

impl<W: Write> FileBody for OpbConstraints<W> {
    fn taken(&self) -> (u32, u64) {
        (self.variables, self.lines)
    }

    fn finish(self) -> io::Result<()> {
        self.text.finish().map(drop)
    }
}
