//! Answers of solvers, in all their forms.

use std::io::BufRead;

use rustsat::types::Lit;

use super::ReadError;
use super::notes::literal;
use super::source::{Source, TextPosition};
use super::terms::{self, SmtTerm};

/// The most values that an answer may have. Each takes some dozens of bytes.
pub const MAX_VALUES: usize = 1 << 24;

/// The answer of a solver for a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolverVerdict {
    /// It has a model.
    Sat,
    /// It has none.
    Unsat,
    /// The solver found no answer.
    Unknown,
}

/// An answer as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadAnswer {
    /// The answer; none if there is none, as in a list of names.
    pub verdict: Option<SolverVerdict>,
    /// The values, in their order.
    pub(super) values: Vec<VariableValue>,
    /// True if a 0 has ended the model.
    pub(super) has_ended: bool,
}

impl ReadAnswer {
    /// True if it gives a value to any variable.
    pub fn has_values(&self) -> bool {
        !self.values.is_empty()
    }

    /// True if the answer has a verdict and numbers without the 0 that ends a model, or no values: a part of it may be
    /// missing. Answers of names do not end in a 0.
    pub fn is_cut_off(&self) -> bool {
        let is_plain = |value: &VariableValue| {
            matches!(value.variable, Variable::Numbered(..)) && !value.has_letter
        };
        self.verdict == Some(SolverVerdict::Sat)
            && !self.has_ended
            && self.values.iter().all(is_plain)
    }
}

/// The value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VariableValue {
    pub(super) variable: Variable,
    pub(super) holds: bool,
    /// True if the variable is written with the letter x, as in `x1`.
    pub(super) has_letter: bool,
    pub(super) place: TextPosition,
}

/// A variable, by its name in answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    /// A variable by its number: its positive literal.
    Numbered(Lit),
    Named(String),
}

/// Reads an answer, in any of these forms:
///
/// - of the SAT and pseudo-Boolean competitions: `s SATISFIABLE`, `v 1 -2 3 0`, `v x1 -x2`, with comments on lines that
///   begin with `c`, and `o` lines that are skipped;
/// - of MiniSat's result file: `SAT`, then the literals;
/// - of SMT solvers: `sat`, then `(define-fun q_1_2 () Bool true)`, `(= q_1_2 true)` or `(q_1_2 true)`, within any
///   text;
/// - the names or numbers of the variables that are true, or the squares with queens, such as `1,2`.
///
/// Variables that are not mentioned are false.
///
/// # Errors
///
/// The first place where the text is none of these, a second answer after the first one, or the error of reading
/// `from`.
pub fn answer(from: &mut impl BufRead) -> Result<ReadAnswer, ReadError> {
    let mut reader = AnswerReader {
        source: Source::new(from),
        answer: ReadAnswer { verdict: None, values: Vec::new(), has_ended: false },
    };
    reader.read()?;
    Ok(reader.answer)
}

struct AnswerReader<R> {
    source: Source<R>,
    answer: ReadAnswer,
}

impl<R: BufRead> AnswerReader<R> {
    fn read(&mut self) -> Result<(), ReadError> {
        let mut line_begins = true;
        loop {
            self.source.blank(false)?;
            let place = self.source.place();
            let Some(byte) = self.source.peek()? else { return Ok(()) };
            // An item that takes the rest of a line leaves the beginning of the next one.
            line_begins = match byte {
                b'\n' => {
                    self.source.take(b'\n');
                    true
                }
                b'(' | b')' => {
                    self.term()?;
                    false
                }
                b';' => self.rest_of_line()?,
                _ => {
                    let word = self.source.word()?;
                    match (&*word, line_begins) {
                        ("c" | "o", true) => self.rest_of_line()?,
                        ("s", true) => self.verdict_line(place)?,
                        ("v", true) => false,
                        _ => {
                            self.word(&word, place)?;
                            false
                        }
                    }
                }
            };
        }
    }

    /// Skips the rest of a line.
    fn rest_of_line(&mut self) -> Result<bool, ReadError> {
        self.source.line(&mut String::new(), 0)?;
        Ok(true)
    }

    /// The rest of a line that begins with `s`.
    fn verdict_line(&mut self, begin: TextPosition) -> Result<bool, ReadError> {
        let mut line = String::new();
        self.source.line(&mut line, 80)?;
        let verdict = match line.trim() {
            "SATISFIABLE" | "OPTIMUM FOUND" => SolverVerdict::Sat,
            "UNSATISFIABLE" => SolverVerdict::Unsat,
            "UNKNOWN" => SolverVerdict::Unknown,
            other => {
                let words = "SATISFIABLE, UNSATISFIABLE or UNKNOWN";
                return Err(begin.error(format!("`s {other}` is no verdict: it is {words}")));
            }
        };
        self.verdict(verdict, begin)?;
        Ok(true)
    }

    fn verdict(&mut self, verdict: SolverVerdict, place: TextPosition) -> Result<(), ReadError> {
        match self.answer.verdict.replace(verdict) {
            None => Ok(()),
            Some(_) => Err(place.error("a second answer begins here: give one")),
        }
    }

    fn word(&mut self, word: &str, place: TextPosition) -> Result<(), ReadError> {
        match word {
            "SAT" | "sat" => self.verdict(SolverVerdict::Sat, place),
            "UNSAT" | "unsat" => self.verdict(SolverVerdict::Unsat, place),
            "INDET" | "unknown" => self.verdict(SolverVerdict::Unknown, place),
            // Yices puts these around a model.
            "MODEL" | "----" => Ok(()),
            "0" => {
                self.answer.has_ended = true;
                Ok(())
            }
            _ => {
                let word = word.trim_end_matches(',');
                let (variable, holds) = match literal(word) {
                    Some(lit) => (Variable::Numbered(lit.var().pos_lit()), lit.is_pos()),
                    None => match word.strip_prefix(['~', '-']) {
                        Some(name) => (Variable::Named(name.to_owned()), false),
                        None => (Variable::Named(word.to_owned()), true),
                    },
                };
                self.value(variable, holds, word.contains('x'), place)
            }
        }
    }

    fn value(
        &mut self,
        variable: Variable,
        holds: bool,
        has_letter: bool,
        place: TextPosition,
    ) -> Result<(), ReadError> {
        if self.answer.has_ended {
            return Err(place.error("a second answer begins here, after the 0: give one"));
        }
        if self.answer.values.len() == MAX_VALUES {
            return Err(
                place.error(format!("more than {MAX_VALUES} values, the most that are read"))
            );
        }
        self.answer.values.push(VariableValue { variable, holds, has_letter, place });
        Ok(())
    }

    /// A term of an SMT solver in parentheses.
    fn term(&mut self) -> Result<(), ReadError> {
        let mut values = Vec::new();
        terms::each(&mut self.source, |list, place| {
            // `(define-fun q () Bool true)`; the terms between are the type.
            let (name, value) = match list {
                [SmtTerm::Word(first), SmtTerm::Word(name), .., value] if first == "define-fun" => {
                    (name, value)
                }
                [SmtTerm::Word(first), SmtTerm::Word(name), value] if first == "=" => (name, value),
                [SmtTerm::Word(name), value] => (name, value),
                _ => return,
            };
            let holds = match value {
                SmtTerm::Word(value) if value == "true" => true,
                SmtTerm::Word(value) if value == "false" => false,
                _ => return,
            };
            values.push((name.trim_matches('|').to_owned(), holds, place));
        })?;
        for (name, holds, place) in values {
            self.value(Variable::Named(name), holds, true, place)?;
        }
        Ok(())
    }
}
