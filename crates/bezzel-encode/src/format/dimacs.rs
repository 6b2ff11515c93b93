//! DIMACS CNF: the text that every SAT solver reads.
//!
//! *Comments* are all before the header, where tools expect them:
//!
//! ```text
//! c generator: bezzel-encode 1.0.0
//! c made by: bezzel encode 4 -\-encoding sequential-counter
//! c encoding: sequential-counter, revision 1
//! c title: sequential counter
//! c citation: …
//! c constraints: rows and columns exactly one, diagonals at most one
//! c numbering: as-generated
//! c instance: …
//! c variables: 58, of which 16 primary
//! c clauses: 116
//! c literals: 248
//! c section rows: 28 variables, 36 clauses, 80 literals
//! c clauses rows 1..36
//! c …
//! c varname 1 x_{1,1}
//! c square 1,1 1
//! c …
//! c auxiliary rows 17..28
//! c …
//! p cnf 58 116
//! ```
//!
//! - `c square r,c LITERALS` for candidates in a grid: the one in row r and column c, both counted from 1 at the top
//!   left, is chosen if and only if all the literals hold; the list is empty where this is always true. One line per
//!   square, row by row, for every encoding and numbering. These lines suffice to decode a model.
//! - `c candidate K LABEL LITERALS` where there is no grid: candidate number K, counted from 1, is chosen if and only
//!   if all the literals hold. `c instance: NAME` is the instance; of a file of constraints it has the first digits of
//!   the file's digest.
//! - `c varname ID LABEL`, as CNFgen writes it: `x_{r,c}` is the variable of a square; where squares have several
//!   literals, `b_{r,k}` is the k-th new variable, counted from 1, in the lines of row r: bit k of a binary encoding,
//!   and in the order encoding the variable that means that the choice of the row is in column k or left of it. The
//!   other variables have such lines if [`Preamble`] wants them: `rows_{3,2}` is the second that line 3 of the section
//!   `rows` made, and `SELECT_{7}` the seventh of a section whose encoding names no lines. A label that begins with `~`
//!   is that of the variable's negation in the file.
//! - `c auxiliary SECTION IDS`: the variables that are in no square's line, by the section that made
//!   them. `c clauses SECTION NUMBERS`: the section's clauses, the first of the file being number
//!   1; left out where the clauses are shuffled. In both, `a..b` is a range, both ends included;
//!   long lists go on in further lines of the same kind.
//! - Given and excluded candidates are listed by `c given: …` and `c excluded: …`, as squares `r,c` or by their numbers.
//!   A kind of problem may have other words for both, and for `instance` ([`Kind`](bezzel_problem::Kind)).
//!
//! No comment contains two hyphens in a row: CaDiCaL takes options from comments, at any place in the line. A space is
//! put between; in `made by` a backslash ([`command_line`](super::command_line)), which a shell removes.
//!
//! *Bytes.* UTF-8, lines end in a line feed, and the same formula gives the same bytes: no date, no host, nothing that
//! depends on the machine but the line `made by`.
//!
//! *Source.* "Satisfiability: Suggested Format", DIMACS 1993; the form of the comments is like CNFgen's.

use std::fmt;
use std::io::{self, Write};

use rustsat::types::Lit;

use super::FormatError;
use super::blocks::Blocks;
pub use super::file::Preamble;
use super::file::{self, FileBody, FormulaSource};
use super::names::{Spelling, Style};
use super::tokens::Tokens;
use crate::sink::{ClauseSink, VarRange};
use crate::size::Size;

pub(super) const STYLE: Style =
    Style { sign: "c", id: "", not: "-", clauses: "clauses", spelling: Spelling::Braces };

/// Writes the encoding of the problem, under this numbering, as a DIMACS file.
///
/// The formula is made twice: measured for the header, then written. Returns its size.
///
/// # Errors
///
/// The first error of `out`; or an encoding that does not make the same formula twice. The file is then incomplete or
/// wrong. Or, before the first write, an encoding that states constraints which are no clauses.
pub(super) fn write(source: &FormulaSource<'_>, out: impl Write) -> Result<Size, FormatError> {
    file::write(source, &STYLE, false, |head| {
        let mut writer = Writer::new(out);
        head.comments(&mut writer.text)?;
        writeln!(writer.text, "p cnf {} {}", head.variables(), head.clauses())?;
        Ok(writer)
    })
}

/// A sink that writes clauses as lines of text: no comments, no header.
///
/// A clause needs no allocation, and `out` is written to in large blocks, so it needs no buffer of its own. After the
/// first error nothing more is written; [`finish`](Self::finish) reports it. Panics at a literal whose variable was
/// never made.
pub struct Writer<W> {
    pub(super) text: Blocks<W>,
    tokens: Tokens,
    variables: u32,
    clauses: u64,
}

impl<W: Write> Writer<W> {
    /// A sink that writes to `out`.
    pub fn new(out: W) -> Self {
        Self { text: Blocks::new(out), tokens: Tokens::default(), variables: 0, clauses: 0 }
    }

    /// The number of variables made.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// The number of clauses taken.
    pub fn clauses(&self) -> u64 {
        self.clauses
    }

    /// Writes the rest of the buffer and returns `out`.
    ///
    /// # Errors
    ///
    /// The first error that `out` reported.
    pub fn finish(self) -> io::Result<W> {
        self.text.finish()
    }

    #[inline]
    pub(super) fn line(&mut self, lits: impl ExactSizeIterator<Item = Lit>) {
        let target = self.text.reserve((lits.len() + 1) * Tokens::MAX_BYTES);
        let mut end = 0;
        for lit in lits {
            end += self.tokens.write(lit, &mut target[end..]);
        }
        target[end..end + 2].copy_from_slice(b"0\n");
        self.text.advance(end + 2);
        self.clauses += 1;
    }
}

impl<W: Write> ClauseSink for Writer<W> {
    fn fresh(&mut self, count: u32) -> VarRange {
        let range = VarRange::next(&mut self.variables, count);
        self.tokens.extend(range);
        range
    }

    #[inline]
    fn clause(&mut self, lits: &[Lit]) {
        match *lits {
            // Most clauses are binary: theirs is a loop of its own, unrolled by the compiler.
            [first, second] => self.line([first, second].into_iter()),
            _ => self.line(lits.iter().copied()),
        }
    }
}

impl<W: Write> FileBody for Writer<W> {
    fn taken(&self) -> (u32, u64) {
        (self.variables, self.clauses)
    }

    fn finish(self) -> io::Result<()> {
        Self::finish(self).map(drop)
    }
}

impl<W> fmt::Debug for Writer<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer")
            .field("variables", &self.variables)
            .field("clauses", &self.clauses)
            .finish_non_exhaustive()
    }
}
