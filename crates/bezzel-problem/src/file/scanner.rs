//! Bytes and words of a file, with their positions.

use std::fmt;
use std::io::{BufRead, ErrorKind};

use super::error::FileError;
use crate::position::Position;

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

    /// The whole number; `about` names its meaning.
    pub(super) fn number(&self, about: &str) -> Result<i64, FileError> {
        let (is_negative, digits) = match self.bytes() {
            [sign @ (b'+' | b'-'), digits @ ..] => (*sign == b'-', digits),
            digits => (false, digits),
        };
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
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
}
