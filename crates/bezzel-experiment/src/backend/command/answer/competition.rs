//! The output of solver competitions: lines that begin with `c`, `s` or `v`.
//!
//! There is exactly one line `s SATISFIABLE`, `s UNSATISFIABLE` or `s UNKNOWN`. The values of a model are on any
//! number of `v` lines of any length, before or after it, and end with a 0. Lines may end as those of other systems
//! do. The last line need not end.

use std::io::BufRead;

use bezzel_solve::{Answer, Effort};

use super::quote::{Bounded, clean, is_blank};
use super::values::Values;
use super::{NoAnswer, ProgramOutput, each_byte};

/// The number of bytes of a comment that are read. Every verdict is shorter.
pub(super) const COMMENT: usize = 200;

/// Reads an output about a formula with `variables` variables, and the effort from its comments.
pub(in super::super) fn competition(
    from: &mut impl BufRead,
    variables: u32,
    effort: &mut Effort,
) -> Result<ProgramOutput, NoAnswer> {
    let mut reader = CompetitionReader {
        variables,
        effort,
        output: ProgramOutput::default(),
        kind: LineKind::Begin,
        line: 1,
        text: Bounded::new(COMMENT),
    };
    each_byte(from, |byte| reader.take(byte))?;
    // The last line may have no line end.
    reader.take(b'\n')?;
    Ok(reader.output)
}

/// The kind of line that the reader is in.
enum LineKind {
    /// Before the first character.
    Begin,
    /// Nothing but blanks so far.
    Blank,
    /// After the letter of its kind.
    Letter(u8),
    Comment,
    Verdict,
    Values,
    /// A line of another kind.
    Other,
}

struct CompetitionReader<'e> {
    variables: u32,
    effort: &'e mut Effort,
    output: ProgramOutput,
    kind: LineKind,
    line: u64,
    text: Bounded,
}

impl CompetitionReader<'_> {
    fn take(&mut self, byte: u8) -> Result<(), NoAnswer> {
        let is_end = byte == b'\n';
        let is_blank = is_blank(byte);
        match self.kind {
            LineKind::Begin | LineKind::Blank if is_blank => self.kind = LineKind::Blank,
            LineKind::Begin if matches!(byte, b'c' | b's' | b'v') => {
                self.kind = LineKind::Letter(byte);
            }
            LineKind::Begin | LineKind::Blank => {
                self.text.push(byte);
                self.kind = LineKind::Other;
            }
            LineKind::Letter(letter) => match (letter, is_blank) {
                (b'c', true) => self.kind = LineKind::Comment,
                (b'c', false) if !byte.is_ascii_alphanumeric() => self.kind = LineKind::Comment,
                (b's', true) => self.kind = LineKind::Verdict,
                (b'v', true) => {
                    let variables = self.variables;
                    self.output.values.get_or_insert_with(|| Values::new(variables));
                    self.kind = LineKind::Values;
                }
                _ => {
                    self.text.push(letter);
                    self.text.push(byte);
                    self.kind = LineKind::Other;
                }
            },
            LineKind::Comment | LineKind::Verdict => self.text.push(byte),
            LineKind::Values => {
                if let Some(values) = &mut self.output.values {
                    values.take(byte).map_err(|what| NoAnswer::at(self.line, what))?;
                }
            }
            LineKind::Other => {
                self.text.push(byte);
                if self.text.is_full() {
                    return Err(self.foreign());
                }
            }
        }
        if is_end {
            self.end_line()?;
        }
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), NoAnswer> {
        match self.kind {
            LineKind::Begin | LineKind::Blank | LineKind::Letter(_) | LineKind::Values => {}
            LineKind::Comment => super::super::statistics::take(&self.text.take(), self.effort),
            LineKind::Verdict => self.verdict()?,
            LineKind::Other => return Err(self.foreign()),
        }
        self.text.take();
        self.kind = LineKind::Begin;
        self.line += 1;
        Ok(())
    }

    fn verdict(&mut self) -> Result<(), NoAnswer> {
        // The part that was cut off might have changed the verdict.
        if self.text.is_full() {
            let what = format!("a verdict of {COMMENT} characters or more");
            return Err(NoAnswer::at(self.line, what));
        }
        let text = self.text.take();
        let verdict = match text.trim_matches([' ', '\t', '\r', '\n']) {
            "SATISFIABLE" => Answer::Sat,
            "UNSATISFIABLE" => Answer::Unsat,
            "UNKNOWN" | "INDETERMINATE" => Answer::Unknown,
            other => {
                let what = format!("`s {}` is no verdict", clean(other));
                return Err(NoAnswer::at(self.line, what));
            }
        };
        match self.output.verdict.replace(verdict) {
            None => Ok(()),
            Some(_) => Err(NoAnswer::at(self.line, "a second verdict")),
        }
    }

    fn foreign(&mut self) -> NoAnswer {
        let mut text = clean(&self.text.take());
        if let Some((at, _)) = text.char_indices().nth(40) {
            text.truncate(at);
            text.push('…');
        }
        NoAnswer::foreign(self.line, &text)
    }
}
