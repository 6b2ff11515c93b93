//! DIMACS CNF, strictly.

use std::io::BufRead;

use rustsat::types::Lit;

use super::ReadError;
use super::notes::FormulaComments;
use super::source::{Source, TextPosition};
use crate::formula::Formula;
use crate::sink::{ClauseSink, MAX_VARIABLES};

/// The most clauses that are read.
pub const MAX_CLAUSES: u64 = 1 << 28;

/// The most literals that are read, in all clauses together: 1 GiB of memory.
pub const MAX_LITERALS: u64 = 1 << 28;

/// A formula from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadFormula {
    /// The clauses, in the order of the file, over the number of variables in the header.
    pub formula: Formula,
    /// The content of the comments.
    pub notes: FormulaComments,
}

/// Reads a DIMACS CNF file to its end.
///
/// Comments are lines that begin with `c`, anywhere in the file. The header `p cnf VARIABLES CLAUSES` occurs once,
/// before the clauses, and must be right: no literal beyond the variables, as many clauses as stated, each ended by 0.
/// The clauses may be followed by the lines `%` and `0`, as in files of SATLIB.
///
/// # Errors
///
/// The first fault of the text, a number that exceeds [`MAX_CLAUSES`] or [`MAX_LITERALS`], or the error of reading
/// `from`.
pub fn dimacs(from: &mut impl BufRead) -> Result<ReadFormula, ReadError> {
    let mut reader = DimacsReader {
        source: Source::new(from),
        notes: FormulaComments::default(),
        formula: Formula::new(),
        header: None,
        clauses: 0,
        literals: 0,
    };
    reader.read()?;
    reader.notes.finish();
    Ok(ReadFormula { formula: reader.formula, notes: reader.notes })
}

struct DimacsReader<R> {
    source: Source<R>,
    notes: FormulaComments,
    formula: Formula,
    header: Option<Header>,
    clauses: u64,
    literals: u64,
}

#[derive(Clone, Copy)]
struct Header {
    variables: u32,
    clauses: u64,
}

impl<R: BufRead> DimacsReader<R> {
    fn read(&mut self) -> Result<(), ReadError> {
        let mut clause: Vec<Lit> = Vec::new();
        let mut line = String::new();
        // A comment or the header begins at the start of a line only.
        let mut line_begins = true;
        loop {
            self.source.blank(false)?;
            let place = self.source.place();
            match self.source.peek()? {
                None => return self.end(place, clause.is_empty()),
                Some(b'\n') => {
                    self.source.take(b'\n');
                    line_begins = true;
                    continue;
                }
                Some(b'c') if line_begins => {
                    self.source.take(b'c');
                    self.notes.take_line(&mut self.source, &mut line)?;
                    continue;
                }
                Some(b'p') if line_begins => self.header(place)?,
                Some(b'%') if line_begins && clause.is_empty() => return self.end_of_satlib(place),
                Some(_) => self.literal(place, &mut clause)?,
            }
            line_begins = false;
        }
    }

    /// Reads the lines `%` and `0` at the end of the files of SATLIB.
    fn end_of_satlib(&mut self, place: TextPosition) -> Result<(), ReadError> {
        let mut words = [self.source.word()?, String::new()];
        let mut found = 1;
        loop {
            self.source.blank(true)?;
            if self.source.peek()?.is_none() {
                break;
            }
            if found == words.len() {
                return Err(place.error("only a line `0` may stand after a line `%`"));
            }
            words[found] = self.source.word()?;
            found += 1;
        }
        match words.each_ref().map(String::as_str) {
            ["%", "" | "0"] => self.end(place, true),
            _ => Err(place.error("only a line `0` may stand after a line `%`")),
        }
    }

    fn header(&mut self, place: TextPosition) -> Result<(), ReadError> {
        if self.header.is_some() {
            return Err(place.error("a second header"));
        }
        for expected in ["p", "cnf"] {
            let (word, place) = self.header_word()?;
            if word != expected {
                let form = "the header is `p cnf VARIABLES CLAUSES`";
                return Err(place.error(format!("`{word}` where `{expected}` belongs: {form}")));
            }
        }
        let variables = self.header_number("variables", MAX_VARIABLES.into())?;
        let clauses = self.header_number("clauses", MAX_CLAUSES)?;
        self.source.blank(false)?;
        let end = self.source.place();
        if !matches!(self.source.peek()?, None | Some(b'\n')) {
            return Err(end.error("the header ends with the number of clauses"));
        }
        let variables = u32::try_from(variables).expect("at most MAX_VARIABLES");
        self.formula.fresh(variables);
        self.header = Some(Header { variables, clauses });
        Ok(())
    }

    fn header_word(&mut self) -> Result<(String, TextPosition), ReadError> {
        self.source.blank(false)?;
        let place = self.source.place();
        Ok((self.source.word()?, place))
    }

    fn header_number(&mut self, what: &str, max: u64) -> Result<u64, ReadError> {
        let (word, place) = self.header_word()?;
        if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(place.error(format!("`{word}` is not a number of {what}")));
        }
        match word.parse() {
            Ok(number) if number <= max => Ok(number),
            _ => Err(place.error(format!("{word} {what}: at most {max} are taken"))),
        }
    }

    /// Takes a literal, or the 0 that ends a clause.
    fn literal(&mut self, place: TextPosition, clause: &mut Vec<Lit>) -> Result<(), ReadError> {
        let word = self.source.word()?;
        let digits = word.strip_prefix('-').unwrap_or(&word);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(place.error(format!("`{word}` is not a literal")));
        }
        let Some(Header { variables, clauses }) = self.header else {
            return Err(place.error("a clause before the header `p cnf VARIABLES CLAUSES`"));
        };
        if word == "0" {
            if self.clauses == clauses {
                return Err(
                    place.error(format!("the header states {clauses} clauses; here ends another"))
                );
            }
            self.formula.clause(clause);
            self.clauses += 1;
            clause.clear();
            return Ok(());
        }
        self.literals += 1;
        if self.literals > MAX_LITERALS {
            return Err(place.error(format!("more than {MAX_LITERALS} literals")));
        }
        match digits.parse::<u32>() {
            Ok(id) if (1..=variables).contains(&id) => {
                clause.push(Lit::new(id - 1, digits.len() < word.len()));
                Ok(())
            }
            _ => {
                Err(place.error(format!("the literal {word}: variables run from 1 to {variables}")))
            }
        }
    }

    fn end(&self, place: TextPosition, whole: bool) -> Result<(), ReadError> {
        let Some(Header { clauses, .. }) = self.header else {
            return Err(place.error("the file ends without a header `p cnf VARIABLES CLAUSES`"));
        };
        if !whole {
            return Err(place.error("the file ends within a clause: its 0 is missing"));
        }
        if self.clauses != clauses {
            let found = self.clauses;
            return Err(place.error(format!(
                "the file ends after {found} clauses; its header states {clauses}"
            )));
        }
        Ok(())
    }
}
