//! CNF, KNF and CNF+.

use std::io::BufRead;

use super::error::FileError;
use super::parsed::{
    ConstraintVisitor, Format, MAX_VARIABLES, ParsedConstraint, Relation, check_count, literal,
};
use super::scanner::{Scanner, Word};
use crate::position::Position;

/// The header of a file: its first line that is not a comment.
struct Header {
    format: Format,
    variables: u32,
    constraints: u64,
    /// The place of the number of constraints.
    position: Position,
}

/// Reads a file, and gives its format and its number of variables.
pub(super) fn read(
    scanner: Scanner<impl BufRead>,
    each: ConstraintVisitor,
) -> Result<(Format, u32), FileError> {
    let mut reader = DimacsReader {
        scanner,
        each,
        header: None,
        early: None,
        written: ParsedConstraint::empty(),
    };
    let mut found = 0;
    // Terms are pending, or the bound of a KNF constraint.
    let mut is_open = false;
    while let Some(word) = reader.scanner.word(false)? {
        if word.is_first && word.bytes()[0] == b'c' {
            if word.bytes() == b"c" {
                reader.comment(is_open)?;
            }
            reader.scanner.skip_line()?;
            continue;
        }
        if word.is_first && word.bytes() == b"p" {
            reader.header(&word)?;
            continue;
        }
        let Some(header) = &reader.header else {
            let message = format!("the header is missing before `{word}`: {HEADERS}");
            return Err(word.error(message));
        };
        let format = header.format;
        if !is_open {
            reader.written.relation = Relation::AtLeast;
            reader.written.bound = 1;
            reader.written.position = word.position;
        }
        match (word.bytes(), format) {
            (b"k", Format::Knf) if is_open => {
                return Err(
                    word.error("a `0` is missing before `k`: it ends the constraint before")
                );
            }
            (b"k", Format::Knf) => {
                reader.written.bound = reader.bound(&word, "k")?;
                is_open = true;
            }
            (b"<=" | b">=", Format::CnfPlus) => {
                reader.written.relation = match word.bytes() {
                    b"<=" => Relation::AtMost,
                    _ => Relation::AtLeast,
                };
                reader.written.bound = reader.bound(&word, "the relation")?;
                reader.end_of_bound()?;
                reader.emit()?;
                (found, is_open) = (found + 1, false);
            }
            _ if reader.literal(&word)? => is_open = true,
            _ => {
                reader.emit()?;
                (found, is_open) = (found + 1, false);
            }
        }
    }
    let end = reader.scanner.position();
    let Some(header) = reader.header else {
        return Err(FileError::at(end, format!("the file ends without a header: {HEADERS}")));
    };
    if is_open {
        let start = reader.written.position;
        let message = format!("the constraint of {start} is not ended: its `0` is missing");
        return Err(FileError::at(end, message));
    }
    check_count(header.constraints, found, header.position)?;
    Ok((header.format, header.variables))
}

/// The headers.
const HEADERS: &str =
    "it is `p cnf V C`, `p knf V C` or `p cnf+ V C`, with the numbers of variables and constraints";

struct DimacsReader<'a, R> {
    scanner: Scanner<R>,
    each: ConstraintVisitor<'a>,
    header: Option<Header>,
    /// The place of a group in a comment before the header.
    early: Option<Position>,
    written: ParsedConstraint,
}

impl<R: BufRead> DimacsReader<'_, R> {
    /// Emits the pending constraint.
    fn emit(&mut self) -> Result<(), FileError> {
        (self.each)(&mut self.written)?;
        self.written.terms.clear();
        Ok(())
    }

    /// Adds a literal; false if the word is the 0 that ends a constraint.
    fn literal(&mut self, word: &Word) -> Result<bool, FileError> {
        let Some(header) = &self.header else { return Ok(false) };
        if word.bytes() == b"%" {
            return Err(word.error("`%` is not a literal: delete this line and those after it"));
        }
        let number = word.number("a literal")?;
        if number == 0 {
            return Ok(false);
        }
        let literal = literal(number.unsigned_abs(), number < 0, Some(header.variables));
        self.written.terms.push((literal.map_err(|message| word.error(message))?, 1));
        Ok(true)
    }

    /// The number after `k`, `<=` or `>=`.
    fn bound(&mut self, before: &Word, name: &str) -> Result<i64, FileError> {
        match self.scanner.word(true)? {
            Some(word) => word.number("a bound"),
            None => Err(before.error(format!("the bound is missing after {name} in this line"))),
        }
    }

    /// The bound of CNF+ ends its constraint, and its line.
    fn end_of_bound(&mut self) -> Result<(), FileError> {
        if let Some(word) = self.scanner.word(true)? {
            return Err(word.error(format!(
                "`{word}` stands after a bound, which ends a constraint without a `0`: begin a line"
            )));
        }
        match self.scanner.peek()? {
            Some(_) => Ok(()),
            None => Err(FileError::at(
                self.scanner.position(),
                "the file ends in a bound, which may be cut: end the line if it is whole",
            )),
        }
    }

    /// Reads the header after its `p`.
    fn header(&mut self, first: &Word) -> Result<(), FileError> {
        if self.header.is_some() {
            return Err(first.error("there is a second header: a file has one"));
        }
        let Some(word) = self.scanner.word(true)? else {
            return Err(first.error(format!("the header is cut: {HEADERS}")));
        };
        let format = match word.bytes() {
            b"cnf" => Format::Cnf,
            b"knf" => Format::Knf,
            b"cnf+" => Format::CnfPlus,
            _ => return Err(word.error(format!("a header `p {word}` is not read: {HEADERS}"))),
        };
        let mut number = |name: &str, max: u64| {
            let Some(word) = self.scanner.word(true)? else {
                let message = format!("the header is without its number of {name}: {HEADERS}");
                return Err(first.error(message));
            };
            let number = word.number(&format!("the number of {name}"))?;
            match u64::try_from(number) {
                Ok(number) if number <= max => Ok((number, word.position)),
                _ => Err(word.error(format!("a file has 0 to {max} {name}, not {number}"))),
            }
        };
        let (variables, _) = number("variables", MAX_VARIABLES)?;
        let (constraints, position) = number("constraints", i64::MAX as u64)?;
        if let Some(word) = self.scanner.word(true)? {
            return Err(word.error(format!("`{word}` stands after the header: begin a line")));
        }
        if let (Format::Cnf, Some(early)) = (format, self.early) {
            return Err(FileError::at(
                early,
                "a group stands before the header `p cnf`: move it behind",
            ));
        }
        self.header = Some(Header { format, variables: variables as u32, constraints, position });
        Ok(())
    }

    /// Reads a comment after its `c`, up to the end of its line at most.
    fn comment(&mut self, is_open: bool) -> Result<(), FileError> {
        if self.header.as_ref().is_some_and(|header| header.format != Format::Cnf) {
            return Ok(());
        }
        let Some(name) = self.scanner.word(true)? else { return Ok(()) };
        let relation = match name.bytes() {
            b"amo" => Relation::AtMost,
            b"alo" => Relation::AtLeast,
            b"eo" | b"exactly-one" => Relation::Equal,
            _ => return Ok(()),
        };
        match self.scanner.skip_blanks(true)? {
            Some(byte) if byte.is_ascii_digit() || matches!(byte, b'+' | b'-') => {}
            _ => return Ok(()),
        }
        if self.header.is_none() {
            self.early = self.early.or(Some(name.position));
            return Ok(());
        }
        if is_open {
            return Err(name.error("a group stands within a clause: move it behind the clause"));
        }
        self.written.relation = relation;
        self.written.bound = 1;
        self.written.position = name.position;
        loop {
            let Some(word) = self.scanner.word(true)? else {
                let message = format!("the group `c {name}` is not ended: its `0` is missing");
                return Err(FileError::at(self.scanner.position(), message));
            };
            if !self.literal(&word)? {
                break;
            }
        }
        if let Some(word) = self.scanner.word(true)? {
            let message = format!("`{word}` stands after the `0` of the group `c {name}`");
            return Err(word.error(format!("{message}: write one group in a line")));
        }
        self.emit()
    }
}
