//! The variables of OPB files, by numbers or by names.
//!
//! If every variable is `x` and a number from 1 on, this is its number. Otherwise variables are numbered in the order
//! in which they occur, and their names are kept for output. So `x0` and `x1` are two names.

use std::collections::HashMap;

use super::constraint::MAX_VARIABLES;
use crate::literal::Candidate;
use crate::text::{FileError, Position, quoted};

/// The largest number of bytes of a name.
const MAX_BYTES: usize = 1_000;

/// The signs of names beside letters and digits.
const SIGNS: &[u8] = b"_[]{}()^.,'$#@|/";

/// True if a name may begin with this byte.
pub(super) fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || !byte.is_ascii()
}

/// True if a name may contain this byte.
pub(super) fn is_in_name(byte: u8) -> bool {
    byte > b' ' && (byte.is_ascii_alphanumeric() || SIGNS.contains(&byte) || !byte.is_ascii())
}

/// The variables of a file.
#[derive(Debug)]
pub(super) enum Variables {
    /// All are numbered; the largest number so far.
    Numbered(Candidate),
    Named(Names),
}

/// Names in the order in which they occur.
#[derive(Debug, Default)]
pub(super) struct Names {
    numbers: HashMap<Box<str>, Candidate>,
    names: Vec<Box<str>>,
}

/// The end of reading by numbers.
pub(super) enum VariableError {
    /// The name is no number: the file is to be read by names.
    IsName,
    Fault(FileError),
}

impl Variables {
    /// The number of variables.
    pub(super) fn count(&self) -> u32 {
        match self {
            Self::Numbered(largest) => *largest,
            Self::Named(names) => names.names.len() as u32,
        }
    }

    /// The names, if there are any.
    pub(super) fn into_names(self) -> Option<Vec<Box<str>>> {
        match self {
            Self::Numbered(_) => None,
            Self::Named(names) => Some(names.names),
        }
    }

    /// The variable with this name, at this place.
    pub(super) fn find(
        &mut self,
        name: &[u8],
        position: Position,
    ) -> Result<Candidate, VariableError> {
        let fault = |message: String| VariableError::Fault(FileError::at(position, message));
        match self {
            Self::Numbered(largest) => {
                let digits = name.strip_prefix(b"x").filter(|digits| !digits.is_empty());
                let mut digits = digits.ok_or(VariableError::IsName)?.iter();
                let number = digits.try_fold(Some(0_u64), |number, digit| {
                    let next =
                        |number: u64| number.checked_mul(10)?.checked_add((digit - b'0').into());
                    digit.is_ascii_digit().then(|| number.and_then(next))
                });
                match number {
                    None | Some(Some(0)) => Err(VariableError::IsName),
                    Some(Some(number)) if number <= MAX_VARIABLES => {
                        *largest = (*largest).max(number as u32);
                        Ok(number as Candidate - 1)
                    }
                    _ => Err(fault(format!(
                        "the number of the variable `{}` is too large: a file has at most \
                         {MAX_VARIABLES}",
                        quoted(name)
                    ))),
                }
            }
            Self::Named(names) => {
                let text = str::from_utf8(name).ok().filter(|text| {
                    let is_sign = |sign: char| u8::try_from(sign).is_ok_and(|b| SIGNS.contains(&b));
                    text.chars().all(|sign| sign.is_alphanumeric() || is_sign(sign))
                });
                let Some(text) = text else {
                    return Err(fault(format!(
                        "`{}` is no name of a variable: it has letters, digits and the signs `{}`",
                        quoted(name),
                        str::from_utf8(SIGNS).unwrap_or_default()
                    )));
                };
                if text.len() > MAX_BYTES {
                    return Err(fault(format!("a name has more than {MAX_BYTES} bytes")));
                }
                if let Some(&found) = names.numbers.get(text) {
                    return Ok(found);
                }
                let new = names.names.len() as Candidate;
                names.numbers.insert(text.into(), new);
                names.names.push(text.into());
                Ok(new)
            }
        }
    }
}
