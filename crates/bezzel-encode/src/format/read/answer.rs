//! Answers of solvers, in all their forms.
//!
//! One reader finds the parts of an answer. A list takes them for `bezzel decode`, which knows names and places. Two
//! bits for each variable take them for solver programs, whose models may have any length.

use std::io::Read;

use bezzel_problem::{FileError, Position, Scanner, quoted};
use rustsat::types::Lit;

use super::notes::literal;
use crate::sink::MAX_VARIABLES;

/// The most values that a list may have. Each takes some dozens of bytes.
pub const MAX_VALUES: usize = 1 << 24;

/// The most bytes of a word: the longest name of a variable, and a sign.
const MAX_WORD: usize = 1_001;

/// The most bytes of a comment and of a verdict. Every verdict is shorter.
pub const MAX_LINE: usize = 200;

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

/// The forms of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerForm<'a> {
    /// Any of these forms:
    ///
    /// - of the SAT and pseudo-Boolean competitions: `s SATISFIABLE`, `v 1 -2 3 0`, `v x1 -x2`, with comments on lines
    ///   that begin with `c`, and `o` lines that are skipped;
    /// - of MiniSat's result file: `SAT`, then the literals;
    /// - of SMT solvers: `sat`, then `(define-fun q_1_2 () Bool true)`, `(= q_1_2 true)` or `(q_1_2 true)`, within any
    ///   text;
    /// - the names or numbers of the variables that are true, or the chosen squares of a grid, such as `1,2`.
    Any,
    /// That of SAT competitions, strictly: lines that begin with `c`, `s` or `v`. There is one line `s`. The values of a
    /// model are numbers on any number of `v` lines, before or after it. The text is advice on lines of other kinds.
    Competition(&'a str),
    /// That of MiniSat's result file, strictly: `SAT`, `UNSAT` or `INDET`, and after `SAT` the literals and a 0.
    MiniSat,
}

/// An answer in any form. Variables that are not mentioned are false.
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
    pub(super) place: Position,
}

/// A variable, by its name in answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    /// A variable by its number: its positive literal.
    Numbered(Lit),
    Named(String),
}

/// The answer of a program in a strict form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramAnswer {
    /// Its verdict, if it gave one.
    pub verdict: Option<SolverVerdict>,
    /// Its model, if it gave any values.
    pub model: Option<ReadModel>,
}

/// A model: two bits for each variable. The first is set if it has a value, the second if that value is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadModel {
    variables: u32,
    known: Vec<u64>,
    true_ones: Vec<u64>,
    has_ended: bool,
}

impl ReadModel {
    fn new(variables: u32) -> Self {
        let words = vec![0; variables.div_ceil(64) as usize];
        Self { variables, known: words.clone(), true_ones: words, has_ended: false }
    }

    /// True if a 0 has ended it.
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// True if the literal holds. A variable without a value counts as false.
    pub fn holds(&self, lit: Lit) -> bool {
        bit(&self.true_ones, lit.vidx()) == lit.is_pos()
    }

    fn set(&mut self, lit: Lit) -> Result<(), String> {
        let (index, number) = (lit.vidx(), lit.vidx() + 1);
        if number > self.variables as usize {
            let variables = self.variables;
            return Err(format!("variable {number} in a model of a formula that has {variables}"));
        }
        if bit(&self.known, index) {
            return Err(if bit(&self.true_ones, index) == lit.is_neg() {
                format!("the model gives two values to variable {number}")
            } else {
                format!("the model gives its value to variable {number} twice")
            });
        }
        self.known[index / 64] |= 1 << (index % 64);
        self.true_ones[index / 64] |= u64::from(lit.is_pos()) << (index % 64);
        Ok(())
    }
}

fn bit(words: &[u64], index: usize) -> bool {
    words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
}

/// Reads an answer in any form.
///
/// # Errors
///
/// The first place where the text has none of the forms, or a second answer after the first one.
pub fn answer(from: &mut dyn Read) -> Result<ReadAnswer, FileError> {
    let mut answer = ReadAnswer { verdict: None, values: Vec::new(), has_ended: false };
    AnswerReader::new(from, AnswerForm::Any, &mut answer).read()?;
    Ok(answer)
}

/// Reads an answer about a formula with `variables` variables in a strict form. `comment` takes the comments.
///
/// # Errors
///
/// The first place where the text does not have the form, or where it contradicts itself.
pub fn program_answer(
    from: &mut dyn Read,
    form: AnswerForm<'_>,
    variables: u32,
    comment: &mut dyn FnMut(&str),
) -> Result<ProgramAnswer, FileError> {
    let mut receiver = ProgramReceiver { answer: ProgramAnswer::default(), variables, comment };
    AnswerReader::new(from, form, &mut receiver).read()?;
    Ok(receiver.answer)
}

/// Receives the parts of an answer.
trait AnswerReceiver {
    fn comment(&mut self, _text: &str) {}

    fn verdict(&mut self) -> &mut Option<SolverVerdict>;

    /// A model begins, or goes on.
    fn model(&mut self) {}

    fn value(&mut self, value: VariableValue) -> Result<(), String>;

    /// A 0 ends the model.
    fn end(&mut self) -> Result<(), String>;
}

impl AnswerReceiver for ReadAnswer {
    fn verdict(&mut self) -> &mut Option<SolverVerdict> {
        &mut self.verdict
    }

    fn value(&mut self, value: VariableValue) -> Result<(), String> {
        if self.has_ended {
            return Err("a second answer begins here, after the 0: give one".to_owned());
        }
        if self.values.len() == MAX_VALUES {
            return Err(format!("more than {MAX_VALUES} values, the most that are read"));
        }
        self.values.push(value);
        Ok(())
    }

    fn end(&mut self) -> Result<(), String> {
        self.has_ended = true;
        Ok(())
    }
}

struct ProgramReceiver<'c> {
    answer: ProgramAnswer,
    variables: u32,
    comment: &'c mut dyn FnMut(&str),
}

impl ProgramReceiver<'_> {
    /// The model, which has not ended.
    fn open_model(&mut self) -> Result<&mut ReadModel, String> {
        let model = self.answer.model.get_or_insert_with(|| ReadModel::new(self.variables));
        if model.has_ended { Err("the model goes on after its 0".to_owned()) } else { Ok(model) }
    }
}

impl AnswerReceiver for ProgramReceiver<'_> {
    fn comment(&mut self, text: &str) {
        (self.comment)(text);
    }

    fn verdict(&mut self) -> &mut Option<SolverVerdict> {
        &mut self.answer.verdict
    }

    fn model(&mut self) {
        self.answer.model.get_or_insert_with(|| ReadModel::new(self.variables));
    }

    fn value(&mut self, value: VariableValue) -> Result<(), String> {
        let Variable::Numbered(lit) = value.variable else {
            return Err("a model has numbers only".to_owned());
        };
        self.open_model()?.set(if value.holds { lit } else { !lit })
    }

    fn end(&mut self) -> Result<(), String> {
        self.open_model().map(|model| model.has_ended = true)
    }
}

/// True for the bytes that separate words.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

struct AnswerReader<'a> {
    scanner: Scanner<'a>,
    form: AnswerForm<'a>,
    receiver: &'a mut dyn AnswerReceiver,
    /// The word that was read last, or the rest of its line.
    text: Vec<u8>,
}

impl<'a> AnswerReader<'a> {
    fn new(
        from: &'a mut dyn Read,
        form: AnswerForm<'a>,
        receiver: &'a mut dyn AnswerReceiver,
    ) -> Self {
        Self { scanner: Scanner::new(from), form, receiver, text: Vec::new() }
    }

    fn read(&mut self) -> Result<(), FileError> {
        while let Some(byte) = self.scanner.skip_while(is_blank)? {
            let (place, is_first) = (self.scanner.position(), self.scanner.is_at_start());
            match byte {
                b'(' | b')' if self.form == AnswerForm::Any => {
                    self.term()?;
                    continue;
                }
                b';' if self.form == AnswerForm::Any => {
                    self.scanner.skip_line()?;
                    continue;
                }
                _ => {}
            }
            self.scanner.take_while(&mut self.text, MAX_WORD, |byte| !is_blank(byte))?;
            let done = match (self.form, &*self.text) {
                (AnswerForm::MiniSat, _) if self.receiver.verdict().is_none() => {
                    self.minisat_verdict(place)
                }
                (AnswerForm::Any, b"c" | b"o") if is_first => self.scanner.skip_line(),
                (AnswerForm::Any, b"v") if is_first => Ok(()),
                (AnswerForm::Any, b"s") if is_first => self.verdict_line(place),
                (AnswerForm::Any, _) => self.word(place),
                (AnswerForm::Competition(_), b"s") if place.column == 1 => self.verdict_line(place),
                (AnswerForm::Competition(_), b"v") if place.column == 1 => {
                    self.receiver.model();
                    Ok(())
                }
                (AnswerForm::Competition(_), [b'c', rest @ ..])
                    if place.column == 1
                        && !rest.first().is_some_and(u8::is_ascii_alphanumeric) =>
                {
                    self.scanner.line(&mut self.text, MAX_LINE)?;
                    self.receiver.comment(&String::from_utf8_lossy(&self.text));
                    Ok(())
                }
                (AnswerForm::Competition(advice), _) if is_first => self.foreign(place, advice),
                _ => self.number(place),
            };
            done?;
        }
        Ok(())
    }

    /// Refuses a line of another kind, whose first word was read.
    fn foreign(&mut self, place: Position, advice: &str) -> Result<(), FileError> {
        let mut line = if place.column > 1 { vec![b' '] } else { Vec::new() };
        line.append(&mut self.text);
        self.scanner.line(&mut self.text, MAX_LINE)?;
        line.append(&mut self.text);
        let line = quoted(line.trim_ascii_end());
        let message = format!("`{line}` begins with none of `c`, `s` and `v`{advice}");
        Err(FileError::at(place, message))
    }

    /// The rest of a line that begins with `s`.
    fn verdict_line(&mut self, begin: Position) -> Result<(), FileError> {
        self.scanner.line(&mut self.text, MAX_LINE)?;
        // The part that was cut off might have changed the verdict.
        if self.text.len() == MAX_LINE {
            let message = format!("a verdict of {MAX_LINE} characters or more");
            return Err(FileError::at(begin, message));
        }
        let start = self.text.iter().position(|&byte| !is_blank(byte)).unwrap_or(0);
        let end =
            self.text.iter().rposition(|&byte| !is_blank(byte)).map_or(start, |last| last + 1);
        let verdict = match &self.text[start..end] {
            b"SATISFIABLE" | b"OPTIMUM FOUND" => SolverVerdict::Sat,
            b"UNSATISFIABLE" => SolverVerdict::Unsat,
            b"UNKNOWN" | b"INDETERMINATE" => SolverVerdict::Unknown,
            other => {
                let words = "SATISFIABLE, UNSATISFIABLE or UNKNOWN";
                let message = format!("`s {}` is no verdict: it is {words}", quoted(other));
                return Err(FileError::at(begin, message));
            }
        };
        self.verdict(verdict, begin)
    }

    fn minisat_verdict(&mut self, place: Position) -> Result<(), FileError> {
        let verdict = match &*self.text {
            b"SAT" => SolverVerdict::Sat,
            b"UNSAT" => SolverVerdict::Unsat,
            b"INDET" => SolverVerdict::Unknown,
            other => {
                let message = format!("`{}` is not SAT, UNSAT or INDET", quoted(other));
                return Err(FileError::at(place, message));
            }
        };
        self.verdict(verdict, place)
    }

    fn verdict(&mut self, verdict: SolverVerdict, place: Position) -> Result<(), FileError> {
        match self.receiver.verdict().replace(verdict) {
            None => Ok(()),
            Some(_) => Err(FileError::at(place, "a second verdict: an answer has one")),
        }
    }

    /// A literal of a strict form, or the 0 that ends a model.
    fn number(&mut self, place: Position) -> Result<(), FileError> {
        let digits = self.text.strip_prefix(b"-").unwrap_or(&self.text);
        let is_negative = digits.len() < self.text.len();
        let number = digits.iter().try_fold(0_u64, |number, digit| {
            let digit = Some(digit - b'0').filter(|_| digit.is_ascii_digit())?;
            Some(number.saturating_mul(10).saturating_add(digit.into()))
        });
        let number = number.filter(|_| !digits.is_empty() && self.text.len() < MAX_WORD);
        let taken = match number {
            Some(0) if !is_negative => self.receiver.end(),
            Some(number) if (1..=MAX_VARIABLES.into()).contains(&number) => {
                let variable = Variable::Numbered(Lit::positive(number as u32 - 1));
                let holds = !is_negative;
                self.receiver.value(VariableValue { variable, holds, has_letter: false, place })
            }
            Some(number) if number > 0 => Err(format!("variable {number} in a model is too large")),
            _ => Err(format!("`{}` in a model, which has numbers only", quoted(&self.text))),
        };
        taken.map_err(|message| FileError::at(place, message))
    }

    /// A word of an answer in any form.
    fn word(&mut self, place: Position) -> Result<(), FileError> {
        if self.text.len() == MAX_WORD {
            let message = format!("`{}` is a word of {MAX_WORD} bytes or more", quoted(&self.text));
            return Err(FileError::at(place, message));
        }
        let word = String::from_utf8_lossy(&self.text);
        let verdict = match &*word {
            "SAT" | "sat" => SolverVerdict::Sat,
            "UNSAT" | "unsat" => SolverVerdict::Unsat,
            "INDET" | "unknown" => SolverVerdict::Unknown,
            // Yices puts these around a model.
            "MODEL" | "----" => return Ok(()),
            word => {
                let has_letter = word.contains('x');
                let word = word.trim_end_matches(',');
                let (variable, holds) = match literal(word) {
                    Some(lit) => (Variable::Numbered(lit.var().pos_lit()), lit.is_pos()),
                    None => match word.strip_prefix(['~', '-']) {
                        Some(name) => (Variable::Named(name.to_owned()), false),
                        None => (Variable::Named(word.to_owned()), true),
                    },
                };
                let taken = match word {
                    "0" => self.receiver.end(),
                    _ => self.receiver.value(VariableValue { variable, holds, has_letter, place }),
                };
                return taken.map_err(|message| FileError::at(place, message));
            }
        };
        self.verdict(verdict, place)
    }

    /// Reads the list of an SMT solver that begins here, and takes the value of each list in it, inner ones first.
    fn term(&mut self) -> Result<(), FileError> {
        let mut open: Vec<(Vec<Option<String>>, Position)> = Vec::new();
        loop {
            let byte = self.scanner.skip_blanks(false)?;
            let place = self.scanner.position();
            let fault = |message: &str| FileError::at(place, message);
            let byte = byte.ok_or_else(|| fault("the text ends within parentheses"))?;
            // A list, or a text in quotes, is no word.
            let word = match byte {
                b'(' => {
                    self.scanner.pass(byte);
                    if open.len() == MAX_DEPTH {
                        return Err(fault("too many parentheses in each other"));
                    }
                    open.push((Vec::new(), place));
                    continue;
                }
                b')' => {
                    self.scanner.pass(byte);
                    let (list, begin) = open.pop().ok_or_else(|| fault("`)` closes nothing"))?;
                    if let Some((name, holds)) = value_of(&list) {
                        let variable = Variable::Named(name.trim_matches('|').to_owned());
                        let value =
                            VariableValue { variable, holds, has_letter: true, place: begin };
                        let taken = self.receiver.value(value);
                        taken.map_err(|message| FileError::at(begin, message))?;
                    }
                    if open.is_empty() {
                        return Ok(());
                    }
                    None
                }
                b';' => {
                    self.scanner.skip_line()?;
                    continue;
                }
                b'"' => {
                    self.scanner.pass(byte);
                    let end = self.scanner.skip_while(|byte| byte != b'"')?;
                    self.scanner.pass(end.ok_or_else(|| fault("the quote is not closed"))?);
                    None
                }
                _ => {
                    let belongs =
                        |byte: u8| !byte.is_ascii_whitespace() && !b"();\"".contains(&byte);
                    self.scanner.take_while(&mut self.text, MAX_WORD, belongs)?;
                    Some(String::from_utf8_lossy(&self.text).into_owned())
                }
            };
            if let Some((list, _)) = open.last_mut()
                && list.len() < MAX_LIST_LENGTH
            {
                list.push(word);
            }
        }
    }
}

/// The deepest nesting of parentheses that is followed.
const MAX_DEPTH: usize = 64;

/// The longest list that is kept; later parts of it are left out.
const MAX_LIST_LENGTH: usize = 16;

/// The name and the value that a list of words gives, if it gives one.
fn value_of(list: &[Option<String>]) -> Option<(&str, bool)> {
    let word = |place: usize| list.get(place)?.as_deref();
    // `(define-fun q () Bool true)`; the terms between are the type.
    let name = match (word(0)?, list.len()) {
        ("define-fun", 3..) | ("=", 3) => word(1)?,
        (name, 2) => name,
        _ => return None,
    };
    match list.last()?.as_deref()? {
        "true" => Some((name, true)),
        "false" => Some((name, false)),
        _ => None,
    }
}
