//! OPB.

use std::io::BufRead;

use super::error::FileError;
use super::parsed::{
    ConstraintVisitor, MAX_VARIABLES, ParsedConstraint, Relation, check_count, literal,
};
use super::scanner::{Scanner, Word};
use crate::position::Position;

/// Reads a file, and gives its number of variables: the header's, or the largest one.
pub(super) fn read(
    scanner: Scanner<impl BufRead>,
    each: ConstraintVisitor,
) -> Result<u32, FileError> {
    let mut reader = OpbReader { scanner, variables: None, constraints: None, largest: 0 };
    let mut written = ParsedConstraint::empty();
    let mut found = 0;
    // The coefficient that waits for its variable.
    let mut coefficient: Option<i64> = None;
    let mut is_open = false;
    while let Some(byte) = reader.scanner.skip_blanks(false)? {
        if byte == b'*' && reader.scanner.is_at_start() {
            reader.comment(found == 0 && !is_open)?;
            continue;
        }
        let position = reader.scanner.position();
        if !is_open {
            written.position = position;
            is_open = true;
        }
        match (byte, coefficient) {
            (b'+' | b'-' | b'0'..=b'9', None) => {
                coefficient = Some(reader.number("a coefficient")?);
            }
            (b'x' | b'~', Some(weight)) => {
                reader.term(weight, &mut written)?;
                coefficient = None;
            }
            (b'x' | b'~', None) => {
                let message = "a coefficient is missing before the variable, as in `+1 x1` \
                     (products of variables are not read)";
                return Err(FileError::at(position, message));
            }
            (b'<' | b'>' | b'=', None) => {
                written.relation = reader.relation()?;
                reader.scanner.skip_blanks(false)?;
                written.bound = reader.number("the bound")?;
                if reader.scanner.skip_blanks(false)? != Some(b';') {
                    let end = reader.scanner.position();
                    return Err(FileError::at(end, "a `;` is missing after the bound"));
                }
                reader.scanner.pass(b';');
                each(&mut written)?;
                written.terms.clear();
                found += 1;
                is_open = false;
            }
            _ => return Err(reader.unexpected(found == 0 && written.terms.is_empty())?),
        }
    }
    if is_open {
        let message =
            format!("the constraint of {} is not ended: its `;` is missing", written.position);
        return Err(FileError::at(reader.scanner.position(), message));
    }
    if found == 0 && reader.constraints.is_none() {
        let message = "the file ends without a constraint: if it is whole, its first line is \
             `* #variable= V #constraint= 0`";
        return Err(FileError::at(reader.scanner.position(), message));
    }
    if let Some((promised, position)) = reader.constraints {
        check_count(promised, found, position)?;
    }
    Ok(reader.variables.unwrap_or(reader.largest))
}

struct OpbReader<R> {
    scanner: Scanner<R>,
    variables: Option<u32>,
    /// The number of constraints of the header, and its place.
    constraints: Option<(u64, Position)>,
    largest: u32,
}

impl<R: BufRead> OpbReader<R> {
    /// The number that comes next.
    fn number(&mut self, about: &str) -> Result<i64, FileError> {
        let first = self.scanner.position();
        if let Some(sign @ (b'+' | b'-')) = self.scanner.peek()? {
            self.scanner.pass(sign);
            let digits = self.digits()?;
            if digits.bytes().is_empty() {
                let message = format!("digits are missing after the sign of {about}");
                return Err(FileError::at(first, message));
            }
            let number = digits.number(about)?;
            return Ok(if sign == b'-' { -number } else { number });
        }
        let digits = self.digits()?;
        if digits.bytes().is_empty() {
            return Err(FileError::at(first, format!("{about} is missing: it is a whole number")));
        }
        digits.number(about)
    }

    fn digits(&mut self) -> Result<Word, FileError> {
        self.scanner.word_while(|byte| byte.is_ascii_digit())
    }

    /// Adds a term with this weight.
    fn term(&mut self, weight: i64, written: &mut ParsedConstraint) -> Result<(), FileError> {
        let position = self.scanner.position();
        let negated = self.scanner.peek()? == Some(b'~');
        if negated {
            self.scanner.pass(b'~');
        }
        let has_name = self.scanner.peek()? == Some(b'x');
        if has_name {
            self.scanner.pass(b'x');
        }
        let digits = self.digits()?;
        let next = self.scanner.peek()?;
        let is_whole = next.is_none_or(|byte| {
            byte.is_ascii_whitespace() || matches!(byte, b'+' | b'-' | b'<' | b'>' | b'=' | b';')
        });
        if !has_name || digits.bytes().is_empty() || !is_whole {
            let message = "a variable is `x` and its number, as in `x1` or `~x1`";
            return Err(FileError::at(position, message));
        }
        let number = digits.number("the number of a variable")?;
        if number == 0 {
            return Err(FileError::at(position, "variables are numbered from 1, as in `x1`"));
        }
        let literal = literal(number.unsigned_abs(), negated, self.variables)
            .map_err(|message| FileError::at(position, message))?;
        self.largest = self.largest.max(literal.candidate() + 1);
        written.terms.push((literal, weight));
        Ok(())
    }

    fn relation(&mut self) -> Result<Relation, FileError> {
        let word = self.scanner.word_while(|byte| matches!(byte, b'<' | b'>' | b'='))?;
        match word.bytes() {
            b">=" => Ok(Relation::AtLeast),
            b"<=" => Ok(Relation::AtMost),
            b"=" => Ok(Relation::Equal),
            _ => Err(word.error(format!("`{word}` is no relation: use `>=`, `<=` or `=`"))),
        }
    }

    /// Passes a comment. One before all constraints may be the header.
    fn comment(&mut self, may_be_header: bool) -> Result<(), FileError> {
        self.scanner.pass(b'*');
        if may_be_header && self.scanner.skip_blanks(true)? == Some(b'#') {
            while self.scanner.skip_blanks(true)? == Some(b'#') {
                let key =
                    self.scanner.word_while(|byte| byte != b'=' && !byte.is_ascii_whitespace())?;
                if self.scanner.skip_blanks(true)? != Some(b'=') {
                    break;
                }
                self.scanner.pass(b'=');
                let is_known = matches!(key.bytes(), b"#variable" | b"#constraint");
                let Some(value) = self.scanner.word(true)? else {
                    if !is_known {
                        break;
                    }
                    return Err(key.error(format!("a number is missing after `{key}=`")));
                };
                if !is_known {
                    continue;
                }
                let number = value.number(&format!("the value of `{key}=`"))?;
                let max = if key.bytes() == b"#variable" { MAX_VARIABLES } else { i64::MAX as u64 };
                let Some(number) = u64::try_from(number).ok().filter(|&number| number <= max)
                else {
                    return Err(value.error(format!("`{key}=` goes from 0 to {max}")));
                };
                if key.bytes() == b"#variable" {
                    self.variables = Some(number as u32);
                } else {
                    self.constraints = Some((number, value.position));
                }
            }
        }
        self.scanner.skip_line()
    }

    /// The fault of bytes that belong to no constraint.
    fn unexpected(&mut self, is_beginning: bool) -> Result<FileError, FileError> {
        let word = self.scanner.word(false)?;
        let Some(word) = word else { return Ok(FileError::whole("the file ends early")) };
        Ok(word.error(match word.bytes() {
            [b'm', b'i' | b'a', b'n' | b'x', b':', ..] => {
                "an objective is not read: delete it to ask for any solution".to_owned()
            }
            [b'[', ..] | [b's', b'o', b'f', b't', b':', ..] => {
                "constraints that may be violated at a cost are not read".to_owned()
            }
            _ if is_beginning => format!(
                "`{word}` begins no constraint of a known format: a file begins with `p cnf`, \
                 `p knf` or `p cnf+`, or has constraints as `+1 x1 -2 ~x3 >= 2 ;`"
            ),
            _ => format!("`{word}` is not part of a constraint, as `+1 x1 -2 ~x3 >= 2 ;` is one"),
        }))
    }
}
