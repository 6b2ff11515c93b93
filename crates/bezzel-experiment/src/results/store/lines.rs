//! Evidence line by line, with damage.
//!
//! A damaged file may contain anything. Zero bytes are not part of any entry, so they end a line as a line break does,
//! and the text after them is read. An endless line is skipped without storing it.

use std::io::{self, BufRead};

use memchr::memchr2;

use super::checksum::{self, Damage};

/// The longest line that is read, in bytes. An instance with half a million excluded candidates has
/// 6 million.
const LONGEST: usize = 256 << 20;

/// One line of evidence.
#[derive(Debug)]
pub(super) struct Line {
    /// Its number, counted from 1, as in editors.
    pub(super) number: usize,
    /// The text without its checksum.
    pub(super) body: Result<Vec<u8>, Damage>,
}

/// The lines of evidence, read on demand.
pub(super) struct Lines<R> {
    source: R,
    number: usize,
    buffer: Vec<u8>,
    /// The number of bytes after the last line end.
    torn: u64,
    /// The line after the zeros of a line that was already returned.
    behind: Option<Line>,
}

/// The end of a piece of the file.
enum End {
    Break,
    Zero,
    File,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source, number: 1, buffer: Vec::new(), torn: 0, behind: None }
    }

    /// Returns the number of bytes after the last line end. It is valid after all lines are read.
    pub(super) fn torn(&self) -> u64 {
        self.torn
    }

    /// The number of the line that is read next.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// Reads the next piece, up to a line break or a zero, into the buffer. Returns its end, its length, and true if it
    /// was too long.
    fn piece(&mut self) -> io::Result<(End, u64, bool)> {
        self.buffer.clear();
        let (mut length, mut endless) = (0, false);
        loop {
            let block = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                block => block?,
            };
            if block.is_empty() {
                return Ok((End::File, length, endless));
            }
            let end = memchr2(b'\n', 0, block);
            let taken = end.unwrap_or(block.len());
            endless |= self.buffer.len() + taken > LONGEST;
            if !endless {
                self.buffer.extend_from_slice(&block[..taken]);
            }
            let kind = end.map(|end| if block[end] == 0 { End::Zero } else { End::Break });
            let used = taken + usize::from(kind.is_some());
            self.source.consume(used);
            length += used as u64;
            if let Some(kind) = kind {
                return Ok((kind, length, endless));
            }
        }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(line) = self.behind.take() {
            return Some(Ok(line));
        }
        let mut zeros = false;
        loop {
            let (end, length, endless) = match self.piece() {
                Ok(piece) => piece,
                Err(error) => return Some(Err(error)),
            };
            self.torn += length;
            let number = self.number;
            match end {
                End::File => return None,
                End::Zero => {
                    // The text before zeros is incomplete.
                    zeros = true;
                    continue;
                }
                End::Break => {
                    self.number += 1;
                    self.torn = 0;
                }
            }
            let body = match (endless, self.buffer.is_empty()) {
                (true, _) => Some(Err(Damage::Endless)),
                (false, true) => None,
                (false, false) => Some(checksum::checked(&self.buffer)),
            };
            let mut line = body.map(|body| Line { number, body });
            if zeros {
                self.behind = line.take();
                line = Some(Line { number, body: Err(Damage::NoEntry) });
            }
            if let Some(line) = line {
                return Some(Ok(line));
            }
        }
    }
}
