//! The scanner of all readers: bytes, words and numbers of a text, with their positions, and the errors of readers.
//!
//! A text is read once, from its beginning, in blocks. Memory is bounded for any text: a word, a line or white space
//! without end is refused where it begins.

use std::fmt;
use std::io::{ErrorKind, Read};

use num_bigint::BigInt;
use thiserror::Error;

/// The most digits of a whole number, without zeros in front: reading a number takes time with the square of them.
const MAX_DIGITS: usize = 10_000;

/// The most bytes of a word that are kept. Longer ones are refused by all that read words.
const WORD: usize = 40;

/// The most bytes of a word, of a line that is skipped, and of white space.
const MAX_PIECE: usize = 1 << 26;

/// The bytes that are read at a time.
const BLOCK: usize = 1 << 16;

/// The mark that some editors write at the beginning of UTF-8 text.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A place in a text, by its line and its column, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: u64,
    /// The column, in characters.
    pub column: u64,
}

impl Position {
    /// The beginning of a text.
    pub const START: Self = Self { line: 1, column: 1 };
}

/// `line 3, column 7`.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A file that cannot be read, or that is not the one that an instance names.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{message}", position.map(|position| format!("{position}: ")).unwrap_or_default())]
pub struct FileError {
    /// The place of the fault; none if it is not at one place.
    pub position: Option<Position>,
    /// The fault, and how to mend it.
    pub message: String,
}

impl FileError {
    /// A fault of the whole file.
    pub fn whole(message: impl Into<String>) -> Self {
        Self { position: None, message: message.into() }
    }

    /// A fault at a place.
    pub fn at(position: Position, message: impl Into<String>) -> Self {
        Self { position: Some(position), message: message.into() }
    }
}

/// The text in quotes of a message: bytes that are no printable ASCII are escaped, long texts are cut.
pub fn quoted(bytes: &[u8]) -> String {
    let cut = if bytes.len() > WORD { "…" } else { "" };
    format!("{}{cut}", bytes[..bytes.len().min(WORD)].escape_ascii())
}

/// The bytes of a text that are not read yet.
pub struct Scanner<'a> {
    reader: &'a mut dyn Read,
    block: Vec<u8>,
    /// The place of the next byte in the block.
    next: usize,
    position: Position,
    /// True if there are only blanks before the position in its line.
    at_start: bool,
}

/// The bytes up to a blank.
pub(crate) struct Word {
    bytes: [u8; WORD],
    length: usize,
    /// The place of its first byte.
    pub(crate) position: Position,
    /// True if it is the first word of its line.
    pub(crate) is_first: bool,
}

impl Word {
    /// The bytes; of a long word the first ones.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length.min(WORD)]
    }

    /// A fault of this word.
    pub(crate) fn error(&self, message: impl Into<String>) -> FileError {
        FileError::at(self.position, message)
    }

    /// The words before and behind the first such byte.
    pub(crate) fn split(&self, byte: u8) -> Option<(Self, Self)> {
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
    pub(crate) fn whole_number(&self, about: &str) -> Result<Number, FileError> {
        if !self.is_whole_number() || self.length > WORD {
            return self.number(about).map(Number::Small);
        }
        Ok(match (self.number(about), BigInt::parse_bytes(self.bytes(), 10)) {
            (Err(_), Some(number)) => Number::Large(number),
            (number, _) => Number::Small(number?),
        })
    }

    /// True if it is digits, with or without a sign.
    pub(crate) fn is_whole_number(&self) -> bool {
        let digits = self.bytes();
        let digits = digits.strip_prefix(b"+").or(digits.strip_prefix(b"-")).unwrap_or(digits);
        !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
    }

    /// True for a number without `+`, other than `-0`.
    pub(crate) fn is_plain_literal(&self) -> bool {
        self.is_whole_number() && self.bytes()[0] != b'+' && self.bytes() != b"-0"
    }

    /// The whole number; `about` names its meaning.
    pub(crate) fn number(&self, about: &str) -> Result<i64, FileError> {
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
pub(crate) enum Number {
    /// One from −(2⁶³ − 1) to 2⁶³ − 1.
    Small(i64),
    /// Another one.
    Large(BigInt),
}

impl Number {
    pub(crate) fn from_integer(number: &BigInt) -> Self {
        let small = i64::try_from(number).ok().filter(|&small| small != i64::MIN);
        small.map_or_else(|| Self::Large(number.clone()), Self::Small)
    }

    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Small(number) => Self::Small(-number),
            Self::Large(number) => Self::Large(-number),
        }
    }

    /// The sum with a small number.
    pub(crate) fn plus(self, other: i64) -> Self {
        match self {
            Self::Small(number) => match number.checked_add(other).filter(|&sum| sum != i64::MIN) {
                Some(sum) => Self::Small(sum),
                None => Self::Large(BigInt::from(number) + other),
            },
            Self::Large(number) => Self::Large(number + other),
        }
    }
}

/// As [`quoted`].
impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cut = if self.length > WORD { "…" } else { "" };
        write!(f, "{}{cut}", self.bytes().escape_ascii())
    }
}

/// True for the first byte of a character in UTF-8.
fn is_character(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

/// The fault of a piece of more bytes than any text needs.
#[cold]
fn endless(begin: Position) -> FileError {
    let max = MAX_PIECE >> 20;
    let what = "a word, a line or white space";
    FileError::at(begin, format!("{what} of more than {max} MiB begins here, which is not read"))
}

impl<'a> Scanner<'a> {
    /// Reads a text behind its byte order mark, if it has one.
    pub fn new(reader: &'a mut dyn Read) -> Self {
        Self { reader, block: Vec::new(), next: 0, position: Position::START, at_start: true }
    }

    /// The place of the next byte.
    pub fn position(&self) -> Position {
        self.position
    }

    /// True if there are only blanks before the next byte in its line.
    pub fn is_at_start(&self) -> bool {
        self.at_start
    }

    /// The next byte; none at the end.
    ///
    /// # Errors
    ///
    /// When the text cannot be read.
    #[inline]
    pub fn peek(&mut self) -> Result<Option<u8>, FileError> {
        match self.block.get(self.next) {
            Some(&byte) => Ok(Some(byte)),
            None => self.refill(),
        }
    }

    /// Reads the next block, and gives its first byte; none at the end.
    #[cold]
    fn refill(&mut self) -> Result<Option<u8>, FileError> {
        let is_first = self.block.is_empty();
        self.next = 0;
        self.block.resize(BLOCK, 0);
        let length = loop {
            match self.reader.read(&mut self.block) {
                Ok(length) => break length,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.block.clear();
                    return Err(FileError::at(self.position, format!("cannot be read: {error}")));
                }
            }
        };
        self.block.truncate(length);
        if is_first && self.block.starts_with(BYTE_ORDER_MARK) {
            self.next = BYTE_ORDER_MARK.len();
            return self.peek();
        }
        Ok(self.block.first().copied())
    }

    /// Passes the byte that `peek` gave.
    #[inline]
    pub fn pass(&mut self, byte: u8) {
        self.next += 1;
        if byte == b'\n' {
            self.position = Position { line: self.position.line + 1, column: 1 };
            self.at_start = true;
        } else {
            self.position.column += u64::from(is_character(byte));
            self.at_start &= byte.is_ascii_whitespace();
        }
    }

    /// Passes bytes of this kind, and gives the byte behind them.
    ///
    /// # Errors
    ///
    /// As [`peek`](Self::peek), and when the piece is too long for any text.
    #[inline]
    pub fn skip_while(&mut self, belongs: impl Fn(u8) -> bool) -> Result<Option<u8>, FileError> {
        match self.peek()? {
            Some(byte) if belongs(byte) => self.skip_more(belongs),
            other => Ok(other),
        }
    }

    /// As [`skip_while`](Self::skip_while), with a byte to pass.
    fn skip_more(&mut self, belongs: impl Fn(u8) -> bool) -> Result<Option<u8>, FileError> {
        let (begin, mut length) = (self.position, 0);
        while let Some(byte) = self.peek()?.filter(|&byte| belongs(byte)) {
            if length == MAX_PIECE {
                return Err(endless(begin));
            }
            length += 1;
            self.pass(byte);
        }
        self.peek()
    }

    /// The next byte that is no blank; with `in_line`, the end of the line is one that it stops at.
    ///
    /// # Errors
    ///
    /// As [`peek`](Self::peek), and when the piece is too long for any text.
    #[inline]
    pub fn skip_blanks(&mut self, in_line: bool) -> Result<Option<u8>, FileError> {
        self.skip_while(|byte| byte.is_ascii_whitespace() && !(in_line && byte == b'\n'))
    }

    /// Passes the next bytes of this kind in the block, the end of a line excepted, and gives them. None are left if it
    /// gives none.
    #[inline]
    fn piece(&mut self, belongs: impl Fn(u8) -> bool) -> Result<&[u8], FileError> {
        self.peek()?;
        let block = &self.block[self.next..];
        let (mut length, mut characters) = (0, 0);
        for &byte in block {
            if byte == b'\n' || !belongs(byte) {
                break;
            }
            length += 1;
            characters += u64::from(is_character(byte));
        }
        let piece = &block[..length];
        self.next += length;
        self.position.column += characters;
        if self.at_start {
            self.at_start = piece.trim_ascii().is_empty();
        }
        Ok(piece)
    }

    /// Passes bytes of this kind, the end of a line excepted. Puts the first ones, up to `max`, into `text`.
    ///
    /// # Errors
    ///
    /// As [`skip_while`](Self::skip_while).
    pub fn take_while(
        &mut self,
        text: &mut Vec<u8>,
        max: usize,
        belongs: impl Fn(u8) -> bool,
    ) -> Result<(), FileError> {
        text.clear();
        let (begin, mut length) = (self.position, 0);
        loop {
            let piece = self.piece(&belongs)?;
            if piece.is_empty() {
                return Ok(());
            }
            text.extend_from_slice(&piece[..piece.len().min(max - text.len())]);
            length += piece.len();
            if length > MAX_PIECE {
                return Err(endless(begin));
            }
        }
    }

    /// Passes everything up to the end of the line.
    ///
    /// # Errors
    ///
    /// As [`peek`](Self::peek), and when the piece is too long for any text.
    pub fn skip_line(&mut self) -> Result<(), FileError> {
        self.line(&mut Vec::new(), 0)
    }

    /// Passes the next line with its end, and puts its first bytes, up to `max`, into `text`. False if there is none.
    ///
    /// # Errors
    ///
    /// As [`peek`](Self::peek), and when the piece is too long for any text.
    pub fn next_line(&mut self, text: &mut Vec<u8>, max: usize) -> Result<bool, FileError> {
        if self.peek()?.is_none() {
            return Ok(false);
        }
        self.line(text, max)?;
        self.peek()?.into_iter().for_each(|end| self.pass(end));
        Ok(true)
    }

    /// Passes everything up to the end of the line. Puts the first bytes, up to `max`, into `text`.
    ///
    /// # Errors
    ///
    /// As [`peek`](Self::peek), and when the piece is too long for any text.
    pub fn line(&mut self, text: &mut Vec<u8>, max: usize) -> Result<(), FileError> {
        self.take_while(text, max, |_| true)
    }

    /// The next word; with `in_line`, none if the line has no more.
    pub(crate) fn word(&mut self, in_line: bool) -> Result<Option<Word>, FileError> {
        match self.skip_blanks(in_line)? {
            None | Some(b'\n') => Ok(None),
            Some(_) => self.word_while(|byte| !byte.is_ascii_whitespace()).map(Some),
        }
    }

    /// The word of the next bytes with this property.
    pub(crate) fn word_while(&mut self, belongs: impl Fn(u8) -> bool) -> Result<Word, FileError> {
        let (position, is_first) = (self.position, self.at_start);
        let mut word = Word { bytes: [0; WORD], length: 0, position, is_first };
        let mut length = 0;
        loop {
            let piece = self.piece(&belongs)?;
            if piece.is_empty() {
                return Ok(word);
            }
            length += piece.len();
            for &byte in piece {
                // Zeros in front of a number are passed.
                if byte == b'0' && matches!(word.bytes(), [b'0'] | [b'+' | b'-', b'0']) {
                    continue;
                }
                if let Some(place) = word.bytes.get_mut(word.length) {
                    *place = byte;
                }
                word.length += 1;
            }
            if length > MAX_PIECE {
                return Err(endless(position));
            }
        }
    }

    /// The number of the digits that come next; none if no digit does. `about` names its meaning.
    pub(crate) fn digits(&mut self, about: &str) -> Result<Option<Number>, FileError> {
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
