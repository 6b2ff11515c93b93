//! Reads a formula in DIMACS CNF, clause by clause and strictly.
//!
//! Comments are lines that begin with `c`, anywhere in the file. The header `p cnf VARIABLES CLAUSES` occurs once,
//! before the clauses, and must be right: no literal beyond the variables, as many clauses as stated, each ended by 0.
//! The numbers of the header cause no allocation.

use std::io::{self, Read};

use thiserror::Error;

use crate::source::Source;

/// The most literals in a clause.
const MAX_LITERALS: usize = 1 << 28;

/// The reason why a file is no formula.
#[derive(Debug, Error)]
pub enum DimacsError {
    /// A fault at a line.
    #[error("line {line}: {problem}")]
    Line {
        /// The line, counted from 1.
        line: u64,
        /// The fault.
        problem: String,
    },
    /// The file could not be read.
    #[error("{0}")]
    Read(#[from] io::Error),
}

/// The numbers of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The number of variables.
    pub variables: u32,
    /// The number of clauses.
    pub clauses: u64,
}

/// Reads a formula to its end, and passes its clauses to `take` in their order.
///
/// # Errors
/// The first fault of the text, or the error of reading it.
pub fn read(from: impl Read, take: impl FnMut(&[i32])) -> Result<Header, DimacsError> {
    let mut reader = Reader { source: Source::new(from), line: 1, header: None, clauses: 0, take };
    reader.read()
}

struct Reader<R, F> {
    source: Source<R>,
    line: u64,
    header: Option<Header>,
    /// The number of clauses that have ended.
    clauses: u64,
    take: F,
}

impl<R: Read, F: FnMut(&[i32])> Reader<R, F> {
    fn read(&mut self) -> Result<Header, DimacsError> {
        let mut clause = Vec::new();
        // A comment or the header begins at the start of a line only.
        let mut begins = true;
        while let Some(byte) = self.source.peek()? {
            match byte {
                b' ' | b'\t' | b'\r' => {
                    self.source.take()?;
                }
                b'\n' => {
                    self.source.take()?;
                    self.line += 1;
                    begins = true;
                }
                b'c' if begins => self.skip_line()?,
                b'p' if begins => self.header()?,
                _ => {
                    begins = false;
                    self.literal(&mut clause)?;
                }
            }
        }
        let Some(header) = self.header else {
            return Err(self.wrong("there is no header `p cnf VARIABLES CLAUSES`"));
        };
        if !clause.is_empty() {
            return Err(self.wrong("the last clause is not ended by 0"));
        }
        if self.clauses < header.clauses {
            let (there, declared) = (self.clauses, header.clauses);
            return Err(
                self.wrong(format!("there are {there} clauses, and the header says {declared}"))
            );
        }
        Ok(header)
    }

    fn literal(&mut self, clause: &mut Vec<i32>) -> Result<(), DimacsError> {
        let negative = self.source.peek()? == Some(b'-');
        if negative {
            self.source.take()?;
        }
        let number = self.number("a literal", i32::MAX as u64)?;
        let Some(header) = self.header else {
            return Err(self.wrong("a clause stands before the header `p cnf VARIABLES CLAUSES`"));
        };
        if number > u64::from(header.variables) {
            let variables = header.variables;
            return Err(self.wrong(format!(
                "variable {number} is beyond the {variables} that the header says"
            )));
        }
        if self.clauses == header.clauses {
            let declared = header.clauses;
            return Err(
                self.wrong(format!("there are more clauses than the {declared} of the header"))
            );
        }
        match (number as i32, negative) {
            (0, true) => return Err(self.wrong("-0 is not a literal")),
            (0, false) => {
                (self.take)(clause);
                clause.clear();
                self.clauses += 1;
            }
            _ if clause.len() == MAX_LITERALS => {
                return Err(self.wrong(format!("a clause of more than {MAX_LITERALS} literals")));
            }
            (variable, negative) => clause.push(if negative { -variable } else { variable }),
        }
        Ok(())
    }

    fn header(&mut self) -> Result<(), DimacsError> {
        if self.header.is_some() {
            return Err(self.wrong("a second header"));
        }
        for expected in *b"p cnf" {
            if self.source.take()? != Some(expected) {
                return Err(self.wrong("the header is not `p cnf VARIABLES CLAUSES`"));
            }
        }
        self.blanks()?;
        let variables = self.number("the number of variables", i32::MAX as u64)? as u32;
        self.blanks()?;
        let clauses = self.number("the number of clauses", u64::MAX)?;
        self.blanks()?;
        if !matches!(self.source.peek()?, None | Some(b'\n')) {
            return Err(self.wrong("something stands behind the header"));
        }
        self.header = Some(Header { variables, clauses });
        Ok(())
    }

    /// A number, which ends with a blank, the line or the file.
    fn number(&mut self, what: &str, max: u64) -> Result<u64, DimacsError> {
        let mut value: Option<u64> = None;
        loop {
            match self.source.peek()? {
                Some(digit @ b'0'..=b'9') => {
                    self.source.take()?;
                    let more = value.unwrap_or(0).checked_mul(10);
                    let more = more.and_then(|ten| ten.checked_add(u64::from(digit - b'0')));
                    value = more.filter(|value| *value <= max);
                    if value.is_none() {
                        return Err(self.wrong(format!("{what} is more than {max}")));
                    }
                }
                None | Some(b' ' | b'\t' | b'\r' | b'\n') => {
                    return value.ok_or_else(|| self.wrong(format!("{what} is missing")));
                }
                Some(byte) => {
                    let shown = char::from(byte).escape_default();
                    return Err(self.wrong(format!("`{shown}` stands where {what} is expected")));
                }
            }
        }
    }

    fn blanks(&mut self) -> io::Result<()> {
        while let Some(b' ' | b'\t' | b'\r') = self.source.peek()? {
            self.source.take()?;
        }
        Ok(())
    }

    fn skip_line(&mut self) -> io::Result<()> {
        while !matches!(self.source.peek()?, None | Some(b'\n')) {
            self.source.take()?;
        }
        Ok(())
    }

    fn wrong(&self, problem: impl Into<String>) -> DimacsError {
        DimacsError::Line { line: self.line, problem: problem.into() }
    }
}
