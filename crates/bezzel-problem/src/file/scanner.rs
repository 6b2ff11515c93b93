//! Bytes and words of a file, with their positions.

use std::fmt;
use std::io::{BufRead, ErrorKind};

use num_bigint::BigInt;

use super::error::FileError;
use crate::position::Position;

/// The most digits of a whole number, without zeros in front: reading a number takes time with the square of them.
const MAX_DIGITS: usize = 10_000;

/// The most bytes of a word that are kept. Longer ones are refused by all that read words.
const WORD: usize = 40;

/// The most bytes of a word that are read, in a comment too.
const MAX_WORD: usize = 1 << 20;

/// The bytes of a reader.
pub(super) struct Scanner<R> {
    reader: R,
    position: Position,
    /// True if there are only blanks before the position in its line.
    at_start: bool,
}

/// The bytes up to a blank.
pub(super) struct Word {
    bytes: [u8; WORD],
    length: usize,
    /// The place of its first byte.
    pub(super) position: Position,
    /// True if it is the first word of its line.
    pub(super) is_first: bool,
}

impl Word {
    /// The bytes; of a long word the first ones.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length.min(WORD)]
    }

    /// A fault of this word.
    pub(super) fn error(&self, message: impl Into<String>) -> FileError {
        FileError::at(self.position, message)
    }

    /// The words before and behind the first such byte.
    pub(super) fn split(&self, byte: u8) -> Option<(Self, Self)> {
        let place = self.bytes().iter().position(|&other| other == byte)?;
        let part = |start: usize, end: usize| {
            let mut part = Self { bytes: [0; WORD], length: end - start, ..*self };
            let kept = &self.bytes()[start..end.min(WORD)];
            part.bytes[..kept.len()].copy_from_slice(kept);
            part.position.column += start as u64;
            part
        };
        Some((part(0, place), part(place + 1, self.length)))
    }

    /// The whole number of any size, up to the longest word.
    pub(super) fn whole_number(&self, about: &str) -> Result<Number, FileError> {
        if !self.is_whole_number() || self.length > WORD {
            return self.number(about).map(Number::Small);
        }
        Ok(match (self.number(about), BigInt::parse_bytes(self.bytes(), 10)) {
            (Err(_), Some(number)) => Number::Large(number),
            (number, _) => Number::Small(number?),
        })
    }

    /// True if it is digits, with or without a sign.
    pub(super) fn is_whole_number(&self) -> bool {
        let digits = self.bytes();
        let digits = digits.strip_prefix(b"+").or(digits.strip_prefix(b"-")).unwrap_or(digits);
        !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
    }

    /// The whole number; `about` names its meaning.
    pub(super) fn number(&self, about: &str) -> Result<i64, FileError> {
        let (is_negative, digits) = match self.bytes() {
            [sign @ (b'+' | b'-'), digits @ ..] => (*sign == b'-', digits),
            digits => (false, digits),
        };
        if !self.is_whole_number() {
            return Err(self.error(format!("{about} is a whole number, not `{self}`")));
        }
        let value = digits.iter().try_fold(0_i64, |value, digit| {
            value.checked_mul(10)?.checked_add(i64::from(digit - b'0'))
        });
        match value.filter(|_| self.length <= WORD) {
            Some(value) => Ok(if is_negative { -value } else { value }),
            None => Err(self.error(format!(
                "{about} `{self}` is too large: numbers go from -{max} to {max}",
                max = i64::MAX
            ))),
        }
    }
}

/// A whole number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Number {
    /// One from −(2⁶³ − 1) to 2⁶³ − 1.
    Small(i64),
    /// Another one.
    Large(BigInt),
}

impl Number {
    pub(super) fn from_integer(number: &BigInt) -> Self {
        let small = i64::try_from(number).ok().filter(|&small| small != i64::MIN);
        small.map_or_else(|| Self::Large(number.clone()), Self::Small)
    }

    pub(super) fn negated(self) -> Self {
        match self {
            Self::Small(number) => Self::Small(-number),
            Self::Large(number) => Self::Large(-number),
        }
    }

    /// The sum with a small number.
    pub(super) fn plus(self, other: i64) -> Self {
        match self {
            Self::Small(number) => match number.checked_add(other).filter(|&sum| sum != i64::MIN) {
                Some(sum) => Self::Small(sum),
                None => Self::Large(BigInt::from(number) + other),
            },
            Self::Large(number) => Self::Large(number + other),
        }
    }
}

/// The text in quotes of a message: bytes that are no printable ASCII are escaped, long words are cut.
impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cut = if self.length > WORD { "…" } else { "" };
        write!(f, "{}{cut}", self.bytes().escape_ascii())
    }
}

impl<R: BufRead> Scanner<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, position: Position { line: 1, column: 1 }, at_start: true }
    }

    /// The place of the next byte.
    pub(super) fn position(&self) -> Position {
        self.position
    }

    /// True if there are only blanks before the next byte in its line.
    pub(super) fn is_at_start(&self) -> bool {
        self.at_start
    }

    /// The next byte; none at the end.
    #[inline]
    pub(super) fn peek(&mut self) -> Result<Option<u8>, FileError> {
        loop {
            match self.reader.fill_buf() {
                Ok(bytes) => return Ok(bytes.first().copied()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    return Err(FileError::at(self.position, format!("cannot be read: {error}")));
                }
            }
        }
    }

    /// Passes the byte that `peek` gave.
    #[inline]
    pub(super) fn pass(&mut self, byte: u8) {
        self.reader.consume(1);
        if byte == b'\n' {
            self.position = Position { line: self.position.line + 1, column: 1 };
            self.at_start = true;
        } else {
            self.position.column += 1;
            self.at_start &= byte.is_ascii_whitespace();
        }
    }

    /// The next byte that is no blank; with `in_line`, the end of the line is one that it stops at.
    pub(super) fn skip_blanks(&mut self, in_line: bool) -> Result<Option<u8>, FileError> {
        while let Some(byte) = self.peek()? {
            if !byte.is_ascii_whitespace() || (in_line && byte == b'\n') {
                return Ok(Some(byte));
            }
            self.pass(byte);
        }
        Ok(None)
    }

    /// Passes everything up to the end of the line.
    pub(super) fn skip_line(&mut self) -> Result<(), FileError> {
        while let Some(byte) = self.peek()?.filter(|&byte| byte != b'\n') {
            self.pass(byte);
        }
        Ok(())
    }

    /// The next word; with `in_line`, none if the line has no more.
    pub(super) fn word(&mut self, in_line: bool) -> Result<Option<Word>, FileError> {
        match self.skip_blanks(in_line)? {
            None | Some(b'\n') => Ok(None),
            Some(_) => self.word_while(|byte| !byte.is_ascii_whitespace()).map(Some),
        }
    }

    /// The word of the next bytes with this property.
    pub(super) fn word_while(&mut self, belongs: impl Fn(u8) -> bool) -> Result<Word, FileError> {
        let (position, is_first) = (self.position, self.at_start);
        let mut word = Word { bytes: [0; WORD], length: 0, position, is_first };
        while let Some(byte) = self.peek()?.filter(|&byte| belongs(byte)) {
            // Zeros in front of a number are passed.
            if byte == b'0' && matches!(word.bytes(), [b'0'] | [b'+' | b'-', b'0']) {
                self.pass(byte);
                continue;
            }
            if let Some(place) = word.bytes.get_mut(word.length) {
                *place = byte;
            }
            word.length += 1;
            self.pass(byte);
            if word.length > MAX_WORD {
                let message = format!("`{word}` is one word of more than {MAX_WORD} bytes");
                return Err(FileError::at(position, message));
            }
        }
        Ok(word)
    }

    /// The number of the digits that come next; none if no digit does. `about` names its meaning.
    pub(super) fn digits(&mut self, about: &str) -> Result<Option<Number>, FileError> {
        let position = self.position;
        let mut small: Option<i64> = None;
        // The digits of a number that is not small.
        let mut large: Vec<u8> = Vec::new();
        while let Some(byte) = self.peek()?.filter(u8::is_ascii_digit) {
            self.pass(byte);
            if large.is_empty() {
                let value = small.unwrap_or(0);
                let next = value.checked_mul(10);
                match next.and_then(|next| next.checked_add(i64::from(byte - b'0'))) {
                    Some(next) => small = Some(next),
                    None => large = format!("{value}{}", char::from(byte)).into_bytes(),
                }
            } else {
                large.push(byte);
            }
            if large.len() > MAX_DIGITS {
                let message = format!("{about} has more than {MAX_DIGITS} digits");
                return Err(FileError::at(position, message));
            }
        }
        if large.is_empty() {
            return Ok(small.map(Number::Small));
        }
        Ok(BigInt::parse_bytes(&large, 10).map(Number::Large))
    }
}
