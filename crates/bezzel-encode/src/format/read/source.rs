//! A text that is read byte by byte, with positions for messages.

use std::io::{self, BufRead};

use super::ReadError;

/// A text that is read once, from its beginning, with the line and column of the next byte.
pub(super) struct Source<R> {
    from: R,
    place: TextPosition,
    /// True once the byte order mark was passed, if there is one.
    is_begun: bool,
}

/// A place in a text: line and column, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextPosition {
    line: u64,
    column: u64,
}

impl TextPosition {
    /// The error of this place.
    pub(super) fn error(self, what: impl Into<String>) -> ReadError {
        ReadError::Malformed { line: self.line, column: self.column, what: what.into() }
    }

    /// The place `bytes` bytes of `text` further on, in the same line.
    pub(super) fn after(self, text: &str, bytes: usize) -> Self {
        let characters = text[..bytes].chars().count() as u64;
        Self { column: self.column + characters, ..self }
    }
}

/// The longest word, in bytes. A name or a number is much shorter.
const MAX_WORD_BYTES: u64 = 1 << 16;

/// The longest line that is skipped, such as a comment, and the longest white space, in bytes.
pub(super) const MAX_LINE_BYTES: u64 = 1 << 24;

/// Refuses the next byte of a piece that has `length` bytes already.
pub(super) fn refuse_endless(
    length: u64,
    max: u64,
    begin: TextPosition,
    what: &str,
) -> Result<(), ReadError> {
    if length < max {
        return Ok(());
    }
    Err(begin
        .error(format!("{what} of more than {} KiB begins here, which is not read", max >> 10)))
}

/// The mark that some editors write at the beginning of UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl<R: BufRead> Source<R> {
    /// Reads a text behind its byte order mark, if it has one.
    pub(super) fn new(from: R) -> Self {
        Self { from, place: TextPosition { line: 1, column: 1 }, is_begun: false }
    }

    /// The place of the next byte.
    pub(super) fn place(&self) -> TextPosition {
        self.place
    }

    /// The next byte, if there is one.
    pub(super) fn peek(&mut self) -> Result<Option<u8>, ReadError> {
        loop {
            match self.from.fill_buf() {
                Ok(bytes) if !self.is_begun => {
                    self.is_begun = true;
                    if bytes.starts_with(BYTE_ORDER_MARK) {
                        self.from.consume(BYTE_ORDER_MARK.len());
                    }
                }
                Ok(bytes) => return Ok(bytes.first().copied()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Takes the byte that `peek` gave.
    pub(super) fn take(&mut self, byte: u8) {
        self.from.consume(1);
        match byte {
            b'\n' => self.place = TextPosition { line: self.place.line + 1, column: 1 },
            // Continuation bytes of a character do not count.
            0x80..=0xBF => {}
            _ => self.place.column += 1,
        }
    }

    /// Takes white space; with `lines`, line ends too.
    pub(super) fn blank(&mut self, lines: bool) -> Result<(), ReadError> {
        let (begin, mut length) = (self.place, 0);
        while let Some(byte) = self.peek()? {
            if !(byte.is_ascii_whitespace() && (lines || byte != b'\n')) {
                break;
            }
            refuse_endless(length, MAX_LINE_BYTES, begin, "white space")?;
            self.take(byte);
            length += 1;
        }
        Ok(())
    }

    /// Takes the text before the next white space; of a long word the beginning is kept.
    pub(super) fn word(&mut self) -> Result<String, ReadError> {
        /// No number and no keyword is longer, and refused words are quoted.
        const MAX_WORD: usize = 40;
        self.word_before(b"", MAX_WORD)
    }

    /// Takes the text before white space or one of these bytes; the first `max` bytes are kept.
    pub(super) fn word_before(&mut self, ends: &[u8], max: usize) -> Result<String, ReadError> {
        let (begin, mut length) = (self.place, 0);
        let mut word = Vec::new();
        while let Some(byte) = self.peek()? {
            if byte.is_ascii_whitespace() || ends.contains(&byte) {
                break;
            }
            refuse_endless(length, MAX_WORD_BYTES, begin, "a word")?;
            length += 1;
            if word.len() < max {
                word.push(byte);
            }
            self.take(byte);
        }
        Ok(String::from_utf8_lossy(&word).into_owned())
    }

    /// Takes the rest of the line and its end into `line`, which keeps its first bytes up to
    /// `max`.
    pub(super) fn line(&mut self, line: &mut String, max: usize) -> Result<(), ReadError> {
        let mut bytes = std::mem::take(line).into_bytes();
        bytes.clear();
        let (begin, mut length) = (self.place, 0);
        while let Some(byte) = self.peek()? {
            self.take(byte);
            if byte == b'\n' {
                break;
            }
            refuse_endless(length, MAX_LINE_BYTES, begin, "a line")?;
            length += 1;
            if bytes.len() < max {
                bytes.push(byte);
            }
        }
        *line = String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        Ok(())
    }
}
