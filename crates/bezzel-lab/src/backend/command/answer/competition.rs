//! The output of solver competitions: lines that begin with `c`, `s` or `v`.
//!
//! Exactly one line `s SATISFIABLE`, `s UNSATISFIABLE` or `s UNKNOWN`; the values of a model on any
//! number of `v` lines of any length, before or after it, ended by a 0. Lines may end as those of
//! other systems do, and the last one need not end at all.

use std::io::BufRead;

use bezzel_solve::{Answer, Effort};

use super::quote::{Bounded, clean, is_blank};
use super::values::Values;
use super::{NoAnswer, Said, each_byte};

/// So much of a comment is looked at, and no verdict is as long.
pub(super) const COMMENT: usize = 200;

/// Reads an output about a formula of so many variables, and what its comments tell of the effort.
pub(in super::super) fn competition(
    from: &mut impl BufRead,
    variables: u32,
    effort: &mut Effort,
) -> Result<Said, NoAnswer> {
    let mut reader = Reader {
        variables,
        effort,
        said: Said::default(),
        within: Within::Begin,
        line: 1,
        text: Bounded::new(COMMENT),
    };
    each_byte(from, |byte| reader.take(byte))?;
    // The last line may have no end.
    reader.take(b'\n')?;
    Ok(reader.said)
}

/// Within what kind of line the reader is.
enum Within {
    /// Before its first character.
    Begin,
    /// Nothing but blanks so far.
    Blank,
    /// After the letter of its kind.
    Letter(u8),
    Comment,
    Verdict,
    Values,
    /// What is none of these.
    Other,
}

struct Reader<'e> {
    variables: u32,
    effort: &'e mut Effort,
    said: Said,
    within: Within,
    line: u64,
    text: Bounded,
}

impl Reader<'_> {
    fn take(&mut self, byte: u8) -> Result<(), NoAnswer> {
        let is_end = byte == b'\n';
        let is_blank = is_blank(byte);
        match self.within {
            Within::Begin | Within::Blank if is_blank => self.within = Within::Blank,
            Within::Begin if matches!(byte, b'c' | b's' | b'v') => {
                self.within = Within::Letter(byte);
            }
            Within::Begin | Within::Blank => {
                self.text.push(byte);
                self.within = Within::Other;
            }
            Within::Letter(letter) => match (letter, is_blank) {
                (b'c', true) => self.within = Within::Comment,
                (b'c', false) if !byte.is_ascii_alphanumeric() => self.within = Within::Comment,
                (b's', true) => self.within = Within::Verdict,
                (b'v', true) => {
                    let variables = self.variables;
                    self.said.values.get_or_insert_with(|| Values::new(variables));
                    self.within = Within::Values;
                }
                _ => {
                    self.text.push(letter);
                    self.text.push(byte);
                    self.within = Within::Other;
                }
            },
            Within::Comment | Within::Verdict => self.text.push(byte),
            Within::Values => {
                if let Some(values) = &mut self.said.values {
                    values.take(byte).map_err(|what| NoAnswer::at(self.line, what))?;
                }
            }
            Within::Other => {
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
        match self.within {
            Within::Begin | Within::Blank | Within::Letter(_) | Within::Values => {}
            Within::Comment => super::super::statistics::take(&self.text.take(), self.effort),
            Within::Verdict => self.verdict()?,
            Within::Other => return Err(self.foreign()),
        }
        self.text.take();
        self.within = Within::Begin;
        self.line += 1;
        Ok(())
    }

    fn verdict(&mut self) -> Result<(), NoAnswer> {
        // What was cut off might have said something else.
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
        match self.said.verdict.replace(verdict) {
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
        NoAnswer::at(self.line, format_args!("`{text}` begins with none of `c`, `s` and `v`"))
    }
}
